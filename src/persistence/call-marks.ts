import { type RawBuilder, sql } from 'kysely'
import type { CallMark } from '#domain'
import type { Database } from './database.ts'

/** A call: the delivery, and the fence that it was made behind. */
export interface CallOf {
  id: string
  fencedAt: Date
}

/** Writes marks of calls. Of what is known already the better is kept. */
export async function storeCallMarks(
  db: Database,
  bootId: string,
  marks: readonly (CallOf & CallMark)[],
): Promise<void> {
  if (marks.length === 0) return
  const rows = marks.map(({ id, fencedAt, overAt, lastsMs, begunAt }) => ({
    ...{ id, fenced_at: fencedAt, over_at: overAt, lasts_ms: lastsMs, begun_at: begunAt },
  }))
  await sql`
    insert into call_marks as known (delivery_id, fenced_at, boot_id, over_at, lasts_ms, begun_at)
    select id, fenced_at, ${bootId}, over_at, lasts_ms, begun_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (id uuid, fenced_at timestamptz, over_at float8, lasts_ms float8, begun_at float8)
    order by id ${keepingTheBetter}`.execute(db)
}

/** Each mark is a bound of the same call, so the closer one holds. `greatest` passes over null. */
const keepingTheBetter = sql`
  on conflict (delivery_id, fenced_at, boot_id) do update set over_at = least(known.over_at, excluded.over_at),
    lasts_ms = least(known.lasts_ms, excluded.lasts_ms), begun_at = greatest(known.begun_at, excluded.begun_at)`

/** What the marks of a call say. */
interface MarkedCall {
  /** By the clocks of the boot that was asked for; null without a boot. */
  mark: Omit<CallMark, 'lastsMs'> | null
  /** For so long it may go on, by the marks of all boots. */
  lastsMs: number
  /** How long ago the fence was, by the database's clock. */
  sinceFenceMs: number
}

/**
 * Marks calls whose outcome is not known and that may have been marked before, and reads their marks, in one statement. Who knows nothing of
 * one marks that it is over now, or when the marks of other boots say: a fence is taken over before its call is over only by those who have
 * marked it.
 *
 * @param calls of deliveries of which none is there twice, each with what this process knows itself
 * @param boot the boot of this machine and its monotonic clock; without an id nothing is written
 * @returns what the marks of each say, by its delivery
 */
export async function markCalls(
  db: Database,
  calls: readonly (CallOf & { own: CallMark | null })[],
  boot: { id: string | null; now: number },
): Promise<Map<string, MarkedCall>> {
  const given = calls.map(({ id, fencedAt, own }) => ({
    ...{ id, fenced_at: fencedAt, over_at: own?.overAt ?? null, lasts_ms: own?.lastsMs ?? null },
    begun_at: own?.begunAt ?? null,
  }))
  const { rows } = await sql<{
    id: string
    overAt: number | null
    begunAt: number | null
    lastsMs: number
    sinceFenceMs: number
  }>`
    with given as (
      select given.*, coalesce((
        select min(known.lasts_ms) from call_marks as known
        where known.delivery_id = given.id and known.fenced_at = given.fenced_at), 0) as others_ms
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as given (id uuid, fenced_at timestamptz, over_at float8, lasts_ms float8, begun_at float8)
    ), mark as (
      insert into call_marks as known (delivery_id, fenced_at, boot_id, over_at, lasts_ms, begun_at)
      select id, fenced_at, ${boot.id}::text, coalesce(over_at, ${boot.now}::float8 + others_ms), coalesce(lasts_ms, others_ms),
        begun_at
      from given where ${boot.id}::text is not null order by id ${keepingTheBetter}
      returning delivery_id, over_at, begun_at
    )
    select given.id, mark.over_at as "overAt", mark.begun_at as "begunAt", given.others_ms as "lastsMs",
      (extract(epoch from almanac_now() - given.fenced_at) * 1000)::float8 as "sinceFenceMs"
    from given left join mark on mark.delivery_id = given.id`.execute(db)
  return new Map(
    rows.map(({ id, overAt, begunAt, lastsMs, sinceFenceMs }) => [
      id,
      { mark: overAt === null ? null : { overAt, begunAt }, lastsMs, sinceFenceMs },
    ]),
  )
}

/** What the maker of a call knows when it sets the fence, by the clocks of its machine's boot. */
export type FenceMark = CallMark & { bootId: string }

/**
 * A statement that sets fences and returns their deliveries, and writes marks of their calls with it.
 *
 * @param marks as JSON: of each delivery its `id` with the `FenceMark`
 */
export function withMarks<Row>(fencing: RawBuilder<unknown>, marks: string): RawBuilder<Row> {
  return sql<Row>`
    with fenced as (${fencing}), marked as (
      insert into call_marks (delivery_id, fenced_at, boot_id, over_at, lasts_ms, begun_at)
      select fenced.id, fenced.fenced_at, mark."bootId", mark."overAt", mark."lastsMs", mark."begunAt"
      from fenced join jsonb_to_recordset(${marks}::jsonb)
        as mark (id uuid, "bootId" text, "overAt" float8, "lastsMs" float8, "begunAt" float8) on mark.id = fenced.id
      on conflict (delivery_id, fenced_at, boot_id) do update
        set over_at = excluded.over_at, lasts_ms = excluded.lasts_ms, begun_at = excluded.begun_at
    )
    select * from fenced`
}
