import type { Reason } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { askAgain } from '../kit/flow.ts'
import type { Attempt, PublishOutcome, Refused } from '../network.ts'
import { askVideos, type Video } from './api.ts'
import { meaningOf } from './outcomes.ts'
import { fieldsOf, readState } from './state.ts'

/**
 * People can open a video from its upload on, in low quality at first, and hours may go by until YouTube has made all
 * of a long one. What it refuses it refuses early; after this time the post counts as published.
 */
const PROCESSING_MS = 30 * MINUTE_MS

type Verdict = Extract<PublishOutcome, { kind: 'published' | 'accepted' | 'refused' | 'reconnect' }>

const permalinkOf = (attempt: Attempt, videoId: string) => `${attempt.endpoint('web')}/watch?v=${videoId}`
const refused = (reason: Reason, message: string): Refused => ({ kind: 'refused', reason, message })

/** Asks how far YouTube is with a video, which means the same for its post in every step. */
export async function askVerdict(attempt: Attempt, videoId: string): Promise<Verdict> {
  const asked = await askVideos(attempt, { part: 'id,status,processingDetails', id: videoId })
  if (asked.kind === 'failed') return stillProcessing(attempt, videoId)
  if (asked.kind === 'refused') {
    const meaning = meaningOf(asked.answer, attempt.now())
    if (meaning.kind === 'reconnect') return meaning
    return stillProcessing(attempt, videoId, meaning.kind === 'wait' ? meaning.until : null)
  }
  const video = asked.value.entries.find(({ id }) => id === videoId)
  if (video) return verdictOf(attempt, video)
  // A fresh video may be unknown to the first who asks, however late that is.
  const { missing } = readState(attempt.handles)
  if (!missing) await attempt.store({ missing: true })
  const later = stillProcessing(attempt, videoId)
  if (later.kind === 'accepted') return later
  if (!missing) return { kind: 'accepted', askAgainAt: new Date(attempt.now().getTime() + 5_000) }
  return refused('UNKNOWN', 'YouTube no longer has the video: it was deleted after its upload.')
}

/** What a video that exists means for its post. */
export function verdictOf(attempt: Attempt, video: Video): Verdict {
  const refusal = refusalOf(attempt, video)
  if (refusal) return refusal
  return video.uploadStatus === 'processed' ? published(attempt, video.id) : stillProcessing(attempt, video.id)
}

const published = (attempt: Attempt, videoId: string): Verdict => ({
  kind: 'published',
  providerId: videoId,
  permalink: permalinkOf(attempt, videoId),
})

/** Asks again later, for as long as that is worth it. */
function stillProcessing(attempt: Attempt, videoId: string, notBefore: Date | null = null): Verdict {
  const { madeAt } = readState(attempt.handles)
  if (madeAt && attempt.now().getTime() - madeAt.getTime() >= PROCESSING_MS) return published(attempt, videoId)
  const soon = askAgain(attempt, madeAt, [
    [MINUTE_MS, 5_000],
    [5 * MINUTE_MS, 15_000],
  ])
  const askAgainAt = notBefore !== null && notBefore > soon ? notBefore : soon
  return { kind: 'accepted', askAgainAt, providerId: videoId }
}

/** Why people do not get to see a video, although it was uploaded; null when they do, or may yet. */
function refusalOf(attempt: Attempt, video: Video): Refused | null {
  if (video.uploadStatus === 'rejected') {
    const [reason, why] = REJECTIONS.get(video.rejectionReason ?? '') ?? ['ACTION_BLOCKED', '.']
    return refused(reason, `YouTube rejected the video${why} Sign in to YouTube Studio to see more.`)
  }
  if (video.uploadStatus === 'failed' || /^(failed|terminated)$/.test(video.processingStatus ?? '')) {
    return refused('UNKNOWN_MEDIA_ERROR', FAILURES.get(video.failureReason ?? '') ?? NOT_PROCESSED)
  }
  if (video.uploadStatus === 'deleted') {
    return refused('UNKNOWN', 'The video was deleted on YouTube after its upload.')
  }
  const { privacy } = fieldsOf(attempt.post.fields)
  if (video.privacyStatus === null || video.privacyStatus === privacy) return null
  const where = permalinkOf(attempt, video.id)
  const message =
    video.privacyStatus === 'private'
      ? `YouTube has the video (${where}) but keeps it private instead of ${privacy}, so no one else sees it. ${WHY_PRIVATE}`
      : `YouTube has the video (${where}) but made it ${video.privacyStatus} instead of ${privacy}. Set the privacy in YouTube Studio.`
  return refused('ACTION_BLOCKED', message)
}

/**
 * Revision history of the Data API, 2026-11-02: uploads of projects without an audit are not locked any more, while settings of a
 * creator's account still make some of them private.
 */
const WHY_PRIVATE =
  'Look into YouTube Studio first, and set the visibility there if it lets you. Likely reasons are a setting of the Google account or of the channel that makes uploads private, or an older rule of Google for apps without a compliance audit.'

/** `failureReason` of https://developers.google.com/youtube/v3/docs/videos (read 2026-11-21) */
const FAILURES = new Map(
  Object.entries({
    codec: 'YouTube cannot play the codec of the video. Export it as MP4 with H.264 and AAC.',
    conversion: 'YouTube could not convert the video. Export it as MP4 with H.264 and AAC.',
    emptyFile: 'YouTube calls the video file empty. Export it again.',
    invalidFile: 'YouTube does not take the file for a video. Export it as MP4 with H.264 and AAC.',
    tooSmall: 'YouTube calls the video file too small. Use a longer or larger video.',
    uploadAborted: 'YouTube says that the upload was broken off. Publish the post again.',
  }),
)
const NOT_PROCESSED = 'YouTube could not process the video. Export it as MP4 with H.264 and AAC.'

const TOO_LONG = ': it is too long for this channel. Verify the channel at youtube.com/verify, or cut the video.'
/** `rejectionReason` of https://developers.google.com/youtube/v3/docs/videos (read 2026-11-21) */
const REJECTIONS = new Map(
  Object.entries<[Reason, string]>({
    claim: ['ACTION_BLOCKED', ': somebody claims its content.'],
    copyright: ['ACTION_BLOCKED', ' for copyright.'],
    duplicate: ['ACTION_BLOCKED', ': the channel has it already.'],
    inappropriate: ['ACTION_BLOCKED', ' as inappropriate.'],
    legal: ['ACTION_BLOCKED', ' for legal reasons.'],
    termsOfUse: ['ACTION_BLOCKED', ': it breaks the terms of use.'],
    trademark: ['ACTION_BLOCKED', ' for a trademark.'],
    length: ['UNKNOWN_MEDIA_ERROR', TOO_LONG],
    uploaderAccountClosed: ['ACCOUNT_SUSPENDED', ': the channel is closed.'],
    uploaderAccountSuspended: ['ACCOUNT_SUSPENDED', ': the channel is suspended.'],
  }),
)
