import type { Attempt, FindOutcome } from '../network.ts'
import type { Called } from '../toolkit/graph.ts'
import { failedFinding, whileFinding } from '../toolkit/outcomes.ts'
import { call } from './api.ts'
import { commentaryOf, plainText } from './commentary.ts'
import { readState, type Sent } from './state.ts'
import { meaningOf } from './stops.ts'
import { type ListedPost, parsePosts, timeOf } from './wire.ts'

/** LinkedIn's clock and ours may differ by so much. */
export const CLOCK_SKEW_MS = 60_000
/** Entries of a listing, the most there are. */
const LISTED = 100
/**
 * For so long LinkedIn is trusted to know a post again. The window is documented nowhere; 10 minutes are what the rules
 * of this network go by, and the call itself has to be made within them.
 */
const FOLD_MS = 9 * 60_000

export function permalinkOf(attempt: Attempt, urn: string): string {
  return `${attempt.endpoint('web')}/feed/update/${urn}/`
}

/**
 * Looks for the post among those of the account. Urns of media belong to one upload and so to one post; a text is known
 * by its words and its time. Who may not list posts (nearly every person) can only repeat the very same call once.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const { postUrn, sent } = readState(attempt.handles)
  if (postUrn !== null) return found(attempt, postUrn)
  // Noted down before every call, so nothing was sent.
  if (sent === null) return { kind: 'absent' }
  const listed = await list(attempt)
  if (listed.kind === 'failed') return failedFinding(listed)
  if (listed.kind === 'refused') {
    if (listed.answer.status === 403) return withoutListing(attempt, sent)
    return whileFinding(meaningOf(attempt, listed.answer).meaning)
  }
  const from = new Date(new Date(sent.since).getTime() - CLOCK_SKEW_MS)
  const matches = listed.value.filter((post) => isOurs(attempt, post, from))
  const [match, ...others] = matches
  if (match && others.length === 0) return found(attempt, match.urn)
  if (match) return { kind: 'cannot-tell', message: 'The account has several posts that could be this one.' }
  const oldest = listed.value.at(-1)?.modifiedAt
  if (listed.value.length >= LISTED && (!oldest || oldest >= from)) {
    return { kind: 'cannot-tell', message: 'The account has more new posts than LinkedIn lists at a time.' }
  }
  await attempt.store({ sent: { ...sent, missed: true } })
  return { kind: 'absent' }
}

const found = (attempt: Attempt, urn: string): FindOutcome => ({
  kind: 'found',
  providerId: urn,
  permalink: permalinkOf(attempt, urn),
})

function list(attempt: Attempt): Promise<Called<ListedPost[]>> {
  return call(attempt, {
    method: 'GET',
    path: 'rest/posts',
    query: { q: 'author', author: attempt.account.externalId, count: String(LISTED), sortBy: 'LAST_MODIFIED' },
    headers: { 'x-restli-method': 'FINDER' },
    timeoutMs: 15_000,
    parse: parsePosts,
  })
}

function isOurs(attempt: Attempt, post: ListedPost, from: Date): boolean {
  if (!post.live) return false
  const { assets } = readState(attempt.handles)
  if (assets.length > 0) return assets.some(({ urn }) => post.media.includes(urn))
  const made = post.createdAt ?? timeOf(post.urn)
  return (
    post.media.length === 0 &&
    (made === null || made >= from) &&
    plainText(post.commentary) === plainText(commentaryOf(attempt.post))
  )
}

/**
 * The first call may have made the post or not. A second one that is the same to the letter is answered with the first
 * one's post when there is one, so it is safe for as long as LinkedIn remembers: once, and soon. Later nobody can tell.
 */
function withoutListing(attempt: Attempt, sent: Sent): FindOutcome {
  if (mayRepeat(attempt, sent)) return { kind: 'absent' }
  const message =
    'LinkedIn did not say whether it made the post, and does not let Almanac list the posts of this account. Look at its profile.'
  return { kind: 'cannot-tell', message }
}

/** Whether LinkedIn would know a second call for the first one. A post without words has nothing it is known to compare. */
export function mayRepeat(attempt: Attempt, sent: Sent): boolean {
  const age = attempt.now().getTime() - new Date(sent.since).getTime()
  return sent.count === 1 && age < FOLD_MS && attempt.post.caption.trim() !== ''
}
