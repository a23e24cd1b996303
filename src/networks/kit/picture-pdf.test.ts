import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore, drawPage, type MediaStore, probe } from '#media'
import { type PdfPage, picturePdf } from './picture-pdf.ts'

let dir: string
let store: MediaStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-picture-pdf-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

let open = 0
let most = 0
function pageOf(width: number, height: number, jpeg: Buffer): PdfPage {
  return {
    ...{ width, height, bytes: jpeg.length },
    async open(range) {
      most = Math.max(most, ++open)
      const stream = Readable.from([jpeg.subarray(range?.start, range?.end)])
      return stream.on('close', () => open--)
    },
  }
}

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } }).jpeg({ quality: 95 })

async function written(pages: readonly PdfPage[], title = 'Bread') {
  const made = await picturePdf(pages, title)
  const bytes = await buffer(made.open())
  expect(bytes.length).toBe(made.bytes)
  return { bytes, key: (await store.put(Readable.from([bytes]))).key }
}

async function middleOf(key: string, number: number): Promise<number[]> {
  const drawn = await drawPage(store, key, { number, pixels: 200 })
  const { data, info } = await sharp(await buffer(await store.open(drawn.key)))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels
  return [info.width, info.height, ...data.subarray(at, at + 3)]
}

test('each picture is a page of its own size, in its own colors', async () => {
  const jpegs = [
    await plain(300, 200, '#ff0000').toBuffer(),
    await plain(200, 400, '#808080').toColourspace('b-w').toBuffer(),
    await plain(1, 1, '#00ff00').toBuffer(),
  ]
  expect((await sharp(jpegs[1]).metadata()).channels).toBe(1)
  const sizes: [number, number][] = [
    [300, 200],
    [200, 400],
    [1, 1],
  ]
  const { key } = await written(jpegs.map((jpeg, index) => pageOf(...(sizes[index] ?? [1, 1]), jpeg)))
  expect(await probe(store, key)).toMatchObject({ kind: 'ok', facts: { pages: 3, width: 300, height: 200 } })
  const [red, gray, green] = [await middleOf(key, 1), await middleOf(key, 2), await middleOf(key, 3)]
  const close = (expected: number[]) =>
    expected.map((value) => expect.toSatisfy((got: number) => Math.abs(got - value) <= 6))
  expect(red).toEqual(close([200, 133, 255, 0, 0]))
  expect(gray).toEqual(close([100, 200, 128, 128, 128]))
  expect(green).toEqual(close([200, 200, 0, 255, 0]))
})

test('the same pictures and title give the same bytes, and one picture is open at a time', async () => {
  const jpeg = await plain(60, 40, '#123456').toBuffer()
  const pages = Array.from({ length: 300 }, () => pageOf(60, 40, jpeg))
  most = 0
  const [first, again] = [await written(pages, 'Brot für alle 🥖'), await written(pages, 'Brot für alle 🥖')]
  expect(first.bytes.equals(again.bytes)).toBe(true)
  expect(most).toBe(1)
  expect(first.bytes.includes(Buffer.from('Brot für alle 🥖', 'utf16le').swap16().toString('hex'))).toBe(true)
  expect(await probe(store, first.key)).toMatchObject({ kind: 'ok', facts: { pages: 300 } })
  expect(first.bytes.toString('latin1')).not.toMatch(/Date|\/ID|Producer/)
})
