import { sql } from 'kysely'
import type { EventType } from '#contract'
import type { Database } from './database.ts'
import { EVENTS_CHANNEL } from './happened.ts'
import { type Listener, openListener } from './listener.ts'
import type { Visible } from './visible.ts'

interface EventRow {
  id: string
  position: number
  type: EventType
  at: Date
  socialSetId: string | null
  data: Record<string, unknown>
}

/** Events that one request looks through. Those behind are of the next one. */
const LOOKED_THROUGH = 5_000

interface EventsWanted {
  after: number
  /** Empty: all. */
  types: readonly EventType[]
  /** Null: all that may be seen. */
  socialSetId: string | null
  limit: number
}

/** A page of events. */
export interface EventPage {
  rows: EventRow[]
  /** Behind which the next page begins: there is nothing between it and this page that is wanted. */
  nextAfter: number
  /** There may be more at once. */
  more: boolean
}

/** Positions of an account. */
interface EventPositions {
  /** Of the last event that was made; 0: none was. */
  newest: number
  /** Of the oldest that is there; one more than `newest` when none is. */
  oldest: number
}

/** Which positions there are. */
export async function readEventPositions(db: Database, accountId: string): Promise<EventPositions> {
  const { rows } = await sql<{ newest: number | null; oldest: number | null }>`
    select (select newest from event_positions where account_id = ${accountId}::uuid) as newest,
      (select min(position) from events where account_id = ${accountId}::uuid) as oldest`.execute(db)
  const newest = rows[0]?.newest ?? 0
  return { newest, oldest: rows[0]?.oldest ?? newest + 1 }
}

/**
 * The events behind a position in their order; null when that position is none from which nothing is missing: its next event is
 * gone, or it was never given.
 */
export async function listEvents(
  db: Database,
  { accountId, socialSetIds }: Visible,
  { after, types, socialSetId, limit }: EventsWanted,
): Promise<EventPage | null> {
  const { rows } = await sql<{
    newest: number
    next: number | null
    last: number | null
    looked: number
    found: EventRow[]
  }>`
    with looked as materialized (
      select * from events where account_id = ${accountId}::uuid and position > ${after}::bigint
      order by position limit ${LOOKED_THROUGH}
    ), found as (
      select id, position, type, at, social_set_id as "socialSetId", data from looked
      where (${types.length === 0} or type = any(${[...types]}::text[]))
        and (${socialSetId}::uuid is null or social_set_id = ${socialSetId}::uuid)
        and (${socialSetIds === null} or social_set_id = any(${[...(socialSetIds ?? [])]}::uuid[]) or type like 'account.%')
      order by position limit ${limit}
    )
    select coalesce((select newest from event_positions where account_id = ${accountId}::uuid), 0) as newest,
      (select min(position) from looked) as next, (select max(position) from looked) as last,
      (select count(*)::int from looked) as looked,
      coalesce((select json_agg(found order by position) from found), '[]') as found`.execute(db)
  const [page] = rows
  if (!page) throw new Error('A statement without a table has answered no row.')
  const { newest, next, found } = page
  // Positions are without gaps but where events are gone, and where those of a restored backup end.
  if (after === newest ? next !== null : next !== after + 1) return null
  const more = found.length === limit || page.looked === LOOKED_THROUGH
  const last = found.length === limit ? found.at(-1)?.position : page.last
  const nextAfter = more && last !== undefined && last !== null ? await endOfGap(db, accountId, last, newest) : newest
  return {
    rows: found.map((row) => ({ ...row, at: new Date(row.at) })),
    nextAfter,
    more: more && nextAfter < newest,
  }
}

/** The position from which the event behind `last` follows without a gap. */
async function endOfGap(db: Database, accountId: string, last: number, newest: number): Promise<number> {
  const { rows } = await sql<{ next: number | null }>`
    select min(position) as next from events where account_id = ${accountId}::uuid and position > ${last}::bigint`.execute(
    db,
  )
  return (rows[0]?.next ?? newest + 1) - 1
}

/** Hears which accounts have new events, on a connection of its own. `onListening`: what came before was not heard. */
export function listenForEvents(
  url: string | null,
  handlers: { onEvents(accountId: string): void; onListening(): void; onLost(error: unknown): void },
): Listener {
  return openListener(url, {
    channel: EVENTS_CHANNEL,
    name: 'almanac-events',
    onMessage: handlers.onEvents,
    onListening: handlers.onListening,
    onLost: handlers.onLost,
  })
}
