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
/** Between two key frames there are ten seconds at most as a rule. */
const MOST_PACKETS = 600

export type Turn = 0 | 90 | 180 | 270

export interface CutFrame {
  kind: 'cut'
  /** An MP4 of this frame alone, as it lies in the video, or of those that are decoded before it. */
  file: Uint8Array
  /** Seconds into that file. */
  at: number
  /** By how many degrees it is turned clockwise to be upright. */
  turn: Turn
  /** Pixels as shown. */
  width: number
  height: number
}

/**
 * Cuts the first key frame after the first second out of a video, in the thread; of one without such, the last one before. With `atMs` the
 * frame of that moment, with what is decoded before it from its key frame on. Nothing is decoded: of the whole file its index and these
 * frames are read.
 */
export async function cutFrame(
  read: ReadRange,
  bytes: number,
  { atMs }: { atMs?: number | undefined } = {},
): Promise<CutFrame | VideoFailure> {
  const opened = await openVideo(read, bytes)
  if (opened.kind === 'failed') return opened
  const { video } = opened
  const codec = await video.getCodec()
  if (codec === null || !CODECS.has(codec)) return unsupported(`No frame is drawn of ${await codecOf(video)}.`)
  const sink = new EncodedPacketSink(video)
  const packets = await (atMs === undefined ? keyPacket(sink) : packetsTo(sink, atMs / 1000))
  const decoderConfig = await video.getDecoderConfig()
  const [first] = packets
  const last = packets.at(-1)
  if (!first || !last || decoderConfig === null) return damaged('it holds no frames')
  const source = new EncodedVideoPacketSource(codec)
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  output.addVideoTrack(source)
  await output.start()
  for (const packet of packets) {
    await source.add(packet.clone({ timestamp: packet.timestamp - first.timestamp }), { decoderConfig })
  }
  await output.finalize()
  if (target.buffer === null) return damaged('it holds no frames')
  const [width, height] = [await video.getDisplayWidth(), await video.getDisplayHeight()]
  // A little before it: what a file says of times is rounded.
  const at = Math.max(0, last.timestamp - first.timestamp - last.duration / 2)
  return { kind: 'cut', file: new Uint8Array(target.buffer), at, turn: await video.getRotation(), width, height }
}

async function keyPacket(sink: EncodedPacketSink): Promise<EncodedPacket[]> {
  const before = (await sink.getKeyPacket(AT_S)) ?? (await sink.getFirstPacket())
  if (before === null) return []
  const packet = before.timestamp >= AT_S ? before : ((await sink.getNextKeyPacket(before)) ?? before)
  return packet.byteLength > MOST_BYTES ? [] : [packet]
}

/**
 * From a key frame to the frame that is shown at a moment, in the order in which they are decoded; none where that is too much. What is
 * shown before its key frame needs frames before that, and nothing needs it.
 */
async function packetsTo(sink: EncodedPacketSink, seconds: number): Promise<EncodedPacket[]> {
  const wanted = (await sink.getPacket(seconds)) ?? (await sink.getFirstPacket())
  if (wanted === null) return []
  const packets: EncodedPacket[] = []
  let bytes = 0
  let next: EncodedPacket | null = (await sink.getKeyPacket(wanted.timestamp, { verifyKeyPackets: true })) ?? wanted
  const begin = next.timestamp
  while (next !== null && next.sequenceNumber <= wanted.sequenceNumber) {
    bytes += next.byteLength
    if (bytes > MOST_BYTES || packets.length === MOST_PACKETS) return []
    if (next.timestamp >= begin) packets.push(next)
    next = await sink.getNextPacket(next)
  }
  return packets
}
