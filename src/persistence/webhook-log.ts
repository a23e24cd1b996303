import { type RawBuilder, sql } from 'kysely'
import type { WebhookSendState } from '#contract'
import { type Database, now } from './database.ts'
import { isAboutSets } from './webhook-queue.ts'

/** Of one endpoint, and of that only what is about these social sets; null: all. */
interface LogOf {
  webhookId: string
  socialSetIds: readonly string[] | null
}

/** A request that was made to an endpoint, with the event that it sent. */
export interface WebhookAttemptRow {
  id: string
  at: Date
  durationMs: number
  status: number | null
  failure: string | null
  answer: string | null
  eventId: string
  position: number | null
  type: string
  timestamp: Date
  socialSetId: string | null
  state: WebhookSendState
  /** Of one that waits. */
  nextAt: Date | null
}

/** Of a send and its event. A test is about no social set. */
function isSeen(socialSetIds: readonly string[] | null): RawBuilder<unknown> {
  const ids = socialSetIds && [...socialSetIds]
  return sql`(send.position is null or ${isAboutSets(sql`${ids}::uuid[]`)})`
}

const SENDS = sql`
  webhook_sends send left join events event on event.account_id = send.account_id and event.position = send.position`
/** An event is kept as long as what was sent of it. */
const isThere = sql`(send.position is null or event.id is not null)`

/** What was sent, the newest first, and how many there are, counted up to a bound. */
export async function listWebhookAttempts(
  db: Database,
  { webhookId, socialSetIds }: LogOf,
  wanted: { failed: boolean | null; limit: number; offset: number; countTo: number },
): Promise<{ rows: WebhookAttemptRow[]; counted: number }> {
  const found = sql`
    from webhook_attempts attempt join ${SENDS} on send.id = attempt.send_id
    where attempt.webhook_id = ${webhookId}::uuid and ${isThere} and ${isSeen(socialSetIds)}
      and (${wanted.failed}::boolean is null or (attempt.failure is not null) = ${wanted.failed}::boolean)`
  const { rows } = await sql<WebhookAttemptRow>`
    select attempt.id, attempt.at, attempt.duration_ms as "durationMs", attempt.status, attempt.failure, attempt.answer,
      coalesce(event.id::text, send.event ->> 'id') as "eventId", send.position,
      coalesce(event.type, send.event ->> 'type') as type,
      coalesce(event.at, (send.event ->> 'timestamp')::timestamptz) as timestamp,
      event.social_set_id as "socialSetId", send.state, case when send.state = 'WAITING' then send.next_at end as "nextAt"
    ${found}
    order by attempt.at desc, attempt.id desc limit ${wanted.limit} offset ${wanted.offset}`.execute(db)
  const counts = await sql<{ counted: number }>`
    select count(*)::int as counted from (select 1 ${found} limit ${wanted.countTo + 1}) as found`.execute(db)
  return { rows, counted: counts.rows[0]?.counted ?? 0 }
}

/** Queues what is no event. */
export async function insertTestSend(
  trx: Database,
  send: { id: string; webhookId: string; accountId: string; event: Record<string, unknown> },
): Promise<void> {
  await trx
    .insertInto('webhook_sends')
    .values({
      id: send.id,
      webhook_id: send.webhookId,
      account_id: send.accountId,
      event: JSON.stringify(send.event),
      next_at: now,
    })
    .execute()
}

/**
 * Queues again what was sent, or could not be: one event by its id, or all since a moment that failed.
 *
 * @returns how many
 */
export async function queueAgain(
  trx: Database,
  { webhookId, socialSetIds }: LogOf,
  which: { eventId: string } | { since: Date },
): Promise<number> {
  const wanted =
    'eventId' in which
      ? sql`coalesce(event.id::text, send.event ->> 'id') = ${which.eventId}`
      : sql`send.state = 'FAILED' and coalesce(event.at, send.created_at) >= ${which.since}`
  const { rows } = await sql<{ id: string }>`
    select send.id from ${SENDS}
    where send.webhook_id = ${webhookId}::uuid and ${isThere} and ${isSeen(socialSetIds)} and ${wanted}
    for no key update of send`.execute(trx)
  await sql`
    update webhook_sends set state = 'WAITING', attempts = 0, next_at = ${now}, ended_at = null
    where id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(trx)
  return rows.length
}
