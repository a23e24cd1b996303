import type { Classification } from '../kit/errors.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, PrepareOutcome } from '../network.ts'
import { askCreator, whenCrowded } from './creator.ts'
import { standingOf } from './lookup.ts'
import { errors } from './outcomes.ts'
import { photoUrls, videoFile, videoOf } from './post-body.ts'
import { dropped, isUsable, readState } from './state.ts'
import { uploadVideo } from './upload.ts'
import { fetchStatus } from './wire.ts'

/**
 * Asks what the account may do, uploads a video up to its last chunk, and makes photos fit. Nothing of it is visible:
 * photos are published by one call, and a video by its last byte.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const settled = await settleEarlierTry(attempt)
  if (settled) return settled
  const asked = await askCreator(attempt)
  if (asked.kind !== 'creator') return asked
  const video = videoOf(attempt.post)
  if (video) {
    const file = await videoFile(video.source)
    if ('kind' in file) return file
    return (await uploadVideo(attempt, asked.switches, file)) ?? { kind: 'ready' }
  }
  await photoUrls(attempt.post)
  return { kind: 'ready' }
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
    case 'incomplete':
      if (!upload || !isUsable(upload, attempt.now())) await attempt.store(dropped)
      return null
    case 'unclear':
      return { kind: 'ready' }
    case 'inbox':
      return IN_INBOX
    case 'failed':
      return afterFailure(attempt, errors.classify(asked.value.answer, attempt.now()))
  }
}

export const IN_INBOX = {
  kind: 'refused',
  reason: 'ACTION_BLOCKED',
  message: 'TikTok put the post into the inbox of the app instead of publishing it. Finish it there.',
} as const

/** What a try leads to that the network took and gave up. Null: it is forgotten, and another may begin at once. */
export async function afterFailure(
  attempt: Attempt,
  classified: Classification,
): Promise<Exclude<Stop, { kind: 'waiting' }> | null> {
  const { meaning, failAs } = classified
  if (meaning.kind === 'refused' || meaning.kind === 'reconnect') return meaning
  const { tries } = readState(attempt.handles)
  if (failAs && tries > 0) return { kind: 'refused', reason: failAs, message: meaning.message }
  await attempt.store({ ...dropped, tries: tries + 1 })
  return whenCrowded(attempt, classified)
}
