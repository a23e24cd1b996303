import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { box, dataTrack, keyed, LOCI, withInside, XYZ } from '../../../test/_util/files/video-boxes.ts'
import { readFixture } from '../../../test/_util/networks/file-server.ts'
import type { MediaSource } from '../network.ts'
import { tellsPlace } from './video-places.ts'

const mov = await readFixture('video-rotated.mov')
const mp4 = await readFixture('video-h264-aac.mp4')
const webm = await readFixture('video-vp9.webm')

function sourceOf(bytes: Buffer, mimeType = 'video/quicktime', reads: number[] = []): MediaSource {
  return {
    facts: { type: 'VIDEO', mimeType, bytes: bytes.length } as MediaSource['facts'],
    open: async (range) => {
      const part = bytes.subarray(range?.start, range?.end)
      reads.push(part.length)
      return Readable.from(part.length === 0 ? [] : [part])
    },
    url: async () => '',
    rendition: () => expect.unreachable(),
    stripped: () => expect.unreachable(),
  }
}

const inMoov = (more: Buffer) => withInside(mov, ['moov'], more)
const item = (type: string) => box(type, box('data', [0, 0, 0, 1, 0, 0, 0, 0], 'x'))
const meta = (...items: Buffer[]) => box('meta', [0, 0, 0, 0], box('hdlr', Buffer.alloc(25)), box('ilst', ...items))

test.each<[string, Buffer, string?]>([
  ['a MOV', mov],
  ['an MP4', mp4, 'video/mp4'],
  ['a WebM with tags of its encoder', webm, 'video/webm'],
  ['maker, model and day under keys', inMoov(keyed({ 'com.apple.quicktime.make': 'x', 'com.android.version': '16' }))],
  ['the name of a program, as ffmpeg writes it', inMoov(box('udta', meta(item('\xa9too'))))],
  ['user data that end with zeros', inMoov(box('udta', box('\xa9swr', 'x'), Buffer.alloc(4)))],
  ['room that is left free', Buffer.concat([mov, box('free', Buffer.alloc(1_100_000))])],
  ['zeros at the end', Buffer.concat([mov, Buffer.alloc(10_000)])],
  ['many fragments', Buffer.concat([mov, ...Array.from({ length: 500 }, () => box('moof', 'x'))])],
])('tells nothing: %s', async (_, bytes, type) => {
  expect(await tellsPlace(sourceOf(bytes, type))).toBe(false)
})

test.each<[string, Buffer, string?]>([
  ['©xyz in the user data', inMoov(box('udta', XYZ))],
  ['loci in the user data', inMoov(box('udta', LOCI))],
  ['©xyz in the user data of a track', withInside(mov, ['moov', 'trak'], box('udta', XYZ))],
  ['a place under keys', inMoov(keyed({ 'com.apple.quicktime.location.ISO6709': 'x' }))],
  ['a place under keys inside of user data', inMoov(box('udta', keyed({ 'com.apple.quicktime.location.name': 'x' })))],
  ['a place under keys of a track', withInside(mov, ['moov', 'trak'], keyed({ 'x.location': 'x' }))],
  ['a place under keys of the file', Buffer.concat([mov, keyed({ 'com.apple.quicktime.location.body': 'x' })])],
  ['keys that nobody knows', inMoov(keyed({ 'com.example.where': 'x' }))],
  ['©xyz among items', inMoov(box('udta', meta(item('\xa9too'), item('\xa9xyz'))))],
  ['a cover, which may be a photo with its place', inMoov(box('udta', meta(item('covr'))))],
  ['a track of data', inMoov(dataTrack())],
  ['XMP', Buffer.concat([mov, box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), '<x/>')])],
  ['user data of a camera', inMoov(box('udta', box('GPMF', 'x')))],
  ['something in free room', Buffer.concat([mov, box('free', 'GPS N48')])],
  ['something behind zeros at the end', Buffer.concat([mov, Buffer.alloc(10_000), Buffer.from('GPS')])],
  ['something at the end of much free room', Buffer.concat([mov, box('free', Buffer.alloc(1_100_000), 'GPS')])],
  ['a box that goes on behind the end', Buffer.concat([mov, box('free', Buffer.alloc(100)).subarray(0, 50)])],
  ['a size that is none', inMoov(Buffer.from([0, 0, 0, 3, ...Buffer.from('udta')]))],
  ['an item that goes on behind the end', inMoov(box('udta', meta(Buffer.from([0, 0, 9, 9, 0, 0, 0, 1]))))],
  ['more boxes than are counted', Buffer.concat(Array.from({ length: 50_001 }, () => box('wide')))],
  ['a WebM with a place among its tags', withTag('LOCATION'), 'video/webm'],
  ['a WebM with a file attached', Buffer.concat([webm, Buffer.from('1941a4698141', 'hex')]), 'video/webm'],
  ['a WebM that is none', mov, 'video/webm'],
])('tells, or may tell: %s', async (_, bytes, type) => {
  expect(await tellsPlace(sourceOf(bytes, type))).toBe(true)
})

test('a WebM of unknown size, as browsers record it, is read up to its frames', async () => {
  const head = Buffer.from('1a45dfa380' + '18538067ff' + '1549a96680' + '1f43b67501ffffffffffffff', 'hex')
  expect(await tellsPlace(sourceOf(Buffer.concat([head, Buffer.from('location')]), 'video/webm'))).toBe(false)
})

test('the packets are not read', async () => {
  const reads: number[] = []
  const large = Buffer.concat([mov, box('mdat', Buffer.alloc(3_000_000)), box('free')])
  expect(await tellsPlace(sourceOf(large, 'video/quicktime', reads))).toBe(false)
  expect(reads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(50_000)
})

/** The tag that says how long it is, under another name: both have eight letters. */
function withTag(name: string): Buffer {
  const bytes = Buffer.from(webm)
  bytes.write(name, bytes.indexOf('DURATION'))
  return bytes
}
