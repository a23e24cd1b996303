import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JpegSpec, RenditionSpec } from '#contract'
import { blankPng } from '../../test/_util/files/blank-png.ts'
import { makeThumbnail, renderImage } from './renditions.ts'
import { createDiskStore, type MediaStore } from './store.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../../test/_fixtures/${name}`, import.meta.url))
let dir: string
let store: MediaStore

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-renditions-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const put = async (bytes: Buffer) => (await store.put(Readable.from([bytes]))).key
const putFixture = async (name: string) => (await store.putFile(fixture(name))).key
const bytesOf = async (key: string) => buffer(await store.open(key))

async function render(key: string, spec: Omit<JpegSpec, 'format'> = {}) {
  const rendition = await renderImage(store, key, { format: 'jpeg', ...spec })
  const bytes = await bytesOf(rendition.key)
  const metadata = await sharp(bytes).metadata()
  // The facts are what the bytes say.
  expect(rendition.facts).toEqual({
    type: 'IMAGE',
    mimeType: 'image/jpeg',
    bytes: bytes.length,
    width: metadata.width,
    height: metadata.height,
    durationMs: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    animated: false,
  })
  expect(metadata.format).toBe('jpeg')
  return { bytes, metadata, facts: rendition.facts }
}

/** Red, green and blue of one pixel. */
async function pixel(bytes: Buffer, left: number, top: number): Promise<number[]> {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}
function expectColour(actual: number[], expected: number[], tolerance = 12) {
  for (const [at, value] of expected.entries()) {
    expect(Math.abs((actual[at] ?? Number.NaN) - value), `${actual} is ${expected}`).toBeLessThanOrEqual(tolerance)
  }
}

/** Noise, the worst case for compression. */
function noise(width: number, height: number) {
  return sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer()
}

describe('renderImage', () => {
  it('turns the image upright and leaves out camera, place and orientation', async () => {
    expect((await sharp(await readFile(fixture('photo.jpg'))).metadata()).exif?.includes('Almanac')).toBe(true)
    const { bytes, metadata } = await render(await putFixture('photo.jpg'))
    expect([metadata.width, metadata.height]).toEqual([900, 1200])
    expect([metadata.orientation, metadata.exif, metadata.icc, metadata.xmp]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(bytes.includes('Almanac')).toBe(false)
    expectColour(await pixel(bytes, 100, 100), [0xd0, 0x20, 0x20])
    expectColour(await pixel(bytes, 100, 1100), [0x20, 0x40, 0xd0])
  })

  it('puts transparency on white', async () => {
    const { bytes } = await render(await putFixture('transparent.png'))
    expectColour(await pixel(bytes, 5, 5), [255, 255, 255], 2)
    expectColour(await pixel(bytes, 300, 200), [0x20, 0xa0, 0x40])
  })

  it('takes the first frame of an animation', async () => {
    const { bytes, metadata } = await render(await putFixture('animated.gif'))
    expect([metadata.width, metadata.height]).toEqual([160, 120])
    expectColour(await pixel(bytes, 80, 60), [255, 0, 0])
  })

  it('keeps the colors of a wide-gamut image and of one for print, as sRGB', async () => {
    const red = sharp({ create: { width: 64, height: 64, channels: 3, background: '#e03020' } })
    const wide = await red.clone().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer()
    expect((await sharp(wide).metadata()).hasProfile).toBe(true)
    const rendered = await render(await put(wide))
    expect(rendered.metadata.space).toBe('srgb')
    expectColour(await pixel(rendered.bytes, 32, 32), [0xe0, 0x30, 0x20])

    const print = await red.clone().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer()
    expect((await sharp(print).metadata()).space).toBe('cmyk')
    const { metadata, bytes } = await render(await put(print))
    expect([metadata.space, metadata.channels]).toEqual(['srgb', 3])
    expectColour(await pixel(bytes, 32, 32), [0xe0, 0x30, 0x20], 30)
  })

  it('makes a color image of a grey one with 16 bits', async () => {
    const deep = await sharp(await noise(64, 64))
      .greyscale()
      .toColourspace('grey16')
      .png()
      .toBuffer()
    expect(await sharp(deep).metadata()).toMatchObject({ space: 'grey16', depth: 'ushort' })
    const { metadata } = await render(await put(deep))
    expect(metadata).toMatchObject({ space: 'srgb', channels: 3, depth: 'uchar' })
  })

  it('shrinks to the bounds that are given and never enlarges', async () => {
    const key = await putFixture('photo.jpg')
    const size = async (spec: Omit<RenditionSpec, 'format'>) => {
      const { facts } = await render(key, spec)
      return [facts.width, facts.height]
    }
    expect(await size({ maxWidth: 450 })).toEqual([450, 600])
    expect(await size({ maxHeight: 300 })).toEqual([225, 300])
    expect(await size({ maxWidth: 450, maxHeight: 300 })).toEqual([225, 300])
    expect(await size({ maxWidth: 5000, maxHeight: 5000 })).toEqual([900, 1200])
  })

  it('has at most 36 million pixels, in the shape of the original', async () => {
    const key = await put(blankPng({ width: 10_000, height: 5_000, bits: 8, interlaced: false }))
    const { facts } = await render(key)
    expect(facts.width * facts.height).toBeLessThanOrEqual(36_000_000)
    expect(facts.width * facts.height).toBeGreaterThan(35_900_000)
    expect(Math.abs(facts.width / facts.height - 2)).toBeLessThan(0.01)
    expect((await render(key, { maxWidth: 9_000 })).facts.width).toBeLessThanOrEqual(9_000)
  })

  it('fits into bytes by quality first, then by size', async () => {
    const key = await put(await noise(600, 400))
    const full = await render(key)
    const less = await render(key, { maxBytes: full.facts.bytes - 1 })
    expect(less.facts.bytes).toBeLessThan(full.facts.bytes)
    expect([less.facts.width, less.facts.height]).toEqual([600, 400])
    for (const maxBytes of [50_000, 5_000, 1_000]) {
      const small = await render(key, { maxBytes })
      expect(small.facts.bytes).toBeLessThanOrEqual(maxBytes)
      // Not smaller than it must be, and not out of shape.
      expect(small.facts.bytes).toBeGreaterThan(maxBytes * 0.4)
      expect(small.facts.width).toBeLessThan(600)
      expect(Math.abs(small.facts.width / small.facts.height - 1.5)).toBeLessThan(0.1)
    }
  })

  it('says so when nothing fits', async () => {
    await expect(render(await putFixture('photo.jpg'), { maxBytes: 10 })).rejects.toThrow('No JPEG fits')
  })

  it('gives the same bytes for the same spec', async () => {
    const key = await put(await noise(300, 200))
    const spec = { maxWidth: 200, maxBytes: 8_000 }
    expect((await render(key, spec)).bytes.equals((await render(key, spec)).bytes)).toBe(true)
  })

  it('leaves the original alone and works on a store that is not on this machine', async () => {
    const key = await putFixture('photo.jpg')
    const remote = { ...store, path: () => null }
    const rendition = await renderImage(remote, key, { format: 'jpeg', maxWidth: 100 })
    expect(rendition.facts.width).toBe(100)
    expect(rendition.key).not.toBe(key)
    expect(await bytesOf(key)).toEqual(await readFile(fixture('photo.jpg')))
  })

  it('throws on what is no image', async () => {
    await expect(render(await putFixture('video-short.mp4'))).rejects.toThrow()
  })
})

describe('makeThumbnail', () => {
  it('is 400 pixels at most, upright, and without camera and place', async () => {
    const thumbnail = await makeThumbnail(store, await putFixture('photo.jpg'))
    expect(thumbnail).toMatchObject({ mimeType: 'image/webp', width: 300, height: 400 })
    const bytes = await bytesOf(thumbnail?.key ?? '')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 300, height: 400 })
    expect(bytes.includes('Almanac')).toBe(false)
    expectColour(await pixel(bytes, 30, 30), [0xd0, 0x20, 0x20], 20)
  })

  it('keeps transparency, and never enlarges', async () => {
    const thumbnail = await makeThumbnail(store, await putFixture('transparent.png'))
    expect((await sharp(await bytesOf(thumbnail?.key ?? '')).metadata()).hasAlpha).toBe(true)
    expect(await makeThumbnail(store, await putFixture('animated.gif'))).toMatchObject({ width: 160, height: 120 })
  })

  it('does not exist for videos', async () => {
    expect(await makeThumbnail(store, await putFixture('video-short.mp4'))).toBeNull()
  })
})

describe('a part of a picture', () => {
  /** Four colors; stored lying on its side, as a phone does. */
  async function quarters(): Promise<string> {
    const red = { r: 255, g: 0, b: 0 }
    const part = (background: object) =>
      sharp({ create: { width: 100, height: 60, channels: 3, background } })
        .png()
        .toBuffer()
    const upright = await sharp({ create: { width: 200, height: 120, channels: 3, background: red } })
      .composite([
        { input: await part({ r: 0, g: 255, b: 0 }), left: 100, top: 0 },
        { input: await part({ r: 0, g: 0, b: 255 }), left: 0, top: 60 },
        { input: await part({ r: 255, g: 255, b: 0 }), left: 100, top: 60 },
      ])
      .png()
      .toBuffer()
    // Turned back by a quarter, with the mark that says so (orientation 6: to be shown turned by 90° clockwise).
    return put(await sharp(upright).rotate(270).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer())
  }

  it('is taken of the upright picture', async () => {
    const { bytes, facts } = await render(await quarters(), { crop: { left: 100, top: 60, width: 80, height: 40 } })
    expect([facts.width, facts.height]).toEqual([80, 40])
    expectColour(await pixel(bytes, 20, 20), [255, 255, 0])
    expectColour(await pixel(bytes, 70, 30), [255, 255, 0])
  })

  it('is made smaller after it is taken', async () => {
    const crop = { left: 50, top: 0, width: 100, height: 120 }
    const { bytes, facts } = await render(await quarters(), { crop, maxWidth: 50, maxHeight: 50 })
    expect([facts.width, facts.height]).toEqual([42, 50])
    expectColour(await pixel(bytes, 3, 3), [255, 0, 0])
    expectColour(await pixel(bytes, 38, 3), [0, 255, 0])
    expectColour(await pixel(bytes, 3, 46), [0, 0, 255])
    expectColour(await pixel(bytes, 38, 46), [255, 255, 0])
  })

  it('fits into a number of bytes', async () => {
    const crop = { left: 0, top: 0, width: 600, height: 600 }
    const { facts } = await render(await putFixture('photo.jpg'), { crop, maxBytes: 9_000 })
    expect(facts.bytes).toBeLessThanOrEqual(9_000)
    expect(facts.width).toBe(facts.height)
  })
})

describe('another shape', () => {
  /** Left half red, right half blue. */
  const halves = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
      .composite([
        {
          input: { create: { width: Math.floor(width / 2), height, channels: 3, background: '#0000ff' } },
          gravity: 'east',
        },
      ])
      .png()
      .toBuffer()

  it('is the middle of the picture', async () => {
    const key = await put(await halves(400, 100))
    const { bytes, facts } = await render(key, { fit: { kind: 'CROP', width: 191, height: 100 } })
    expect([facts.width, facts.height]).toEqual([191, 100])
    expectColour(await pixel(bytes, 2, 50), [255, 0, 0])
    expectColour(await pixel(bytes, 188, 50), [0, 0, 255])
    expectColour(await pixel(bytes, 80, 50), [255, 0, 0])
  })

  it('is all of it before a soft and dark copy of itself, within bounds and bytes', async () => {
    const key = await put(await halves(400, 100))
    const fit = { kind: 'PAD', width: 400, height: 400 } as const
    const { bytes, facts } = await render(key, { fit })
    expect([facts.width, facts.height]).toEqual([400, 400])
    // The picture has its own colors, above and below it is the darker ground of each side.
    expectColour(await pixel(bytes, 20, 200), [255, 0, 0])
    expectColour(await pixel(bytes, 380, 200), [0, 0, 255])
    for (const top of [10, 140, 260, 390]) {
      expectColour(await pixel(bytes, 20, top), [179, 0, 0], 16)
      expectColour(await pixel(bytes, 380, top), [0, 0, 179], 16)
    }
    expectColour(await pixel(bytes, 20, 152), [255, 0, 0], 24)
    const small = await render(key, { fit, maxWidth: 100, maxBytes: 3_000 })
    expect([small.facts.width, small.facts.height]).toEqual([100, 100])
    expectColour(await pixel(small.bytes, 5, 50), [255, 0, 0], 24)
    // The same bytes at each try.
    expect((await render(key, { fit })).bytes.equals(bytes)).toBe(true)
  })

  it('of pictures of every kind that is decoded', async () => {
    const photo = () => sharp(fixture('photo.jpg'))
    const kinds = {
      transparent: await readFile(fixture('transparent.png')),
      turned: await photo().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'for print': await photo().toColourspace('cmyk').jpeg().toBuffer(),
      grey: await photo().greyscale().jpeg().toBuffer(),
      'grey of 16 bits': await photo().toColourspace('grey16').png().toBuffer(),
      'of a palette': await photo().png({ palette: true, colours: 4 }).toBuffer(),
      moving: await readFile(fixture('animated.gif')),
    }
    for (const [name, bytes] of Object.entries(kinds)) {
      for (const kind of ['PAD', 'CROP'] as const) {
        const { facts } = await render(await put(bytes), { fit: { kind, width: 90, height: 160 } })
        expect([facts.width, facts.height], name).toEqual([90, 160])
      }
    }
  })
})
