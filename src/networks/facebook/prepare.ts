import { obeyPending, type Stop } from '../kit/pending.ts'
import { withFittedVideos } from '../kit/videos.ts'
import type { Attempt, PrepareOutcome } from '../network.ts'
import { fieldsOf, wayOf } from './fields.ts'
import { noteKnown } from './lookup.ts'
import { uploadPhotos } from './photos.ts'
import { dropped } from './state.ts'
import { uploadVideo } from './videos.ts'

/**
 * Uploads what the post is made of. Photos stay unpublished and videos unfinished, so nobody sees any of it. Every try
 * to publish comes by here.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = (await obeyPending(attempt, dropped)) ?? (await upload(attempt))
  return stop ?? { kind: 'ready' }
}

function upload(attempt: Attempt): Promise<Stop | null> {
  switch (wayOf(attempt.post)) {
    case 'feed':
      return ['IMAGE', 'MULTI_IMAGE'].includes(fieldsOf(attempt.post.fields).type)
        ? uploadPhotos(attempt)
        : noteKnown(attempt)
    case 'photo story':
      return uploadPhotos(attempt)
    default:
      return uploadFitted(attempt)
  }
}

/** The same file at every turn: without the place where it was taken. */
async function uploadFitted(attempt: Attempt): Promise<Stop | null> {
  const fitted = await withFittedVideos(attempt, { mimeTypes: ['video/mp4', 'video/quicktime'] })
  return 'kind' in fitted ? fitted : uploadVideo(fitted)
}
