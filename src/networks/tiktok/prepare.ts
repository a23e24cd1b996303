import type { Stop } from '../kit/pending.ts'
import type { Attempt, PrepareOutcome, Refused } from '../network.ts'
import { standingOf } from './lookup.ts'
import { errors } from './outcomes.ts'
import { photoUrls, videoFile, videoOf } from './post-body.ts'
import { dropped, isUsable, readState } from './state.ts'
import { afterFailure, stopFor } from './stops.ts'
import { uploadVideo } from './upload.ts'
import { type Creator, creatorInfo, fetchStatus } from './wire.ts'

/**
 * Asks what the account may do, uploads a video up to its last chunk, and makes photos fit. Nothing of it is visible:
 * photos are published by one call, and a video by its last byte.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const settled = (await settleEarlierTry(attempt)) ?? (await askCreator(attempt))
  if (settled) return settled
  const video = videoOf(attempt.post)
  if (!video) {
    await photoUrls(attempt.post)
    return { kind: 'ready' }
  }
  const file = await videoFile(video.source)
  return 'kind' in file ? file : ((await uploadVideo(attempt, file)) ?? { kind: 'ready' })
}

/**
 * This step comes after the visible call only when it is proven that nothing was published. What became of that try is
 * asked all the same before another one begins: it may hold a reason, or go on after all. When nobody tells, it may be live:
 * then nothing here says no any more, neither TikTok to the account nor a rule of ours, and `publish` goes on with the
 * same try. Null when nothing is in the way.
 */
async function settleEarlierTry(attempt: Attempt): Promise<PrepareOutcome | null> {
  const { publishId, lastSent, takenAt, upload } = readState(attempt.handles)
  if (publishId === null || (!lastSent && takenAt === null)) return null
  const asked = await fetchStatus(attempt, publishId)
  if (asked.kind !== 'ok') return { kind: 'ready' }
  switch (standingOf(asked.value, attempt)) {
    case 'live':
    case 'working':
      if (takenAt === null) await attempt.store({ takenAt: attempt.now().toISOString() })
      return { kind: 'ready' }
    case 'unclear':
      return { kind: 'ready' }
    case 'incomplete':
      if (!upload || !isUsable(upload, attempt.now())) await attempt.store(dropped)
      return null
    case 'failed':
      return afterFailure(attempt, errors.classify(asked.value.answer, attempt.now()))
  }
}

/**
 * Asks what the account may do at this moment, as the network demands it before every post, and whether the post still
 * fits; keeps what publishing needs of it: https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info, read 2026-11-21.
 */
async function askCreator(attempt: Attempt): Promise<Stop | null> {
  const asked = await creatorInfo(attempt)
  if (asked.kind !== 'ok') return stopFor(attempt, asked)
  const unfit = refusedBecause(attempt, asked.value)
  if (unfit) return unfit
  const { username, commentDisabled, duetDisabled, stitchDisabled } = asked.value
  const switches = { commentDisabled, duetDisabled, stitchDisabled }
  await attempt.store({ switches, ...(username === null ? {} : { username }) })
  return null
}

function refusedBecause({ post, account }: Attempt, { privacyLevels, maxVideoSeconds }: Creator): Refused | null {
  const { privacy } = account.defaults
  if (typeof privacy !== 'string') {
    const message =
      'Nobody has chosen who can see the posts. Choose it among the publishing defaults of the account, or in the options of the post.'
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
  }
  if (!privacyLevels.includes(privacy)) {
    const offered = privacyLevels.join(', ') || 'nothing'
    const message = `TikTok no longer offers the account the audience ${privacy}, but ${offered}. Choose another among its publishing defaults, or in the options of the post.`
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
  }
  const seconds = (videoOf(post)?.facts.durationMs ?? 0) / 1000
  if (maxVideoSeconds === null || seconds <= maxVideoSeconds) return null
  const message = `TikTok takes videos of at most ${maxVideoSeconds} seconds from this account; this one has ${seconds}. Cut it.`
  return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
}
