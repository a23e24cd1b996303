import { type RawBuilder, sql } from 'kysely'
import { type AccountType, type Approval, LIMITS, type PostSetStatus } from '#contract'
import { searchable } from '#domain'
import { countRows, type Database } from './database.ts'
import { lastResult, POST_SET_COLUMNS, type PostSetRow, postSetColumns } from './post-sets.ts'
import { constantStatement } from './statements.ts'
import type { Visible } from './visible.ts'

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
  /** The set of this name. */
  externalId: string | null
  /** What only the calendar asks for. */
  more?: {
    /** Sets with a post of one of these, besides `accountTypes`. */
    accountTypes: readonly AccountType[] | null
    /** Sets made by one of these: ids of users or keys, or types of actors. */
    authors: readonly string[] | null
    /** Sets of a series. */
    seriesId: string | null
    /** Sets with a post that came to this. */
    outcomes: readonly ('POSTED' | 'FAILED')[] | null
  }
}

const SORT_COLUMNS = { scheduledAt: 'scheduled_at', createdAt: 'created_at' } as const

/** A page of post sets, and how many there are in all: exact up to `LIMITS.exactTotal`, then one more. */
interface PostSetPage {
  rows: PostSetRow[]
  counted: number
}

/** A page of the post sets of a social set. What is the last page needs no count. */
export async function pageOfPostSets(
  db: Database,
  filters: PostSetFilters,
  sort: readonly [PostSetSort, ...PostSetSort[]],
  page: { limit: number; offset: number },
): Promise<PostSetPage> {
  const rows = await listPostSetRows(db, filters, sort, page)
  const isLast = rows.length < page.limit && (rows.length > 0 || page.offset === 0)
  return { rows, counted: isLast ? page.offset + rows.length : await countPostSets(db, filters) }
}

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
  const found =
    filters.search === null
      ? sql`select * from post_sets where ${all(calendarOf(filters), narrowed(filters))}
          order by ${order} limit ${page.limit} offset ${page.offset}`
      : searched(filters, order, page)
  const { rows } = await sql<PostSetRow>`
    select ${postSetColumns} from (${found}) as post_set order by ${order}`.execute(db)
  return rows
}

/** How many post sets match: exact up to `LIMITS.exactTotal`, then one more. */
export function countPostSets(db: Database, filters: PostSetFilters): Promise<number> {
  const ids = db
    .selectFrom('post_sets')
    .select('id')
    .where(all(calendarOf(filters), narrowed(filters)))
  return countRows(db, ids)
}

/** Whether a page is the first one of a calendar, from a time and before another one perhaps, without further filters. */
function isFirstByTime(
  { statuses, accountTypes, approvals, labelIds, search, externalId, more }: PostSetFilters,
  [first, ...others]: readonly PostSetSort[],
  { offset }: { offset: number },
): boolean {
  const plain =
    [statuses, accountTypes, approvals, labelIds, search, externalId].every((filter) => filter === null) && !more
  return plain && offset === 0 && others.length === 0 && first?.by === 'scheduledAt' && first.direction === 'ASC'
}

/**
 * The largest page bounds what is read, in words that PostgreSQL can plan with: of $2 it only guesses that it is a part.
 * Those of an account are in its social sets, so the count need not look at whose they are.
 */
const firstPage = (times: string) =>
  constantStatement<PostSetRow & { counted: number }>(`
    select ${POST_SET_COLUMNS}, (
      select count(*) from (
        select from post_sets where social_set_id = $1 ${times} limit ${LIMITS.exactTotal + 1}
      ) as counted
    ) as counted
    from (
      select * from (
        select * from post_sets where social_set_id = $1 ${times} order by scheduled_at, id limit ${LIMITS.page.maxSize}
      ) as largest
      where account_id = $3 and ($4::uuid[] is null or social_set_id = any($4::uuid[]))
      order by scheduled_at, id limit $2
    ) as post_set order by scheduled_at, id`)

const FIRST_PAGES = {
  all: firstPage(''),
  from: firstPage('and scheduled_at >= $5'),
  before: firstPage('and scheduled_at < $5'),
  between: firstPage('and scheduled_at >= $5 and scheduled_at < $6'),
}

/**
 * The first page of a calendar, or of a part of it, with its count by one statement: what most requests ask for. Of a social
 * set that the caller does not see it is empty. Null when it is another page that is asked for.
 */
export async function firstPageOfPostSets(
  db: Database,
  { accountId, socialSetIds }: Visible,
  filters: PostSetFilters,
  sort: readonly [PostSetSort, ...PostSetSort[]],
  page: { limit: number; offset: number },
): Promise<PostSetPage | null> {
  if (!isFirstByTime(filters, sort, page)) return null
  const { socialSetId, from, before } = filters
  const times = [from, before].filter((time) => time !== null)
  const part = from ? (before ? 'between' : 'from') : before ? 'before' : 'all'
  const rows = await FIRST_PAGES[part](db, [socialSetId, page.limit, accountId, socialSetIds, ...times])
  return { rows, counted: rows[0]?.counted ?? 0 }
}

/** Sets that a search reads in the order of the calendar before it asks the index, besides twice those it needs. */
const LOOKED_THROUGH = 5_000

/**
 * A page of a search. A word that many captions have is met soon by going through the calendar, and the index would
 * give far more sets than are needed; a word that few have is in few rows of the index, and may never be met. Which of
 * the two it is cannot be known before, as words come and go with the seasons: so a part of the calendar is gone
 * through, and the index is asked when that did not fill the page.
 */
function searched(filters: PostSetFilters, order: RawBuilder<unknown>, page: { limit: number; offset: number }) {
  const needed = page.offset + page.limit
  return sql`
    with met as materialized (
      select id, scheduled_at, created_at from (
        select * from post_sets where ${all(calendarOf(filters))}
        order by ${order} limit ${LOOKED_THROUGH + 2 * needed}
      ) as post_sets
      where ${all(narrowed(filters))} order by ${order} limit ${needed}
    ), indexed as materialized (
      select id, scheduled_at, created_at from post_sets
      where ${all(calendarOf(filters), narrowed(filters))} and (select count(*) from met) < ${needed}
    ), page as (
      select id from (
        select * from met where (select count(*) from met) = ${needed} union all select * from indexed
      ) as matching order by ${order} limit ${page.limit} offset ${page.offset}
    )
    select post_sets.* from page join post_sets using (id)`
}

/** The filters, of a social set that may be a column of another row. */
interface PlacedFilters extends Omit<PostSetFilters, 'socialSetId'> {
  socialSetId: string | RawBuilder<unknown>
}

/** All conditions of the filters, on rows of `post_sets`. */
export function postSetConditions(filters: PlacedFilters): RawBuilder<boolean> {
  return all(calendarOf(filters), narrowed(filters))
}

type Condition = RawBuilder<boolean>

const all = (...conditions: Condition[][]) => sql<boolean>`${sql.join(conditions.flat(), sql` and `)}`

/** What the index of the calendar answers. */
function calendarOf({ socialSetId, from, before }: PlacedFilters): Condition[] {
  const conditions = [sql<boolean>`social_set_id = ${socialSetId}`]
  if (from) conditions.push(sql`scheduled_at >= ${from}`)
  if (before) conditions.push(sql`scheduled_at < ${before}`)
  return conditions
}

/** The other conditions. */
function narrowed(filters: PlacedFilters): Condition[] {
  const { statuses, accountTypes, approvals, labelIds, search } = filters
  const conditions: Condition[] = []
  if (statuses) conditions.push(sql`status in (${sql.join(statuses)})`)
  if (approvals) conditions.push(sql`approval in (${sql.join(approvals)})`)
  for (const types of [accountTypes, filters.more?.accountTypes]) {
    if (!types) continue
    conditions.push(sql`exists (
      select from posts
      where post_set_id = post_sets.id and social_set_id = ${filters.socialSetId}
        and account_type in (${sql.join(types)}))`)
  }
  if (labelIds) {
    conditions.push(sql`exists (
      select from post_set_labels where post_set_id = post_sets.id and label_id = any(${labelIds}::uuid[]))`)
  }
  if (filters.externalId !== null) conditions.push(sql`external_id = ${filters.externalId}`)
  const { authors, seriesId, outcomes } = filters.more ?? {}
  if (seriesId) conditions.push(sql`series_id = ${seriesId}`)
  if (authors) {
    conditions.push(sql`(
      select coalesce(actor_id, actor_type) from history where post_set_id = post_sets.id order by sequence limit 1
    ) = any(${authors}::text[])`)
  }
  if (outcomes) {
    conditions.push(sql`exists (
      select from posts as post, lateral ${sql.raw(lastResult.replaceAll('post_set.', 'post_sets.'))} as last
      where post.post_set_id = post_sets.id and last.result ->> 'status' in (${sql.join(outcomes)}))`)
  }
  // What is searchable has neither % nor _ nor \, so the pattern has no wildcards but these two.
  if (search !== null) conditions.push(sql`search_text like ${`%${searchable(search)}%`}`)
  return conditions
}
