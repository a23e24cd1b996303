import { failedPublishing, retryFrom, whilePublishing } from '../kit/outcomes.ts'
import { fromPrepare } from '../kit/pending.ts'
import { type VideoForm, withFittedVideos } from '../kit/videos.ts'
import type { Attempt, Connector, PublishOutcome } from '../network.ts'
import { videoIn } from './fields.ts'
import { find } from './lookup.ts'
import { meaningOfPublish } from './outcomes.ts'
import { prepare } from './prepare.ts'
import { sendPiece } from './session.ts'
import { keepVideo, readState } from './state.ts'
import { thumbnail } from './thumbnail.ts'
import { askVerdict, verdictOf } from './verdict.ts'

/** The attempt's signal is the limit of the visible call. */
const CALL_MS = 300_000

/** YouTube converts whatever it is sent and shows nobody the file. */
const FORM: VideoForm = { mimeTypes: ['video/mp4', 'video/quicktime', 'video/webm'], elseAsItIs: true }

/** At every step the video is the same file: as it was uploaded, or without the place where it was taken. */
export const connector: Connector = {
  async prepare(attempt) {
    const fitted = await withFittedVideos(attempt, FORM)
    return 'kind' in fitted ? fitted : prepare(fitted)
  },
  async publish(attempt) {
    // Nothing was sent yet, so what goes wrong here may not end as unknown.
    const fitted = await withFittedVideos(attempt, FORM).catch(() => null)
    return !fitted || 'kind' in fitted ? retryFrom('prepare', 'The video could not be read.') : publish(fitted)
  },
  confirm,
  async find(attempt) {
    const fitted = await withFittedVideos(attempt, FORM)
    return 'kind' in fitted ? { kind: 'cannot-tell', message: fitted.message } : find(fitted)
  },
  followUp: thumbnail,
}

/** Sends the last piece of the file, at which the video is made: one call. Another try begins in `prepare`, with a look. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { session, sent, videoId, refusal } = readState(attempt.handles)
  if (refusal) return { kind: 'refused', ...refusal }
  if (videoId !== null) return { kind: 'accepted', askAgainAt: attempt.now() }
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

/** Asks how far YouTube is with the video. It is there whatever the answer. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const { videoId } = readState(attempt.handles)
  if (videoId === null) return { kind: 'unknown', message: 'YouTube did not say clearly whether it has the video.' }
  return askVerdict(attempt, videoId)
}
