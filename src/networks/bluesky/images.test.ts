import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readFixture } from '../../../test/_util/file-server.ts'
import type { MediaSource } from '../network.ts'
import { imageToSend } from './images.ts'

const CONVERTED = Buffer.from('converted')

function sourceOf(bytes: Buffer, mimeType: string, claimed = bytes.length): MediaSource {
  const facts = {
    type: 'IMAGE',
    mimeType,
    bytes: claimed,
    width: 8,
    height: 8,
    animated: false,
  } as MediaSource['facts']
  return {
    facts,
    open: async () => Readable.from([bytes]),
    url: async () => '',
    rendition: async (spec) => {
      expect(spec).toEqual({ format: 'jpeg', maxBytes: 1_000_000 })
      return sourceOf(CONVERTED, 'image/jpeg')
    },
  }
}

const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
const told = { IFD0: { Make: 'A camera' } }

test.each([
  ['a JPEG', () => plain.clone().jpeg().toBuffer(), 'image/jpeg'],
  ['a JPEG with a colour profile', () => plain.clone().withIccProfile('p3').jpeg().toBuffer(), 'image/jpeg'],
  ['a PNG', () => plain.clone().png().toBuffer(), 'image/png'],
])('%s goes out as it is', async (_, make, type) => {
  const bytes = await make()
  const sent = await imageToSend(sourceOf(bytes, type))
  expect((await buffer(await sent.open())).equals(bytes)).toBe(true)
})

test.each([
  ['a photo with Exif and its place', () => readFixture('photo.jpg'), 'image/jpeg'],
  ['a JPEG with XMP', () => plain.clone().withXmp('<x/>').jpeg().toBuffer(), 'image/jpeg'],
  ['a PNG with Exif', () => plain.clone().withExif(told).png().toBuffer(), 'image/png'],
  ['a WebP', () => plain.clone().webp().toBuffer(), 'image/webp'],
  ['a GIF', () => readFixture('animated.gif'), 'image/gif'],
  ['a JPEG that breaks off', async () => (await plain.clone().jpeg().toBuffer()).subarray(0, 30), 'image/jpeg'],
])('%s goes out as a fresh JPEG', async (_, make, type) => {
  const sent = await imageToSend(sourceOf(await make(), type))
  expect(await buffer(await sent.open())).toEqual(CONVERTED)
})

test('what is too large is converted without being read', async () => {
  const bytes = await plain.clone().jpeg().toBuffer()
  const sent = await imageToSend({
    ...sourceOf(bytes, 'image/jpeg', 1_000_001),
    open: () => expect.unreachable('It is not to be read.'),
  })
  expect(await buffer(await sent.open())).toEqual(CONVERTED)
})
