import type { Attempt, PrepareOutcome } from '../network.ts'
import { withFittedVideos } from '../toolkit/videos.ts'
import { fieldsOf, wayOf } from './fields.ts'
import { noteKnown } from './lookup.ts'
import { uploadPhotos } from './photos.ts'
import { dropped, readState } from './state.ts'
import type { Stop } from './stop.ts'
import { uploadVideo } from './videos.ts'

/**
 * Uploads what the post is made of. Photos stay unpublished and videos unfinished, so nobody sees any of it. Every try
 * to publish comes by here.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = (await obeyVerdict(attempt)) ?? (await upload(attempt))
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

/**
 * This step comes after a visible call only when it is proven that nothing was published: now holds what the network
 * said to it.
 */
async function obeyVerdict(attempt: Attempt): Promise<Stop | null> {
  const { verdict } = readState(attempt.handles)
  if (verdict === null) return null
  if (verdict.kind === 'refused') return verdict
  await attempt.store({ verdict: null, ...(verdict.kind === 'fresh' ? dropped : {}) })
  if (verdict.kind === 'fresh') return null
  const until = new Date(verdict.until)
  if (until <= attempt.now()) return null
  return { kind: 'retry', notBefore: until, from: 'prepare', countsAsAttempt: false, message: verdict.message }
}
