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
  fields: Record<string, FieldTexts>
}

interface FieldTexts {
  from: unknown
  to: unknown
  /** Changes whose difference it is: one, or all that were joined. */
  together: number
}

/** What a row of the history of a post set changed in posts, in full; null when the set has no such row. */
export async function findHistoryTexts(
  db: Database,
  { postSetId, id }: { postSetId: string; id: string },
): Promise<ChangedTexts[] | null> {
  const row = await db
    .selectFrom('history')
    .select(['sequence', 'action', 'changes'])
    .where('id', '=', id)
    .where('post_set_id', '=', postSetId)
    .executeTakeFirst()
  if (!row) return null
  const { changes } = readHistoryEvent(row.action, row.changes)
  const changed = ('posts' in changes && changes.posts?.changed) || []
  const missing = changed.flatMap((post) => (post.joined ?? []).map((name) => ({ id: post.id, name })))
  const others = await readJoined(db, { postSetId, sequence: row.sequence }, missing)
  return changed.map(({ id: postId, accountType, fields }) => {
    const whole = Object.entries(fields).map(([name, field]) => [name, { ...field, together: 1 }] as const)
    const joined = others
      .filter((field) => field.id === postId)
      .map(({ name, id: _, ...field }) => [name, field] as const)
    return { id: postId, accountType, fields: Object.fromEntries([...whole, ...joined]) }
  })
}

/** SQL: sequences of the rows of history that changed a field, wanted, and whether its texts are whole there. */
const namings = (postSetId: string) => sql`(
  select sequence, coalesce(not post -> 'joined' ? wanted.name, true) as whole
  from history, ${elementsOf(sql`(${outline} #> '{posts,changed}')`)} as post
  where history.post_set_id = ${postSetId} and post ->> 'id' = wanted.id and post -> 'names' ? wanted.name
)`

/** What the fields of each post were that a row of history changed, by the id of the post; null when not all of it is kept. */
export async function findFieldsBefore(
  db: Database,
  { postSetId, sequence }: { postSetId: string; sequence: number },
): Promise<Map<string, Record<string, unknown>> | null> {
  const row = await db
    .selectFrom('history')
    .select(['action', 'changes'])
    .where('post_set_id', '=', postSetId)
    .where('sequence', '=', sequence)
    .executeTakeFirst()
  if (!row) return null
  const { changes } = readHistoryEvent(row.action, row.changes)
  const changed = ('posts' in changes && changes.posts?.changed) || []
  if (changed.some(({ joined = [] }) => joined.length > 0)) return null
  return new Map(
    changed.map(({ id, fields }) => [
      id,
      Object.fromEntries(Object.entries(fields).map(([name, { from }]) => [name, from])),
    ]),
  )
}

/** What fields came to that a row has no texts of: from the last row before it that has, to the next one behind it. */
async function readJoined(
  db: Database,
  { postSetId, sequence }: { postSetId: string; sequence: number },
  fields: readonly { id: string; name: string }[],
): Promise<({ id: string; name: string } & FieldTexts)[]> {
  if (fields.length === 0) return []
  const { rows } = await sql<{ id: string; name: string } & FieldTexts>`
    with asked as materialized (
      select wanted.id, wanted.name, (
          select sequence from ${namings(postSetId)} as naming where whole and sequence < ${sequence} order by sequence desc limit 1
        ) as first, (
          select sequence from ${namings(postSetId)} as naming where whole and sequence > ${sequence} order by sequence limit 1
        ) as last
      from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as wanted (id text, name text)
    )
    select id, name, ${valueAt(postSetId, 'first', 'to')} as "from", ${valueAt(postSetId, 'last', 'from')} as "to", (
        select count(*)::integer from ${namings(postSetId)} as naming
        where sequence > wanted.first and sequence < wanted.last
      ) as together
    from asked as wanted`.execute(db)
  return rows
}

/** SQL: what a row of history says that a field, wanted, was or became; null where it says nothing of it. */
export const valueAt = (postSetId: string, sequence: 'first' | 'last', end: 'from' | 'to') => sql`(
  select post -> 'fields' -> wanted.name -> ${sql.lit(end)}
  from history, ${elementsOf(sql`(changes #> '{posts,changed}')`)} as post
  where history.post_set_id = ${postSetId} and history.sequence = wanted.${sql.raw(sequence)} and post ->> 'id' = wanted.id
  limit 1)`

/** SQL: what a field, wanted, was before the first of its changes; null when that was joined with one before it. */
export const valueBefore = (postSetId: string) => sql`coalesce(${valueAt(postSetId, 'first', 'from')}, (
  select ${valueAt(postSetId, 'first', 'to')}
  from (
    select wanted.id, wanted.name, sequence as first from ${namings(postSetId)} as naming
    where sequence < wanted.first order by sequence desc limit 1
  ) as wanted))`

/** What a field of a post was in a version, and what it is now. */
interface TextsSince {
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
