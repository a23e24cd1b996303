import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chunk, riffChunk, segment } from '../../test/_util/files/telling-pictures.ts'
import { probe } from './probe.ts'
import { makeThumbnail, renderImage } from './renditions.ts'
import { createDiskStore, type MediaStore } from './store.ts'
import { stripPicture } from './strip-picture.ts'

let dir: string
let store: MediaStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-mended-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const [WIDTH, HEIGHT] = [160, 120]
const noise = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 3 }, (_, n) => (n * 7919) % 251))
const drawn = () => sharp(noise, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
const frames = await Promise.all(
  ['#f00', '#0f0', '#00f'].map((background) =>
    sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } })
      .png()
      .toBuffer(),
  ),
)
const [jpeg, progressive, png, profiled, webp, gif, still] = await Promise.all([
  drawn().jpeg().toBuffer(),
  drawn().jpeg({ progressive: true }).toBuffer(),
  drawn().png().toBuffer(),
  drawn().withIccProfile('p3').png().toBuffer(),
  drawn().webp({ quality: 80 }).toBuffer(),
  sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 100, 100] })
    .toBuffer(),
  drawn().gif().toBuffer(),
])
const bytesOf = (...parts: (string | Buffer | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))
const filled = bytesOf(jpeg.subarray(0, -2), [0xff, 0xff], jpeg.subarray(-2))
/** With a wrong checksum. */
const spoilt = (bytes: Buffer) => bytesOf(bytes.subarray(0, -1), [(bytes.at(-1) ?? 0) ^ 1])
const inPng = (part: Buffer) => bytesOf(png.subarray(0, 33), part, png.subarray(33))
const END_BYTES = 12
const withoutEnd = (bytes: Buffer) => bytes.subarray(0, -END_BYTES)
/** The profile's checksum is wrong. */
const badProfile = (() => {
  const bytes = Buffer.from(profiled)
  const at = bytes.indexOf('iCCP')
  const sum = at + 4 + bytes.readUInt32BE(at - 4)
  bytes.writeUInt32BE((bytes.readUInt32BE(sum) ^ 0xff) >>> 0, sum)
  return bytes
})()
const unprofiled = (() => {
  const at = profiled.indexOf('iCCP') - 4
  return bytesOf(profiled.subarray(0, at), profiled.subarray(at + END_BYTES + profiled.readUInt32BE(at)))
})()
/** A WebP whose last chunk is odd: a byte more fills it up. */
const odd = riffChunk('RIFF', bytesOf('WEBP', webp.subarray(12), riffChunk('priv', 'abc')))
const oddPicture = await (async () => {
  for (let quality = 40; quality <= 100; quality++) {
    const made = await drawn().webp({ quality }).toBuffer()
    const length = made.readUInt32LE(16)
    if (length % 2 === 1) return made
  }
  // The size of a simple picture is even as it is written: one byte less of its last, which is filling.
  const made = Buffer.from(webp)
  made.writeUInt32LE(made.readUInt32LE(16) - 1, 16)
  return made
})()
const withSize = (bytes: Buffer, more: number) => {
  const made = Buffer.from(bytes)
  made.writeUInt32LE(made.readUInt32LE(4) + more, 4)
  return made
}

interface Left {
  facts: { width: number; height: number; animated: boolean }
  sent: Buffer
}

/** The way of a picture: facts, small picture, JPEG, and the bytes that go out. */
async function arrive(bytes: Buffer): Promise<Left> {
  const { key } = await store.put(Readable.from([bytes]))
  const probed = await probe(store, key)
  if (probed.kind === 'failed') throw new Error(`${probed.code} ${probed.message}`)
  expect(await makeThumbnail(store, key)).toMatchObject({ width: WIDTH, height: HEIGHT })
  expect((await renderImage(store, key, { format: 'jpeg' })).facts).toMatchObject({ width: WIDTH, height: HEIGHT })
  const found = await stripPicture(store, key)
  if (found.kind === 'impossible') throw new Error('It goes out as a JPEG alone.')
  const sent = found.kind === 'bare' ? bytes : await buffer(await store.open((await found.put(probed.facts)).key))
  return { facts: probed.facts, sent }
}
const pixelsOf = (bytes: Buffer) => sharp(bytes, { animated: true, failOn: 'warning' }).raw().toBuffer()

describe('a picture that is whole arrives, and goes out as its format says', () => {
  test.each<[string, Buffer, Buffer]>([
    ['a JPEG without the mark of its end', jpeg.subarray(0, -2), jpeg],
    ['a JPEG with half the mark of its end', jpeg.subarray(0, -1), jpeg],
    ['a progressive JPEG without the mark of its end', progressive.subarray(0, -2), progressive],
    ['a JPEG that ends in bytes that fill up', bytesOf(jpeg.subarray(0, -2), [0xff, 0xff, 0xff]), filled],
    ['a JPEG with a comment and no end', bytesOf(jpeg.subarray(0, 2), segment(0xfe, 'x'), jpeg.subarray(2, -2)), jpeg],
    ['a JPEG with bytes behind its end', bytesOf(jpeg, 'junk', Buffer.alloc(300)), jpeg],
    ['a JPEG with a second picture', bytesOf(jpeg, jpeg), jpeg],
    ['a PNG profile with a wrong checksum', badProfile, unprofiled],
    ['a PNG size with a wrong checksum', inPng(spoilt(chunk('pHYs', '\0\0\x0b\x13\0\0\x0b\x13\x01'))), png],
    ['a PNG gamma with a wrong checksum', inPng(spoilt(chunk('gAMA', '\0\0\xb1\x8f'))), png],
    ['a PNG text with a wrong checksum', inPng(spoilt(chunk('tEXt', 'a\0b'))), png],
    ['a PNG without its end', withoutEnd(png), png],
    ['a PNG with half its end', png.subarray(0, -5), png],
    ['a PNG that ends in a text', bytesOf(withoutEnd(png), chunk('tEXt', 'a\0long text').subarray(0, 14)), png],
    ['a PNG with bytes behind its end', bytesOf(png, '\r\n'), png],
    ['a GIF with a line break behind its end', bytesOf(gif, '\n'), gif],
    ['a GIF with 54 bytes behind its end', bytesOf(gif, Buffer.alloc(54, 0x41)), gif],
    ['a GIF with a semicolon and more behind its end', bytesOf(gif, ';--boundary--\r\n'), gif],
    ['a GIF filled up with zeros', bytesOf(gif, Buffer.alloc(200)), gif],
    ['a GIF without its end', gif.subarray(0, -1), gif],
    ['a GIF of one picture without its end', still.subarray(0, -1), still],
    ['a GIF filled up with zeros instead of its end', bytesOf(gif.subarray(0, -1), Buffer.alloc(9)), gif],
    ['a WebP with bytes behind its end', bytesOf(webp, 'junk'), webp],
    ['a WebP without its last byte, which fills up', oddPicture.subarray(0, -1), oddPicture],
    ['a WebP whose size leaves out what fills up', withSize(oddPicture, -1), oddPicture],
    ['a WebP that ends without both', withSize(oddPicture, -1).subarray(0, -1), oddPicture],
    ['a WebP without the byte that fills up what goes', odd.subarray(0, -1), webp],
  ])('%s', async (_, bytes, whole) => {
    const { facts, sent } = await arrive(bytes)
    expect([facts.width, facts.height, facts.animated]).toEqual([WIDTH, HEIGHT, whole === gif])
    expect(sent.equals(whole)).toBe(true)
    expect((await pixelsOf(sent)).length).toBeGreaterThan(0)
  })
})

describe('a picture of which something is missing is refused in words', () => {
  const scanAt = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  const lastScan = progressive.lastIndexOf(Buffer.from([0xff, 0xda]))
  const moving = inPng(chunk('acTL', '\0\0\0\x02\0\0\0\0'))
  const control = gif.lastIndexOf(Buffer.from([0x21, 0xf9]))
  test.each<[string, Buffer]>([
    ['a JPEG cut in its scan', jpeg.subarray(0, scanAt + Math.floor((jpeg.length - scanAt) / 2))],
    ['a JPEG cut in its last rows', jpeg.subarray(0, -40)],
    ['a JPEG cut behind its tables', jpeg.subarray(0, scanAt)],
    ['a JPEG cut in its scan that ends as one', bytesOf(jpeg.subarray(0, scanAt + 900), [0xff])],
    ['a progressive JPEG without its last scan', progressive.subarray(0, lastScan)],
    ['a progressive JPEG cut in its last scan', progressive.subarray(0, lastScan + 12)],
    ['a PNG cut in its picture', png.subarray(0, png.length >> 1)],
    ['a PNG cut in the checksum of its picture', png.subarray(0, -END_BYTES - 2)],
    ['an APNG of two frames that has one, without its end', withoutEnd(moving)],
    ['a GIF cut in a frame', gif.subarray(0, -6)],
    ['a GIF cut in its first frame', gif.subarray(0, gif.indexOf(Buffer.from([0x2c])) + 20)],
    ['a GIF cut behind the times of a frame', gif.subarray(0, control + 8)],
    ['a GIF cut in the times of a frame', gif.subarray(0, control + 4)],
    ['a WebP without its last two bytes', webp.subarray(0, -2)],
  ])('%s', async (_, bytes) => {
    const { key } = await store.put(Readable.from([bytes]))
    const probed = await probe(store, key)
    expect(probed).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
    expect(probed.kind === 'failed' && probed.message).toContain('The image is damaged')
  })
})
