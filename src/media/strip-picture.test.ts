import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chunk, riffChunk, SECRET, segment, tellingPictures } from '../../test/_util/files/telling-pictures.ts'
import { probe } from './probe.ts'
import { createDiskStore, type MediaStore } from './store.ts'
import { stripPicture } from './strip-picture.ts'

let dir: string
let store: MediaStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-strip-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const put = async (bytes: Buffer) => (await store.put(Readable.from([bytes]))).key

/** What is left of a file: its own bytes, the bytes of the copy, or nothing. */
async function strip(bytes: Buffer) {
  const key = await put(bytes)
  const found = await stripPicture(store, key)
  if (found.kind === 'bare') return bytes
  if (found.kind === 'impossible') return null
  const probed = await probe(store, key)
  if (probed.kind === 'failed') throw new Error(probed.message)
  const copy = await found.put(probed.facts)
  const left = await buffer(await store.open(copy.key))
  expect([copy.facts.bytes, found.bytes]).toEqual([left.length, left.length])
  expect(await probe(store, copy.key)).toEqual({ kind: 'ok', facts: copy.facts })
  return left
}

const pixelsOf = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()

const pictures = await tellingPictures()

test.each(pictures.map((picture) => [picture.name, picture] as const))('%s', async (_, picture) => {
  const { bytes, bare, frames, orientation = 1, sourceType, mimeType } = picture
  const left = await strip(bytes)
  expect(left === null).toBe(bare === null)
  const probed = await probe(store, await put(bytes))
  expect(probed).toMatchObject({
    facts: { mimeType, animated: frames > 1, ...(sourceType && { digitalSourceType: sourceType }) },
  })
  if (!left || !bare) return
  expect(left.equals(bare)).toBe(true)
  expect(left.includes(SECRET)).toBe(false)
  expect((await pixelsOf(left)).equals(await pixelsOf(bytes))).toBe(true)
  const { icc, orientation: turn = 1 } = await sharp(left).metadata()
  expect([icc?.length, turn]).toEqual([(await sharp(bytes).metadata()).icc?.length, orientation])
  expect((await strip(left))?.equals(left)).toBe(true)
})

describe('a file that lies', () => {
  const named = (name: string) => pictures.find((picture) => picture.name === name)?.bytes ?? Buffer.alloc(0)
  const [jpeg, png, webp, gif] = ['a plain JPEG', 'a cropped screenshot', 'a moving WebP', 'a moving GIF'].map(named)
  if (!jpeg || !png || !webp || !gif) throw new Error('There is no such picture.')
  const withLength = (bytes: Buffer, at: number, length: number) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt32BE(length, at)
    return copy
  }
  const million = (part: Buffer) => Buffer.alloc(1_100_000 * part.length, part)

  test.each<[string, () => Buffer]>([
    ['a JPEG that breaks off in a segment', () => jpeg.subarray(0, 40)],
    [
      'a segment that is shorter than its own length',
      () => Buffer.concat([jpeg.subarray(0, 20), Buffer.from('ffe10001', 'hex'), jpeg.subarray(20)]),
    ],
    [
      'a segment that ends behind the file',
      () => Buffer.concat([jpeg.subarray(0, 20), Buffer.from('ffe1ffff', 'hex'), jpeg.subarray(20)]),
    ],
    [
      'a segment of an unknown kind',
      () => Buffer.concat([jpeg.subarray(0, 20), segment(0xf0, SECRET), jpeg.subarray(20)]),
    ],
    [
      'a million empty comments',
      () => Buffer.concat([jpeg.subarray(0, 20), million(segment(0xfe)), jpeg.subarray(20)]),
    ],
    [
      'a million bytes that fill up',
      () => Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(1_100_000, 0xff), jpeg.subarray(20)]),
    ],
    ['a chunk that ends behind the file', () => withLength(png, 33, 0x7fffffff)],
    ['a chunk longer than a file can be', () => withLength(png, 33, 0xffffffff)],
    ['a chunk that must be known', () => Buffer.concat([png.subarray(0, 33), chunk('ABCD', ''), png.subarray(33)])],
    [
      'a million empty chunks',
      () => Buffer.concat([png.subarray(0, 33), million(chunk('tEXt', '')), png.subarray(33)]),
    ],
    ['a WebP longer than its file', () => webp.subarray(0, -1)],
    ['a chunk of WebP longer than its file', () => withLength(webp, 16, 0xffffffff)],
    [
      'a million chunks of WebP',
      () => riffChunk('RIFF', Buffer.concat([webp.subarray(8), million(riffChunk('priv', ''))])),
    ],
    ['a GIF without an end', () => gif.subarray(0, gif.indexOf(Buffer.from([0x2c])) + 20)],
    [
      'a million blocks',
      () => Buffer.concat([gif.subarray(0, 13), Buffer.from([0x21, 0xfe]), Buffer.alloc(2_200_000, 1)]),
    ],
    [
      'pieces without number',
      () =>
        Buffer.concat([
          png.subarray(0, 33),
          million(Buffer.concat([chunk('pHYs', ''), chunk('tEXt', '')])).subarray(0, 24 * 10_000),
          png.subarray(33),
        ]),
    ],
  ])('is not cut: %s', async (_, lie) => {
    expect(await stripPicture(store, await put(lie()))).toEqual({ kind: 'impossible' })
  })
})

test('what is no image cannot be cut', async () => {
  expect(await stripPicture(store, await put(Buffer.from('the bytes of a file')))).toEqual({ kind: 'impossible' })
})
