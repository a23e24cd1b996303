import { MINUTE_MS } from '#contract/durations'
import { fittedImage } from '../kit/images.ts'
import { retryFrom, whilePublishing } from '../kit/outcomes.ts'
import { record } from '../kit/read-json.ts'
import type { Attempt, FollowUp, PublishOutcome } from '../network.ts'
import { client } from './api.ts'
import { limits } from './manifest.ts'
import { meaningOf, parseError } from './outcomes.ts'

const UNVERIFIED =
  'YouTube lets only channels that are verified by phone have thumbnails of their own. Verify the channel at youtube.com/verify, then set the thumbnail in YouTube Studio.'
const AGAIN = 'YouTube did not say whether it took the thumbnail.'
const NOT_NOW =
  'YouTube takes no thumbnails for now, and the result of the post is not held back for that. Set the thumbnail in YouTube Studio.'
/** The video is live, and its result waits for the thumbnail: three tries with such pauses are a few minutes. */
const MAX_WAIT_MS = 2 * MINUTE_MS

const isImage = ({ facts }: { facts: { type: string } }) => facts.type === 'IMAGE'

/**
 * The image of the post becomes the thumbnail of the video: a step of its own behind the upload, which leaves the post
 * as it is when it fails. `POST /upload/youtube/v3/thumbnails/set`:
 * https://developers.google.com/youtube/v3/docs/thumbnails/set (read 2026-11-21)
 */
export const thumbnail: FollowUp = {
  title: 'thumbnail',
  wanted: (post) => post.media.some(isImage),
  send,
  // A thumbnail that is set again is the same one, so that none has to be looked for.
  find: async () => ({ kind: 'absent' }),
}

async function send(attempt: Attempt): Promise<PublishOutcome> {
  const { providerId: videoId } = attempt.handles
  if (typeof videoId !== 'string') throw new TypeError('A thumbnail needs the id of its video.')
  const done: PublishOutcome = { kind: 'published', providerId: videoId, permalink: null }
  const image = attempt.post.media.find(isImage)
  if (!image) return done

  const form = { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: limits.thumbnailBytes.value }
  const sent = await client(attempt, {
    method: 'POST',
    path: 'upload/youtube/v3/thumbnails/set',
    query: { uploadType: 'media', videoId },
    file: { source: await fittedImage(image.source, form) },
    parse: (body) => Array.isArray(record(body)?.items) || undefined,
  })
  if (sent.kind === 'ok') return done
  if (sent.kind === 'failed') return retryFrom('publish', sent.message)
  if (sent.answer.status === 403 && parseError(sent.answer).reason === 'forbidden') {
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message: UNVERIFIED }
  }
  const outcome = whilePublishing(meaningOf(sent.answer, attempt.now()))
  if (outcome.kind === 'unknown') return retryFrom('publish', AGAIN)
  if (outcome.kind !== 'retry') return outcome
  const wait = (outcome.notBefore ?? attempt.now()).getTime() - attempt.now().getTime()
  if (wait > MAX_WAIT_MS) return { kind: 'refused', reason: 'ACTION_BLOCKED', message: NOT_NOW }
  // Every wait counts, so that one after the other comes to an end too.
  return { ...outcome, countsAsAttempt: true }
}
