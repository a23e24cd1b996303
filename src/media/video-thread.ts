import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MP4,
  QTFF,
  WEBM,
} from 'mediabunny'
import type { MediaFacts } from '#contract'
import { endsEarly, type ReadRange } from './video-boxes.ts'

/** Runs only as a thread of `probe-video.ts`, which hands it bytes on demand and takes one answer. */

export interface ThreadInput {
  bytes: number
}
export type Measures = Pick<MediaFacts, 'width' | 'height' | 'durationMs' | 'videoCodec' | 'audioCodec' | 'frameRate'>
export type FromThread =
  | { kind: 'read'; id: number; start: number; end: number }
  | { kind: 'measured'; measures: Measures }
  | { kind: 'failed'; code: 'media-upload:unsupported_type' | 'media-upload:corrupt'; message: string }
export interface ToThread {
  id: number
  bytes: Uint8Array
}

/** Frames that the frame rate is deduced from; mediabunny asks for at least 256. */
const FRAMES_FOR_RATE = 256

if (parentPort) await run(parentPort, workerData as ThreadInput)

async function run(port: MessagePort, { bytes }: ThreadInput): Promise<void> {
  Logging.level = LogLevel.Silent
  const answer = (message: FromThread) => port.postMessage(message)
  const waiting = new Map<number, (bytes: Uint8Array) => void>()
  port.on('message', (message: ToThread) => {
    waiting.get(message.id)?.(message.bytes)
    waiting.delete(message.id)
  })
  let reads = 0
  const read: ReadRange = (start, end) =>
    new Promise((resolve) => {
      const id = reads++
      waiting.set(id, resolve)
      answer({ kind: 'read', id, start, end })
    })
  try {
    answer(await measure(read, bytes))
  } catch {
    // The parser's errors are assertions about boxes, in words for programmers.
    answer(corrupt('its index cannot be read'))
  }
  port.close()
}

async function measure(read: ReadRange, bytes: number): Promise<FromThread> {
  if (await endsEarly(read, bytes)) return corrupt('its end is missing')
  const input = new Input({
    source: new CustomSource({ getSize: () => bytes, read, prefetchProfile: 'fileSystem' }),
    formats: [MP4, QTFF, WEBM],
  })
  if (!(await input.canRead())) return corrupt('its index cannot be read')
  const video = await input.getPrimaryVideoTrack()
  if (!video) {
    const message = 'The file holds no picture, only sound. Use a video.'
    return { kind: 'failed', code: 'media-upload:unsupported_type', message }
  }
  const audio = await input.getPrimaryAudioTrack()
  for (const track of audio ? [video, audio] : [video]) {
    // Reads the bytes, not only the index: an index can promise frames that are not there.
    if (!(await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY))) return corrupt('it holds no frames')
  }
  const durationMs = Math.round((await input.computeDuration()) * 1000)
  const width = await video.getDisplayWidth()
  const height = await video.getDisplayHeight()
  if (!(durationMs > 0 && width > 0 && height > 0)) return corrupt('it has no length or no size')
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

/** The codec's usual name; for one without a name here, what the file calls it. */
async function codecOf(track: InputTrack): Promise<string> {
  const name = await track.getCodec()
  if (name) return name
  const internal = await track.getInternalCodecId()
  return typeof internal === 'string' && /^[\x20-\x7e]+$/.test(internal) ? internal.trim() : 'unknown'
}

/** Frames per second to three decimals; null for a single frame. */
async function frameRateOf(track: InputVideoTrack): Promise<number | null> {
  const { bestGuessFrameRate: rate } = await track.computeFrameRateMetrics({ targetPacketCount: FRAMES_FOR_RATE })
  return Number.isFinite(rate) && rate > 0 ? Math.round(rate * 1000) / 1000 : null
}

function corrupt(what: string): FromThread {
  const message = `The video is damaged: ${what}. Export it again and upload it.`
  return { kind: 'failed', code: 'media-upload:corrupt', message }
}
