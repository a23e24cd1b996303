import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import type { MediaFacts } from '#contract'
import type { ReadRange } from './video-boxes.ts'
import { codecOf, damaged, openVideo, type VideoFailure } from './video-input.ts'

export type Measures = Pick<MediaFacts, 'width' | 'height' | 'durationMs' | 'videoCodec' | 'audioCodec' | 'frameRate'>

/** Frames that the frame rate is deduced from; mediabunny asks for at least 256. */
const FRAMES_FOR_RATE = 256

/** Measures a video, in the thread of `video-program.ts`. */
export async function measure(
  read: ReadRange,
  bytes: number,
): Promise<{ kind: 'measured'; measures: Measures } | VideoFailure> {
  const opened = await openVideo(read, bytes)
  if (opened.kind === 'failed') return opened
  const { input, video, audio } = opened
  for (const track of audio ? [video, audio] : [video]) {
    // Reads the bytes, not only the index: an index can promise frames that are not there.
    if (!(await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY))) return damaged('it holds no frames')
  }
  const durationMs = Math.round((await input.computeDuration()) * 1000)
  const width = await video.getDisplayWidth()
  const height = await video.getDisplayHeight()
  if (!(durationMs > 0 && width > 0 && height > 0)) return damaged('it has no length or no size')
  const measures: Measures = {
    width,
    height,
    durationMs,
    videoCodec: await codecOf(video),
    audioCodec: audio ? await codecOf(audio) : null,
    frameRate: await frameRateOf(video),
  }
  return { kind: 'measured', measures }
}

/** Frames per second to three decimals; null for a single frame. */
async function frameRateOf(track: InputVideoTrack): Promise<number | null> {
  const { bestGuessFrameRate: rate } = await track.computeFrameRateMetrics({ targetPacketCount: FRAMES_FOR_RATE })
  return Number.isFinite(rate) && rate > 0 ? Math.round(rate * 1000) / 1000 : null
}
