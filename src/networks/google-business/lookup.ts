import type { Attempt, FindOutcome, Published, Refused } from '../network.ts'
import { failedFinding, whileFinding } from '../toolkit/outcomes.ts'
import { type Called, type Caller, call, listAll } from './api.ts'
import { callToActionOf } from './fields.ts'
import { limits, manifest } from './manifest.ts'
import { errors } from './outcomes.ts'
import { readState } from './state.ts'
import { type LocalPost, parseLocalPost } from './wire.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 2 * 60_000
/** A location that posts ten times a day fills so many pages in half a year. */
const MAX_PAGES = 20
/** The page of a live post is waited for so long. */
const PAGE_WAIT_MS = 60_000

const NOT_LISTED = 'Google does not list the post so far.'

export function callerOf({ http, signal, credentials }: Attempt): Caller {
  return { http, signal, accessToken: credentials.accessToken ?? '' }
}

/** Address of what belongs to the location, through the account by which the connected person reaches it. */
const addressOf = ({ endpoint, credentials }: Attempt, name: string) =>
  `${endpoint('posts')}/v4/${credentials.account}/${name}`

/** Address of the posts of the location. */
export const postsUrl = (attempt: Attempt): string => addressOf(attempt, `${attempt.account.externalId}/localPosts`)

export function readPost(attempt: Attempt, name: string): Promise<Called<LocalPost>> {
  const url = addressOf(attempt, name)
  return call(callerOf(attempt), { method: 'GET', url, timeoutMs: 10_000, parse: parseLocalPost })
}

/** Where a post stands that Google has taken. */
export type Standing = Published | Refused | { kind: 'processing' } | { kind: 'live-without-page' }

/**
 * Reads the standing out of an answer. Only LIVE (and RECURRING, which is live too) is published; whatever is neither
 * that nor REJECTED is still being worked on.
 */
export async function standingOf(attempt: Attempt, post: LocalPost): Promise<Standing> {
  if (post.state === 'REJECTED') {
    return {
      kind: 'refused',
      reason: 'ACTION_BLOCKED',
      message:
        'Google rejected the post after looking at it, and says no more than that. The usual reasons are phone numbers, offers that are not allowed, photos that could not be fetched or are too small, and text that looks like advertising of others. Change the post and schedule it again.',
    }
  }
  if (post.state !== 'LIVE' && post.state !== 'RECURRING') return { kind: 'processing' }
  if (post.searchUrl !== null) return { kind: 'published', providerId: post.name, permalink: post.searchUrl }
  const { liveAt } = readState(attempt.handles)
  const now = attempt.now()
  if (liveAt === null) await attempt.store({ liveAt: now.toISOString() })
  if (now.getTime() - (liveAt ?? now).getTime() < PAGE_WAIT_MS) return { kind: 'live-without-page' }
  return { kind: 'published', providerId: post.name, permalink: overviewOf(post.name) }
}

/** The page of all posts of the location, for its managers. Not documented; seen in other programs. */
const overviewOf = (name: string) => `https://business.google.com/posts/l/${name.split('/')[1]}`

/**
 * Looks whether the post was made. By its name where that is known; else a post of the listing with the same text,
 * kind and button, made since the fence, that was not there before.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const { name, unlisted } = readState(attempt.handles)
  if (name !== null) return findByName(attempt, name)
  const listed = await candidates(attempt, attempt.fencedAt ?? attempt.now())
  if (listed.kind === 'failed') return failedFinding(listed)
  if (listed.kind === 'refused') return whileFinding(errors.lookUp(listed.answer, attempt.now()).meaning)
  if (listed.value === null) {
    return { kind: 'cannot-tell', message: 'Google lists more posts than can be looked through.' }
  }
  const [post, ...others] = listed.value
  if (!post) return notListed(attempt)
  if (unlisted) return { kind: 'cannot-tell', message: 'Google lists a post like this one, which may be an older one.' }
  if (others.length > 0) {
    return { kind: 'cannot-tell', message: 'Google lists several new posts like this one. Look at the profile.' }
  }
  await attempt.store({ name: post.name })
  return foundAs(attempt, post)
}

async function findByName(attempt: Attempt, name: string): Promise<FindOutcome> {
  const asked = await readPost(attempt, name)
  switch (asked.kind) {
    case 'ok':
      return foundAs(attempt, asked.value)
    case 'failed':
      return failedFinding(asked)
    case 'refused': {
      // Google took the post. That it shows it no longer, or not yet, never makes it one to be sent again.
      if (asked.answer.status === 404) return { kind: 'cannot-tell', message: GONE }
      return whileFinding(errors.lookUp(asked.answer, attempt.now()).meaning)
    }
  }
}

export const GONE = 'Google took the post and does not show it. It may have been removed. Look at the profile.'

async function foundAs(attempt: Attempt, post: LocalPost): Promise<FindOutcome> {
  const standing = await standingOf(attempt, post)
  switch (standing.kind) {
    case 'published':
      return { ...standing, kind: 'found' }
    case 'processing':
      return { kind: 'cannot-tell', message: 'Google is still working on the post.' }
    case 'live-without-page':
      return { kind: 'cannot-tell', message: 'The post is live; Google has no page for it yet.' }
    case 'refused':
      // Not to be seen and never will be. `publish` tells what became of a post whose name is known, and sends nothing.
      return { kind: 'absent' }
  }
}

/** A listing may lag: one look that comes late is no proof, the second is. Early looks are put again anyhow. */
async function notListed(attempt: Attempt): Promise<FindOutcome> {
  const { looked } = readState(attempt.handles)
  if (!looked) await attempt.store({ looked: true })
  const age = attempt.now().getTime() - (attempt.fencedAt ?? attempt.now()).getTime()
  if (!looked && age >= manifest.listingDelayMs) return { kind: 'cannot-tell', message: NOT_LISTED }
  return { kind: 'absent' }
}

/**
 * Posts of the listing that may be this one: alike, made since `since` as far as clocks agree, and not known before.
 * Null when the listing has more pages than are read.
 */
export async function candidates(attempt: Attempt, since: Date): Promise<Called<LocalPost[] | null>> {
  const from = new Date(since.getTime() - CLOCK_SKEW_MS)
  const listed = await listAll(callerOf(attempt), {
    url: postsUrl(attempt),
    query: { pageSize: String(limits.postsPerPage.value) },
    list: 'localPosts',
    parse: parseLocalPost,
    maxPages: MAX_PAGES,
    until: (all) => isNewestFirst(all) && (all.at(-1)?.createdAt ?? from) < from,
  })
  if (listed.kind !== 'ok' || listed.value === null) return listed
  const known = new Set(readState(attempt.handles).known)
  const value = listed.value.filter(
    (post) =>
      !known.has(post.name) && isAlike(post, attempt.post) && (post.createdAt === null || post.createdAt >= from),
  )
  return { kind: 'ok', value }
}

/** The order is not documented: it is trusted as far as the listing keeps to it. */
function isNewestFirst(posts: readonly LocalPost[]): boolean {
  return posts.every(({ createdAt }, index) => {
    const before = index === 0 ? createdAt : (posts[index - 1]?.createdAt ?? null)
    return createdAt !== null && before !== null && createdAt <= before
  })
}

/** What Google leaves out speaks for neither side. */
function isAlike(listed: LocalPost, { caption, fields }: Attempt['post']): boolean {
  const action = callToActionOf(fields)
  return (
    normalized(listed.summary) === normalized(caption) &&
    (listed.topicType === null || listed.topicType === 'STANDARD') &&
    listed.actionType === (action?.actionType ?? null) &&
    address(listed.actionUrl) === address(action?.url ?? null)
  )
}

/** Google may cut white space and compose characters anew. */
const normalized = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** `HTTPS://Example.com` and `https://example.com/` are one. */
const address = (url: string | null) => (url !== null && URL.canParse(url) ? new URL(url).href : url)
