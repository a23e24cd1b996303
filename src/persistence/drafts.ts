import { type RawBuilder, sql } from 'kysely'
import { LIMITS } from '#contract'
import type { Database } from './database.ts'
import { type PostSetRow, postSetColumns } from './post-sets.ts'
import { type PostSetFilters, type PostSetSort, postSetConditions } from './post-sets-list.ts'
import { type Visible, visibleSets } from './visible.ts'

/** Which drafts of all social sets that are visible. */
type DraftFilters = Pick<PostSetFilters, 'approvals' | 'labelIds' | 'search'>

const conditionsOf = (filters: DraftFilters) =>
  postSetConditions({
    ...{ socialSetId: sql`brand.id`, from: null, before: null, accountTypes: null, externalId: null },
    ...filters,
    statuses: ['DRAFT'],
  })

const ORDERS = {
  scheduledAt: sql.raw('scheduled_at, id'),
  createdAt: sql.raw('created_at desc, id desc'),
} as const satisfies Record<PostSetSort['by'], unknown>

/**
 * A page of drafts, by time or the newest first, with all that belongs to them: the first of each social set, by its index, and
 * of these the page.
 */
export function draftsQuery(
  visible: Visible,
  filters: DraftFilters,
  by: PostSetSort['by'],
  { limit, offset }: { limit: number; offset: number },
): RawBuilder<PostSetRow> {
  const order = ORDERS[by]
  return sql<PostSetRow>`
    select ${postSetColumns} from (
      select draft.* from (${visibleSets(visible, null)}) as brand, lateral (
        select * from post_sets where ${conditionsOf(filters)} order by ${order} limit ${offset + limit}
      ) as draft
      order by ${order} limit ${limit} offset ${offset}
    ) as post_set order by ${order}`
}

export async function listDraftRows(db: Database, ...query: Parameters<typeof draftsQuery>): Promise<PostSetRow[]> {
  return (await draftsQuery(...query).execute(db)).rows
}

/** How many drafts match: exact up to `LIMITS.exactTotal`, then one more. */
export async function countDrafts(db: Database, visible: Visible, filters: DraftFilters): Promise<number> {
  const limit = LIMITS.exactTotal + 1
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from (${visibleSets(visible, null)}) as brand, lateral (
        select from post_sets where ${conditionsOf(filters)} limit ${limit}
      ) as draft
      limit ${limit}
    ) as counted`.execute(db)
  return rows[0]?.count ?? 0
}
