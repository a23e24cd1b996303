import { fittedImage } from '../kit/images.ts'
import type { Stop } from '../kit/pending.ts'
import { call, parseId } from '../meta/graph.ts'
import type { Attempt, MediaSource, MediaToSend } from '../network.ts'
import { limits } from './manifest.ts'
import { readState } from './state.ts'
import { stopOf } from './stop.ts'

/** Longest time for the bytes of one request. */
const UPLOAD_MS = 9 * 60_000
/** Unpublished photos are kept for about 24 hours; older ones are uploaded anew. */
const PHOTOS_LAST_MS = 20 * 3_600_000

/**
 * Uploads the images as photos that nobody sees. Their ids make the post known in a listing later on.
 * https://developers.facebook.com/docs/graph-api/reference/page/photos/ (read 2026-11-21)
 */
export async function uploadPhotos(attempt: Attempt): Promise<Stop | null> {
  const { photosSince } = readState(attempt.handles)
  if (photosSince && attempt.now().getTime() - photosSince.getTime() > PHOTOS_LAST_MS) {
    await attempt.store({ photos: [], photosSince: null })
  }
  for (const media of attempt.post.media.slice(readState(attempt.handles).photos.length)) {
    const { photos, photosSince } = readState(attempt.handles)
    const since = photosSince ?? attempt.now()
    const uploaded = await uploadPhoto(attempt, media)
    if (uploaded.kind !== 'ok') return stopOf(attempt, uploaded)
    await attempt.store({ photos: [...photos, uploaded.value], photosSince: since.toISOString() })
  }
  return null
}

async function uploadPhoto(attempt: Attempt, { source, altText }: MediaToSend) {
  const image = await fitted(source)
  const { mimeType } = image.facts
  return call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/photos`,
    form: {
      fields: [['published', 'false'], ...(altText?.trim() ? [['alt_text_custom', altText] as const] : [])],
      field: 'source',
      filename: mimeType === 'image/png' ? 'photo.png' : 'photo.jpg',
      source: image,
      held: true,
    },
    timeoutMs: UPLOAD_MS,
    parse: parseId,
  })
}

/** A large PNG is shown coarse by the network, so it goes out as a JPEG. */
function fitted(source: MediaSource): Promise<MediaSource> {
  const png = source.facts.bytes <= limits.pngBytes.value ? ['image/png'] : []
  return fittedImage(source, { mimeTypes: ['image/jpeg', ...png], maxBytes: limits.imageBytes.value })
}
