import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { BufferSource, BufferTarget, Conversion, Input, MP4, Mp4OutputFormat, Output } from 'mediabunny'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { box } from '../../test/_util/files/video-boxes.ts'
import { part } from '../../test/_util/run/whole.ts'
import { probe } from './probe.ts'
import { remuxVideo } from './remux-video.ts'
import { createDiskStore, type MediaStore } from './store.ts'

let dir: string
let store: MediaStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-brands-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const fixture = (name: string) => readFile(join(import.meta.dirname, '../../test/_fixtures', name))
/** `mp4`: brand, index, room, packets. `mov`: brand, room, packets, index. */
const [mp4, mov] = await Promise.all([fixture('video-short.mp4'), fixture('video-rotated.mov')])
const fragmented = await (async () => {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'fragmented' }), target })
  const conversion = await Conversion.init({
    input: new Input({ source: new BufferSource(mp4), formats: [MP4] }),
    output,
  })
  await conversion.execute()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
})()

const edited = (file: Buffer, edit: (bytes: Buffer) => void) => {
  const bytes = Buffer.from(file)
  edit(bytes)
  return bytes
}
const branded = (file: Buffer, brand: string) => edited(file, (bytes) => bytes.write(brand, 8, 'latin1'))
/** The first box gets another type. */
const firstAs = (file: Buffer, type: string) => edited(file, (bytes) => bytes.write(type, 4, 'latin1'))
const withFree = (file: Buffer, at: number, size: number) =>
  edited(file, (bytes) => {
    bytes.writeUInt32BE(size, at)
    bytes.write('free', at + 4, 'latin1')
  })
/** Places of packets in all indexes, moved. */
function moved(file: Buffer, by: number): Buffer {
  return edited(file, (bytes) => {
    for (let at = bytes.indexOf('stco'); at !== -1; at = bytes.indexOf('stco', at + 4)) {
      const count = bytes.readUInt32BE(at + 8)
      for (let n = 0; n < count; n++) bytes.writeUInt32BE(bytes.readUInt32BE(at + 12 + n * 4) + by, at + 12 + n * 4)
    }
  })
}
const behind = (first: Buffer, file: Buffer) => Buffer.concat([first, moved(file, first.length)])
/** Without its brand: what follows it moves to the front. */
const bare = (file: Buffer) => moved(file, -file.readUInt32BE(0)).subarray(file.readUInt32BE(0))
const dataAt = (file: Buffer) => file.indexOf('mdat') - 4
/** The packets' box has a size of 64 bits. */
const large = (() => {
  const at = dataAt(mov)
  const size = mov.readUInt32BE(at)
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1, 0)
  head.write('mdat', 4, 'latin1')
  head.writeBigUInt64BE(BigInt(size + 8), 8)
  return Buffer.concat([mov.subarray(0, at), head, moved(mov, 8).subarray(at + 8)])
})()

async function arrive(bytes: Buffer) {
  const { key } = await store.put(Readable.from([bytes]))
  return { key, probed: await probe(store, key) }
}

describe('a video that players read', () => {
  const videos: [string, Buffer, string][] = [
    ...['3gp4', '3gp5', '3gr6', '3g2a', '3ge6', 'M4V ', 'MSNV'].map((brand): [string, Buffer, string] => [
      `of the brand ${brand}`,
      branded(mp4, brand),
      'video/mp4',
    ]),
    ['of the brand qt', mov, 'video/quicktime'],
    ['whose brand became room', firstAs(mov, 'wide'), 'video/quicktime'],
    ['whose brand became a free box', firstAs(mov, 'free'), 'video/quicktime'],
    ['whose brand became a skipped box', firstAs(mov, 'skip'), 'video/quicktime'],
    ['whose brand became a preview', firstAs(mov, 'pnot'), 'video/quicktime'],
    ['that begins with its index', bare(mp4), 'video/quicktime'],
    ['that begins with room and its packets', bare(mov), 'video/quicktime'],
    ['behind a free box', behind(box('free', 'abcd'), mp4), 'video/mp4'],
    ['behind a large free box', behind(box('free', Buffer.alloc(100_000)), mp4), 'video/mp4'],
    ['behind a box to skip', behind(box('skip', 'abcd'), mov), 'video/quicktime'],
    ['behind a box of its own', behind(box('uuid', Buffer.alloc(16, 7)), mp4), 'video/mp4'],
    ['of a 3GPP brand behind a free box', behind(box('free'), branded(mp4, '3gp5')), 'video/mp4'],
    ['with a size of 64 bits', large, 'video/quicktime'],
    ['whose last box has no size', edited(mp4, (bytes) => bytes.writeUInt32BE(0, dataAt(mp4))), 'video/mp4'],
    ['in fragments', fragmented, 'video/mp4'],
    ['in fragments, of a 3GPP brand', branded(fragmented, '3gp6'), 'video/mp4'],
    ['in fragments, without its brand', withFree(fragmented, 0, fragmented.readUInt32BE(0)), 'video/quicktime'],
    ['with bytes behind it', Buffer.concat([mp4, Buffer.from('\r\n')]), 'video/mp4'],
  ]
  test.each(part(videos, 7))('is measured, and made an MP4 for networks: %s', async (_, bytes, mimeType) => {
    const { key, probed } = await arrive(bytes)
    const turned = bytes.includes('qt  ') || mimeType === 'video/quicktime'
    expect(probed).toMatchObject({
      kind: 'ok',
      facts: { type: 'VIDEO', mimeType, videoCodec: 'avc', audioCodec: 'aac', durationMs: expect.any(Number) },
    })
    if (!turned) expect(probed).toMatchObject({ facts: { width: 320, height: 180 } })
    const made = await remuxVideo(store, key)
    expect(made.facts).toMatchObject({ mimeType: 'video/mp4', videoCodec: 'avc' })
    expect((await buffer(await store.open(made.key))).toString('latin1', 4, 12)).toBe('ftypisom')
  })
})

describe('a video that is cut short is damaged', () => {
  const unfinished = Buffer.concat([mp4.subarray(0, mp4.readUInt32BE(0)), box('mdat', Buffer.alloc(2000))])
  test.each<[string, Buffer, string]>([
    ['of a 3GPP brand', branded(mp4, '3gp5').subarray(0, -100), 'its end is missing'],
    ['without its brand', bare(mov).subarray(0, 5000), 'its end is missing'],
    ['without its brand, its index first', bare(mp4).subarray(0, -1), 'its end is missing'],
    ['with its index alone', bare(mp4).subarray(0, bare(mp4).readUInt32BE(0)), 'damaged'],
    ['behind a free box', behind(box('free', 'abcd'), mp4).subarray(0, -100), 'its end is missing'],
    ['with a size of 64 bits', large.subarray(0, dataAt(mov) + 3000), 'its end is missing'],
    [
      'whose last box has no size',
      edited(mp4, (bytes) => bytes.writeUInt32BE(0, dataAt(mp4))).subarray(0, -100),
      'damaged',
    ],
    ['of which the index was never written', unfinished, 'its index is missing'],
    ['without a brand, of which the index was never written', box('mdat', Buffer.alloc(2000)), 'its index is missing'],
  ])('%s', async (_, bytes, words) => {
    const { probed } = await arrive(bytes)
    expect(probed).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
    expect(probed.kind === 'failed' && probed.message).toContain(words)
  })
})

test.each<[string, string]>([
  ['heix', 'HEIC'],
  ['hevc', 'HEIC'],
  ['mif1', 'HEIC'],
  ['msf1', 'HEIC'],
  ['avis', 'AVIF'],
])('a picture in boxes of the brand %s is named as what it is', async (brand, name) => {
  const { probed } = await arrive(box('ftyp', brand, '\0\0\0\0', brand, 'mif1'))
  expect(probed).toMatchObject({ kind: 'failed', message: expect.stringContaining(name) })
  const hidden = await arrive(Buffer.concat([box('free', 'abcd'), box('ftyp', brand, '\0\0\0\0', brand, 'mif1')]))
  expect(hidden.probed).toMatchObject({ kind: 'failed', message: expect.stringContaining(name) })
})
