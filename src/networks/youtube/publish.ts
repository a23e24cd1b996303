import type { Attempt, Connector, PublishOutcome } from '../network.ts'
import { failedPublishing, retryFrom, whilePublishing } from '../toolkit/outcomes.ts'
import { videoIn } from './fields.ts'
import { find } from './lookup.ts'
import { meaningOf, meaningOfPublish } from './outcomes.ts'
import { prepare } from './prepare.ts'
import { sendPiece } from './session.ts'
import { keepVideo, readState } from './state.ts'
import { thumbnail } from './thumbnail.ts'
import { stillProcessing, verdictOf } from './verdict.ts'
import { ask, parseVideos } from './wire.ts'

/** The attempt's signal is the limit of the visible call. */
const CALL_MS = 300_000

export const connector: Connector = { prepare, publish, confirm, find, followUp: thumbnail }

/** Sends the last piece of the file, at which the video is made: one call. Another try begins in `prepare`, with a look. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { session, sent, videoId } = readState(attempt.handles)
  if (videoId !== null) return stillProcessing(attempt, videoId)
  if (session === null || sent === null) return retryFrom('prepare', 'Nothing was uploaded yet.')
  const { bytes } = videoIn(attempt.post).facts
  const progress = await sendPiece(attempt, session, { start: sent, end: bytes, timeoutMs: CALL_MS })
  switch (progress.kind) {
    case 'done':
      await keepVideo(attempt, progress.video.id)
      return verdictOf(attempt, progress.video)
    case 'holds':
      return retryFrom('prepare', 'YouTube did not take the last piece of the file.')
    case 'gone':
      return { kind: 'unknown', message: 'The upload to YouTube was over before its last piece was answered.' }
    case 'failed':
      return fromPrepare(failedPublishing(progress))
    case 'refused':
      return fromPrepare(whilePublishing(meaningOfPublish(progress.answer, attempt.now())))
  }
}

const fromPrepare = (outcome: PublishOutcome): PublishOutcome =>
  outcome.kind === 'retry' ? { ...outcome, from: 'prepare' } : outcome

/** Asks how far YouTube is with the video. It is there whatever the answer. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const { videoId } = readState(attempt.handles)
  if (videoId === null) return { kind: 'unknown', message: 'YouTube did not say clearly whether it has the video.' }
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
  // A fresh video may be unknown to the first who asks.
  const later = stillProcessing(attempt, videoId)
  if (later.kind === 'accepted') return later
  const message = 'YouTube no longer has the video: it was deleted after its upload.'
  return { kind: 'refused', reason: 'UNKNOWN', message }
}
