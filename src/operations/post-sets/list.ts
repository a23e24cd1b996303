import {
  type AskedQuery,
  accountTypesOf,
  type CalendarQuery,
  type Page,
  type PostSet,
  type PostSetListQuery,
  pageAnswer,
  rowsAsked,
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
import type { PostSetDeps } from '../deps.ts'
import { goodTime } from '../read-body.ts'
import { readTime } from '../read-query.ts'
import { requireSocialSet } from '../social-sets/require.ts'
import { postSetAnswers } from './serialize.ts'

const SORT_BY = { 'sort[scheduledAt]': 'scheduledAt', 'sort[createdAt]': 'createdAt' } as const
const START = 'filters[startDate]'
const END = 'filters[endDate]'

/**
 * A page of the post sets of a social set. Values of one filter are alternatives, filters narrow each other.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listPostSets(
  { db, urls }: Pick<PostSetDeps, 'db' | 'urls'>,
  caller: Caller,
  query: AskedQuery<PostSetListQuery>,
): Promise<Page<PostSet>> {
  const named = query.peek()
  // Existence comes before shape. A row that is found says as well that the caller sees its social set.
  let known: SocialSetPlace | null = null
  const require = async () => {
    if (typeof named.socialSetId === 'string') known ??= await requireSocialSet(db, caller, named.socialSetId)
    return known
  }
  const needsTimezone = named[START] !== undefined || named[END] !== undefined
  const timezone = (needsTimezone ? (await require())?.timezone : undefined) ?? 'UTC'
  const asked = await readOrRequire(query, timezone, require)
  const { socialSetId } = asked
  const page = rowsAsked(asked)
  const wanted = { socialSetId, ...filtersOf(asked, timezone) }
  const sort = sortOf(asked)
  const first = isId(socialSetId) ? await firstPageOfPostSets(db, caller, wanted, sort, page) : null
  if (!first || first.rows.length === 0) await require()
  const { rows, counted } = first ?? (await pageOfPostSets(db, wanted, sort, page))
  return pageAnswer(postSetAnswers(rows, urls, new Date()), page, counted)
}

/** A query that is refused is so behind the existence of what it is about. */
async function readOrRequire(
  query: AskedQuery<PostSetListQuery>,
  timezone: string,
  require: () => Promise<unknown>,
): Promise<PostSetListQuery> {
  try {
    return query.read((read, problem) => {
      const [from, before] = [readTime(read, START, problem, timezone), readTime(read, END, problem, timezone)]
      if (from && before && from > before) problem(START, 'must not be later than filters[endDate]')
    })
  } catch (error) {
    await require()
    throw error
  }
}

function filtersOf(asked: PostSetListQuery, timezone: string): Omit<PostSetFilters, 'socialSetId'> {
  const { [START]: from, [END]: before } = asked
  const timeOf = (text: string | undefined) => (text === undefined ? null : goodTime(text, timezone))
  return {
    from: timeOf(from),
    before: timeOf(before),
    ...narrowingOf(asked),
    externalId: asked['filters[externalId]'] ?? null,
  }
}

/** The filters other than those by time. */
export function narrowingOf(
  asked: PostSetListQuery | CalendarQuery,
): Omit<PostSetFilters, 'socialSetId' | 'from' | 'before' | 'more'> {
  return {
    statuses: asked['filters[status][]'] ?? null,
    accountTypes: asked['filters[socialNetworks][]']?.flatMap(accountTypesOf) ?? null,
    approvals: asked['filters[approval][]'] ?? null,
    // What cannot be an id is a label that no set has.
    labelIds: asked['filters[labelsId][]']?.filter(isId) ?? null,
    search: asked['filters[search]'] ?? null,
    externalId: ('filters[externalId]' in asked ? asked['filters[externalId]'] : null) ?? null,
  }
}

/** Both sorts may be given; the first in the query string comes first. */
function sortOf(asked: PostSetListQuery): [PostSetSort, ...PostSetSort[]] {
  const names = Object.keys(asked).filter((name): name is keyof typeof SORT_BY => name in SORT_BY)
  const sorts = names.map((name): PostSetSort => ({ by: SORT_BY[name], direction: asked[name] ?? 'ASC' }))
  const [first = { by: 'scheduledAt', direction: 'ASC' }, ...others] = sorts
  return [first, ...others]
}
