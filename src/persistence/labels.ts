import { countRows, type Database } from './database.ts'

export interface LabelRow {
  id: string
  name: string
  color: string | null
}

/** Inserts a label. False when the account has one of that name. */
export async function insertLabel(db: Database, accountId: string, label: LabelRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('labels')
    .values({ id: label.id, account_id: accountId, name: label.name, color: label.color })
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
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
): Promise<(LabelRow & { createdAt: Date })[]> {
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
