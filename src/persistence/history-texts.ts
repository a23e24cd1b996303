import { type RawBuilder, sql } from 'kysely'
import { type AccountType, readHistoryEvent } from '#contract'
import type { Database } from './database.ts'
import { outline } from './history.ts'

/** SQL: the elements of a list; none of what is no list. */
export const elementsOf = (list: RawBuilder<unknown>) =>
  sql`jsonb_array_elements(case when jsonb_typeof(${list}) = 'array' then ${list} end)`

interface ChangedTexts {
  id: string
  accountType: AccountType
  fields: Record<string, { from: unknown; to: unknown }>
}

/** What a row of the history of a post set changed in posts, in full; null when the set has no such row. */
export async function findHistoryTexts(
  db: Database,
  { postSetId, id }: { postSetId: string; id: string },
): Promise<ChangedTexts[] | null> {
  const row = await db
    .selectFrom('history')
    .select(['action', 'changes'])
    .where('id', '=', id)
    .where('post_set_id', '=', postSetId)
    .executeTakeFirst()
  if (!row) return null
  const { changes } = readHistoryEvent(row.action, row.changes)
  const changed = ('posts' in changes && changes.posts?.changed) || []
  return changed.map(({ id: postId, accountType, fields }) => ({ id: postId, accountType, fields }))
}

/** SQL: what a row of history says that a field, wanted, was or became; null where it says nothing of it. */
export const valueAt = (postSetId: string, sequence: 'first' | 'last', end: 'from' | 'to') => sql`(
  select post -> 'fields' -> wanted.name -> ${sql.lit(end)}
  from history, ${elementsOf(sql`(changes #> '{posts,changed}')`)} as post
  where history.post_set_id = ${postSetId} and history.sequence = wanted.${sql.raw(sequence)} and post ->> 'id' = wanted.id
  limit 1)`

export const valueBefore = (postSetId: string) => valueAt(postSetId, 'first', 'from')

/** What a field of a post was in a version, and what it is now. */
export interface TextsSince {
  name: string
  from: unknown
  to: unknown
  /** False: what it was is not kept. */
  fromKept: boolean
}

/** The fields of a post that are different since a version of its set, in full; with `only`, of this name alone. */
export async function listTextsSince(
  db: Database,
  { postSetId, postId, version, only }: { postSetId: string; postId: string; version: number; only?: string },
): Promise<TextsSince[]> {
  const { rows } = await sql<Omit<TextsSince, 'fromKept'> & { known: boolean; same: boolean | null }>`
    with wanted as materialized (
      select ${postId}::text as id, name #>> '{}' as name, min(sequence) as first, max(sequence) as last
      from (
          select sequence, ${outline} as changes from history where post_set_id = ${postSetId} and version > ${version}
        ) as entry, ${elementsOf(sql`(changes #> '{posts,changed}')`)} as post, ${elementsOf(sql`(post -> 'names')`)} as name
      where post ->> 'id' = ${postId} and ${only === undefined ? sql`true` : sql`name #>> '{}' = ${only}`}
      group by name
    ), found as materialized (
      select name, ${valueBefore(postSetId)} as before, ${valueAt(postSetId, 'last', 'to')} as after from wanted
    )
    select name, before as "from", after as "to", before is not null as known from found
    where before is distinct from after order by name`.execute(db)
  return rows.map(({ known, ...row }) => ({ ...row, fromKept: known }))
}
