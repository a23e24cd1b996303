import {
  APPROVALS,
  accountTypesOf,
  LIMITS,
  networkFilters,
  type Page,
  POST_SET_STATUSES,
  type PostSet,
  pageAnswer,
  type QueryReader,
  readQuery,
} from '#contract'
import { isId } from '#domain'
import {
  firstPageOfPostSets,
  type PostSetFilters,
  type PostSetSort,
  pageOfPostSets,
  type SocialSetPlace,
} from '#persistence'
import type { Caller } from '../caller.ts'
import { readTimeFilter } from '../read-time-filter.ts'
import { requireSocialSet, socialSetIdOfQuery } from '../social-sets/require.ts'
import type { PostSetDeps } from './deps.ts'
import { postSetAnswers } from './serialize.ts'

const SORTS = ['sort[scheduledAt]', 'sort[createdAt]'] as const
const TIMES = ['filters[startDate]', 'filters[endDate]'] as const
const SORT_BY = { 'sort[scheduledAt]': 'scheduledAt', 'sort[createdAt]': 'createdAt' } as const

/**
 * A page of the post sets of a social set. `query` is the query string: `socialSetId`, `page`, `size`, `filters[…]`
 * and `sort[…]`. Values of one filter are alternatives, filters narrow each other.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listPostSets(
  { db, urls }: Pick<PostSetDeps, 'db' | 'urls'>,
  caller: Caller,
  query: string,
): Promise<Page<PostSet>> {
  const reader = readQuery(query)
  const socialSetId = socialSetIdOfQuery(reader)
  // Existence comes before shape. A row that is found says as well that the caller sees its social set.
  let known: SocialSetPlace | null = null
  const require = async () => {
    if (socialSetId !== null) known ??= await requireSocialSet(db, caller, socialSetId)
    return known
  }
  const needsTimezone = TIMES.some((name) => reader.texts(name) !== null)
  const timezone = needsTimezone ? (await require())?.timezone : undefined
  const page = reader.page()
  const filters = readFilters(reader, timezone ?? 'UTC')
  const sort = readSort(reader)
  try {
    reader.finish()
  } catch (error) {
    await require()
    throw error
  }
  if (socialSetId === null) throw new Error('A list without a social set was not refused.')

  const wanted = { socialSetId, ...filters }
  const range = { limit: page.size, offset: (page.page - 1) * page.size }
  const first = isId(socialSetId) ? await firstPageOfPostSets(db, caller, wanted, sort, range) : null
  if (!first || first.rows.length === 0) await require()
  const { rows, counted } = first ?? (await pageOfPostSets(db, wanted, sort, range))
  return pageAnswer(postSetAnswers(rows, urls, new Date()), page, counted)
}

function readFilters(reader: QueryReader, timezone: string): Omit<PostSetFilters, 'socialSetId'> {
  const { time: from } = readTimeFilter(reader, TIMES[0], timezone)
  const { time: before } = readTimeFilter(reader, TIMES[1], timezone)
  if (from && before && from > before) reader.problem('filters[startDate]', 'must not be later than filters[endDate]')
  return { from, before, ...readNarrowing(reader) }
}

/** The filters besides those of time. */
export function readNarrowing(reader: QueryReader): Omit<PostSetFilters, 'socialSetId' | 'from' | 'before' | 'more'> {
  const search = reader.text('filters[search]')
  if (search !== null && [...search].length < LIMITS.searchCodePoints) {
    reader.problem('filters[search]', `must have at least ${LIMITS.searchCodePoints} characters`)
  }
  return {
    statuses: reader.choices('filters[status]', POST_SET_STATUSES),
    accountTypes: reader.choices('filters[socialNetworks]', networkFilters)?.flatMap(accountTypesOf) ?? null,
    approvals: reader.choices('filters[approval]', APPROVALS),
    // What cannot be an id is a label that no set has.
    labelIds: reader.texts('filters[labelsId]')?.filter(isId) ?? null,
    search,
  }
}

/** Both sorts may be given; the first in the query string comes first. */
function readSort(reader: QueryReader): [PostSetSort, ...PostSetSort[]] {
  const sorts = reader.orderOf(SORTS).map(
    (name): PostSetSort => ({
      by: SORT_BY[name],
      direction: reader.choice(name, ['ASC', 'DESC']) ?? 'ASC',
    }),
  )
  const [first = { by: 'scheduledAt', direction: 'ASC' }, ...others] = sorts
  return [first, ...others]
}
