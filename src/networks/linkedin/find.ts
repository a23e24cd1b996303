import type { Called, Listing } from '../kit/api.ts'
import { lookUp } from '../kit/lookup.ts'
import type { Attempt, FindOutcome } from '../network.ts'
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
  let refused = false
  const told = await lookUp(attempt, {
    title: 'LinkedIn',
    skewMs: CLOCK_SKEW_MS,
    since: new Date(sent.since),
    async list(from) {
      const listed = await list(attempt, from)
      refused = listed.kind === 'refused' && listed.answer.status === 403
      return listed
    },
    at: (post) => (post.media.length > 0 ? null : (post.createdAt ?? timeOf(post.urn))),
    match: (post) => (isOurs(attempt, post) ? 'same' : null),
    meaningOf: (answer) => meaningOf(attempt, answer).meaning,
  })
  if (refused) return withoutListing(attempt, sent)
  if (told.kind === 'absent') await attempt.store({ sent: { ...sent, missed: true } })
  return told.kind === 'entry' ? found(attempt, told.entry.urn) : told
}

const found = (attempt: Attempt, urn: string): FindOutcome => ({
  kind: 'found',
  providerId: urn,
  permalink: permalinkOf(attempt, urn),
})

/** The listing has one page. */
async function list(attempt: Attempt, from: Date): Promise<Called<Listing<ListedPost>>> {
  const asked = await call(attempt, {
    method: 'GET',
    path: 'rest/posts',
    query: { q: 'author', author: attempt.account.externalId, count: String(LISTED), sortBy: 'LAST_MODIFIED' },
    headers: { 'x-restli-method': 'FINDER' },
    timeoutMs: 15_000,
    parse: parsePosts,
  })
  if (asked.kind !== 'ok') return asked
  const entries = asked.value
  const oldest = entries.at(-1)?.modifiedAt ?? from
  return { kind: 'ok', value: { entries, whole: entries.length < LISTED || oldest < from } }
}

function isOurs(attempt: Attempt, post: ListedPost): boolean {
  if (!post.live) return false
  const { assets } = readState(attempt.handles)
  if (assets.length > 0) return assets.some(({ urn }) => post.media.includes(urn))
  return post.media.length === 0 && plainText(post.commentary) === plainText(commentaryOf(attempt.post))
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
