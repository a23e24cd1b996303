import { sql } from 'kysely'
import { MINUTE_MS } from '#contract/durations'
import { type Database, fromNow, inTransaction, now } from './database.ts'
import type { NewEvent } from './happened.ts'
import { addHistory } from './history.ts'
import { addNews } from './news.ts'
import { queueingOf } from './webhook-queue.ts'
import { readMakers } from './webhook-sends.ts'

/** When programs count as answering to themselves, and for how long that is held. Times in minutes and seconds. */
export const LOOP = { changes: 20, minutes: 10, afterSeconds: 10, heldMinutes: 60 } as const

/** A request may take so long, which is longer than any does. */
const REQUEST_SECONDS = 30

/** Changes of a set of which one change makes one event. */
const COUNTED: readonly string[] = [
  'post_set.updated',
  'post_set.scheduled',
  'post_set.parked',
] satisfies NewEvent['type'][]

/** By whom history says it was done. */
const ALMANAC = { type: 'PUBLISHER', id: null, name: 'Publisher' } as const

/** Changes of post sets by programs, each of which may be an answer to itself. */
export function changesByKeys(events: readonly NewEvent[]) {
  return events.flatMap(({ accountId, at, type, data }) => {
    const { kind } = (data.actor ?? {}) as { kind?: string }
    return COUNTED.includes(type) && kind === 'API_KEY'
      ? [{ account_id: accountId, post_set_id: data.postSetId, at }]
      : []
  })
}

/**
 * Notes changes of post sets by keys, shortly after an event about the same set was delivered, or while one is. Of a set of which there are
 * too many, further changes are held for an hour: its history says so, and who made endpoints gets news. In the transaction of
 * `storeEvents`, before it.
 */
export async function noteLoops(trx: Database, changes: ReturnType<typeof changesByKeys>): Promise<void> {
  const { rows } = await sql<{ postSetId: string; accountId: string }>`
    with changed as (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as (account_id uuid, post_set_id uuid, at timestamptz)
    ), looping as (
      select changed.* from changed where exists (
        select from webhooks webhook
        cross join lateral (
          select send_id from webhook_attempts
          where webhook_id = webhook.id and failure is null and webhook_attempts.at <= changed.at
            and webhook_attempts.at > changed.at - make_interval(secs => ${REQUEST_SECONDS})
            and webhook_attempts.at + duration_ms * interval '1 millisecond' > changed.at - make_interval(secs => ${LOOP.afterSeconds})
          union all
          (select id from webhook_sends
          where webhook_id = webhook.id and state = 'WAITING' and webhook.lease_until > ${now}
          order by position nulls first limit 1)) as delivered
        join webhook_sends send on send.id = delivered.send_id
        join events event on event.account_id = send.account_id and event.position = send.position
        where webhook.account_id = changed.account_id and event.data ->> 'postSetId' = changed.post_set_id::text)
    ), noted as (
      insert into webhook_loops (post_set_id, account_id, times)
      select post_set_id, account_id, (array_agg(at order by at desc))[1:${LOOP.changes + 1}]
      from looping group by post_set_id, account_id
      on conflict (post_set_id) do update set times = (excluded.times || webhook_loops.times)[1:${LOOP.changes + 1}]
      returning *
    )
    select post_set_id as "postSetId", account_id as "accountId" from noted
    where held_until is null and times[${LOOP.changes + 1}] > times[1] - make_interval(mins => ${LOOP.minutes})`.execute(
    trx,
  )
  for (const loop of rows) await holdLoop(trx, loop)
}

async function holdLoop(
  trx: Database,
  { postSetId, accountId }: { postSetId: string; accountId: string },
): Promise<void> {
  const { rows } = await sql<{ until: Date; socialSetId: string | null }>`
    update webhook_loops set held_until = ${fromNow(LOOP.heldMinutes * MINUTE_MS)}
    where post_set_id = ${postSetId}::uuid
    returning held_until as until,
      (select social_set_id from post_sets where id = webhook_loops.post_set_id) as "socialSetId"`.execute(trx)
  const [held] = rows
  // It may be gone by now.
  if (!held?.socialSetId) return
  const { until, socialSetId } = held
  const changes = { until: until.toISOString() }
  await addHistory(trx, [{ accountId, postSetId, actor: ALMANAC, action: 'webhooks slowed', changes }])
  const [makers] = await readMakers(trx, sql`webhook.account_id = ${accountId}::uuid and webhook.closed_at is null`)
  const once = `loop ${postSetId} ${until.toISOString()}`
  const news = { kind: 'WEBHOOK_LOOP', accountId, actor: null, once, socialSetId, postSetId } as const
  await addNews(trx, [{ ...news, concerned: makers?.makers ?? [] }])
}

/** Sends the last change of each set whose hour is over, and forgets what was noted of sets that were no loop. */
export async function endLoops(db: Database): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ accountId: string; position: number }>`
      delete from webhook_loops
      where coalesce(held_until, times[1] + make_interval(mins => ${LOOP.minutes})) <= ${now}
      returning account_id as "accountId", position`.execute(trx)
    const held = rows.filter(({ position }) => position !== null)
    if (held.length === 0) return
    await queueingOf(sql`
      select events.* from events
      join jsonb_to_recordset(${JSON.stringify(held)}::jsonb) as held ("accountId" uuid, position bigint)
        on events.account_id = held."accountId" and events.position = held.position`).execute(trx)
  })
}
