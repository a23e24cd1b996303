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

/** Fetches photos as the network does; the reason that the post will fail for when one is not as it should be. */
export async function takePhotos(
  deps: SimulatorDeps,
  urls: readonly string[],
): Promise<{ photos: Photo[]; failure: string | null }> {
  const photos: Photo[] = []
  for (const url of urls) {
    const file = await deps.fetchFile(url, { maxBytes: limits.photoBytes.value })
    if (file === null) return { photos: [], failure: 'photo_pull_failed' }
    if (file === 'too large') return { photos: [], failure: 'picture_size_check_failed' }
    const facts = await measureImage(await deps.store.getBlob(file.blobId))
    if (facts?.format !== 'jpeg' && facts?.format !== 'webp') return { photos: [], failure: 'file_format_check_failed' }
    const [long, short] = [Math.max(facts.width, facts.height), Math.min(facts.width, facts.height)]
    if (long > limits.photoLongSide.value || short > limits.photoShortSide.value) {
      return { photos: [], failure: 'picture_size_check_failed' }
    }
    photos.push({ blobId: file.blobId, mimeType: `image/${facts.format}` })
  }
  return { photos, failure: null }
}
