import { sql } from 'kysely'
import { type Database, fromNow, fromSettled, isLeased, now, settledNow } from './database.ts'
import { startIsHeld } from './held-start.ts'

/** By whom a chore is being done, and for how long that counts. */
interface ChoreLease {
  owner: string
  ms: number
}

/** Makes the rows of chores that have none; each of these is due at once. */
export async function addChores(db: Database, names: readonly string[]): Promise<void> {
  await sql`insert into chores (name) select unnest(${[...names]}::text[]) on conflict do nothing`.execute(db)
}

/** Takes the chore that has been due for longest and that no one has in hand. Null: there is none, or the start is held. */
export async function takeChore(db: Database, names: readonly string[], lease: ChoreLease): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    update chores set lease_owner = ${lease.owner}, lease_until = ${fromNow(lease.ms)}
    where name = (
      select name from chores
      where name = any(${[...names]}::text[]) and next_at <= ${settledNow} and not ${isLeased('lease_until')}
        and not ${startIsHeld}
      order by next_at, name limit 1 for update skip locked)
    returning name`.execute(db)
  return rows[0]?.name ?? null
}

/** Renews a lease from now. False when another process has the chore in hand. */
export async function renewChore(db: Database, name: string, lease: ChoreLease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('chores')
    .set({ lease_until: fromNow(lease.ms) })
    .where('name', '=', name)
    .where('lease_owner', '=', lease.owner)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Gives a chore back: `done`, it is due again after `againInMs`; `failed` the same, without a mark of a run; `broken off`, at
 * once.
 */
export async function giveChoreBack(
  db: Database,
  name: string,
  owner: string,
  end: { kind: 'done' | 'failed'; againInMs: number } | { kind: 'broken off' },
): Promise<void> {
  await db
    .updateTable('chores')
    .set({
      lease_owner: null,
      lease_until: null,
      ...(end.kind === 'broken off' ? {} : { next_at: fromSettled(end.againInMs) }),
      ...(end.kind === 'done' ? { ran_at: now } : {}),
    })
    .where('name', '=', name)
    .where('lease_owner', '=', owner)
    .execute()
}
