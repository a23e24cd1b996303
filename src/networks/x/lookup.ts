import type { Attempt, FindOutcome, Reconnect, Retry } from '../network.ts'
import { failedFinding, failedPreparing, type HttpAnswer, type HttpFailure, whileFinding } from '../toolkit/outcomes.ts'
import { type Called, call } from './api.ts'
import { comparable, writtenText } from './lookup-text.ts'
import { judge } from './outcomes.ts'
import { namesOf, readState } from './state.ts'
import { type ListedPost, parseTimeline, type Timeline } from './wire.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 5 * 60_000
/** What is older than the visible call by more than this, and names none of its files, is another post. */
const OLDER_MS = 30_000
/** Posts of an account in some minutes; more pages are not looked through. */
const MAX_PAGES = 3

/** How the fields of a post are asked for: by the present contract (OpenAPI 2.167), and by the older pages. */
const SPELLINGS = [
  { parameter: 'post.fields', fields: 'attachments,created_at,entities,note_post,text' },
  { parameter: 'tweet.fields', fields: 'attachments,created_at,entities,note_tweet,text' },
] as const

/**
 * Looks whether the post was made. A post names its files, which are nobody else's; without files its text and its time
 * tell it. Of a post with files the same text tells nothing: people write such things by hand as well. Reads cost the
 * operator money, so only posts since shortly before the visible call are asked for.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const state = readState(attempt.handles)
  if (state.postId !== null) return found(attempt, state.postId)
  const called = (attempt.fencedAt ?? attempt.now()).getTime()
  const from = new Date(called - CLOCK_SKEW_MS)
  const listed = await ownPosts(attempt, from)
  if (listed.kind === 'failed') return failedFinding(listed)
  if (listed.kind === 'refused') {
    return whileFinding(judge(listed.answer, attempt.now(), attempt.post.caption).meaning)
  }
  const before = BigInt(state.lastBefore ?? 0)
  const posts = listed.posts.filter((post) => post.at >= from && BigInt(post.id) > before)

  const names = new Set(namesOf(state))
  const ours = posts.find((post) => post.mediaKeys.some((key) => names.has(key) || names.has(idIn(key))))
  if (ours) return found(attempt, ours.id)

  const text = comparable(attempt.post.caption)
  const maybeOurs = names.size === 0 ? posts : posts.filter(({ at }) => at.getTime() >= called - OLDER_MS)
  const alike = text === '' ? [] : maybeOurs.filter((post) => comparable(writtenText(post)) === text)
  const [match, ...others] = alike
  if (match && others.length === 0 && names.size === 0) return found(attempt, match.id)
  if (match) return { kind: 'cannot-tell', message: 'X lists a post with this text, and it may be another one.' }
  if (listed.doubtful || posts.some((post) => !post.complete)) {
    return { kind: 'cannot-tell', message: 'X does not list all that is needed to find the post.' }
  }
  return { kind: 'absent' }
}

/** The key of a file ends in its id: `7_1880028106020515840`. */
const idIn = (key: string) => key.split('_').at(-1) ?? key

function found(attempt: Attempt, postId: string): FindOutcome {
  return { kind: 'found', providerId: postId, permalink: permalinkOf(attempt, postId) }
}

/** Leads to the post also when the account has another name by then. */
export function permalinkOf({ account, endpoint }: Attempt, postId: string): string {
  return `${endpoint('web')}/${account.username ?? 'i/web'}/status/${postId}`
}

/**
 * Notes down the newest post before the visible call, when no file tells the post apart. A listing that the network
 * refuses is no reason not to publish: then time alone tells old posts from new ones. Null when there is nothing to wait for:
 * an access token that has expired is refreshed first.
 */
export async function noteLatest(attempt: Attempt): Promise<Retry | Reconnect | null> {
  const { noted } = readState(attempt.handles)
  if (attempt.post.media.length > 0 || noted || attempt.fencedAt !== null) return null
  const listed = await ownPosts(attempt, new Date(attempt.now().getTime() - 2 * CLOCK_SKEW_MS))
  if (listed.kind === 'failed') return failedPreparing(listed)
  if (listed.kind === 'refused') {
    const { meaning } = judge(listed.answer, attempt.now(), attempt.post.caption)
    return meaning.kind === 'reconnect' && meaning.mayRefresh ? meaning : null
  }
  const [latest = null] = listed.posts.map(({ id }) => id).sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
  await attempt.store({ noted: true, lastBefore: latest })
  return null
}

type Listed =
  /** `doubtful`: there may be more than is listed. */
  { kind: 'listed'; posts: ListedPost[]; doubtful: boolean } | { kind: 'refused'; answer: HttpAnswer } | HttpFailure

/** The account's own posts since then. */
async function ownPosts(attempt: Attempt, since: Date): Promise<Listed> {
  let last: Listed | null = null
  for (const spelling of SPELLINGS) {
    last = await listPosts(attempt, since, spelling)
    const misunderstood =
      last.kind === 'refused' ? last.answer.status === 400 : last.kind === 'listed' && last.posts.some(isBare)
    if (!misunderstood) return last
  }
  if (!last) throw new Error('There is no spelling.')
  return last
}

const isBare = ({ complete }: ListedPost) => !complete

async function listPosts(attempt: Attempt, since: Date, spelling: (typeof SPELLINGS)[number]): Promise<Listed> {
  const posts: ListedPost[] = []
  let doubtful = false
  let next: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const asked: Called<Timeline> = await call(attempt, {
      method: 'GET',
      path: `2/users/${attempt.account.externalId}/tweets`,
      query: {
        max_results: '100',
        // Whole seconds, as the pages write it.
        start_time: since.toISOString().replace(/\.\d+Z$/, 'Z'),
        [spelling.parameter]: spelling.fields,
        expansions: 'attachments.media_keys',
        ...(next === null ? {} : { pagination_token: next }),
      },
      timeoutMs: 15_000,
      parse: parseTimeline,
    })
    if (asked.kind !== 'ok') return asked
    posts.push(...asked.value.posts)
    doubtful ||= asked.value.partial
    next = asked.value.next
    if (next === null) return { kind: 'listed', posts, doubtful }
  }
  return { kind: 'listed', posts, doubtful: true }
}
