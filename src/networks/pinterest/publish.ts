import type { Attempt, Connector, PrepareOutcome, PublishOutcome } from '../network.ts'
import { confirmByLookup, failedPublishing, retryFrom, whilePublishing } from '../toolkit/outcomes.ts'
import { fittedVideo } from '../toolkit/videos.ts'
import { boardOf } from './fields.ts'
import { find, permalinkOf } from './lookup.ts'
import { judge } from './outcomes.ts'
import { fitImages, pinBody } from './pin.ts'
import { readState } from './state.ts'
import { prepareVideo } from './upload.ts'
import { call, parsePin } from './wire.ts'

/** Tries that are spent on an image that the network could not fetch. */
const FEW_TRIES = 3
const UNKNOWN = 'Pinterest did not say clearly whether it made the pin.'

export const connector: Connector = { prepare, publish, confirm: confirmByLookup(find, UNKNOWN), find }

/** Settles the board, converts images and sends the video. Nothing of it is visible. */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const { post, account } = attempt
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
  const { boardId, mediaId, pinId, tries } = readState(attempt.handles)
  if (pinId !== null) return published(attempt, pinId)
  if (boardId === null) return retryFrom('prepare', 'Nothing was prepared.')
  const answer = await call(attempt, {
    method: 'POST',
    path: 'pins',
    json: await pinBody(attempt.post, { boardId, mediaId }),
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parsePin,
  })
  switch (answer.kind) {
    case 'ok':
      await attempt.store({ pinId: answer.value.id })
      return published(attempt, answer.value.id)
    case 'failed':
      return failedPublishing(answer)
    case 'refused': {
      const { meaning, few } = judge(answer.answer, attempt.now())
      if (few !== null) {
        if (tries + 1 >= FEW_TRIES) return { kind: 'refused', reason: few, message: meaning.message }
        await attempt.store({ tries: tries + 1 })
      }
      return whilePublishing(meaning)
    }
  }
}

function published(attempt: Attempt, pinId: string): PublishOutcome {
  return { kind: 'published', providerId: pinId, permalink: permalinkOf(attempt, pinId) }
}
