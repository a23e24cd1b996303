import { measureImage } from '../kit/measure-image.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { limits } from './manifest.ts'

const VIDEO_CODECS: readonly (string | null)[] = ['avc', 'hevc', 'vp8', 'vp9']

/** Why a video would fail while the network works on it; null when it would not. */
export async function failureOfVideo(bytes: Buffer): Promise<string | null> {
  const { BufferSource, Input, MP4, QTFF, WEBM } = await import('mediabunny')
  const input = new Input({ formats: [MP4, QTFF, WEBM], source: new BufferSource(new Uint8Array(bytes)) })
  try {
    const video = await input.getPrimaryVideoTrack()
    if (!video || !VIDEO_CODECS.includes(await video.getCodec())) return 'file_format_check_failed'
    if ((await input.computeDuration()) > limits.videoMaxSeconds.value) return 'duration_check_failed'
    const sides = [await video.getDisplayWidth(), await video.getDisplayHeight()]
    const [min, max] = [limits.videoMinSide.value, limits.videoMaxSide.value]
    if (sides.some((side) => side < min || side > max)) return 'picture_size_check_failed'
    const { averagePacketRate: rate } = await video.computePacketStats()
    const slow = rate < limits.videoMinFrameRate.value - 1
    return slow || rate > limits.videoMaxFrameRate.value + 1 ? 'frame_rate_check_failed' : null
  } catch {
    // Not a video that can be read: the network would fail at it as well.
    return 'file_format_check_failed'
  }
}

export interface Photo {
  blobId: string
  mimeType: string
}

/** Fetches a photo as the network does; the reason that the post will fail for when it is not as it should be. */
export async function takePhoto(deps: SimulatorDeps, url: string): Promise<Photo | string> {
  const file = await deps.fetchFile(url, { maxBytes: limits.photoBytes.value })
  if (file === null) return 'photo_pull_failed'
  if (file === 'too large') return 'picture_size_check_failed'
  const facts = await measureImage(await deps.store.getBlob(file.blobId))
  if (facts?.format !== 'jpeg' && facts?.format !== 'webp') return 'file_format_check_failed'
  const { width, height, format } = facts
  const isLarge =
    Math.max(width, height) > limits.photoLongSide.value || Math.min(width, height) > limits.photoShortSide.value
  return isLarge ? 'picture_size_check_failed' : { blobId: file.blobId, mimeType: `image/${format}` }
}
