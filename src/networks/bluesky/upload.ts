import { retryFrom } from '../kit/outcomes.ts'
import { type Stop, stopAfter } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, MediaSource, MediaToSend } from '../network.ts'
import { call } from './api.ts'
import { readState } from './handles.ts'
import { imageToSend } from './images.ts'
import { isMoving } from './moving.ts'
import { errors } from './outcomes.ts'
import { UPLOAD_MS, uploadByService } from './video.ts'
import { readUploadedBlob } from './wire.ts'

/** Uploads what is not uploaded yet. Null when everything is there. */
export async function uploadMedia(attempt: Attempt): Promise<Stop | null> {
  const { media } = attempt.post
  for (const item of media.slice(readState(attempt.handles).blobs.length)) {
    const trouble = isMoving(item, media.length)
      ? await uploadVideo(attempt, item)
      : await uploadToServer(attempt, item.source)
    if (trouble) return trouble
  }
  return null
}

/**
 * By the video service, which has the video ready before the post is made. Only when it declines, straight to the account's
 * own server: such a video is converted when somebody looks, and of an animated GIF the first picture is sent.
 */
async function uploadVideo(attempt: Attempt, { source }: MediaToSend): Promise<Stop | null> {
  if (readState(attempt.handles).declined === null) {
    const outcome = await uploadByService(attempt, source)
    if (outcome?.kind !== 'declined') return outcome
    await attempt.store({ declined: outcome.why, videoJob: null })
  }
  const stop = await uploadToServer(attempt, source)
  if (stop?.kind !== 'refused' || stop.reason !== 'UNKNOWN_MEDIA_ERROR') return stop
  const before = `The video service did not take the video before: ${readState(attempt.handles).declined}`
  return { ...stop, message: `${stop.message} ${before}` }
}

/** Straight to the server of the account. Blobs are known by their content, so a repeated upload is the same blob. */
async function uploadToServer(attempt: Attempt, source: MediaSource): Promise<Stop | null> {
  const file =
    source.facts.type === 'IMAGE' ? await imageToSend(source) : await fittedVideo(source, { mimeTypes: ['video/mp4'] })
  if ('kind' in file) return file
  const sent = await call(attempt, attempt.endpoint('pds'), 'com.atproto.repo.uploadBlob', {
    method: 'POST',
    token: attempt.credentials.accessJwt,
    file: { source: file },
    timeoutMs: UPLOAD_MS,
    parse: readUploadedBlob,
  })
  if (sent.kind !== 'ok') return stopAfter(attempt, sent, errors)
  const { blob } = sent.value
  if (blob.size !== file.facts.bytes) {
    return retryFrom('prepare', 'Bluesky answered an upload in a way that could not be understood.')
  }
  await attempt.store({ blobs: [...readState(attempt.handles).blobs, blob] })
  return null
}
