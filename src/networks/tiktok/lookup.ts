import { HOUR_MS } from '#contract/durations'
import { askAgain } from '../kit/flow.ts'
import { CLOCK_SKEW_MS, comparable, lookUp } from '../kit/lookup.ts'
import { failedFinding, whileFinding } from '../kit/outcomes.ts'
import type { Accepted, Attempt, FindOutcome, InboxOutcome } from '../network.ts'
import { errors } from './outcomes.ts'
import { isForInbox, videoOf } from './post-body.ts'
import { readState } from './state.ts'
import { fetchStatus, listPosts, type Status } from './wire.ts'

/**
 * Moderation, which comes before the id of a public post, mostly takes a minute and now and then hours
 * (https://developers.tiktok.com/doc/content-posting-api-reference-get-video-status, read 2026-11-21). After this time
 * the post is reported as published without an address.
 */
const LINK_WAIT_MS = HOUR_MS
const UNFINISHED =
  'The post was not finished in the TikTok app within a day, and may have lapsed there. Copy it as a draft to send it again.'
const UNTOLD = 'TikTok does not say whether it has the whole video.'
const UNTOLD_INBOX = 'TikTok did not say whether it took the photos. Look into the inbox of the app.'
const PAUSES = [
  [60_000, 5_000],
  [600_000, 15_000],
  [Number.POSITIVE_INFINITY, 120_000],
] as const
/** Listings cut texts off: https://developers.tiktok.com/doc/tiktok-api-v2-video-object, read 2026-11-21. */
const LISTED_LENGTH = 150

/**
 * How far the network is with a try to publish. `live`: published. `working`: it has everything. `incomplete`: bytes are
 * missing, so nothing is published. `unclear`: it works on it or waits for bytes, so the post may be live any moment.
 * `inbox`: it waits for its creator, whether it was sent there or TikTok decided so. `failed`: it is given up, and nothing is published.
 */
export function standingOf({ status, uploadedBytes }: Status, { handles }: Attempt) {
  if (status === 'PUBLISH_COMPLETE') return 'live'
  if (status === 'SEND_TO_USER_INBOX') return 'inbox'
  if (status === 'FAILED') return 'failed'
  const { upload, lastSent, takenAt } = readState(handles)
  if (status !== 'PROCESSING_UPLOAD' || !upload || takenAt !== null) return 'working'
  if (!lastSent) return 'incomplete'
  if (uploadedBytes === null) return 'unclear'
  return uploadedBytes < upload.size ? 'incomplete' : 'working'
}

/** What there is of a post in the inbox: an id to ask by. */
export const inInbox = (publishId: string) => ({ providerId: null, permalink: null, inbox: publishId })

/**
 * What became of a post in the inbox. The creator chooses there who sees it, and only a post for everyone has an id, so one without is
 * published too.
 */
export async function inbox(attempt: Attempt, publishId: string): Promise<InboxOutcome> {
  const asked = await fetchStatus(attempt, publishId)
  if (asked.kind === 'failed') return { kind: 'waiting', message: `${asked.message} ${UNFINISHED}` }
  const { meaning } = asked.kind === 'ok' ? { meaning: null } : errors.classify(asked.answer, attempt.now())
  if (meaning) return { kind: 'waiting', message: `${meaning.message} ${UNFINISHED}` }
  if (asked.kind !== 'ok') throw new Error('An answer without a meaning.')
  const { status, postId, answer } = asked.value
  if (status === 'PUBLISH_COMPLETE') {
    return { kind: 'published', providerId: postId, permalink: postId === null ? null : permalinkOf(attempt, postId) }
  }
  if (status !== 'FAILED') return { kind: 'waiting', message: UNFINISHED }
  return { kind: 'ended', message: errors.classify(answer, attempt.now()).meaning.message }
}

/**
 * The id and address of a post that is live; null while they may still come. Only posts for everybody have an id, and
 * only after moderation.
 */
export function liveAs(attempt: Attempt, postId: string | null) {
  if (postId !== null) return { providerId: postId, permalink: permalinkOf(attempt, postId) }
  const since = readState(attempt.handles).takenAt ?? attempt.fencedAt ?? attempt.now()
  const isLate = attempt.now().getTime() - since.getTime() > LINK_WAIT_MS
  if (attempt.account.defaults.privacy === 'PUBLIC_TO_EVERYONE' && !isLate) return null
  return { providerId: null, permalink: null }
}

function permalinkOf(attempt: Attempt, postId: string): string | null {
  const username = readState(attempt.handles).username ?? attempt.account.username
  if (username === null) return null
  const kind = videoOf(attempt.post) ? 'video' : 'photo'
  return `${attempt.endpoint('web')}/@${encodeURIComponent(username)}/${kind}/${postId}`
}

/**
 * Looks whether the visible call had its effect. The id of a video's try is known before its last byte is sent; of photos
 * it comes with the answer, and when that is lost only a listing may show it.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const { publishId } = readState(attempt.handles)
  // Tries are forgotten only when they are certain to have made nothing, and without one no byte was sent.
  if (publishId === null) return videoOf(attempt.post) ? { kind: 'absent' } : findInList(attempt)
  const asked = await fetchStatus(attempt, publishId)
  if (asked.kind === 'failed') return failedFinding(asked)
  if (asked.kind === 'refused') return whileFinding(errors.classify(asked.answer, attempt.now()).meaning)
  const standing = standingOf(asked.value, attempt)
  if (standing === 'failed' || standing === 'incomplete') return { kind: 'absent' }
  if (standing === 'inbox') return { kind: 'found', ...inInbox(publishId) }
  if (standing === 'unclear') return { kind: 'cannot-tell', message: UNTOLD }
  const live = standing === 'live' ? liveAs(attempt, asked.value.postId) : null
  return live ? { kind: 'found', ...live } : accepted(attempt)
}

/** Asked often in the first minute and less and less later; the network takes 30 questions a minute of an account. */
export function accepted(attempt: Attempt): Accepted {
  const since = readState(attempt.handles).takenAt ?? attempt.fencedAt
  return { kind: 'accepted', askAgainAt: askAgain(attempt, since, PAUSES) }
}

/** A listing that shows the post proves it; one that does not proves nothing: photos and private posts may be left out. */
async function findInList(attempt: Attempt): Promise<FindOutcome> {
  const unknown = { kind: 'cannot-tell', message: 'TikTok did not say whether it took the photos.' } as const
  // No listing shows what waits in the inbox.
  if (isForInbox(attempt.account.defaults)) return { kind: 'cannot-tell', message: UNTOLD_INBOX }
  const scopes = (attempt.credentials.scope ?? '').split(',')
  if (!scopes.includes('video.list') || comparable(attempt.words.text ?? '') === '') return unknown
  const found = await lookUp(attempt, {
    title: 'TikTok',
    skewMs: CLOCK_SKEW_MS,
    list: () => listPosts(attempt),
    id: ({ id }) => id,
    at: ({ seconds }) => new Date(seconds * 1000),
    match: ({ title, description }, { text = '' }) =>
      isTextOf(title, text) || isTextOf(description, text) ? 'same' : null,
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  if (found.kind === 'entry') {
    const { id, url } = found.entry
    return { kind: 'found', providerId: id, permalink: permalinkOf(attempt, id) ?? url }
  }
  // The permission to list is not needed for anything else.
  return found.kind === 'absent' || (found.kind === 'reconnect' && !found.mayRefresh) ? unknown : found
}

function isTextOf(listed: string | null, caption: string): boolean {
  if (listed === null) return false
  const [given, wanted] = [comparable(listed), comparable(caption)]
  // White space is folded, so a text that was cut off may have become a little shorter.
  return given === wanted || (listed.length >= LISTED_LENGTH - 1 && wanted.startsWith(given))
}
