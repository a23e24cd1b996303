import { sql } from 'kysely'
import { countRows, type Database } from './database.ts'
import { isVisible, type Visible } from './visible.ts'

export interface LabelRow {
  id: string
  name: string
  color: string | null
}

export type DatedLabel = LabelRow & { createdAt: Date }

/** Inserts a label. The caller holds the account's lock and knows that the name is free. */
export async function insertLabel(trx: Database, accountId: string, label: LabelRow): Promise<DatedLabel> {
  return trx
    .insertInto('labels')
    .values({ id: label.id, account_id: accountId, name: label.name, color: label.color })
    .returning(['id', 'name', 'color', 'created_at as createdAt'])
    .executeTakeFirstOrThrow()
}

/** The labels of an account by name. */
export async function listLabels(db: Database, accountId: string): Promise<LabelRow[]> {
  return db
    .selectFrom('labels')
    .select(['id', 'name', 'color'])
    .where('account_id', '=', accountId)
    .where('removed_by', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Those labels of an account that are there, by name. None of them is removed until the transaction ends. */
export async function holdLabels(trx: Database, accountId: string, ids: readonly string[]): Promise<LabelRow[]> {
  if (ids.length === 0) return []
  const held = await trx
    .selectFrom('labels')
    .select(['id', 'name', 'color'])
    .where('account_id', '=', accountId)
    .where('removed_by', 'is', null)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return held.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
}

/** A page of the labels of an account by name. */
export async function listLabelRows(
  db: Database,
  accountId: string,
  page: { limit: number; offset: number },
): Promise<DatedLabel[]> {
  return db
    .selectFrom('labels')
    .select(['id', 'name', 'color', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .where('removed_by', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** How many labels an account has: exact up to `LIMITS.exactTotal`, then one more. */
export function countLabels(db: Database, accountId: string): Promise<number> {
  const labels = db.selectFrom('labels').where('account_id', '=', accountId).where('removed_by', 'is', null)
  return countRows(db, labels.select('id'))
}

/** All labels of an account by name, with how many post sets carry each. */
export async function listLabelUsage(db: Database, accountId: string): Promise<(DatedLabel & { postSets: number })[]> {
  const rows = await db
    .selectFrom('labels')
    .select(({ selectFrom }) => [
      'id',
      'name',
      'color',
      'created_at as createdAt',
      selectFrom('post_set_labels')
        .innerJoin('post_sets', 'post_sets.id', 'post_set_id')
        .whereRef('label_id', '=', 'labels.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('postSets'),
    ])
    .where('account_id', '=', accountId)
    .where('removed_by', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map(({ postSets, ...label }) => ({ ...label, postSets: postSets ?? 0 }))
}

/** A label of the account; with `lock` no one puts it on a set until the transaction ends. */
export async function findLabel(
  db: Database,
  accountId: string,
  id: string,
  { lock } = { lock: false },
): Promise<DatedLabel | null> {
  const query = db
    .selectFrom('labels')
    .select(['id', 'name', 'color', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .where('removed_by', 'is', null)
    .where('id', '=', id)
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

/** Whether a label is on a post set that is not seen. */
export async function isOnUnseenPostSet(db: Database, visible: Visible, id: string): Promise<boolean> {
  if (visible.socialSetIds === null) return false
  const { rows } = await sql`
    select from post_set_labels carried join post_sets post_set on post_set.id = carried.post_set_id
    where carried.label_id = ${id}
      and not (${isVisible(visible, { account: 'post_set.account_id', socialSet: 'post_set.social_set_id' })})
    limit 1`.execute(db)
  return rows.length > 0
}

export async function updateLabel(trx: Database, { id, name, color }: LabelRow): Promise<void> {
  await trx.updateTable('labels').set({ name, color }).where('id', '=', id).execute()
}
