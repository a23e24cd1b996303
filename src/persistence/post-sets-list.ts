import { sql } from 'kysely'
import type { AccountType, Approval, PostSetStatus } from '#contract'
import { countRows, type Database } from './database.ts'
import { type PostSetRow, postSetColumns } from './post-sets.ts'

export interface PostSetSort {
  by: 'scheduledAt' | 'createdAt'
  direction: 'ASC' | 'DESC'
}

/** Which post sets of a social set. Null: no matter. */
export interface PostSetFilters {
  socialSetId: string
  /** Scheduled at or after. */
  from: Date | null
  /** Scheduled before. */
  before: Date | null
  statuses: readonly PostSetStatus[] | null
  /** Sets with a post of one of these. */
  accountTypes: readonly AccountType[] | null
  approvals: readonly Approval[] | null
  /** Sets with one of these labels. */
  labelIds: readonly string[] | null
  /** A part of a caption of the set, in capitals or not. */
  search: string | null
}

const SORT_COLUMNS = { scheduledAt: 'scheduled_at', createdAt: 'created_at' } as const

/**
 * A page of post sets with all that belongs to them, in one query. Equal sort values are ordered by id, in the
 * direction of the last one: so every order is one that an index has.
 */
export async function listPostSetRows(
  db: Database,
  filters: PostSetFilters,
  sort: readonly [PostSetSort, ...PostSetSort[]],
  page: { limit: number; offset: number },
): Promise<PostSetRow[]> {
  const last = sort.at(-1)?.direction ?? 'ASC'
  const order = sql.join([
    ...sort.map(({ by, direction }) => sql`${sql.ref(SORT_COLUMNS[by])} ${sql.raw(direction)}`),
    sql`id ${sql.raw(last)}`,
  ])
  const { rows } = await sql<PostSetRow>`
    select ${postSetColumns}
    from (
      select * from ${matching(db, filters).selectAll()} as matching
      order by ${order} limit ${page.limit} offset ${page.offset}
    ) as post_set
    order by ${order}`.execute(db)
  return rows
}

/** How many post sets match: exact up to `LIMITS.exactTotal`, then one more. */
export function countPostSets(db: Database, filters: PostSetFilters): Promise<number> {
  return countRows(db, matching(db, filters).select('id'))
}

function matching(db: Database, filters: PostSetFilters) {
  const { from, before, statuses, accountTypes, approvals, labelIds, search } = filters
  let query = db.selectFrom('post_sets').where('social_set_id', '=', filters.socialSetId)
  if (from) query = query.where('scheduled_at', '>=', from)
  if (before) query = query.where('scheduled_at', '<', before)
  if (statuses) query = query.where('status', 'in', statuses)
  if (approvals) query = query.where('approval', 'in', approvals)
  if (accountTypes) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('posts')
          .select('posts.id')
          .whereRef('posts.post_set_id', '=', 'post_sets.id')
          .where('posts.account_type', 'in', accountTypes),
      ),
    )
  }
  if (labelIds) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('post_set_labels')
          .select('label_id')
          .whereRef('post_set_labels.post_set_id', '=', 'post_sets.id')
          .where('label_id', '=', sql<string>`any(${labelIds}::uuid[])`),
      ),
    )
  }
  if (search !== null) {
    // strpos knows no wildcards: % and _ are letters like others.
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('posts')
          .select('posts.id')
          .whereRef('posts.post_set_id', '=', 'post_sets.id')
          .where(sql<boolean>`strpos(lower(posts.caption), lower(${search})) > 0`),
      ),
    )
  }
  return query
}
