import {
  BufferTarget,
  type EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import type { ReadRange } from './video-boxes.ts'
import { codecOf, damaged, openVideo, unsupported, type VideoFailure } from './video-input.ts'

/** Black at the very beginning is common. */
const AT_S = 1
/** What the decoder knows; AV1 is none of them. */
const CODECS: ReadonlySet<string> = new Set(['avc', 'hevc', 'vp8', 'vp9'])
/** Of a frame in 4K, measured: 2 MB. */
const MOST_BYTES = 16 * 1024 * 1024

export type Turn = 0 | 90 | 180 | 270

export interface CutFrame {
  kind: 'cut'
  /** An MP4 of this frame alone, as it lies in the video. */
  file: Uint8Array
  /** By how many degrees it is turned clockwise to be upright. */
  turn: Turn
  /** Pixels as shown. */
  width: number
  height: number
}

/**
 * Cuts the first key frame after the first second out of a video, in the thread; of one without such, the last one before. Nothing is
 * decoded: of the whole file its index and this frame are read.
 */
export async function cutFrame(read: ReadRange, bytes: number): Promise<CutFrame | VideoFailure> {
  const opened = await openVideo(read, bytes)
  if (opened.kind === 'failed') return opened
  const { video } = opened
  const codec = await video.getCodec()
  if (codec === null || !CODECS.has(codec)) return unsupported(`No frame is drawn of ${await codecOf(video)}.`)
  const sink = new EncodedPacketSink(video)
  const packet = await keyPacket(sink)
  const decoderConfig = await video.getDecoderConfig()
  if (packet === null || packet.byteLength > MOST_BYTES || decoderConfig === null) return damaged('it holds no frames')
  const source = new EncodedVideoPacketSource(codec)
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  output.addVideoTrack(source)
  await output.start()
  await source.add(packet.clone({ timestamp: 0 }), { decoderConfig })
  await output.finalize()
  if (target.buffer === null) return damaged('it holds no frames')
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()]
  return { kind: 'cut', file: new Uint8Array(target.buffer), turn: await video.getRotation(), width, height }
}

async function keyPacket(sink: EncodedPacketSink): Promise<EncodedPacket | null> {
  const before = (await sink.getKeyPacket(AT_S)) ?? (await sink.getFirstPacket())
  if (before === null || before.timestamp >= AT_S) return before
  return (await sink.getNextKeyPacket(before)) ?? before
}
