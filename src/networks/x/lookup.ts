import querystring from 'node:querystring'
import { plainLines } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { type Called, type Listing, pages } from '../kit/api.ts'
import { lookUp } from '../kit/lookup.ts'
import { failedPreparing, whilePreparing } from '../kit/outcomes.ts'
import { answeredBy, parentIsGone } from '../kit/thread.ts'
import type { Attempt, FindOutcome, PrepareOutcome, Published, Reconnect, Retry } from '../network.ts'
import { replaceLinks } from './count-text.ts'
import { classify } from './outcomes.ts'
import { namesOf, readState } from './state.ts'
import { type ListedPost, readShown, readTimeline } from './wire.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS
/** What is older than the visible call by more than this, and names none of its files, is another post. */
const OLDER_MS = 30_000
/** Posts of an account in some minutes; more pages are not looked through. */
const MAX_PAGES = 3

/**
 * Looks whether the post was made. A post names its files, which are no one else's; without files its text and its time
 * identify it. Of a post with files the same text proves nothing: people write such things by hand as well. Reads cost the
 * operator money, so only posts since shortly before the visible call are asked for.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const state = readState(attempt.handles)
  if (state.postId !== null) return { kind: 'found', ...liveAs(attempt, state.postId) }
  const called = (attempt.fencedAt ?? attempt.now()).getTime()
  const before = BigInt(state.lastBefore ?? 0)
  const names = new Set(namesOf(state))
  const seen = await lookUp(attempt, {
    title: 'X',
    skewMs: CLOCK_SKEW_MS,
    list: (from) => ownPosts(attempt, from),
    id: ({ id }) => id,
    at: ({ at }) => at,
    match(post, words) {
      const text = comparable(words.text ?? '')
      if (BigInt(post.id) <= before) return null
      // The key of a file ends in its id: `7_1880028106020515840`.
      if (post.mediaKeys.some((key) => names.has(key) || names.has(key.split('_').at(-1) ?? key))) return 'own'
      if (text === '' || comparable(writtenText(post)) !== text) return null
      if (names.size === 0) return 'same'
      return post.at.getTime() >= called - OLDER_MS ? 'similar' : null
    },
    meaningOf: (answer) => classify(answer, attempt.now(), attempt.post.caption).meaning,
  })
  return seen.kind === 'entry' ? { kind: 'found', ...liveAs(attempt, seen.entry.id) } : seen
}

/** Looks whether a part was made: it answers the part before with its own text, which nothing else does. */
export async function findReply(attempt: Attempt): Promise<FindOutcome> {
  const { postId } = readState(attempt.handles)
  if (postId !== null) return { kind: 'found', ...liveAs(attempt, postId) }
  const parent = answeredBy(attempt) ?? '0'
  const seen = await lookUp(attempt, {
    title: 'X',
    skewMs: CLOCK_SKEW_MS,
    list: () => ownPosts(attempt, { after: parent }),
    id: ({ id }) => id,
    at: ({ at }) => at,
    match(post, { text = '' }) {
      if (comparable(writtenText(post)) !== comparable(text)) return null
      // Of one that answers nothing it may not have been said.
      return post.answers === parent ? 'own' : post.answers === undefined ? 'similar' : null
    },
    meaningOf: (answer) => classify(answer, attempt.now(), attempt.post.caption).meaning,
  })
  return seen.kind === 'entry' ? { kind: 'found', ...liveAs(attempt, seen.entry.id) } : seen
}

/** Whether what a part answers was deleted, or is not shown. Null: it is there. */
export async function parentGone(attempt: Attempt): Promise<PrepareOutcome | null> {
  const asked = await readShown(attempt, answeredBy(attempt) ?? '0')
  if (asked.kind === 'failed') return failedPreparing(asked)
  if (asked.kind === 'ok') return asked.value ? null : parentIsGone('X')
  const { meaning } = classify(asked.answer, attempt.now(), attempt.post.caption)
  return asked.answer.status === 404 ? parentIsGone('X') : whilePreparing(meaning)
}

/** A post that is there, with what it lacks. Its address holds when the account has another name by then. */
export function liveAs({ handles, account, endpoint }: Attempt, postId: string): Omit<Published, 'kind'> {
  const warnings = readState(handles).warnings.map((message) => ({ code: 'post:alt_text_refused', message }))
  const permalink = `${endpoint('web')}/${account.username ?? 'i/web'}/status/${postId}`
  return { providerId: postId, permalink, ...(warnings.length > 0 ? { warnings } : {}) }
}

/**
 * Notes down the newest post before the visible call, when no file identifies the post. A listing that the network
 * refuses is no reason not to publish: then time alone separates old posts from new ones. Null when there is nothing to wait
 * for: an access token that has expired is refreshed first.
 */
export async function noteLatest(attempt: Attempt): Promise<Retry | Reconnect | null> {
  const { noted } = readState(attempt.handles)
  if (attempt.post.media.length > 0 || noted || attempt.fencedAt !== null) return null
  const listed = await ownPosts(attempt, new Date(attempt.now().getTime() - 2 * CLOCK_SKEW_MS))
  if (listed.kind === 'failed') return failedPreparing(listed)
  if (listed.kind === 'refused') {
    const { meaning } = classify(listed.answer, attempt.now(), attempt.post.caption)
    return meaning.kind === 'reconnect' && meaning.mayRefresh ? meaning : null
  }
  const [latest = null] = listed.value.entries.map(({ id }) => id).sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
  await attempt.store({ noted: true, lastBefore: latest })
  return null
}

/** The account's own posts since then, or behind a post of it, by either name of their fields. */
async function ownPosts(attempt: Attempt, from: Date | { after: string }): Promise<Called<Listing<ListedPost>>> {
  // Each that is read is billed. Behind a post of ours there are few.
  const most = from instanceof Date ? 100 : 10
  const list = (noun: 'post' | 'tweet') => pages(MAX_PAGES, (next) => readTimeline(attempt, { noun, from, most, next }))
  const asked = await list('post')
  const isBare = asked.kind === 'ok' && asked.value.entries.some(({ complete }) => !complete)
  const isMisunderstood = isBare || (asked.kind === 'refused' && asked.answer.status === 400)
  return isMisunderstood ? list('tweet') : asked
}

/**
 * A text as it is compared: the network composes characters again, cuts white space, and writes links in its own way. The
 * texts of two posts are the same when these are.
 */
export const comparable = (text: string): string =>
  replaceLinks(plainLines(text).normalize('NFC'), plainLink).replace(/\s+/g, ' ').trim()

/** The text of a listed post as its author wrote it: links in full, without those of its media, nothing escaped. */
export function writtenText({ text, links }: Pick<ListedPost, 'text' | 'links'>): string {
  // The ampersand comes last: `&amp;lt;` is `&lt;`.
  const unescaped = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return links.reduce((rest, { short, target, mediaKey }) => {
    const isOfMedia = mediaKey !== null || /\/status\/\d+\/(photo|video)\/\d+$/.test(target)
    return rest.replaceAll(short, isOfMedia ? '' : target)
  }, unescaped)
}

/** `example.com/Path?a=b` of a link with or without `https://`, however its characters are written. */
function plainLink(link: string): string {
  const url = URL.parse(/^https?:\/\//i.test(link) ? link : `http://${link}`)
  if (!url) return link
  // In contrast to decodeURIComponent it takes what is no encoding as it is.
  return url.host + querystring.unescape(url.pathname + url.search + url.hash).replace(/(?<!\/)\/+$/, '')
}
