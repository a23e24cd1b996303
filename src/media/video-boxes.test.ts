import { expect, it } from 'vitest'
import { box } from '../../test/_util/files/video-boxes.ts'
import { MAX_BOXES, outlineOf } from './video-boxes.ts'

const ftyp = box('ftyp', 'isom\0\0\0\0isommp42')
const free = box('free')
/** EBML head, DocType "webm", and a segment without a size. */
const webm = Buffer.from([
  0x1a,
  0x45,
  0xdf,
  0xa3,
  0x87,
  0x42,
  0x82,
  0x84,
  ...Buffer.from('webm'),
  0x18,
  0x53,
  0x80,
  0x67,
  0xff,
])
const empty = Buffer.from([0xec, 0x80])

async function look(bytes: Buffer) {
  let seen = 0
  let reads = 0
  const outline = await outlineOf(async (start, end) => {
    reads++
    seen = end
    return bytes.subarray(start, end)
  }, bytes.length)
  return { outline, reads, seen }
}
const many = (head: Buffer, part: Buffer, count: number) => Buffer.concat([head, ...Array(count).fill(part)])

it.each([
  ['MP4', ftyp, free, MAX_BOXES - 1],
  ['WebM', webm, empty, MAX_BOXES],
])('%s: more parts than any real file has are not walked to the end', async (_, head, part, most) => {
  expect((await look(many(head, part, most))).outline).toBe('whole')
  const { outline, reads, seen } = await look(many(head, part, 10 * MAX_BOXES))
  expect(outline).toBe('tooMany')
  expect(seen).toBeLessThan(head.length + MAX_BOXES * part.length + 4096)
  expect(reads).toBeLessThan(100)
})

it('WebM: an element without a size, as in live recordings, ends the look', async () => {
  const cluster = Buffer.from([0x1f, 0x43, 0xb6, 0x75, 0xff])
  const { outline, reads } = await look(Buffer.concat([webm, cluster, many(empty, empty, 2 * MAX_BOXES)]))
  expect({ outline, reads }).toEqual({ outline: 'whole', reads: 1 })
})
