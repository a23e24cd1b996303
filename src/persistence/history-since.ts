import { sql } from 'kysely'
import { type AccountType, type Approval, LIMITS, type PostSetStatus } from '#contract'
import type { Database } from './database.ts'
import { outline } from './history.ts'
import { elementsOf, valueAt, valueBefore } from './history-texts.ts'

/** Changes that are looked through for what is different: of more, the newest. */
const MOST_CHANGES = 10_000

interface Between<T> {
  from: T
  to: T
}

/** A post that is different: new, gone, or in fields of these names. */
export interface ChangedPost {
  id: string
  accountType: AccountType
  what: 'added' | 'removed' | 'changed'
  names: string[]
}

/** What changes of a post set, in their order, come to: what was before the first and is after the last. No texts. */
export interface MergedChanges {
  scheduledAt: Between<string> | null
  status: Between<PostSetStatus> | null
  approval: Between<Approval> | null
  /** In the order in which they changed first. */
  posts: ChangedPost[]
  /** Ids of posts in the order of the last change that had one. */
  order: string[] | null
  /** What happened, each action once. */
  actions: string[]
  /** Changes before those that were looked through: nothing is said of them. Counted up to 10,000, then one more. */
  earlier: number
}

/** Changes of one kind to a post; of `changed`, to one of its fields. */
interface Part {
  kind: ChangedPost['what']
  id: string
  accountType: AccountType
  name: string | null
  /** `sequence` of the first and the last of them. */
  first: number
  last: number
}

type Found = Omit<MergedChanges, 'posts'> & { parts: Part[] }

/** SQL: of the rows called entry, what it was before the first change and is after the last; null when none names it. */
const between = (name: 'scheduledAt' | 'status' | 'approval') => {
  const end = (which: 'from' | 'to', order: 'asc' | 'desc') => sql`
    (array_agg(changes -> ${sql.lit(name)} ->> ${sql.lit(which)} order by sequence ${sql.raw(order)})
      filter (where jsonb_typeof(changes -> ${sql.lit(name)}) = 'object'))[1]`
  return sql`nullif(jsonb_build_object('from', ${end('from', 'asc')}, 'to', ${end('to', 'desc')}), '{"from": null, "to": null}')`
}

/**
 * What is different in a post set since a version of it. It is put together where the rows are: the answer is as large for
 * thousands of changes as for one.
 */
export async function findChangesSince(db: Database, postSetId: string, version: number): Promise<MergedChanges> {
  const { rows } = await sql<Found>`
    with entry as materialized (
      select sequence, action, ${outline} as changes from history
      where post_set_id = ${postSetId} and version > ${version} order by sequence desc limit ${MOST_CHANGES}
    ), part as (
      select sequence, kind, post ->> 'id' as id, post ->> 'accountType' as type, name
      from entry, unnest(array['added', 'removed', 'changed']) as kind,
        ${elementsOf(sql`(changes #> array['posts', kind])`)} as post
        left join lateral (select value #>> '{}' from ${elementsOf(sql`(post -> 'names')`)}) as named (name) on true
      where jsonb_typeof(post -> 'id') = 'string' and jsonb_typeof(post -> 'accountType') = 'string'
    )
    select ${between('scheduledAt')} as "scheduledAt", ${between('status')} as status, ${between('approval')} as approval,
      (array_agg(changes #> '{posts,order}' order by sequence desc)
        filter (where jsonb_typeof(changes #> '{posts,order}') = 'array'))[1] as "order",
      coalesce(array_agg(distinct action), '{}') as actions,
      (
        select count(*)::integer from (
          select from history where post_set_id = ${postSetId} and version > ${version}
          order by sequence desc offset ${MOST_CHANGES} limit ${LIMITS.exactTotal + 1}
        ) as older
      ) as earlier,
      (
        select coalesce(json_agg(json_build_object('kind', kind, 'id', id, 'accountType', type, 'name', name,
          'first', first, 'last', last) order by first, id, name), '[]')
        from (
          select kind, id, min(type) as type, name, min(sequence) as first, max(sequence) as last
          from part group by kind, id, name
        ) as grouped
      ) as parts
    from entry`.execute(db)
  const found = rows[0]
  if (!found) throw new Error('An aggregate without groups has answered no row.')
  const { scheduledAt, status, approval, parts, ...rest } = found
  return {
    ...{ ...rest, scheduledAt: different(scheduledAt), status: different(status), approval: different(approval) },
    posts: await mergePosts(db, postSetId, parts),
  }
}

const different = <T>(change: Between<T> | null) => (change && change.from !== change.to ? change : null)

/** An id belongs to one post forever: none comes back that was removed. */
async function mergePosts(db: Database, postSetId: string, parts: readonly Part[]): Promise<ChangedPost[]> {
  const of = (kind: Part['kind']) => new Map(parts.filter((part) => part.kind === kind).map((part) => [part.id, part]))
  const [added, removed] = [of('added'), of('removed')]
  const isNamed = (part: Part): part is Part & { name: string } => part.name !== null
  const changed = parts.filter((part) => part.kind === 'changed' && !added.has(part.id) && !removed.has(part.id))
  const others = await withoutSame(db, postSetId, changed.filter(isNamed))
  const post = ({ id, accountType }: Part, what: ChangedPost['what'], names: string[] = []) => ({
    ...{ id, accountType, what, names },
  })
  const names = Map.groupBy(others, ({ id }) => id)
  return [
    ...[...added.values()].filter(({ id }) => !removed.has(id)).map((part) => post(part, 'added')),
    ...[...removed.values()].filter(({ id }) => !added.has(id)).map((part) => post(part, 'removed')),
    ...[...names.values()].flatMap((fields) =>
      fields.slice(0, 1).map((part) => post(part, 'changed', fields.map(({ name }) => name).toSorted())),
    ),
  ]
}

type Named = Pick<Part, 'id' | 'first' | 'last'> & { name: string }

/** Without the fields that are as they were again. Their values are compared where they are. */
async function withoutSame<T extends Named>(db: Database, postSetId: string, fields: readonly T[]): Promise<T[]> {
  if (fields.length === 0) return []
  const { rows } = await sql<{ same: boolean | null }>`
    select ${valueBefore(postSetId)} = ${valueAt(postSetId, 'last', 'to')} as same
    from rows from (
      jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as (id text, name text, first bigint, last bigint)
    ) with ordinality as wanted (id, name, first, last, place)
    order by place`.execute(db)
  return fields.filter((_, index) => rows[index]?.same !== true)
}
