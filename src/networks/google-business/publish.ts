import querystring from 'node:querystring'
import { MINUTE_MS } from '#contract/durations'
import type { Called, Listing } from '../kit/api.ts'
import { afterVisibleCall, askAgain } from '../kit/flow.ts'
import { fittedImage } from '../kit/images.ts'
import { comparable, goesBackBehind, lookUp } from '../kit/lookup.ts'
import { failedFinding, whileFinding } from '../kit/outcomes.ts'
import { obeyPending, stopAfter } from '../kit/pending.ts'
import type {
  Accepted,
  Attempt,
  Connector,
  FindOutcome,
  PrepareOutcome,
  Published,
  PublishOutcome,
  Refused,
} from '../network.ts'
import { call, type LocalPost, parseLocalPost, postsApi, postsOf, readAll } from './api.ts'
import { callToActionOf } from './fields.ts'
import { limits, manifest } from './manifest.ts'
import { errors } from './outcomes.ts'
import { readState } from './state.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 2 * MINUTE_MS
/** A location that posts ten times a day fills so many pages in half a year. */
const MAX_PAGES = 20
/** The page of a live post is waited for so long. */
const PAGE_WAIT_MS = 60_000

const GONE = 'Google took the post and does not show it. It may have been removed. Look at the profile.'

/** A post that was just made may be unknown to the first reads of it. */
const READABLE_AFTER_MS = 2 * MINUTE_MS

export const connector: Connector = {
  wordsOf: ({ caption }) => ({ text: caption }),
  prepare,
  publish,
  confirm,
  find,
}

/** Has the photo ready, and notes down what looks like the post before it is made. Nothing of it is visible. */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = await obeyPending(attempt, {})
  if (stop) return stop
  await photoOf(attempt.post)
  if (readState(attempt.handles).known !== null) return { kind: 'ready' }
  const listed = await alike(attempt, attempt.now())
  const meaning = listed.kind === 'refused' ? errors.lookUp(listed.answer, attempt.now()).meaning : null
  // Publishing itself shows whether the account may publish.
  if (meaning?.kind === 'reconnect' && !meaning.mayRefresh) {
    await attempt.store({ known: [], unlisted: true })
    return { kind: 'ready' }
  }
  if (listed.kind !== 'ok') return stopAfter(attempt, listed, errors)
  // A listing that is too long to be read proves nothing later either, and is no reason not to post.
  const { entries, whole } = listed.value
  await attempt.store({ known: whole ? entries.map(({ name }) => name) : [] })
  return { kind: 'ready' }
}

/** The photo as it goes out; the same bytes at every call. Null without one. */
const photoOf = async ({ media: [item] }: Attempt['post']) =>
  item
    ? fittedImage(item.source, { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: limits.photoMaxBytes.value })
    : null

/**
 * Makes the post: one call, and none for a post that Google has taken already. Google fetches the photo afterwards, from
 * an address that stays good for 72 hours.
 */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { name, looked } = readState(attempt.handles)
  if (name !== null) return confirm(attempt)
  if (looked) await attempt.store({ looked: false })
  const photo = await photoOf(attempt.post)
  const callToAction = callToActionOf(attempt.post.fields)
  const { languageCode } = attempt.account.defaults
  const made = await call(attempt, {
    method: 'POST',
    path: postsOf(attempt).path,
    json: {
      ...(typeof languageCode === 'string' && languageCode !== '' ? { languageCode } : {}),
      summary: attempt.words.text,
      topicType: 'STANDARD',
      ...(callToAction ? { callToAction } : {}),
      ...(photo ? { media: [{ mediaFormat: 'PHOTO', sourceUrl: await photo.url() }] } : {}),
    },
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseLocalPost,
  })
  return afterVisibleCall(attempt, made, {
    classify: errors.classify,
    unclear: 'Google did not say clearly whether it took the post.',
    async made(post) {
      await attempt.store({ name: post.name })
      return outcomeOf(attempt, post)
    },
  })
}

/** Asks for the outcome of a post that Google has taken. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const { name } = readState(attempt.handles)
  if (name === null) return { kind: 'unknown', message: 'The name of the post was not learned.' }
  const asked = await readPost(attempt, name)
  if (asked.kind === 'ok') return outcomeOf(attempt, asked.value)
  if (asked.kind === 'failed') return later(attempt)
  if (asked.answer.status === 404) {
    return ageOf(attempt) < READABLE_AFTER_MS ? later(attempt) : { kind: 'unknown', message: GONE }
  }
  const { meaning } = errors.lookUp(asked.answer, attempt.now())
  if (meaning.kind === 'reconnect') return meaning
  // The post is made: what is said to a question about it ends nothing.
  return meaning.kind === 'wait' && meaning.until ? { kind: 'accepted', askAgainAt: meaning.until } : later(attempt)
}

async function outcomeOf(attempt: Attempt, post: LocalPost): Promise<PublishOutcome> {
  const standing = await standingOf(attempt, post)
  return standing.kind === 'pending' ? { ...later(attempt), providerId: post.name } : standing
}

/** Text is looked at within seconds, photos take a while, and some posts hours. */
const later = (attempt: Attempt): Accepted => ({
  kind: 'accepted',
  askAgainAt: askAgain(attempt, attempt.fencedAt, [
    [15_000, 3_000],
    [120_000, 10_000],
    [15 * MINUTE_MS, MINUTE_MS],
    [Number.POSITIVE_INFINITY, 10 * MINUTE_MS],
  ]),
})

const ageOf = ({ now, fencedAt }: Attempt) => now().getTime() - (fencedAt ?? now()).getTime()

const readPost = (attempt: Attempt, name: string): Promise<Called<LocalPost>> =>
  call(attempt, { method: 'GET', path: postsApi(attempt, name), timeoutMs: 10_000, parse: parseLocalPost })

/**
 * Where a post stands that Google has taken. Only LIVE (and RECURRING, which is live too) is published; what is neither
 * that nor REJECTED is still being worked on.
 */
async function standingOf(
  attempt: Attempt,
  post: LocalPost,
): Promise<Published | Refused | { kind: 'pending'; message: string }> {
  if (post.state === 'REJECTED') {
    return {
      kind: 'refused',
      reason: 'ACTION_BLOCKED',
      message:
        'Google rejected the post after looking at it, and says no more than that. The usual reasons are phone numbers, offers that are not allowed, photos that could not be fetched or are too small, and text that looks like advertising of others. Change the post and schedule it again.',
    }
  }
  if (post.state !== 'LIVE' && post.state !== 'RECURRING') {
    return { kind: 'pending', message: 'Google is still working on the post.' }
  }
  if (post.searchUrl !== null) return { kind: 'published', providerId: post.name, permalink: post.searchUrl }
  const { liveAt } = readState(attempt.handles)
  const now = attempt.now()
  if (liveAt === null) await attempt.store({ liveAt: now.toISOString() })
  if (now.getTime() - (liveAt ?? now).getTime() < PAGE_WAIT_MS) {
    return { kind: 'pending', message: 'The post is live; Google has no page for it yet.' }
  }
  return { kind: 'published', providerId: post.name, permalink: overviewOf(post.name) }
}

/** The page of all posts of the location, for its managers. Not documented; seen in other programs. */
const overviewOf = (name: string) => `https://business.google.com/posts/l/${name.split('/')[1]}`

/**
 * Looks whether the post was made. By its name where that is known; else a post of the listing with the same text,
 * kind and button, made since the fence, that was not there before.
 */
async function find(attempt: Attempt): Promise<FindOutcome> {
  const { name, unlisted } = readState(attempt.handles)
  if (name !== null) return findByName(attempt, name)
  const reported = await lookUp(attempt, {
    title: 'Google',
    skewMs: CLOCK_SKEW_MS,
    list: (from) => alike(attempt, from),
    id: ({ name }) => name,
    at: ({ createdAt }) => createdAt,
    // Where nothing could be noted down before, it may be an older one.
    match: () => (unlisted ? 'similar' : 'same'),
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  if (reported.kind === 'absent') return notListed(attempt)
  if (reported.kind !== 'entry') return reported
  await attempt.store({ name: reported.entry.name })
  return foundAs(attempt, reported.entry)
}

async function findByName(attempt: Attempt, name: string): Promise<FindOutcome> {
  const asked = await readPost(attempt, name)
  if (asked.kind === 'ok') return foundAs(attempt, asked.value)
  if (asked.kind === 'failed') return failedFinding(asked)
  // Google took the post. That it shows it no longer, or not yet, never makes it one to be sent again.
  if (asked.answer.status === 404) return { kind: 'cannot-tell', message: GONE }
  return whileFinding(errors.lookUp(asked.answer, attempt.now()).meaning)
}

async function foundAs(attempt: Attempt, post: LocalPost): Promise<FindOutcome> {
  const standing = await standingOf(attempt, post)
  if (standing.kind === 'published') return { ...standing, kind: 'found' }
  if (standing.kind === 'pending') return { ...standing, kind: 'cannot-tell' }
  // Not to be seen and never will be. `publish` reports the outcome of a post whose name is known, and sends nothing.
  return { kind: 'absent' }
}

/** A listing may lag: one look that comes late is no proof, the second is. Early looks are put again anyhow. */
async function notListed(attempt: Attempt): Promise<FindOutcome> {
  const { looked } = readState(attempt.handles)
  if (!looked) await attempt.store({ looked: true })
  const age = attempt.now().getTime() - (attempt.fencedAt ?? attempt.now()).getTime()
  if (looked || age < manifest.listingDelayMs) return { kind: 'absent' }
  return { kind: 'cannot-tell', message: 'Google does not list the post so far.' }
}

/** Posts of the listing that are like this one and were not known before, back to `from` at least. */
async function alike(attempt: Attempt, from: Date): Promise<Called<Listing<LocalPost>>> {
  // The order is not documented: it is trusted as far as the listing keeps to it.
  const isOver = (all: readonly LocalPost[]) => goesBackBehind(all, from, ({ createdAt }) => createdAt)
  const listed = await readAll(attempt, postsOf(attempt), MAX_PAGES, isOver)
  if (listed.kind !== 'ok') return listed
  const { known } = readState(attempt.handles)
  const entries = listed.value.entries.filter((post) => !known?.includes(post.name) && isAlike(post, attempt))
  return { kind: 'ok', value: { ...listed.value, entries } }
}

/** What Google leaves out speaks for neither side. */
function isAlike(listed: LocalPost, { post, sentWords }: Attempt): boolean {
  const action = callToActionOf(post.fields)
  return (
    sentWords.some(({ text = '' }) => comparable(listed.summary) === comparable(text)) &&
    (listed.topicType === null || listed.topicType === 'STANDARD') &&
    listed.actionType === (action?.actionType ?? null) &&
    address(listed.actionUrl) === address(action?.url ?? null)
  )
}

/** `HTTPS://Example.com` and `https://example.com/` are one, and so is either with white space or control characters. */
const address = (url: string | null) =>
  url && comparable(querystring.unescape(URL.parse(url)?.href ?? url)).replaceAll(' ', '')
