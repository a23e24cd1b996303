import type { Reason } from '#contract'
import type { Attempt, PublishOutcome, Refused } from '../network.ts'
import { privacyOf } from './fields.ts'
import { meaningOf } from './outcomes.ts'
import { readState } from './state.ts'
import { ask, parseVideos, type Video } from './wire.ts'

const MINUTE = 60_000
/**
 * People can open a video from its upload on, in low quality at first, and hours may go by until YouTube has made all
 * of a long one. What it refuses it refuses early; after this time the post counts as published.
 */
export const PROCESSING_MS = 30 * MINUTE

export type Verdict = Extract<PublishOutcome, { kind: 'published' | 'accepted' | 'refused' | 'reconnect' }>

const permalinkOf = (attempt: Attempt, videoId: string) => `${attempt.endpoint('web')}/watch?v=${videoId}`

/** Asks how far YouTube is with a video, which means the same for its post whoever asks. */
export async function askVerdict(attempt: Attempt, videoId: string): Promise<Verdict> {
  const asked = await ask(attempt, {
    path: 'videos',
    query: { part: 'id,status,processingDetails', id: videoId },
    parse: parseVideos,
  })
  if (asked.kind === 'failed') return stillProcessing(attempt, videoId)
  if (asked.kind === 'refused') {
    const meaning = meaningOf(asked.answer, attempt.now())
    if (meaning.kind === 'reconnect') return meaning
    return stillProcessing(attempt, videoId, meaning.kind === 'wait' ? meaning.until : null)
  }
  const video = asked.value.find(({ id }) => id === videoId)
  if (video) return verdictOf(attempt, video)
  // A fresh video may be unknown to the first who asks, however late that is.
  const { missing } = readState(attempt.handles)
  if (!missing) await attempt.store({ missing: true })
  const later = stillProcessing(attempt, videoId)
  if (later.kind === 'accepted') return later
  if (!missing) return { kind: 'accepted', askAgainAt: new Date(attempt.now().getTime() + 5_000) }
  const message = 'YouTube no longer has the video: it was deleted after its upload.'
  return { kind: 'refused', reason: 'UNKNOWN', message }
}

/** What a video that exists means for its post. */
export function verdictOf(attempt: Attempt, video: Video): Verdict {
  const refusal = refusalOf(attempt, video)
  if (refusal) return refusal
  return video.uploadStatus === 'processed' ? published(attempt, video.id) : stillProcessing(attempt, video.id)
}

function published(attempt: Attempt, videoId: string): Verdict {
  return { kind: 'published', providerId: videoId, permalink: permalinkOf(attempt, videoId) }
}

/** Asks again later, for as long as that is worth it. */
function stillProcessing(attempt: Attempt, videoId: string, notBefore: Date | null = null): Verdict {
  const now = attempt.now()
  const age = now.getTime() - (readState(attempt.handles).madeAt ?? now).getTime()
  if (age >= PROCESSING_MS) return published(attempt, videoId)
  const pause = age < MINUTE ? 5_000 : age < 5 * MINUTE ? 15_000 : MINUTE
  const soon = new Date(now.getTime() + pause)
  return { kind: 'accepted', askAgainAt: notBefore !== null && notBefore > soon ? notBefore : soon }
}

/** Why people do not get to see a video, although it was uploaded; null when they do, or may yet. */
function refusalOf(attempt: Attempt, video: Video): Refused | null {
  if (video.uploadStatus === 'rejected') return rejected(video.rejectionReason ?? '')
  if (video.uploadStatus === 'failed' || /^(failed|terminated)$/.test(video.processingStatus ?? '')) {
    return failed(video.failureReason ?? '')
  }
  if (video.uploadStatus === 'deleted') {
    return { kind: 'refused', reason: 'UNKNOWN', message: 'The video was deleted on YouTube after its upload.' }
  }
  const asked = privacyOf(attempt.post)
  if (video.privacyStatus === null || video.privacyStatus === asked) return null
  const where = permalinkOf(attempt, video.id)
  const message =
    video.privacyStatus === 'private'
      ? `YouTube has the video (${where}) but keeps it private instead of ${asked}, so nobody else sees it. It does so with every upload of a Google Cloud project that has not passed the compliance audit of the YouTube API; apply for the audit, and upload the video by hand until it is passed.`
      : `YouTube has the video (${where}) but made it ${video.privacyStatus} instead of ${asked}. Set the privacy in YouTube Studio.`
  return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
}

/** `failureReason` of https://developers.google.com/youtube/v3/docs/videos (read 2026-11-21) */
const FAILURES: Record<string, string> = {
  codec: 'YouTube cannot play the codec of the video. Export it as MP4 with H.264 and AAC.',
  conversion: 'YouTube could not convert the video. Export it as MP4 with H.264 and AAC.',
  emptyFile: 'YouTube calls the video file empty. Export it anew.',
  invalidFile: 'YouTube does not take the file for a video. Export it as MP4 with H.264 and AAC.',
  tooSmall: 'YouTube calls the video file too small. Use a longer or larger video.',
  uploadAborted: 'YouTube says that the upload was broken off. Publish the post again.',
}

function failed(reason: string): Refused {
  const message = FAILURES[reason] ?? 'YouTube could not process the video. Export it as MP4 with H.264 and AAC.'
  return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
}

/** `rejectionReason` of https://developers.google.com/youtube/v3/docs/videos (read 2026-11-21) */
const REJECTIONS: Record<string, [Reason, string]> = {
  claim: ['ACTION_BLOCKED', 'YouTube rejected the video: somebody claims its content.'],
  copyright: ['ACTION_BLOCKED', 'YouTube rejected the video for copyright.'],
  duplicate: ['ACTION_BLOCKED', 'YouTube rejected the video: the channel has it already.'],
  inappropriate: ['ACTION_BLOCKED', 'YouTube rejected the video as inappropriate.'],
  legal: ['ACTION_BLOCKED', 'YouTube rejected the video for legal reasons.'],
  termsOfUse: ['ACTION_BLOCKED', 'YouTube rejected the video: it breaks the terms of use.'],
  trademark: ['ACTION_BLOCKED', 'YouTube rejected the video for a trademark.'],
  length: [
    'UNKNOWN_MEDIA_ERROR',
    'YouTube rejected the video: it is too long for this channel. Verify the channel at youtube.com/verify, or cut the video.',
  ],
  uploaderAccountClosed: ['ACCOUNT_SUSPENDED', 'YouTube rejected the video: the channel is closed.'],
  uploaderAccountSuspended: ['ACCOUNT_SUSPENDED', 'YouTube rejected the video: the channel is suspended.'],
}

function rejected(why: string): Refused {
  const [reason, message] = REJECTIONS[why] ?? ['ACTION_BLOCKED', 'YouTube rejected the video.']
  return { kind: 'refused', reason, message: `${message} Sign in to YouTube Studio to see more.` }
}
