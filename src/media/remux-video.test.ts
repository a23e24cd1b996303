import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputTrack,
  MovOutputFormat,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  StreamTarget,
  type VideoCodec,
} from 'mediabunny'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asPhonesWrite, box, PLACE, withInside } from '../../test/_util/files/video-boxes.ts'
import { WHOLE } from '../../test/_util/run/whole.ts'
import { remux } from './remux-mp4.ts'
import { remuxVideo } from './remux-video.ts'
import { createDiskStore, type MediaStore } from './store.ts'

const fixture = (name: string) => readFile(join(import.meta.dirname, '../../test/_fixtures', name))
let dir: string
let store: MediaStore

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-remux-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function remuxed(bytes: Buffer, from = store) {
  const { key } = await from.put(Readable.from([bytes]))
  const made = await remuxVideo(from, key)
  return { ...made, bytes: await buffer(await store.open(made.key)) }
}

function opened(bytes: Buffer) {
  return new Input({ source: new BufferSource(bytes), formats: [MP4, QTFF] })
}

/** Times, kinds and bytes of all packets of a track, in the order of decoding. */
async function packetsOf(track: InputTrack | null) {
  if (!track) throw new Error('There is no such track.')
  const packets = []
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const { timestamp, duration, type, data } = packet
    const times = [timestamp, duration].map((seconds) => Math.round(seconds * 1e5))
    packets.push({ times, type, data: Buffer.from(data).toString('base64') })
  }
  return packets
}

async function expectSamePackets(made: Buffer, original: Buffer) {
  const [now, before] = [opened(made), opened(original)]
  expect(await packetsOf(await now.getPrimaryVideoTrack())).toEqual(
    await packetsOf(await before.getPrimaryVideoTrack()),
  )
  expect(await packetsOf(await now.getPrimaryAudioTrack())).toEqual(
    await packetsOf(await before.getPrimaryAudioTrack()),
  )
  expect(await now.getTracks()).toHaveLength(2)
}

async function turnOf(bytes: Buffer) {
  const track = await opened(bytes).getPrimaryVideoTrack()
  return { rotation: await track?.getRotation(), matrix: await track?.getTransformationMatrix() }
}

/** Types of the outermost boxes. */
function outermost(bytes: Buffer): string[] {
  const types = []
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) types.push(bytes.toString('latin1', at + 4, at + 8))
  return types
}

describe('remuxVideo', () => {
  it('makes an MP4 of a film of a phone: the same packets, turned the same way, and nothing beside them', async () => {
    const film = asPhonesWrite(await fixture('video-rotated.mov'))
    expect(film.includes(PLACE)).toBe(true)
    const { bytes, facts } = await remuxed(film)
    expect(facts).toEqual({
      type: 'VIDEO',
      mimeType: 'video/mp4',
      bytes: bytes.length,
      width: 180,
      height: 320,
      durationMs: 1000,
      videoCodec: 'avc',
      audioCodec: 'aac',
      frameRate: 30,
      animated: false,
    })
    await expectSamePackets(bytes, film)
    expect(await turnOf(bytes)).toEqual(await turnOf(film))
    expect(await turnOf(bytes)).toMatchObject({ rotation: 270 })
    for (const word of [
      PLACE,
      '48.8577',
      'Eiffel',
      '\xa9xyz',
      'loci',
      'location',
      'Fruit',
      '2026-11',
      'udta',
      'meta',
    ]) {
      expect(film.includes(Buffer.from(word, 'latin1')), word).toBe(true)
      expect(bytes.includes(Buffer.from(word, 'latin1')), word).toBe(false)
    }
  })

  it('puts the index first, and no date into it', async () => {
    const { bytes } = await remuxed(await fixture('video-rotated.mov'))
    expect(outermost(bytes)).toEqual(['ftyp', 'moov', 'free', 'mdat'])
    for (const header of ['mvhd', 'tkhd', 'mdhd']) {
      const at = bytes.indexOf(header) + 4
      expect(bytes.readUInt32BE(at), header).toBeLessThan(0x01000000)
      expect(bytes.readBigUInt64BE(at + 4), header).toBe(0n)
    }
    expect(bytes.lastIndexOf('tkhd')).toBeGreaterThan(bytes.indexOf('tkhd'))
    expect(bytes.readBigUInt64BE(bytes.lastIndexOf('tkhd') + 8)).toBe(0n)
  })

  it('takes an MP4 too, one in fragments, and one without sound', async () => {
    const mp4 = await fixture('video-h264-aac.mp4')
    await expectSamePackets((await remuxed(mp4)).bytes, mp4)

    const fragmented = await written(mp4, { fragmented: true })
    expect(outermost(fragmented)).toContain('moof')
    await expectSamePackets((await remuxed(fragmented)).bytes, mp4)

    const { facts } = await remuxed(await written(mp4, { sound: null }))
    expect(facts).toMatchObject({ videoCodec: 'avc', audioCodec: null, width: 540, height: 960 })
  })

  it('gives the same bytes each time, also of what it made', async () => {
    const { bytes } = await remuxed(await fixture('video-rotated.mov'))
    expect((await remuxed(await fixture('video-rotated.mov'))).bytes.equals(bytes)).toBe(true)
    expect((await remuxed(bytes)).bytes.equals(bytes)).toBe(true)
  })

  it('works on a store that is not on this machine', async () => {
    const remote: MediaStore = { ...store, path: () => null }
    const { facts } = await remuxed(await fixture('video-rotated.mov'), remote)
    expect(facts.mimeType).toBe('video/mp4')
  })
})

describe('what cannot be remuxed is reported in words, and leaves no file', () => {
  const mov = () => fixture('video-rotated.mov')
  /** The file with one number changed, so many bytes behind a type: behind `elst` and its version stands a count. */
  const patched = async (find: string, offset: number, value: number) => {
    const bytes = await mov()
    bytes.writeUInt32BE(value, bytes.indexOf(find) + offset)
    return bytes
  }
  it.each<[string, () => Promise<Buffer>, string, string]>([
    ['a file that was cut off', () => fixture('truncated.mp4'), 'corrupt', 'its end is missing'],
    ['one whose frames are missing', missingFrames, 'corrupt', 'frames'],
    ['a WebM', () => fixture('video-vp9.webm'), 'unsupported_type', 'WebM'],
    ['another picture', async () => written(await mov(), { codec: 'vp9' }), 'unsupported_type', 'coded as vp9'],
    ['other sound', async () => written(await mov(), { sound: 'pcm-s16' }), 'unsupported_type', 'coded as pcm-s16'],
    ['an end that was cut away', () => patched('elst', 12, 1), 'unsupported_type', 'cut away'],
    ['a changed speed', () => patched('elst', 20, 0x20000), 'unsupported_type', 'cut away'],
    ['several cuts', severalCuts, 'unsupported_type', 'cut away'],
    ['several forms', () => patched('stsd', 8, 2), 'unsupported_type', 'changes its form'],
  ])('%s', async (_, make, code, words) => {
    const { key } = await store.put(Readable.from([await make()]))
    const files = await readdir(dir, { recursive: true })
    const failure = await remuxVideo(store, key).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'MediaFailure', code: `media-upload:${code}` })
    expect((failure as Error).message).toContain(words)
    expect(await readdir(dir, { recursive: true })).toEqual(files)
  })

  it('an image is a bug', async () => {
    const { key } = await store.put(Readable.from([await fixture('photo.jpg')]))
    await expect(remuxVideo(store, key)).rejects.toThrow(TypeError)
  })

  it('a disk that cannot be read is not a damaged file', async () => {
    const { key } = await store.put(Readable.from([await mov()]))
    let opens = 0
    const broken: MediaStore = {
      ...store,
      open: (name, range) => (opens++ < 3 ? store.open(name, range) : Promise.reject(new Error('disk is gone'))),
    }
    await expect(remuxVideo(broken, key)).rejects.toThrow('disk is gone')
    expect(await readdir(join(dir, 'incoming'))).toEqual([])
  })

  async function missingFrames() {
    const bytes = (await fixture('video-h264-aac.mp4')).subarray(0, 30_000)
    const data = bytes.indexOf('mdat') - 4
    bytes.writeUInt32BE(bytes.length - data, data)
    return bytes
  }

  /** ISO 14496-12, 8.6.6: two parts of the picture, with a part between them that is not shown. */
  async function severalCuts() {
    const part = (duration: number, from: number) => {
      const entry = Buffer.alloc(12)
      entry.writeUInt32BE(duration, 0)
      entry.writeUInt32BE(from, 4)
      entry.writeUInt32BE(0x10000, 8)
      return entry
    }
    const bytes = await mov()
    // The list that is there makes way: it becomes free room.
    bytes.write('free', bytes.indexOf('edts'))
    const elst = box('elst', [0, 0, 0, 0, 0, 0, 0, 2], part(300, 0), part(700, 8000))
    return withInside(bytes, ['moov', 'trak'], box('edts', elst))
  }
})

/** Of half a megabyte each: a gigabyte in all, or a fifth of one. */
const PACKETS = WHOLE ? 2_000 : 400

describe('a large video', () => {
  it('is never held in memory: it is read and written in small pieces', async () => {
    const { read, bytes } = await largeVideo(PACKETS, 500_000)
    expect(bytes).toBeGreaterThan(PACKETS * 500_000)
    let [total, largest, most] = [0, 0, 0]
    const before = process.memoryUsage().arrayBuffers
    const ended = await remux(
      async (start, end) => {
        largest = Math.max(largest, end - start)
        return read(start, end)
      },
      bytes,
      async (piece) => {
        total += piece.length
        largest = Math.max(largest, piece.length)
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      },
    )
    expect(ended).toEqual({ kind: 'remuxed' })
    expect(total).toBeGreaterThan(PACKETS * 500_000)
    expect(largest).toBeLessThan(16_000_000)
    // What was read counts until it is collected, and that comes when it likes.
    if (WHOLE) expect(most).toBeLessThan(800_000_000)
  }, 60_000)
})

/** The packets of a file in another MP4 or MOV, the picture under a codec's name, the sound with other packets. */
async function written(
  bytes: Buffer,
  options: { codec?: VideoCodec; sound?: 'pcm-s16' | null; fragmented?: boolean },
): Promise<Buffer> {
  const target = new BufferTarget()
  const format = options.sound
    ? new MovOutputFormat()
    : new Mp4OutputFormat({ fastStart: options.fragmented ? 'fragmented' : 'in-memory' })
  const output = new Output({ format, target })
  const input = opened(bytes)
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()]
  if (!video || !audio) throw new Error('There is no such track.')
  const picture = new EncodedVideoPacketSource(options.codec ?? 'avc')
  const sound = new EncodedAudioPacketSource(options.sound ?? 'aac')
  output.addVideoTrack(picture)
  if (options.sound !== null) output.addAudioTrack(sound)
  await output.start()
  const config = await video.getDecoderConfig()
  const named = config && options.codec === 'vp9' ? { ...config, codec: 'vp09.00.10.08' } : config
  for await (const packet of new EncodedPacketSink(video).packets()) {
    await picture.add(packet, named ? { decoderConfig: named } : undefined)
  }
  picture.close()
  if (options.sound === 'pcm-s16') {
    const decoderConfig = { codec: 'pcm-s16', numberOfChannels: 1, sampleRate: 44_100 }
    await sound.add(new EncodedPacket(new Uint8Array(88_200), 'key', 0, 1), { decoderConfig })
  } else if (options.sound !== null) {
    const decoderConfig = await audio.getDecoderConfig()
    for await (const packet of new EncodedPacketSink(audio).packets()) {
      await sound.add(packet, decoderConfig ? { decoderConfig } : undefined)
    }
  }
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

/** A file with so many packets of nothing but zeros, of which only the rest is kept. */
async function largeVideo(packets: number, size: number) {
  const video = await opened(await fixture('video-h264-aac.mp4')).getPrimaryVideoTrack()
  const decoderConfig = await video?.getDecoderConfig()
  if (!decoderConfig) throw new Error('There is no picture.')
  const kept: { at: number; data: Uint8Array }[] = []
  let bytes = 0
  const writable = new WritableStream<{ data: Uint8Array; position: number }>({
    write: ({ data, position }) => {
      bytes = Math.max(bytes, position + data.length)
      // Everything but packets: headers, which come with the first of them, and the index.
      if (data.length < size) kept.push({ at: position, data })
      else kept.push({ at: position, data: data.slice(0, 64) })
    },
  })
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new StreamTarget(writable) })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source)
  await output.start()
  const zeros = new Uint8Array(size)
  for (let index = 0; index < packets; index++) {
    await source.add(new EncodedPacket(zeros, 'key', index / 25, 1 / 25), { decoderConfig })
  }
  await output.finalize()
  const read = (start: number, end: number) => {
    const part = new Uint8Array(end - start)
    for (const { at, data } of kept) {
      const from = Math.max(start, at)
      const to = Math.min(end, at + data.length)
      if (from < to) part.set(data.subarray(from - at, to - at), from - start)
    }
    return part
  }
  return { read, bytes }
}
