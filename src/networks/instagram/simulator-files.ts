import { measureImage } from '../kit/measure-image.ts'
import { measureVideo } from '../kit/measure-video.ts'
import type { FetchedFile, SimulatorDeps } from '../kit/simulation.ts'
import { fetched as fetchedBy, refuse } from '../meta/simulator.ts'
import type { StoredFile } from '../meta/simulator-containers.ts'

/** As the error text has it. */
const IMAGE_BYTES = 8 * 1024 * 1024
/** What the help names, and a little more, as programs round. */
const RATIOS = { min: 3 / 4 - 0.01, max: 1.91 + 0.01 }
const VIDEO_CODECS: readonly (string | null)[] = ['avc', 'hevc']
/** null: no sound. */
const AUDIO_CODECS: readonly (string | null)[] = ['aac', null]

/** Fetches an image as the network does while a container is made, and refuses what it refuses. */
export async function takeImage(deps: SimulatorDeps, url: unknown, options: { feed: boolean }): Promise<StoredFile> {
  const file = await fetched(deps, url, IMAGE_BYTES)
  if (file === 'too large') {
    return refuse(36000, 2207004, 'Image is too large.', { user: 'The image should be less than 8 MiB.' })
  }
  const image = await measureImage(await deps.store.getBlob(file.blobId))
  if (image?.format !== 'jpeg') {
    return refuse(36001, 2207005, 'Image format is not supported.', {
      user: `The format ${image?.format} is not supported.`,
    })
  }
  const ratio = image.width / image.height
  if (options.feed && (ratio < RATIOS.min || ratio > RATIOS.max)) {
    refuse(36003, 2207009, 'The aspect ratio is not supported.', {
      user: `The submitted image with aspect ratio ${ratio.toFixed(3)} cannot be published.`,
    })
  }
  return { blobId: file.blobId, mimeType: 'image/jpeg' }
}

export interface TakenVideo {
  /** None for one that is too large to be kept. */
  files: StoredFile[]
  seconds: number
  /** Subcode with which processing will fail; null when it will not. */
  failure: number | null
}

/** What each kind of container takes. Carousels have no figures of their own. */
const VIDEO_LIMITS = {
  REELS: { bytes: 300e6, minSeconds: 3, maxSeconds: 15 * 60 },
  VIDEO: { bytes: 300e6, minSeconds: 3, maxSeconds: 15 * 60 },
  STORIES: { bytes: 100e6, minSeconds: 3, maxSeconds: 60 },
}

/** Fetches a video. What is wrong with it shows while it is worked on, in the status of its container. */
export async function takeVideo(
  deps: SimulatorDeps,
  url: unknown,
  kind: keyof typeof VIDEO_LIMITS,
): Promise<TakenVideo> {
  const limits = VIDEO_LIMITS[kind]
  const file = await fetched(deps, url, limits.bytes)
  if (file === 'too large') return { files: [], seconds: Number.POSITIVE_INFINITY, failure: 2207026 }
  const measured = await measureVideo(await deps.store.openBlob(file.blobId))
  const wrong =
    measured === null ||
    measured.seconds < limits.minSeconds ||
    measured.seconds > limits.maxSeconds ||
    measured.width > 1920 ||
    !VIDEO_CODECS.includes(measured.videoCodec) ||
    !AUDIO_CODECS.includes(measured.audioCodec)
  return {
    files: [{ blobId: file.blobId, mimeType: measured?.mimeType ?? 'application/octet-stream' }],
    seconds: measured?.seconds ?? 0,
    failure: wrong ? 2207026 : null,
  }
}

async function fetched(deps: SimulatorDeps, url: unknown, maxBytes: number): Promise<FetchedFile | 'too large'> {
  const file = await fetchedBy(deps, url, maxBytes)
  if (file === null) {
    return refuse(9004, 2207052, 'Only photo or video can be accepted as media type.', {
      user: 'The media could not be fetched from this URI.',
    })
  }
  return file
}
