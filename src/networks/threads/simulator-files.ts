import { measureImage } from '../kit/measure-image.ts'
import { type MeasuredVideo, measureVideo } from '../kit/measure-video.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { fetched } from '../meta/simulator.ts'
import type { StoredFile } from '../meta/simulator-containers.ts'
import { limits } from './manifest.ts'
import { refuse } from './simulator-answers.ts'

/** A file that was fetched. `failure`: the word with which the work on it ends; null when all is well. */
export interface TakenFile {
  file: StoredFile | null
  failure: string | null
}

/** Ratios are rounded by every program that makes images. */
const TOLERANCE = 0.01
const NO_IMAGE = { format: null, width: 1, height: 1 }
const VIDEO_CODECS: readonly (string | null)[] = ['avc', 'hevc']
/** null: no sound. */
const AUDIO_CODECS: readonly (string | null)[] = ['aac', null]

/** Fetches an image while its container is made. What cannot be fetched is refused at once. */
export async function takeImage(deps: SimulatorDeps, url: unknown): Promise<TakenFile> {
  const file = await fetched(deps, url, limits.imageBytes.value)
  if (file === 'too large') return { file: null, failure: 'UNKNOWN' }
  if (file === null) {
    return refuse(1, 2207052, 'An unknown error occurred', { user: 'The media could not be fetched from this URI.' })
  }
  const { format, width, height } = (await measureImage(await deps.store.getBlob(file.blobId))) ?? NO_IMAGE
  const ratio = width / height
  const { imageMaxRatio, imageMinRatio } = limits
  const stored = { blobId: file.blobId, mimeType: format === 'png' ? 'image/png' : 'image/jpeg' }
  if (format !== 'jpeg' && format !== 'png') return { file: stored, failure: 'UNKNOWN' }
  const shapeless = ratio > imageMaxRatio.value + TOLERANCE || ratio < imageMinRatio.value - TOLERANCE
  return { file: stored, failure: shapeless ? 'INVALID_ASPEC_RATIO' : null }
}

/** Fetches a video. What is wrong with it, its address too, shows in the status of its container. */
export async function takeVideo(deps: SimulatorDeps, url: unknown): Promise<TakenFile> {
  const file = await fetched(deps, url, limits.videoBytes.value)
  if (file === null) return { file: null, failure: 'FAILED_DOWNLOADING_VIDEO' }
  if (file === 'too large') return { file: null, failure: 'FAILED_PROCESSING_VIDEO' }
  const measured = await measureVideo(await deps.store.openBlob(file.blobId))
  const mimeType = measured?.mimeType ?? 'application/octet-stream'
  return { file: { blobId: file.blobId, mimeType }, failure: failureOf(measured) }
}

function failureOf(video: MeasuredVideo | null): string | null {
  if (!video || !VIDEO_CODECS.includes(video.videoCodec)) return 'FAILED_PROCESSING_VIDEO'
  if (!AUDIO_CODECS.includes(video.audioCodec)) return 'FAILED_PROCESSING_AUDIO'
  if (video.seconds <= 0 || video.seconds > limits.videoMaxSeconds.value) return 'INVALID_DURATION'
  if (video.width > limits.videoMaxWidth.value) return 'FAILED_PROCESSING_VIDEO'
  const ratio = video.width / video.height
  return ratio < limits.videoMinRatio.value || ratio > limits.videoMaxRatio.value ? 'INVALID_ASPEC_RATIO' : null
}
