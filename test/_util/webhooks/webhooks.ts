import type { Webhook, WebhookSendState, WebhookWithSecret } from '#contract'
import { newId } from '#domain'
import type { Api } from '../api/api.ts'
import { eventsBehind } from '../api/event-log.ts'
import type { Person } from '../api/members.ts'
import { done } from '../browser/dashboard-api.ts'

export const FLOW = 'https://flows.example.com/almanac'

/** Makes one by a key. */
export const webhookOf = (api: Api, key: string, body: object = {}): Promise<WebhookWithSecret> =>
  done(api.request('POST', '/v1/webhooks', { key, body: { url: FLOW, ...body } }), 201)

/** Makes one of the account. */
export const webhookBy = (person: Person, body: object = {}): Promise<WebhookWithSecret> =>
  done(person.request('POST', '/webhooks', { body: { url: FLOW, password: person.password, ...body } }), 201)

export const readWebhook = (api: Api, key: string, id: string): Promise<Webhook> =>
  done(api.request('GET', `/v1/webhooks/${id}`, { key }))

/** An account of its own with a key of all scopes, a brand, and another one. */
export async function newWorld(api: Api) {
  const accountId = await api.newAccount()
  const place = { accountId, connected: ['BLUESKY' as const] }
  const [socialSetId, other] = [await api.newSocialSet(place), await api.newSocialSet(place)]
  const key = await api.newKey({ accountId })
  return { accountId, socialSetId, other, key }
}

/** Something happens in a social set: the position and the id of the event that says so. */
export async function happens(api: Api, { key, socialSetId }: { key: string; socialSetId: string }) {
  const { nextAfter } = await eventsBehind(api, 0, '', { key })
  await api.create({ socialSetId }, key)
  const [event] = (await eventsBehind(api, nextAfter, '', { key })).data
  if (!event) throw new Error('Nothing has happened.')
  return event
}

/** What the sender leaves of an event: its row, which the tick has made where the endpoint wants it, and one for each request. */
export async function sent(
  api: Api,
  { id: webhookId, accountId }: { id: string; accountId: string },
  position: number,
  {
    state = 'SENT',
    attempts = [],
  }: { state?: WebhookSendState; attempts?: { at: string; status: number | null; failure?: string }[] },
): Promise<string> {
  const ended = state === 'WAITING' || state === 'KEPT' ? null : new Date()
  const send = {
    id: newId(),
    webhook_id: webhookId,
    account_id: accountId,
    position,
    state,
    ended_at: ended,
    attempts: attempts.length,
  }
  const left = { state, ended_at: ended, attempts: attempts.length }
  const { id } = await api.db
    .insertInto('webhook_sends')
    .values(send)
    .onConflict((conflict) => conflict.columns(['webhook_id', 'position']).doUpdateSet(left))
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { at, status, failure = null } of attempts) {
    const attempt = {
      id: newId(),
      webhook_id: webhookId,
      send_id: id,
      at: new Date(at),
      duration_ms: 12,
      status,
      failure,
    }
    await api.db
      .insertInto('webhook_attempts')
      .values({ ...attempt, answer: status === null ? null : 'ok' })
      .execute()
  }
  return id
}

/** By position: the states of what is sent to an endpoint. */
export async function states(api: Api, webhookId: string): Promise<Record<string, WebhookSendState>> {
  const rows = await api.db
    .selectFrom('webhook_sends')
    .select(['position', 'state'])
    .where('webhook_id', '=', webhookId)
    .orderBy('position')
    .execute()
  return Object.fromEntries(rows.map(({ position, state }) => [String(position), state]))
}
