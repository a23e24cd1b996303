import { sql } from 'kysely'
import { countRows, type Database, now } from './database.ts'

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
    .orderBy('name')
    .orderBy('id')
    .execute()
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
    .orderBy('name')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** How many labels an account has: exact up to `LIMITS.exactTotal`, then one more. */
export function countLabels(db: Database, accountId: string): Promise<number> {
  return countRows(db, db.selectFrom('labels').where('account_id', '=', accountId).select('id'))
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
        .whereRef('label_id', '=', 'labels.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('postSets'),
    ])
    .where('account_id', '=', accountId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map(({ postSets, ...label }) => ({ ...label, postSets: postSets ?? 0 }))
}

/** A label of the account. */
export async function findLabel(db: Database, accountId: string, id: string): Promise<DatedLabel | null> {
  const row = await db
    .selectFrom('labels')
    .select(['id', 'name', 'color', 'created_at as createdAt'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function updateLabel(trx: Database, { id, name, color }: LabelRow): Promise<void> {
  await trx.updateTable('labels').set({ name, color }).where('id', '=', id).execute()
}

/**
 * Removes a label and takes it off the post sets that carry it; with `into`, they get that label of the account instead.
 * Answers those that carried it, and those that did not carry the other one yet. Their versions are raised.
 */
export async function removeLabel(
  trx: Database,
  id: string,
  into: string | null,
): Promise<{ taken: string[]; given: string[] }> {
  // First the sets, then the label: whoever marks a set holds its row before that of the label, too.
  await sql`
    select from post_sets where id in (select post_set_id from post_set_labels where label_id = ${id})
    order by id for no key update`.execute(trx)
  // From here on nobody puts it on a set.
  await trx.selectFrom('labels').select('id').where('id', '=', id).forUpdate().execute()
  const taken = await trx
    .deleteFrom('post_set_labels')
    .where('label_id', '=', id)
    .returning('post_set_id as postSetId')
    .execute()
  const ids = taken.map(({ postSetId }) => postSetId)
  const given = into === null ? [] : await giveLabel(trx, into, ids)
  await sql`update post_sets set version = version + 1, updated_at = ${now} where id = any(${ids}::uuid[])`.execute(trx)
  await trx.deleteFrom('labels').where('id', '=', id).execute()
  return { taken: ids, given }
}

/** Puts a label on post sets; answers those that did not carry it. */
async function giveLabel(trx: Database, id: string, postSetIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ postSetId: string }>`
    insert into post_set_labels (post_set_id, label_id)
    select marked.id, ${id}::uuid from unnest(${[...postSetIds]}::uuid[]) as marked (id)
    on conflict do nothing returning post_set_id as "postSetId"`.execute(trx)
  return rows.map(({ postSetId }) => postSetId)
}
