import {
  type AskedQuery,
  FIX_OF,
  kindsOfPosts,
  LIMITS,
  RESULT_GROUPS,
  RESULTS_PAGE,
  type ResultItem,
  type ResultPage,
  type ResultPost,
  type Results,
  type ResultsQuery,
} from '#contract'
import { cardStateOf, excerptOf, outcomeOf } from '#domain'
import {
  countResults,
  type HeldStart,
  type HoldRow,
  type HoldsOfSet,
  heldStartShown,
  holdShown,
  listHolds,
  pageOfResults,
  type ResultFilters,
  type ResultPlace,
  type ResultPostRow,
  type ResultRow,
  readHeldStart,
  readResults,
  readSeen,
} from '#persistence'
import { placeNamed } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { holdOfPost, isHeldSet, STEPS } from '../post-sets/deliveries.ts'
import { failureCause } from '../post-sets/failure-cause.ts'
import { URL_HOURS } from '../post-sets/serialize.ts'
import { isUnderWay } from '../post-sets/under-way.ts'
import { checkCursor, placeOfCursor } from '../read-query.ts'
import { continueProblem, lookProblem, retryProblem } from './possible.ts'

type Deps = Pick<OperationDeps, 'db' | 'urls'>

/**
 * The outcome of post sets, newest first, in groups: the first page of each, or a page of one.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`
 */
export async function listResults(
  { db, urls }: Deps,
  caller: Caller,
  query: AskedQuery<ResultsQuery>,
): Promise<Results> {
  const { userId } = requireMember(caller)
  await placeNamed(db, caller, query)
  const asked = query.read((read, problem) => {
    checkCursor(read, problem)
    if (read.cursor !== undefined && !read.group) problem('cursor', 'needs the group that it belongs to')
  })
  const { group, socialSetId = null, days = null, size = RESULTS_PAGE.defaultSize } = asked
  const groups = group ? [group] : RESULT_GROUPS
  const filters: ResultFilters = { socialSetId, days, accountTypes: asked['filters[accountTypes][]'] ?? null }
  const place = placeOfCursor(asked.cursor)
  const after = place && { scheduledAt: place.at, id: place.id }

  // Before the pages: what fails after this is unseen still, when these are.
  const seen = await readSeen(db, caller, { userId, socialSetId })
  const pages = await Promise.all(
    groups.map(async (group) => ({
      group,
      found: await pageOfResults(db, caller, group, filters, { after, limit: size + 1 }),
      counted: after === null ? await countResults(db, caller, group, filters) : null,
    })),
  )
  const ids = pages.flatMap(({ found }) => found.slice(0, size).map(({ id }) => id))
  const rows = await readResults(db, [...new Set(ids)], { captionCodePoints: LIMITS.excerpt.readCodePoints })
  const [holds, start] = await Promise.all([listHolds(db, caller), readHeldStart(db)])
  const now = new Date()
  const items = new Map(
    rows.map((row) => {
      const until = seen.find((mark) => mark.socialSetId === row.socialSetId)?.until ?? now
      return [row.id, itemAnswer(row, { urls, now, until, holds: holdsOfSet(holds, row.socialSetId, start) })] as const
    }),
  )
  const newest = seen
    .map((mark) => mark.newest?.toISOString() ?? '')
    .sort()
    .at(-1)
  return {
    groups: pages.map(({ group, found, counted }): ResultPage => {
      const last = found.length > size ? found[size - 1] : undefined
      return {
        group,
        total: counted === null ? null : Math.min(counted, LIMITS.exactTotal),
        totalIsExact: counted !== null && counted <= LIMITS.exactTotal,
        data: found.slice(0, size).flatMap(({ id }) => items.get(id) ?? []),
        next: last ? cursorOf(last) : null,
      }
    }),
    newestFailureAt: newest || null,
  }
}

const cursorOf = ({ scheduledAt, id }: ResultPlace) => `${scheduledAt.toISOString()}_${id}`

/** Of all holds, those that concern a social set: a start that is held, then its own before the account's. */
function holdsOfSet(rows: readonly HoldRow[], socialSetId: string, start: HeldStart | null): HoldsOfSet {
  const own = rows.filter((row) => row.socialSetId === null || row.socialSetId === socialSetId)
  const whole =
    own.find((row) => row.connectionId === null && row.socialSetId !== null) ??
    own.find((row) => row.connectionId === null)
  return {
    whole: start ? heldStartShown(start) : whole ? holdShown(whole) : null,
    connections: own.flatMap(({ connectionId: id, accountType, ...row }) =>
      id === null || accountType === null ? [] : [{ id, accountType, hold: holdShown(row) }],
    ),
  }
}

interface Around extends Pick<Deps, 'urls'> {
  now: Date
  /** What failed later is unseen. */
  until: Date
  holds: HoldsOfSet
}

function itemAnswer(row: ResultRow, { urls, now, until, holds }: Around): ResultItem {
  const { id, socialSetId, timezone, scheduledAt, version, status, labelsId, caption, picture, mediaCount } = row
  const { failedAt, posts, mediaType } = row
  const held = isHeldSet(posts.map((post) => ({ done: post.state === 'DONE', held: holdOfPost(holds, post) !== null })))
  const retried = posts.some(({ state }) => isUnderWay(state))
  const results = posts.map(({ result }) => result && outcomeOf(result))
  return {
    id,
    socialSetId,
    timezone,
    scheduledAt: scheduledAt.toISOString(),
    version,
    state: cardStateOf({ status, approval: 'NONE', results, held, retried }),
    labelsId,
    excerpt: excerptOf(caption, LIMITS.excerpt.codePoints),
    thumbnailUrl: picture && urls.sign(picture, URL_HOURS, now),
    mediaType,
    mediaCount,
    kinds: kindsOfPosts(row.forms),
    unseen: failedAt !== null && failedAt > until,
    posts: posts.map((post) => postAnswer(post, holds)),
  }
}

function postAnswer(post: ResultPostRow, holds: HoldsOfSet): ResultPost {
  const { postId, accountType, connectionId, connectionName, attempts, retries, message, result } = post
  const hold = holdOfPost(holds, post)
  const step = post.state === null ? 'waiting' : STEPS[post.state]
  const state = step === 'preparing' && (post.pausing || hold) ? 'waiting' : step
  const look = lookProblem(post)
  return {
    postId,
    accountType,
    connectionId,
    connectionName,
    state,
    hold,
    attempts,
    retries,
    nextAt: state === 'done' || hold ? null : (post.nextAt?.toISOString() ?? null),
    message,
    result,
    sentAt: post.sentAt?.toISOString() ?? null,
    endedAt: post.endedAt?.toISOString() ?? null,
    failure: failureOf(post, holds),
    look: look === undefined ? null : { possible: look === null, why: look },
  }
}

function failureOf(post: ResultPostRow, holds: HoldsOfSet): ResultPost['failure'] {
  const stopped = continueProblem(post, holds)
  const cause = stopped === undefined ? failureCause(post) : 'ENDED_EARLY'
  if (cause === null) return null
  const why = stopped === undefined ? retryProblem(post, holds) : stopped
  const { id, status, scheduledAt } = post.copy ?? {}
  const copy = id && status && scheduledAt ? { id, status, scheduledAt: scheduledAt.toISOString() } : null
  return { cause, fix: FIX_OF[cause], retry: { possible: why === null, why }, copy }
}
