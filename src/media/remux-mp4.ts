import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  StreamTarget,
} from 'mediabunny'
import { boxesIn, findBox, type ReadRange } from './video-boxes.ts'
import { obstacleIn } from './video-edits.ts'
import { codecOf, damaged, openVideo, unsupported, type VideoFailure } from './video-input.ts'

/** The head is at most so large: a part that does not grow, and the index, by mediabunny's own estimate per packet. */
const HEAD_BYTES = 256 * 1024
const HEAD_BYTES_PER_PACKET = 40
/** mediabunny leaves room for a 64-bit size in front of the packets, whether it is needed or not. */
const DATA_HEADER_BYTES = 16

const ADVICE = 'Export it as an MP4 with H.264 and AAC.'

/**
 * Copies the packets of the picture and of the sound into a fresh MP4, in the thread. Nothing else of the file is taken
 * over: no metadata, no other tracks. The file is written from its beginning to its end although the index comes first:
 * one run over the input's index alone, with packets of nothing but zeros, gives the head; the second gives the packets.
 */
export async function remux(
  read: ReadRange,
  bytes: number,
  write: (piece: Uint8Array) => Promise<void>,
): Promise<{ kind: 'remuxed' } | VideoFailure> {
  const opened = await openVideo(read, bytes)
  if (opened.kind === 'failed') return opened
  const { video, audio } = opened
  const obstacle =
    (await codecObstacle(video, audio)) ?? (await obstacleIn(read, bytes, audio ? [video, audio] : [video]))
  if (obstacle) return unsupported(obstacle)

  const tracks = await Promise.all((audio ? [video, audio] : [video]).map(countPackets))
  const packets = tracks.reduce((sum, { count }) => sum + count, 0)
  if (tracks.some(({ count }) => count === 0)) return damaged('it holds no frames')

  const plan = new Uint8Array(HEAD_BYTES + HEAD_BYTES_PER_PACKET * packets)
  await mux(tracks, { metadataOnly: true }, async (data, position) => {
    if (position < plan.length) plan.set(data.subarray(0, plan.length - position), position)
  })
  const { head, end } = await finishHead(plan)
  await write(head)

  let position = head.length
  await mux(tracks, { metadataOnly: false }, async (data, at) => {
    const piece = data.subarray(Math.max(0, head.length - at))
    // What belongs to the head, or is its index, is written already.
    if (piece.length === 0) return
    if (Math.max(at, head.length) !== position) throw new Error('Packets are not written one after the other.')
    position += piece.length
    await write(piece)
  })
  return position === end ? { kind: 'remuxed' } : damaged('some of its frames are missing')
}

async function codecObstacle(video: InputVideoTrack, audio: InputAudioTrack | null): Promise<string | null> {
  const picture = await codecOf(video)
  if (picture !== 'avc' && picture !== 'hevc') {
    return `The picture is coded as ${picture}, which cannot go into an MP4 as it is. ${ADVICE}`
  }
  const sound = audio ? await codecOf(audio) : null
  if (sound !== null && sound !== 'aac') {
    return `The sound is coded as ${sound}, which cannot go into an MP4 as it is. ${ADVICE}`
  }
  const configs = [await video.getDecoderConfig(), ...(audio ? [await audio.getDecoderConfig()] : [])]
  return configs.every((config) => config?.description) ? null : `The video does not say how it is coded. ${ADVICE}`
}

interface Counted {
  track: InputVideoTrack | InputAudioTrack
  count: number
}

async function countPackets(track: Counted['track']): Promise<Counted> {
  return { track, count: (await track.computePacketStats()).packetCount }
}

/** Runs all packets through the muxer, in the order of their times. With `metadataOnly` each is as many zeros. */
async function mux(
  tracks: readonly Counted[],
  options: { metadataOnly: boolean },
  write: (data: Uint8Array, position: number) => Promise<void>,
): Promise<void> {
  const writable = new WritableStream({
    write: ({ data, position }: { data: Uint8Array; position: number }) => write(data, position),
  })
  const output = new Output({
    format: new Mp4OutputFormat({ fastStart: 'reserve' }),
    target: new StreamTarget(writable),
  })
  const lanes: Lane[] = []
  for (const { track, count } of tracks) lanes.push(await openLane(output, track, count, options))
  await output.start()
  let zeros = new Uint8Array(1)
  for (;;) {
    const [lane] = lanes.filter(({ next }) => next).sort((a, b) => timeOf(a.next) - timeOf(b.next))
    if (!lane?.next) break
    const { next } = lane
    if (zeros.length < next.byteLength) zeros = new Uint8Array(2 * next.byteLength)
    const data = options.metadataOnly ? zeros.subarray(0, next.byteLength) : next.data
    await lane.add(new EncodedPacket(data, next.type, next.timestamp, next.duration, next.sequenceNumber))
    lane.next = await lane.sink.getNextPacket(next, options)
  }
  await output.finalize()
}

const timeOf = (packet: EncodedPacket | null) => packet?.timestamp ?? Number.POSITIVE_INFINITY

/** A track on its way from the input to the output. */
interface Lane {
  sink: EncodedPacketSink
  next: EncodedPacket | null
  add(packet: EncodedPacket): Promise<void>
}

async function openLane(
  output: Output,
  track: Counted['track'],
  maximumPacketCount: number,
  options: { metadataOnly: boolean },
): Promise<Lane> {
  const sink = new EncodedPacketSink(track)
  const next = await sink.getFirstPacket(options)
  if (track.isVideoTrack()) {
    const source = new EncodedVideoPacketSource((await track.getCodec()) ?? 'avc')
    // The matrix is how phones turn what they film on its side.
    output.addVideoTrack(source, { maximumPacketCount, transformationMatrix: await track.getTransformationMatrix() })
    const decoderConfig = await track.getDecoderConfig()
    return { sink, next, add: (packet) => source.add(packet, decoderConfig ? { decoderConfig } : undefined) }
  }
  const source = new EncodedAudioPacketSource('aac')
  output.addAudioTrack(source, { maximumPacketCount })
  const decoderConfig = await (track as InputAudioTrack).getDecoderConfig()
  return { sink, next, add: (packet) => source.add(packet, decoderConfig ? { decoderConfig } : undefined) }
}

/** Everything in front of the packets, without the times of making, so that it is the same every time. */
async function finishHead(plan: Uint8Array): Promise<{ head: Uint8Array; end: number }> {
  const read: ReadRange = async (start, end) => plan.subarray(start, end)
  let dataAt = 0
  for await (const box of boxesIn(read, 0, Number.MAX_SAFE_INTEGER)) {
    if (box.type === 'mdat') return { head: plan.subarray(0, dataAt + DATA_HEADER_BYTES), end: box.end }
    if (box.type === 'moov') await clearTimes(read, box)
    dataAt = box.end
  }
  throw new Error('The head of a remuxed video does not end.')
}

/** ISO 14496-12, 8.2.2, 8.3.2 and 8.4.2: times of making and change stand first, behind version and flags. */
async function clearTimes(read: ReadRange, moov: { start: number; end: number }): Promise<void> {
  const clear = async (within: { start: number; end: number }, path: readonly string[]) => {
    const found = await findBox(read, within, path)
    if (!found) throw new Error(`A remuxed video has no ${path.join('/')}.`)
    const content = await read(found.start, found.end)
    content.fill(0, 4, content[0] === 1 ? 20 : 12)
  }
  await clear(moov, ['mvhd'])
  for await (const box of boxesIn(read, moov.start, moov.end)) {
    if (box.type !== 'trak') continue
    await clear(box, ['tkhd'])
    await clear(box, ['mdia', 'mdhd'])
  }
}
