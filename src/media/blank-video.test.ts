import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  asPhonesWrite,
  box,
  dataTrack,
  keyed,
  LOCI,
  PLACE,
  withInside,
  XYZ,
} from '../../test/_util/files/video-boxes.ts'
import { readFixture } from '../../test/_util/networks/file-server.ts'
import { coversOf, openCovered } from './blank-video.ts'
import { probe } from './probe.ts'
import { createDiskStore, type MediaStore } from './store.ts'

const mov = await readFixture('video-rotated.mov')
const mp4 = await readFixture('video-h264-aac.mp4')
let dir: string
let store: MediaStore
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-blank-video-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const inMoov = (more: Buffer) => withInside(mov, ['moov'], more)
const keys = keyed({ 'com.apple.quicktime.location.ISO6709': PLACE })
const large = Buffer.from('00000001', 'hex')
const size = Buffer.alloc(8)
size.writeBigUInt64BE(BigInt(16 + PLACE.length))

test.each<[string, Buffer]>([
  ['what an iPhone writes', asPhonesWrite(mov)],
  ['©xyz in the user data', inMoov(box('udta', XYZ))],
  ['loci in the user data', inMoov(box('udta', LOCI))],
  ['©xyz in the user data of a track', withInside(mov, ['moov', 'trak'], box('udta', XYZ))],
  ['a place under keys', inMoov(keys)],
  ['a place under keys inside of user data', inMoov(box('udta', keys))],
  ['a place under keys of a track', withInside(mov, ['moov', 'trak'], keys)],
  ['a place under keys of the file', Buffer.concat([mp4, keys])],
  ['XMP', Buffer.concat([mov, box('uuid', Buffer.alloc(16), PLACE)])],
  ['something in free room', Buffer.concat([mp4, box('free', PLACE)])],
  ['a box with a size of 64 bits', Buffer.concat([mov, large, Buffer.from('GPSx'), size, Buffer.from(PLACE)])],
  ['something behind the end', Buffer.concat([mov, Buffer.alloc(100), Buffer.from(PLACE)])],
  ['a track of data', withInside(inMoov(dataTrack()), ['moov'], box('skip', PLACE))],
])('a video is read without its place, and plays as before: %s', async (_, file) => {
  const { key } = await store.put(Readable.from([file]))
  const covers = await coversOf(store, key, 'video/quicktime')
  const got = await buffer(await openCovered(store, key, covers))
  expect([got.length, got.includes(PLACE.slice(0, 8)), got.includes('xyz'), got.includes('loci')]).toEqual([
    file.length,
    ...[false, false, false],
  ])
  for (const [start, end] of [
    [file.length - 40, file.length],
    [1, file.length - 17],
  ] as const) {
    const part = await buffer(await openCovered(store, key, covers, { start, end }))
    expect(part.equals(got.subarray(start, end))).toBe(true)
  }
  const again = await store.put(Readable.from([got]))
  expect(await probe(store, again.key)).toEqual(await probe(store, key))
})

test('a video that says nothing is the same, byte by byte', async () => {
  const { key } = await store.put(Readable.from([mov]))
  const got = await buffer(await openCovered(store, key, await coversOf(store, key, 'video/quicktime')))
  const changed = [...got.entries()].filter(([at, byte]) => byte !== mov[at])
  expect(changed.length).toBeLessThan(400)
})
