import { type Database, now } from './database.ts'
import { isVisible, type Visible } from './visible.ts'

export interface HashtagGroupRow {
  id: string
  socialSetId: string
  name: string
  /** With `#`. */
  tags: string[]
  createdAt: Date
  updatedAt: Date
}

const COLUMNS = [
  'id',
  'social_set_id as socialSetId',
  'name',
  'tags',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

/** All groups of a social set, by name. */
export async function listHashtagGroups(db: Database, socialSetId: string): Promise<HashtagGroupRow[]> {
  return db
    .selectFrom('hashtag_groups')
    .select(COLUMNS)
    .where('social_set_id', '=', socialSetId)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** A group, when the caller may see it. */
export async function findHashtagGroup(db: Database, visible: Visible, id: string): Promise<HashtagGroupRow | null> {
  const row = await db
    .selectFrom('hashtag_groups')
    .select(COLUMNS)
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' }))
    .executeTakeFirst()
  return row ?? null
}

/** Inserts a group. The caller holds the social set and knows that there is room and the name is free. */
export async function insertHashtagGroup(
  trx: Database,
  { accountId, ...group }: Pick<HashtagGroupRow, 'id' | 'socialSetId' | 'name' | 'tags'> & { accountId: string },
): Promise<HashtagGroupRow> {
  return trx
    .insertInto('hashtag_groups')
    .values({
      id: group.id,
      account_id: accountId,
      social_set_id: group.socialSetId,
      name: group.name,
      tags: group.tags,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Changes a group. The caller holds the social set and knows that the name is free. Null: it was deleted meanwhile. */
export async function updateHashtagGroup(
  trx: Database,
  { id, name, tags }: Pick<HashtagGroupRow, 'id' | 'name' | 'tags'>,
): Promise<HashtagGroupRow | null> {
  const row = await trx
    .updateTable('hashtag_groups')
    .set({ name, tags, updated_at: now })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  return row ?? null
}

/** Deletes a group; false when the caller may not see it. */
export async function deleteHashtagGroup(db: Database, visible: Visible, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('hashtag_groups')
    .where('id', '=', id)
    .where(isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' }))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
