import { sql } from 'kysely'
import { type Database, now } from './database.ts'
import { type Actor, addHistoryToEach } from './history.ts'
import { giveMediaLabel } from './media-labels.ts'

/** Post sets that a transaction takes a label off: their rows are held meanwhile, and a scheduler skips what is held. */
const BATCH = 500

/**
 * Makes a label be gone for everybody; with `into`, its post sets are to get that label of the account instead. They
 * carry it until `finishRemovedLabels` has taken it off. The caller holds the account's lock.
 */
export async function markLabelRemoved(
  trx: Database,
  id: string,
  { by, into }: { by: Actor; into: string | null },
): Promise<void> {
  if (into !== null) await giveMediaLabel(trx, id, into)
  // What is on its way to this label goes on with it.
  await trx.updateTable('labels').set({ merged_into: into }).where('merged_into', '=', id).execute()
  await trx
    .updateTable('labels')
    .set({ removed_by: JSON.stringify(by), merged_into: into })
    .where('id', '=', id)
    .execute()
}

/**
 * Takes the removed labels of an account, or of all, off their post sets, and then they are gone. When something ends it
 * half-way, it goes on where it was when it is called again; several may run at once. Drafts and scheduled sets get
 * another version; the others do not, and a publisher that has them in hand does not wait. Resolves with how many there were.
 */
export async function finishRemovedLabels(
  db: Database,
  accountId: string | null,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  const labels = await db
    .selectFrom('labels')
    .select('id')
    .where('removed_by', 'is not', null)
    .where((where) => (accountId === null ? where.val(true) : where('account_id', '=', accountId)))
    .orderBy('id')
    .execute()
  for (const { id } of labels) {
    while (!signal?.aborted && !(await db.transaction().execute((trx) => removeSome(trx, id))));
  }
  return labels.length
}

interface RemovedLabel {
  id: string
  name: string
  accountId: string
  by: Actor
  into: string | null
}

/** Takes a removed label off some post sets, or removes its row when it is on none; answers whether it is gone. */
async function removeSome(trx: Database, id: string): Promise<boolean> {
  const label = await readRemoved(trx, id)
  if (!label) return true
  const { rows: some } = await sql<{ id: string }>`
    select post_set_id as id from post_set_labels where label_id = ${id} order by 1 limit ${BATCH}`.execute(trx)
  if (some.length === 0) return removeRow(trx, id)
  const ids = some.map((set) => set.id)
  const { rows: held } = await sql<{ id: string }>`
    select id from post_sets where id = any(${ids}::uuid[]) and status in ('DRAFT', 'SCHEDULED')
    order by id for no key update`.execute(trx)
  // No other labels are put on the rest meanwhile; a publisher writes its results all the same.
  await sql`select from post_sets where id = any(${ids}::uuid[]) order by id for key share`.execute(trx)
  const { rows: taken } = await sql<{ id: string }>`
    delete from post_set_labels where label_id = ${id} and post_set_id = any(${ids}::uuid[])
    returning post_set_id as id`.execute(trx)
  const takenIds = taken.map((set) => set.id)
  const given = label.into === null ? [] : await giveLabel(trx, label.into, takenIds)
  const raised = new Set(held.map((set) => set.id)).intersection(new Set(takenIds))
  await sql`
    update post_sets set version = version + 1, updated_at = ${now} where id = any(${[...raised]}::uuid[])`.execute(trx)
  await notifyOthers(
    trx,
    takenIds.filter((setId) => !raised.has(setId)),
  )
  const entry = { accountId: label.accountId, actor: label.by }
  const removed = { label: { id, name: label.name } }
  await addHistoryToEach(trx, takenIds, { ...entry, action: 'label removed', changes: removed })
  if (label.into === null || given.length === 0) return false
  const into = await trx
    .selectFrom('labels')
    .select(['id', 'name'])
    .where('id', '=', label.into)
    .executeTakeFirstOrThrow()
  await addHistoryToEach(trx, given, { ...entry, action: 'label added', changes: { label: into } })
  return false
}

async function readRemoved(trx: Database, id: string): Promise<RemovedLabel | null> {
  const row = await trx
    .selectFrom('labels')
    .select(['id', 'name', 'account_id as accountId', 'removed_by as by', 'merged_into as into'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.by ? { ...row, by: row.by } : null
}

/** Removes the row of a label, unless a caller who had seen it before has put it on a set meanwhile. */
async function removeRow(trx: Database, id: string): Promise<boolean> {
  // Putting it on a set takes its row's lock: from here on no one can.
  await trx.selectFrom('labels').select('id').where('id', '=', id).forUpdate().execute()
  const { rows } = await sql`
    delete from labels where id = ${id} and not exists (select from post_set_labels where label_id = ${id})
    returning id`.execute(trx)
  if (rows.length > 0) return true
  return (await readRemoved(trx, id)) === null
}

/** Puts a label on post sets, if it is still there; answers those that did not carry it. */
async function giveLabel(trx: Database, id: string, postSetIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ postSetId: string }>`
    insert into post_set_labels (post_set_id, label_id)
    select marked.id, label.id
    from (select id from labels where id = ${id} for key share) as label
    cross join unnest(${[...postSetIds]}::uuid[]) as marked (id)
    on conflict do nothing returning post_set_id as "postSetId"`.execute(trx)
  return rows.map(({ postSetId }) => postSetId)
}

/** Notifies screens of sets whose own rows stay as they are. */
async function notifyOthers(trx: Database, postSetIds: readonly string[]): Promise<void> {
  await sql`
    select almanac_tell('post-sets', account_id, social_set_id, null)
    from (
      select distinct account_id, social_set_id from post_sets where id = any(${[...postSetIds]}::uuid[])
    ) as reported`.execute(trx)
}
