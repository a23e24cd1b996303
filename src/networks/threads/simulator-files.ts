import { type MeasuredVideo, measureVideo } from '../toolkit/measure-video.ts'
import type { SimulatorDeps } from '../toolkit/simulation.ts'
import { limits } from './manifest.ts'
import { refuse } from './simulator-answers.ts'

export interface StoredFile {
  blobId: string
  mimeType: string
  alt?: string
}

/** A file that was fetched. `failure`: the word with which the work on it ends; null when all is well. */
export interface TakenFile {
  file: StoredFile | null
  failure: string | null
}

/** Ratios are rounded by every program that makes images. */
const TOLERANCE = 0.01
const VIDEO_CODECS: readonly (string | null)[] = ['avc', 'hevc']
/** null: no sound. */
const AUDIO_CODECS: readonly (string | null)[] = ['aac', null]

/** Fetches an image while its container is made. What cannot be fetched is refused at once. */
export async function takeImage(deps: SimulatorDeps, url: string): Promise<TakenFile> {
  const bytes = await fetched(deps, url)
  if (bytes === null) {
    refuse(1, 'An unknown error occurred', { subcode: 2207052, user: 'The media could not be fetched from this URI.' })
  }
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  const { format, width, height } = await sharp(bytes)
    .metadata()
    .then(({ format, autoOrient }) => ({ format, ...autoOrient }))
    .catch(() => ({ format: null, width: 1, height: 1 }))
  const ratio = width / height
  const { imageMaxRatio, imageMinRatio, imageBytes } = limits
  const blobId = await deps.store.putBlob(bytes)
  const file = { blobId, mimeType: format === 'png' ? 'image/png' : 'image/jpeg' }
  if ((format !== 'jpeg' && format !== 'png') || bytes.length > imageBytes.value) return { file, failure: 'UNKNOWN' }
  const shapeless = ratio > imageMaxRatio.value + TOLERANCE || ratio < imageMinRatio.value - TOLERANCE
  return { file, failure: shapeless ? 'INVALID_ASPEC_RATIO' : null }
}

/** Fetches a video. What is wrong with it, its address too, shows in the status of its container. */
export async function takeVideo(deps: SimulatorDeps, url: string): Promise<TakenFile> {
  const bytes = await fetched(deps, url)
  if (bytes === null) return { file: null, failure: 'FAILED_DOWNLOADING_VIDEO' }
  const measured = await measureVideo(bytes)
  const mimeType = measured?.mimeType ?? 'application/octet-stream'
  return { file: { blobId: await deps.store.putBlob(bytes), mimeType }, failure: failureOf(bytes, measured) }
}

function failureOf(bytes: Buffer, video: MeasuredVideo | null): string | null {
  if (!video || bytes.length > limits.videoBytes.value || !VIDEO_CODECS.includes(video.videoCodec)) {
    return 'FAILED_PROCESSING_VIDEO'
  }
  if (!AUDIO_CODECS.includes(video.audioCodec)) return 'FAILED_PROCESSING_AUDIO'
  if (video.seconds <= 0 || video.seconds > limits.videoMaxSeconds.value) return 'INVALID_DURATION'
  if (video.width > limits.videoMaxWidth.value) return 'FAILED_PROCESSING_VIDEO'
  const ratio = video.width / video.height
  return ratio < limits.videoMinRatio.value || ratio > limits.videoMaxRatio.value ? 'INVALID_ASPEC_RATIO' : null
}

async function fetched(deps: SimulatorDeps, url: string): Promise<Buffer | null> {
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(url)) return null
  const { status, bytes } = await deps.fetchFile(url)
  return status === 200 && bytes.length > 0 ? bytes : null
}
