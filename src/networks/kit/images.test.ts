import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { MediaSource } from '../network.ts'
import { fittedImage } from './images.ts'
import { checked, fixture } from './testing.ts'

const CONVERTED = Buffer.from('converted')
const form = { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: 1_000_000 }

function sourceOf(bytes: Buffer, mimeType: string, claimed = bytes.length): MediaSource {
  return {
    facts: checked({ mimeType, bytes: claimed, width: 8, height: 8 }).facts,
    open: async () => Readable.from([bytes]),
    url: async () => '',
    rendition: async (spec) => {
      expect(spec).toEqual({ format: 'jpeg', maxBytes: 1_000_000 })
      return sourceOf(CONVERTED, 'image/jpeg')
    },
  }
}
const sent = async (source: MediaSource) => buffer(await (await fittedImage(source, form)).open())

const plain = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
const reported = { IFD0: { Make: 'A camera' } }

test.each([
  ['a JPEG', () => plain.clone().jpeg().toBuffer(), 'image/jpeg'],
  ['a JPEG with a colour profile', () => plain.clone().withIccProfile('p3').jpeg().toBuffer(), 'image/jpeg'],
  ['a PNG', () => plain.clone().png().toBuffer(), 'image/png'],
])('%s goes out as it is', async (_, make, type) => {
  const bytes = await make()
  expect((await sent(sourceOf(bytes, type))).equals(bytes)).toBe(true)
})

test.each([
  ['a photo with Exif and its place', () => fixture('photo.jpg'), 'image/jpeg'],
  ['a JPEG with XMP', () => plain.clone().withXmp('<x/>').jpeg().toBuffer(), 'image/jpeg'],
  ['a PNG with Exif', () => plain.clone().withExif(reported).png().toBuffer(), 'image/png'],
  ['a WebP', () => plain.clone().webp().toBuffer(), 'image/webp'],
  ['a GIF', () => fixture('animated.gif'), 'image/gif'],
  ['a JPEG that breaks off', async () => (await plain.clone().jpeg().toBuffer()).subarray(0, 30), 'image/jpeg'],
])('%s goes out as a fresh JPEG', async (_, make, type) => {
  expect(await sent(sourceOf(await make(), type))).toEqual(CONVERTED)
})

test('what is too large is converted without being read', async () => {
  const source = sourceOf(await plain.clone().jpeg().toBuffer(), 'image/jpeg', 1_000_001)
  expect(await sent({ ...source, open: () => expect.unreachable('It is not to be read.') })).toEqual(CONVERTED)
})
