import {
  type AskedBody,
  type AskedQuery,
  entryAt,
  LIMITS,
  type Loose,
  type ProblemEntry,
  pageAnswer,
  refuseBody,
  rowsAsked,
  WEBHOOK_TEST,
  type WebhookAttempt,
  type WebhookAttemptPage,
  type WebhookAttemptQuery,
  type WebhookQueued,
  type WebhookResend,
  type WebhookTested,
} from '#contract'
import { newId, parseTime } from '#domain'
import {
  type Database,
  databaseNow,
  insertTestSend,
  inTransaction,
  listWebhookAttempts,
  queueAgain,
  type WebhookAttemptRow,
  type WebhookRow,
} from '#persistence'
import type { Caller } from '../caller.ts'
import { refused } from '../refused.ts'
import { requireWebhook } from './own.ts'

const CODE = 'request:invalid_body'

/**
 * Queues a test that is signed and sent like an event, but is not one.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `webhook:not_found`,
 *   `request:refused` for one that is closed or switched off, `request:invalid_query`
 */
export async function testWebhook(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<WebhookTested> {
  const webhook = await requireWebhook(db, caller, id)
  requireOpen(webhook)
  query.read()
  return inTransaction(db, async (trx) => {
    const eventId = newId()
    const timestamp = (await databaseNow(trx)).toISOString()
    const event = { id: eventId, position: null, type: WEBHOOK_TEST, timestamp, socialSetId: null, data: {} }
    await insertTestSend(trx, { id: newId(), webhookId: webhook.id, accountId: caller.accountId, event })
    return { eventId }
  })
}

/**
 * Queues one event again that was sent or could not be, or all since a given time that could not. Each is unchanged,
 * with the same id; events that the caller can no longer see are left out.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `webhook:not_found`,
 *   `request:refused` for one that is closed or switched off, `request:invalid_query`, `request:invalid_body`
 */
export async function resendWebhookEvents(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<WebhookResend>,
): Promise<WebhookQueued> {
  const webhook = await requireWebhook(db, caller, id)
  requireOpen(webhook)
  const { eventId, since } = body.read(checkResend)
  const which = eventId === undefined ? { since: timeOf(since) ?? new Date() } : { eventId: eventId.toLowerCase() }
  return inTransaction(db, async (trx) => {
    const queued = await queueAgain(trx, { webhookId: webhook.id, socialSetIds: caller.socialSetIds }, which)
    if ('eventId' in which && queued === 0) {
      refuseBody([entryAt(['eventId'], CODE, 'No event with this id was sent to this webhook.')])
    }
    return { queued }
  })
}

function checkResend({ eventId, since }: Loose<WebhookResend>): ProblemEntry[] {
  if ((eventId === undefined) === (since === undefined)) return [entryAt([], CODE, 'Give either eventId or since.')]
  if (typeof since !== 'string' || timeOf(since)) return []
  return [entryAt(['since'], CODE, 'since must be an ISO 8601 time, such as 2030-06-01T10:00:00Z.')]
}

const timeOf = (since: string | undefined) => (since === undefined ? null : parseTime(since, 'UTC', new Date()))

function requireOpen({ closedAt, enabled }: WebhookRow): void {
  if (closedAt) throw refused('why:webhook_closed')
  if (!enabled) throw refused('why:webhook_off')
}

/**
 * The requests that were sent to a webhook, newest first, for events that the caller sees now.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope` or `auth:insufficient_role`, `webhook:not_found`,
 *   `request:invalid_query`
 */
export async function listAttemptsOfWebhook(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<WebhookAttemptQuery>,
): Promise<WebhookAttemptPage> {
  const webhook = await requireWebhook(db, caller, id)
  const { failed = null, ...asked } = query.read()
  const { page, size, limit, offset } = rowsAsked(asked)
  const of = { webhookId: webhook.id, socialSetIds: caller.socialSetIds }
  const { rows, counted } = await listWebhookAttempts(db, of, { failed, limit, offset, countTo: LIMITS.exactTotal })
  return pageAnswer(rows.map(answerAttempt), { page, size }, counted)
}

function answerAttempt(row: WebhookAttemptRow): WebhookAttempt {
  const {
    id,
    at,
    durationMs,
    status,
    failure,
    answer,
    eventId,
    position,
    type,
    timestamp,
    socialSetId,
    state,
    nextAt,
  } = row
  return {
    ...{ id, at: at.toISOString(), durationMs, status, failure, answer },
    event: { id: eventId, position, type, timestamp: timestamp.toISOString(), socialSetId },
    state,
    nextAt: nextAt?.toISOString() ?? null,
  }
}
