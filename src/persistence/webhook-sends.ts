import { type RawBuilder, sql } from 'kysely'
import type { EventType } from '#contract'
import { newId } from '#domain'
import { type Database, fromNow, inTransaction, isLeased, now, settledNow } from './database.ts'
import { startIsHeld } from './held-start.ts'
import { addNews } from './news.ts'
import { executePrepared } from './statements.ts'
import { closeWebhooks, ownerSees } from './webhook-queue.ts'

/** Lanes that are taken in one look. */
interface LaneLease {
  owner: string
  ms: number
}

/** A send that is due, and all that is needed to make its request. */
export interface DueSend {
  webhookId: string
  accountId: string
  url: string
  /** Sealed for the row of the endpoint. */
  secret: SealedSecret
  /** The one before, while it signs too. */
  oldSecret: SealedSecret | null
  sendId: string
  /** Attempts that were made. */
  attempts: number
  /** Failures of the lane in a row. */
  failures: number
  event: SentEvent
}

interface SealedSecret {
  bytes: Buffer
  keyId: string
}

/** A test brings what is sent; of an event it is made of its row. */
type SentEvent =
  | { test: Record<string, unknown> }
  | {
      id: string
      position: number
      type: EventType
      at: Date
      socialSetId: string | null
      data: Record<string, unknown>
    }

/** What became of a lane that was taken. */
export type LaneHead =
  | { kind: 'due'; send: DueSend }
  /** Nothing is due, or what is due may not be sent: the lane is to be given back. */
  | { kind: 'nothing'; webhookId: string }
  | { kind: 'key ended'; webhookId: string }
  | { kind: 'not seen'; webhookId: string }

/**
 * Takes lanes of endpoints for which something is due, those that were served longest ago first: `healthy` at most, and `failing` of those
 * that fail. What is due in them, `readHeads` reads, behind the lease. The first that is due is asked for, not whether there is one: while
 * the statistics are those of before a burst, the planner would walk all that waits, in the order of positions.
 */
export async function claimLanes(
  db: Database,
  lease: LaneLease,
  { healthy, failing }: { healthy: number; failing: number },
): Promise<{ id: string; failing: boolean }[]> {
  const due = (fails: boolean, limit: number) => sql`
    select webhook.id from webhooks webhook left join api_keys owner on owner.id = webhook.key_id
    where webhook.closed_at is null and webhook.enabled and webhook.lane_at <= ${now} and owner.disabled_at is null
      and (webhook.failures > 1) = ${fails} and not ${isLeased('webhook.lease_until')} and not ${startIsHeld}
      and (
        select next_at from webhook_sends where webhook_id = webhook.id and state = 'WAITING' order by next_at limit 1) <= ${now}
    order by webhook.lane_at limit ${limit} for update of webhook skip locked`
  const claim = sql<{ id: string; failing: boolean }>`
    update webhooks set lease_owner = ${lease.owner}, lease_until = ${fromNow(lease.ms)}
    where id = any(array(${due(false, healthy)}) || array(${due(true, failing)}))
    returning id, failures > 1 as failing`
  return (await executePrepared(db, claim)).rows
}

/**
 * In how many milliseconds a lane is due at the earliest, by what waits now; null: nothing waits. Less than 0: it waits for a place or
 * a person.
 */
export async function readNextLane(db: Database): Promise<number | null> {
  const next = sql<{ inMs: number | null }>`
    select extract(epoch from min(greatest(lane_at, lease_until, send.next_at)) - ${now})::float8 * 1000 as "inMs"
    from webhooks webhook
    cross join lateral (
      select next_at from webhook_sends where webhook_id = webhook.id and state = 'WAITING' order by next_at limit 1) send
    where closed_at is null and enabled`
  return (await executePrepared(db, next)).rows[0]?.inMs ?? null
}

/** What is due first in lanes that the caller has taken, and whether their keys see it now. */
export async function readHeads(db: Database, webhookIds: readonly string[]): Promise<LaneHead[]> {
  const { rows } = await sql<
    Omit<DueSend, 'event' | 'secret' | 'oldSecret' | 'sendId'> & {
      secret: Buffer
      secretKeyId: string
      oldSecret: Buffer | null
      oldSecretKeyId: string | null
      keyEnded: boolean
      keyDisabled: boolean
      sees: boolean | null
      sendId: string | null
      test: Record<string, unknown> | null
      eventId: string | null
      position: number
      type: EventType
      at: Date
      socialSetId: string | null
      data: Record<string, unknown>
    }
  >`
    select webhook.id as "webhookId", webhook.account_id as "accountId", url, webhook.failures,
      webhook.secret, secret_key_id as "secretKeyId",
      case when old_secret_until > ${now} then old_secret end as "oldSecret", old_secret_key_id as "oldSecretKeyId",
      webhook.key_id is not null and (owner.revoked_at is not null or coalesce(owner.expires_at <= ${now}, false)) as "keyEnded",
      owner.disabled_at is not null as "keyDisabled",
      send.id as "sendId", send.attempts, send.event as test, ${ownerSees} as sees,
      event.id as "eventId", event.position, event.type, event.at, event.social_set_id as "socialSetId", event.data
    from webhooks webhook
    left join api_keys owner on owner.id = webhook.key_id
    left join lateral (
      select * from webhook_sends where webhook_id = webhook.id and state = 'WAITING' and next_at <= ${now}
      order by position nulls first limit 1) send on true
    left join events event on event.account_id = send.account_id and event.position = send.position
    where webhook.id = any(${[...webhookIds]}::uuid[]) and webhook.closed_at is null`.execute(db)
  const found = new Map(rows.map((row) => [row.webhookId, row]))
  return webhookIds.map((webhookId): LaneHead => {
    const row = found.get(webhookId)
    if (row?.keyEnded) return { kind: 'key ended', webhookId }
    if (!row?.sendId || row.keyDisabled) return { kind: 'nothing', webhookId }
    const { secret, secretKeyId, oldSecret, oldSecretKeyId, sendId, test, sees, ...rest } = row
    if (!test && !(row.eventId && sees)) return { kind: 'not seen', webhookId }
    const { accountId, url, attempts, failures, eventId, position, type, at, socialSetId, data } = rest
    const event = test ? { test } : { id: eventId ?? '', position, type, at, socialSetId, data }
    const send: DueSend = {
      ...{ webhookId, accountId, url, sendId, attempts, failures, event },
      secret: { bytes: secret, keyId: secretKeyId },
      oldSecret: oldSecret && oldSecretKeyId ? { bytes: oldSecret, keyId: oldSecretKeyId } : null,
    }
    return { kind: 'due', send }
  })
}

/** Gives a lane back without a request; it is not taken before `pauseMs` have passed. */
export async function giveLaneBack(
  db: Database,
  webhookId: string,
  { owner, pauseMs }: { owner: string; pauseMs: number },
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ lease_owner: null, lease_until: null, ...(pauseMs > 0 ? { lane_at: fromNow(pauseMs) } : {}) })
    .where('id', '=', webhookId)
    .where('lease_owner', '=', owner)
    .execute()
}

/** Leaves out what the key of an endpoint does not see now, of all that waits for it, and what is older than events are kept. */
export async function leaveOutUnseen(db: Database, webhookId: string): Promise<void> {
  await sql`
    update webhook_sends set state = 'LEFT_OUT', ended_at = ${now}
    where state = 'WAITING' and id = any(array(
      select send.id from webhook_sends send
      join webhooks webhook on webhook.id = send.webhook_id
      left join api_keys owner on owner.id = webhook.key_id
      left join events event on event.account_id = send.account_id and event.position = send.position
      where send.webhook_id = ${webhookId}::uuid and send.state = 'WAITING' and send.position is not null
        and (event.id is null or not ${ownerSees})))`.execute(db)
}

/** A request as the log keeps it. */
export interface WebhookAttempt {
  durationMs: number
  /** Of the answer; null without one. */
  status: number | null
  /** In a sentence; null: it went well. */
  failure: string | null
  /** How the answer begins, where it may be kept. */
  answer: string | null
}

/** What follows on an attempt that failed. */
export interface AfterFailure {
  /** The next attempt; null: this was the last one. */
  sendInMs: number | null
  /** Nothing is sent to the endpoint before. */
  laneInMs: number
  /** It says that it is gone: it closes. */
  gone: boolean
}

/** When an endpoint of which everything fails is closed. */
export interface FailingLimits {
  days: number
  attempts: number
}

const logged = (sendId: string, { durationMs, status, failure, answer }: WebhookAttempt) => sql`
  insert into webhook_attempts (id, webhook_id, send_id, at, duration_ms, status, failure, answer)
  select ${newId()}::uuid, webhook_id, id, ${fromNow(-durationMs)}, ${Math.round(durationMs)}::integer, ${status}::integer, ${failure}::text,
    ${answer}::text
  from webhook_sends where id = ${sendId}::uuid`

/**
 * A send has arrived. The lane is free again, if it is still the caller's. What failed meanwhile is due at once, when everything did for
 * longer than `recoversMs`.
 */
export async function endSent(
  db: Database,
  { webhookId, sendId }: Pick<DueSend, 'webhookId' | 'sendId'>,
  attempt: WebhookAttempt,
  { owner, recoversMs }: { owner: string; recoversMs: number },
): Promise<void> {
  const { rows } = await sql<{ recovered: boolean }>`
    with before as (
      select id, failing_since from webhooks where id = ${webhookId}::uuid
    ), lane as (
      update webhooks set failing_since = null, failures = 0,
        lane_at = case when lease_owner = ${owner} then ${now} else lane_at end,
        lease_until = case when lease_owner = ${owner} then null else lease_until end,
        lease_owner = nullif(lease_owner, ${owner}::uuid)
      where id = ${webhookId}::uuid
    ), ended as (
      update webhook_sends set state = 'SENT', attempts = attempts + 1, ended_at = ${now}
      where id = ${sendId}::uuid and ended_at is null
    ), attempt as (${logged(sendId, attempt)})
    select coalesce(failing_since < ${fromNow(-recoversMs)}, false) as recovered from before`.execute(db)
  if (rows[0]?.recovered) {
    await sql`
      update webhook_sends set next_at = ${now}
      where webhook_id = ${webhookId}::uuid and state = 'WAITING' and attempts > 0 and next_at > ${now}`.execute(db)
  }
}

/**
 * A send has failed. Of an endpoint of which everything fails for so many days, and so many attempts, nothing is sent any more; who made it
 * gets news.
 *
 * @returns why it was closed; null: it was not
 */
export async function endFailed(
  db: Database,
  { webhookId, sendId, url }: Pick<DueSend, 'webhookId' | 'sendId' | 'url'>,
  attempt: WebhookAttempt,
  { owner, after, limits }: { owner: string; after: AfterFailure; limits: FailingLimits },
): Promise<'GONE' | 'FAILING' | null> {
  return inTransaction(db, async (trx) => {
    const lane = await sql<{ at: Date; failing: boolean }>`
      update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
        lane_at = case when lease_owner = ${owner} then ${fromNow(after.laneInMs)} else lane_at end,
        lease_until = case when lease_owner = ${owner} then null else lease_until end,
        lease_owner = nullif(lease_owner, ${owner}::uuid)
      where id = ${webhookId}::uuid
      returning ${now} as at, failures >= ${limits.attempts} and
        failing_since <= ${settledNow} - make_interval(days => ${limits.days}::integer) as failing`.execute(trx)
    // From the time that the lane goes on from, so that what it waits for is due by then.
    await sql`
      with attempt as (${logged(sendId, attempt)})
      update webhook_sends set attempts = attempts + 1,
        state = case when ${after.sendInMs === null} and state = 'WAITING' then 'FAILED' else state end,
        ended_at = case when ${after.sendInMs === null} and state = 'WAITING' then ${now} end,
        next_at = coalesce(${lane.rows[0]?.at ?? null}::timestamptz, ${now}) + ${after.sendInMs ?? 0} * interval '1 millisecond'
      where id = ${sendId}::uuid and ended_at is null`.execute(trx)
    const why = after.gone ? 'GONE' : lane.rows[0]?.failing ? 'FAILING' : null
    if (why === null || (await closeWebhooks(trx, [webhookId], why)).length === 0) return null
    if (why === 'FAILING') await addFailingNews(trx, webhookId, { url, reason: attempt.failure ?? '' })
    return why
  })
}

async function addFailingNews(
  trx: Database,
  webhookId: string,
  { url, reason }: { url: string; reason: string },
): Promise<void> {
  const [webhook] = await readMakers(trx, sql`webhook.id = ${webhookId}::uuid`)
  if (!webhook) return
  const { accountId, makers: concerned } = webhook
  const { host } = new URL(url)
  await addNews(trx, [{ kind: 'WEBHOOK_FAILING', accountId, actor: null, webhookId, host, reason, concerned }])
}

/** Who made endpoints, by account: people, also those who made the keys of others. */
export async function readMakers(
  db: Database,
  which: RawBuilder<unknown>,
): Promise<{ accountId: string; makers: string[] }[]> {
  const { rows } = await sql<{ accountId: string; makers: string[] }>`
    select webhook.account_id as "accountId",
      array_remove(array_agg(distinct coalesce(webhook.created_by, owner.created_by)), null) as makers
    from webhooks webhook left join api_keys owner on owner.id = webhook.key_id
    where ${which} group by webhook.account_id`.execute(db)
  return rows
}
