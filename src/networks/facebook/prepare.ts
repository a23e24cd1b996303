import { fittedImage } from '../kit/images.ts'
import { obeyPending, type Stop } from '../kit/pending.ts'
import { withFittedVideos } from '../kit/videos.ts'
import { call, parseId } from '../meta/graph.ts'
import type { Attempt, MediaToSend, PrepareOutcome } from '../network.ts'
import { isOfPhotos, wayOf } from './fields.ts'
import { noteKnown } from './lookup.ts'
import { limits } from './manifest.ts'
import { stopOf } from './outcomes.ts'
import { dropped, readState } from './state.ts'
import { UPLOAD_MS, uploadVideo } from './videos.ts'

/** Unpublished photos are kept for about 24 hours; older ones are uploaded anew. */
const PHOTOS_LAST_MS = 20 * 3_600_000

/**
 * Uploads what the post is made of. Photos stay unpublished and videos unfinished, so nobody sees any of it. Every try
 * to publish comes by here.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = (await obeyPending(attempt, dropped)) ?? (await upload(attempt))
  return stop ?? { kind: 'ready' }
}

async function upload(attempt: Attempt): Promise<Stop | null> {
  if (isOfPhotos(attempt.post)) return uploadPhotos(attempt)
  if (wayOf(attempt.post) === 'feed') return noteKnown(attempt)
  // The same file at every turn: without the place where it was taken.
  const fitted = await withFittedVideos(attempt, { mimeTypes: ['video/mp4', 'video/quicktime'] })
  return 'kind' in fitted ? fitted : uploadVideo(fitted)
}

/**
 * Uploads the images as photos that nobody sees. Their ids make the post known in a listing later on.
 * https://developers.facebook.com/docs/graph-api/reference/page/photos/ (read 2026-11-21)
 */
async function uploadPhotos(attempt: Attempt): Promise<Stop | null> {
  const kept = readState(attempt.handles)
  const isTooOld = kept.photosSince && attempt.now().getTime() - kept.photosSince.getTime() > PHOTOS_LAST_MS
  let photos = isTooOld ? [] : kept.photos
  const since = (photos.length === 0 ? null : kept.photosSince) ?? attempt.now()
  for (const media of attempt.post.media.slice(photos.length)) {
    const uploaded = await uploadPhoto(attempt, media)
    if (uploaded.kind !== 'ok') return stopOf(attempt, uploaded)
    photos = [...photos, uploaded.value]
    await attempt.store({ photos, photosSince: since.toISOString() })
  }
  return null
}

/** A large PNG is shown coarse by the network, so it goes out as a JPEG. */
async function uploadPhoto(attempt: Attempt, { source, altText }: MediaToSend) {
  const png = source.facts.bytes <= limits.pngBytes.value ? ['image/png'] : []
  const image = await fittedImage(source, { mimeTypes: ['image/jpeg', ...png], maxBytes: limits.imageBytes.value })
  return call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/photos`,
    form: {
      fields: [['published', 'false'], ...(altText?.trim() ? [['alt_text_custom', altText] as const] : [])],
      field: 'source',
      filename: image.facts.mimeType === 'image/png' ? 'photo.png' : 'photo.jpg',
      source: image,
      held: true,
    },
    timeoutMs: UPLOAD_MS,
    parse: parseId,
  })
}
