import { measureImage } from '../kit/measure-image.ts'
import { measureVideo } from '../kit/measure-video.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { fetched, refuse } from '../meta/simulator.ts'
import type { StoredFile } from '../meta/simulator-containers.ts'

/** As the page on photos has it. */
const IMAGE_BYTES = 10 * 1024 * 1024
const TOO_LARGE = 'Your photos could not be uploaded. They are too large.'
const IMAGE_FORMATS = ['jpeg', 'png', 'gif', 'tiff']

/** Keeps an image, or refuses it by its bytes. */
export async function takeImage(deps: SimulatorDeps, bytes: Buffer): Promise<StoredFile> {
  if (bytes.length === 0) refuse(324, null, '(#324) Requires upload file')
  const format = (await measureImage(bytes))?.format
  if (format === undefined || !IMAGE_FORMATS.includes(format)) {
    refuse(324, null, '(#324) Missing or invalid image file', { user: 'Upload a JPEG or a PNG.' })
  }
  if (bytes.length > IMAGE_BYTES) refuse(100, 1366046, TOO_LARGE)
  return { blobId: await deps.store.putBlob(bytes), mimeType: `image/${format}` }
}

/** Fetches a picture as the network does. */
export async function fetchImage(deps: SimulatorDeps, url: unknown): Promise<StoredFile> {
  const file = await fetched(deps, url, IMAGE_BYTES)
  if (file === 'too large') return refuse(100, 1366046, TOO_LARGE)
  const bytes = file && (await deps.store.getBlob(file.blobId))
  return bytes ? takeImage(deps, bytes) : refuse(389, null, '(#389) Unable to fetch file from URL.')
}

export type VideoKind = 'reel' | 'story' | 'video'

/** What each kind asks for. The page on stories ends earlier than that on formats. */
const SECONDS: Record<VideoKind, { min: number; max: number }> = {
  reel: { min: 3, max: 90 },
  story: { min: 3, max: 60 },
  video: { min: 0, max: 40 * 60 },
}

/** What is wrong with a video; null when nothing is. It shows while the network works on it. */
export async function videoFailure(bytes: Buffer, kind: VideoKind): Promise<{ code: number; message: string } | null> {
  const measured = await measureVideo(bytes)
  if (!measured || !['avc', 'hevc', 'vp9', 'av1'].includes(measured.videoCodec ?? '')) {
    return { code: 352, message: 'The video format is not supported.' }
  }
  const { seconds, width, height } = measured
  const { min, max } = SECONDS[kind]
  if (seconds < min || seconds > max) return { code: 1363128, message: `The video lasts ${Math.round(seconds)} s.` }
  if (kind === 'video') return null
  if (width < 540 || height < 960) return { code: 1363127, message: 'The resolution of the video is too small.' }
  return Math.abs(width / height - 9 / 16) < 0.02 ? null : { code: 1363040, message: 'The aspect ratio is not 9:16.' }
}
