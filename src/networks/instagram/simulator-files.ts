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
export async function takeImage(deps: SimulatorDeps, url: unknown, { feed }: { feed: boolean }): Promise<StoredFile> {
  const file = await fetched(deps, url, IMAGE_BYTES)
  if (file === 'too large') return refuse(36000, 2207004, 'Image is too large.')
  const image = await measureImage(await deps.store.getBlob(file.blobId))
  if (image?.format !== 'jpeg') return refuse(36001, 2207005, 'Image format is not supported.')
  const ratio = image.width / image.height
  if (feed && (ratio < RATIOS.min || ratio > RATIOS.max)) {
    const user = `The submitted image with aspect ratio ${ratio.toFixed(3)} cannot be published.`
    refuse(36003, 2207009, 'The aspect ratio is not supported.', { user })
  }
  return { blobId: file.blobId, mimeType: 'image/jpeg' }
}

/**
 * Fetches a video. What is wrong with it shows while it is worked on, in the status of its container: `failure` is the subcode
 * with which that will end. Carousels have no figures of their own.
 */
export async function takeVideo(
  deps: SimulatorDeps,
  url: unknown,
  { story }: { story: boolean },
): Promise<{ files: StoredFile[]; seconds: number; failure: number | null }> {
  const file = await fetched(deps, url, story ? 100e6 : 300e6)
  if (file === 'too large') return { files: [], seconds: Number.POSITIVE_INFINITY, failure: 2207026 }
  const measured = await measureVideo(await deps.store.openBlob(file.blobId))
  const { seconds = 0, width = 0, videoCodec = null, audioCodec = null } = measured ?? {}
  const fits = seconds >= 3 && seconds <= (story ? 60 : 15 * 60) && width <= 1920
  const plays = VIDEO_CODECS.includes(videoCodec) && AUDIO_CODECS.includes(audioCodec)
  const mimeType = measured?.mimeType ?? 'application/octet-stream'
  return { files: [{ blobId: file.blobId, mimeType }], seconds, failure: fits && plays ? null : 2207026 }
}

async function fetched(deps: SimulatorDeps, url: unknown, maxBytes: number): Promise<FetchedFile | 'too large'> {
  const user = 'The media could not be fetched from this URI.'
  const file = await fetchedBy(deps, url, maxBytes)
  return file ?? refuse(9004, 2207052, 'Only photo or video can be accepted as media type.', { user })
}
