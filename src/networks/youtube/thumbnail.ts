import { isShort } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { fittedImage } from '../kit/images.ts'
import { retryFrom, whilePublishing } from '../kit/outcomes.ts'
import { record } from '../kit/read-json.ts'
import type { Attempt, CoverOutcome, FollowUp, LateCover, PostToCheck, PublishOutcome } from '../network.ts'
import { askVideos, client } from './api.ts'
import { limits } from './manifest.ts'
import { meaningOf, parseError } from './outcomes.ts'

const UNVERIFIED =
  'YouTube lets only channels that are verified by phone have thumbnails of their own. Verify the channel at youtube.com/verify, then set the thumbnail in YouTube Studio.'
const AGAIN = 'YouTube did not say whether it took the thumbnail.'
const NOT_NOW =
  'YouTube takes no thumbnails for now, and the result of the post is not held back for that. Set the thumbnail in YouTube Studio.'
/** The video is live, and its result waits for the thumbnail: three tries with such pauses are a few minutes. */
const MAX_WAIT_MS = 2 * MINUTE_MS
const AT_WORK = 'YouTube is still at work on the video. Set the thumbnail in YouTube Studio.'
const GONE = 'YouTube does not know the video any more.'
const NO_IMAGE = 'Its image was deleted here before YouTube took it. Set the thumbnail in YouTube Studio.'
const NOT_SHOWN =
  'It may be there all the same: YouTube took it, and did not say that the Short is shown with it. Look into YouTube Studio.'
const isImage = ({ facts }: { facts: { type: string } }) => facts.type === 'IMAGE'
const hasImage = ({ media }: Pick<PostToCheck, 'media'>) => media.some(isImage)

/** Whether its video becomes a Short, which it does by itself. */
function becomesShort({ media }: Pick<PostToCheck, 'media'>): boolean {
  const video = media.find(({ facts }) => facts.type === 'VIDEO')
  return video !== undefined && isShort(video.facts)
}

/**
 * The image of the post becomes the thumbnail of the video: a step of its own behind the upload, which leaves the post
 * as it is when it fails. `POST /upload/youtube/v3/thumbnails/set`:
 * https://developers.google.com/youtube/v3/docs/thumbnails/set (read 2026-11-21)
 */
export const thumbnail: FollowUp = {
  title: 'thumbnail',
  wanted: (post) => hasImage(post) && !becomesShort(post),
  send,
  // A thumbnail that is set again is the same one, so that none has to be looked for.
  find: async () => ({ kind: 'absent' }),
}

/**
 * The same of a Short, of which YouTube takes it only when all work on the video is done. That is later than the upload status says,
 * and what comes before may be lost without a word: https://developers.google.com/youtube/v3/revision_history (2026-11-03, read
 * 2026-11-29)
 */
export const shortsThumbnail: LateCover = {
  title: 'thumbnail',
  wanted: (post) => hasImage(post) && becomesShort(post),
  set: setOfShort,
}

async function setOfShort(attempt: Attempt, videoId: string): Promise<CoverOutcome> {
  if (!hasImage(attempt.post)) return { kind: 'missing', message: NO_IMAGE }
  const asked = await askVideos(attempt, { part: 'id,status,processingDetails', id: videoId })
  if (asked.kind === 'failed') return { kind: 'later', message: asked.message }
  if (asked.kind === 'refused') return { kind: 'later', message: meaningOf(asked.answer, attempt.now()).message }
  const video = asked.value.entries.find(({ id }) => id === videoId)
  if (!video) return { kind: 'later', message: GONE }
  if (video.uploadStatus !== 'processed' || video.processingStatus === 'processing') {
    return { kind: 'later', message: AT_WORK }
  }
  const sent = await sendImage(attempt, videoId)
  if (sent.kind === 'set') return sent.ofShort ? { kind: 'set' } : { kind: 'missing', message: NOT_SHOWN }
  return { kind: sent.kind === 'refused' ? 'missing' : 'later', message: sent.message }
}

async function send(attempt: Attempt): Promise<PublishOutcome> {
  const { providerId: videoId } = attempt.handles
  if (typeof videoId !== 'string') throw new TypeError('A thumbnail needs the id of its video.')
  const outcome = await sendImage(attempt, videoId)
  if (outcome.kind === 'set') return { kind: 'published', providerId: videoId, permalink: null }
  if (outcome.kind !== 'retry') return outcome
  const wait = (outcome.notBefore ?? attempt.now()).getTime() - attempt.now().getTime()
  if (wait > MAX_WAIT_MS) return { kind: 'refused', reason: 'ACTION_BLOCKED', message: NOT_NOW }
  // Every wait counts, so that one after the other comes to an end too.
  return { ...outcome, countsAsAttempt: true }
}

/** `ofShort`: the answer says what the Short looks like with it. */
type Sent = { kind: 'set'; ofShort: boolean } | Extract<PublishOutcome, { kind: 'retry' | 'refused' | 'reconnect' }>

async function sendImage(attempt: Attempt, videoId: string): Promise<Sent> {
  const image = attempt.post.media.find(isImage)
  if (!image) throw new TypeError('A thumbnail needs an image.')
  const form = { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: limits.thumbnailBytes.value }
  const sent = await client(attempt, {
    method: 'POST',
    path: 'upload/youtube/v3/thumbnails/set',
    query: { uploadType: 'media', videoId },
    file: { source: await fittedImage(image.source, form) },
    parse(body): Sent | undefined {
      const items = record(body)?.items
      if (!Array.isArray(items)) return undefined
      return { kind: 'set', ofShort: items.some((item) => Boolean(record(item)?.shortsAspectRatio)) }
    },
  })
  if (sent.kind === 'ok') return sent.value
  if (sent.kind === 'failed') return retryFrom('publish', sent.message)
  if (sent.answer.status === 403 && parseError(sent.answer).reason === 'forbidden') {
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message: UNVERIFIED }
  }
  const outcome = whilePublishing(meaningOf(sent.answer, attempt.now()))
  return outcome.kind === 'unknown' ? retryFrom('publish', AGAIN) : outcome
}
