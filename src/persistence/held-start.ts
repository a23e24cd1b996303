import { sql } from 'kysely'
import type { HoldShown, LateChoice } from '#contract'
import { HELD_START_BY, HELD_START_REASONS, type HeldStartWhy, newId } from '#domain'
import { type Database, now } from './database.ts'
import { atHome } from './installation-identity.ts'
import { executePrepared } from './statements.ts'

/**
 * Whether the start is held, or will be as soon as a process looks, because the tables were restored from a dump: nothing is
 * claimed, taken or fenced then. PostgreSQL asks once in a statement, not for each row.
 * A condition of its own, beside that of holds: put together by `or`, they would no longer be joined.
 */
export const startIsHeld = sql<boolean>`(
  exists (select from held_starts where ended_at is null) or not ${atHome})`

/** A start that waits for a person. */
export interface HeldStart {
  id: string
  why: HeldStartWhy
  /** What was noticed, as sentences for the operator. */
  signs: string[]
  /** When what this is a copy of was last known to run; null when it is not known. */
  lastRanAt: Date | null
  since: Date
  mailedAt: Date | null
}

/**
 * Holds the start, until a person ends it. Nothing changes while one is open: it keeps its reason. A process that notices a copy notes
 * what this installation is now in the same transaction: it is the row that keeps the start held, also over the next ones.
 *
 * @returns whether it was not held before
 */
export async function holdStart(
  trx: Database,
  { why, signs, lastRanAt }: Pick<HeldStart, 'why' | 'signs' | 'lastRanAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('held_starts')
    .values({ id: newId(), why, signs: JSON.stringify(signs), last_ran_at: lastRanAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const openRow = sql<HeldStart>`
  select id, why, signs, last_ran_at as "lastRanAt", held_at as since, mailed_at as "mailedAt"
  from held_starts where ended_at is null`

/** The held start that is open; null when nothing waits for a person. */
export async function readHeldStart(db: Database): Promise<HeldStart | null> {
  return (await openRow.execute(db)).rows[0] ?? null
}

/** While a dump is restored over a database in use, and until the one who looks at it has noticed. */
const beingRestored = (): HeldStart => ({
  ...{ id: '', why: 'COPY', signs: ['Its database is being restored, or was put into another one.'] },
  ...{ lastRanAt: null, since: new Date(), mailedAt: new Date() },
})
const UNDEFINED_TABLE = '42P01'

/**
 * The same for what may call out: without a row it also waits while the row of the installation is not where it was written, or
 * there is no such table, as while a dump is being restored.
 */
export async function readStartState(db: Database): Promise<HeldStart | null> {
  const query = sql<{ held: boolean } & (HeldStart | { id: null })>`
    select ${startIsHeld} as held, start.* from (select) as one left join (${openRow}) as start on true`
  try {
    const [row] = (await executePrepared(db, query)).rows
    if (!row?.held) return null
    if (row.id === null) return beingRestored()
    const { held: _, ...start } = row
    return start
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return beingRestored()
    throw error
  }
}

/** What answers show of the one that is open, for statements that read more; null when nothing waits for a person. */
export const openStart = sql<StartShown | null>`(
  select json_build_object('since', held_at, 'why', why) from held_starts where ended_at is null)`
export interface StartShown {
  /** A date, or one as JSON has it. */
  since: Date | string
  why: HeldStartWhy
}

/** As answers show it: like a hold of everything. */
export function heldStartShown({ since, why }: StartShown): HoldShown {
  return { since: new Date(since).toISOString(), by: HELD_START_BY, reason: HELD_START_REASONS[why] }
}

/** Whether a start is held, or was within so many milliseconds. */
export async function wasHeldWithin(db: Database, ms: number): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from held_starts where ended_at is null or ended_at > almanac_now() - ${ms} * interval '1 millisecond'
    ) as held`.execute(db)
  return rows[0]?.held ?? false
}

/** Locks the held start until the caller's transaction ends; false when it was ended meanwhile. */
export async function lockHeldStart(trx: Database, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('held_starts')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Ends it. The caller has it locked, and has decided about what was due meanwhile. */
export async function endHeldStart(trx: Database, id: string, by: string, late: LateChoice): Promise<void> {
  await trx.updateTable('held_starts').set({ ended_at: now, ended_by: by, late }).where('id', '=', id).execute()
}

/** Takes the one mail of a held start to be sent. False when another process has. */
export async function takeHeldStartMail(db: Database, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('held_starts')
    .set({ mailed_at: now })
    .where('id', '=', id)
    .where('mailed_at', 'is', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Its mail could not be sent: it is tried again. */
export async function returnHeldStartMail(db: Database, id: string): Promise<void> {
  await db.updateTable('held_starts').set({ mailed_at: null }).where('id', '=', id).execute()
}
