import { afterVisibleCall } from '../kit/flow.ts'
import { confirmByLookup, retryFrom } from '../kit/outcomes.ts'
import { obeyPending } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, Connector, PrepareOutcome, PublishOutcome } from '../network.ts'
import { boardOf } from './fields.ts'
import { find, placeOf } from './lookup.ts'
import { errors } from './outcomes.ts'
import { fitImages, pinBody } from './pin.ts'
import { readState } from './state.ts'
import { prepareVideo } from './upload.ts'
import { call, parsePin } from './wire.ts'

const UNKNOWN = 'Pinterest did not say clearly whether it made the pin.'

export const connector: Connector = { prepare, publish, confirm: confirmByLookup(find, UNKNOWN), find }

/** Settles the board, converts images and sends the video. Nothing of it is visible. */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const { post, account } = attempt
  const stop = await obeyPending(attempt, {})
  if (stop) return stop
  if (readState(attempt.handles).boardId === null) {
    const boardId = boardOf(post.fields, account.defaults)
    if (boardId === null) {
      return { kind: 'refused', reason: 'UNKNOWN', message: 'The post has no board on Pinterest. Choose one.' }
    }
    await attempt.store({ boardId })
  }
  const video = post.media.find(({ facts }) => facts.type === 'VIDEO')
  const file = video ? await fittedVideo(video.source, { mimeTypes: ['video/mp4', 'video/quicktime'] }) : null
  if (file && 'kind' in file) return file
  const outcome: PrepareOutcome = file ? await prepareVideo(attempt, file) : { kind: 'ready' }
  if (outcome.kind === 'ready') await fitImages(post)
  return outcome
}

/** Makes the pin: one call. Another try begins in `prepare`, which asks for the state of a video. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { boardId, mediaId, pinId } = readState(attempt.handles)
  if (pinId !== null) return { kind: 'published', ...placeOf(attempt, pinId) }
  if (boardId === null) return retryFrom('prepare', 'Nothing was prepared.')
  const answer = await call(attempt, {
    method: 'POST',
    path: 'pins',
    json: await pinBody(attempt.post, { boardId, mediaId }),
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parsePin,
  })
  return afterVisibleCall(attempt, answer, {
    classify: errors.classify,
    unclear: UNKNOWN,
    async made({ id }) {
      await attempt.store({ pinId: id })
      return { kind: 'published', ...placeOf(attempt, id) }
    },
  })
}
