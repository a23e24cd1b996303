import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { BlobSource, BufferTarget, Conversion, Input, MP4, Mp4OutputFormat, Output } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BlankPng, blankPng } from '../../test/_util/files/blank-png.ts'
import { createPictureProcess, type PictureProcess } from './picture-process.ts'
import type { PictureProcesses } from './pictures.ts'
import { probe } from './probe.ts'
import { makeThumbnail, renderImage } from './renditions.ts'
import { createDiskStore, type MediaStore } from './store.ts'

const fixtures = fileURLToPath(new URL('../../test/_fixtures/', import.meta.url))
let dir: string
let store: MediaStore

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-probe-'))
  store = createDiskStore({ dir })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const read = (name: string) => readFile(join(fixtures, name))
async function probeBytes(bytes: Uint8Array | string) {
  const { key } = await store.put(Readable.from([Buffer.from(bytes)]))
  return probe(store, key)
}
async function frames(count: number): Promise<Buffer[]> {
  const colours = ['#ff0000', '#00ff00', '#0000ff'].slice(0, count)
  return Promise.all(
    colours.map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
}

/** Processes that list what they are asked for. */
function recorded(): { processes: PictureProcesses; tasks: string[] } {
  const tasks: string[] = []
  const listed = (name: string): PictureProcess => {
    const process = createPictureProcess({ residentBytes: 512 * 1024 * 1024, seconds: 60, idleMs: 1_000 })
    return {
      run(path, task, signal) {
        tasks.push(`${name} ${task.kind}`)
        return process.run(path, task, signal)
      },
    }
  }
  return { processes: { light: listed('light'), heavy: listed('heavy') }, tasks }
}

const STILL = { type: 'IMAGE', durationMs: null, videoCodec: null, audioCodec: null, frameRate: null, animated: false }
const SOUND_AND_PICTURE = { type: 'VIDEO', videoCodec: 'avc', audioCodec: 'aac', frameRate: 30, animated: false }

describe('what the files of the fixtures are', () => {
  it.each([
    ['photo.jpg', { ...STILL, mimeType: 'image/jpeg', width: 900, height: 1200 }],
    ['transparent.png', { ...STILL, mimeType: 'image/png', width: 600, height: 400 }],
    ['animated.gif', { ...STILL, mimeType: 'image/gif', width: 160, height: 120, durationMs: 800, animated: true }],
    ['video-h264-aac.mp4', { ...SOUND_AND_PICTURE, mimeType: 'video/mp4', width: 540, height: 960, durationMs: 4000 }],
    ['video-short.mp4', { ...SOUND_AND_PICTURE, mimeType: 'video/mp4', width: 320, height: 180, durationMs: 1000 }],
    [
      'video-rotated.mov',
      { ...SOUND_AND_PICTURE, mimeType: 'video/quicktime', width: 180, height: 320, durationMs: 1000 },
    ],
    [
      'video-vp9.webm',
      {
        type: 'VIDEO',
        mimeType: 'video/webm',
        width: 320,
        height: 180,
        durationMs: 2007,
        videoCodec: 'vp9',
        audioCodec: 'opus',
        frameRate: 25,
        animated: false,
      },
    ],
  ])('%s', async (name, facts) => {
    const bytes = await read(name)
    expect(await probeBytes(bytes)).toEqual({ kind: 'ok', facts: { ...facts, bytes: bytes.length } })
  })

  it('stays within the sizes that are kept in the repository', async () => {
    for (const name of await readdir(fixtures))
      expect((await stat(join(fixtures, name))).size, name).toBeLessThan(100_000)
  })
})

describe('images', () => {
  it('may be WebP, still and animated', async () => {
    const [png = Buffer.alloc(0)] = await frames(1)
    const still = await sharp(png).webp().toBuffer()
    expect(await probeBytes(still)).toMatchObject({
      facts: { ...STILL, mimeType: 'image/webp', width: 40, height: 30 },
    })
    const animated = await sharp(await frames(3), { join: { animated: true } })
      .webp({ delay: [100, 200, 300] })
      .toBuffer()
    expect(await probeBytes(animated)).toMatchObject({
      facts: { mimeType: 'image/webp', width: 40, height: 30, animated: true, durationMs: 600 },
    })
  })

  it('may be a PNG with frames', async () => {
    const [png = Buffer.alloc(0)] = await frames(1)
    const control = chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))
    const animated = Buffer.concat([png.subarray(0, 33), control, png.subarray(33)])
    expect(await probeBytes(animated)).toMatchObject({ kind: 'ok', facts: { mimeType: 'image/png', animated: true } })
  })

  it('are read from a store that is not on this machine too', async () => {
    const { key } = await store.putFile(join(fixtures, 'photo.jpg'))
    const remote = { ...store, path: () => null }
    expect(await probe(remote, key)).toMatchObject({ kind: 'ok', facts: { width: 900, height: 1200 } })
  })

  it.each([
    [
      'more pixels than allowed',
      { width: 20_000, height: 20_000, bits: 8, interlaced: false },
      'the most is 120 million',
    ],
    [
      'more bytes than allowed',
      { width: 10_900, height: 10_900, bits: 16, interlaced: true },
      'take 950.5 MB of memory',
    ],
  ] as const)('with %s are refused by their header: nothing is decoded', async (_, picture, words) => {
    const { processes, tasks } = recorded()
    const { key } = await store.put(Readable.from([blankPng(picture)]))
    const probed = await probe(store, key, { processes })
    expect(probed).toMatchObject({ kind: 'failed', code: 'media-upload:too_large' })
    expect(probed.kind === 'failed' && probed.message).toContain(`${picture.width} x ${picture.height} pixels`)
    expect(probed.kind === 'failed' && probed.message).toContain(words)
    expect(tasks).toEqual(['light header'])
    await expect(makeThumbnail(store, key, { processes })).rejects.toMatchObject({ code: 'media-upload:too_large' })
    const jpeg = { format: 'jpeg', maxWidth: 100 } as const
    await expect(renderImage(store, key, jpeg, { processes })).rejects.toMatchObject({ code: 'media-upload:too_large' })
    expect(tasks).toEqual(['light header', 'light header', 'light header'])
  })

  it('that are large do not keep the others waiting', async () => {
    const { processes, tasks } = recorded()
    const of = async (picture: BlankPng) => {
      const { key } = await store.put(Readable.from([blankPng(picture)]))
      expect(await probe(store, key, { processes })).toMatchObject({ kind: 'ok' })
      return tasks.splice(0)
    }
    expect(await of({ width: 5_000, height: 5_000, bits: 8, interlaced: true })).toEqual([
      'light header',
      'heavy check',
    ])
    expect(await of({ width: 4_000, height: 3_000, bits: 8, interlaced: false })).toEqual([
      'light header',
      'light check',
    ])
  })

  it.each(['photo.jpg', 'transparent.png', 'animated.gif', 'WebP'])(
    'that were cut off are damaged: %s',
    async (name) => {
      const photo = () => read('photo.jpg')
      const bytes =
        name === 'WebP'
          ? await sharp(await photo())
              .webp()
              .toBuffer()
          : await read(name)
      for (const left of [0.3, 0.6, 0.9, 1 - 20 / bytes.length]) {
        const probed = await probeBytes(bytes.subarray(0, Math.floor(bytes.length * left)))
        expect(probed, `${left} of ${name}`).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
      }
    },
  )
})

describe('videos', () => {
  it.each(['video-h264-aac.mp4', 'video-short.mp4', 'video-rotated.mov', 'video-vp9.webm'])(
    'that were cut off are damaged: %s',
    async (name) => {
      const bytes = await read(name)
      for (const left of [0.02, 0.5, 1 - 1 / bytes.length]) {
        const probed = await probeBytes(bytes.subarray(0, Math.floor(bytes.length * left)))
        expect(probed, `${left} of ${name}`).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
      }
    },
  )

  it('that were cut off are damaged: truncated.mp4', async () => {
    const probed = await probeBytes(await read('truncated.mp4'))
    expect(probed).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
    expect(probed.kind === 'failed' && probed.message).toContain('its end is missing')
  })

  it('that promise more frames than there is memory for cost their process, not this one', async () => {
    const bytes = await read('video-h264-aac.mp4')
    bytes.writeUInt32BE(0xffff_ffff, bytes.indexOf('stts') + 12)
    expect(await probeBytes(bytes)).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
  }, 30_000)

  it('whose frames are missing are damaged, though every box is whole', async () => {
    const bytes = (await read('video-h264-aac.mp4')).subarray(0, 30_000)
    const data = bytes.indexOf('mdat') - 4
    bytes.writeUInt32BE(bytes.length - data, data)
    expect(await probeBytes(bytes)).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
  })

  it('whose index claims to be larger than any real one are damaged', async () => {
    // The rest of the file is a hole: no disk holds it, and nothing may read it as a whole.
    const bytes = await read('video-rotated.mov')
    const moov = bytes.indexOf('moov') - 4
    const size = moov + 3_000_000_000
    bytes.writeUInt32BE(3_000_000_000, moov)
    const { key } = await store.put(Readable.from([bytes]))
    const sparse: MediaStore = {
      ...store,
      stat: async () => ({ bytes: size }),
      open: async (_, range) => {
        const start = range?.start ?? 0
        const end = range?.end ?? size
        if (end - start > 100_000_000) throw new Error('too much was asked for at once')
        const part = Buffer.alloc(end - start)
        bytes.copy(part, 0, start, end)
        return Readable.from([part])
      },
    }
    expect(await probe(sparse, key)).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
  })

  it('may be cut into fragments, as recorders write them', async () => {
    const fragmented = await convert(await read('video-h264-aac.mp4'), { fragmented: true })
    expect(await probeBytes(fragmented)).toMatchObject({
      kind: 'ok',
      facts: { ...SOUND_AND_PICTURE, mimeType: 'video/mp4', width: 540, height: 960, durationMs: 4000 },
    })
    const half = fragmented.subarray(0, Math.floor(fragmented.length / 2))
    expect(await probeBytes(half)).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
  })

  it('may be silent', async () => {
    const silent = await convert(await read('video-short.mp4'), { audio: false })
    expect(await probeBytes(silent)).toMatchObject({ kind: 'ok', facts: { videoCodec: 'avc', audioCodec: null } })
  })

  it('need a picture', async () => {
    const probed = await probeBytes(await convert(await read('video-short.mp4'), { video: false }))
    expect(probed).toMatchObject({ kind: 'failed', code: 'media-upload:unsupported_type' })
    expect(probed.kind === 'failed' && probed.message).toContain('sound')
  })

  it('are read by ranges, never as a whole', async () => {
    const { key } = await store.putFile(join(fixtures, 'video-h264-aac.mp4'))
    const ranges: unknown[] = []
    const watched: MediaStore = {
      ...store,
      path: () => null,
      open: (name, range) => {
        ranges.push(range)
        return store.open(name, range)
      },
    }
    expect((await probe(watched, key)).kind).toBe('ok')
    expect(ranges).not.toContain(undefined)
  })

  it('are measured two at a time: one that takes long leaves a place to the others', async () => {
    const { key } = await store.putFile(join(fixtures, 'video-short.mp4'))
    const { promise: mayRead, resolve: goOn } = Promise.withResolvers<void>()
    let opened = 0
    const slow: MediaStore = {
      ...store,
      open: async (name, range) => {
        // The first look says what it is.
        if (opened++ > 0) await mayRead
        return store.open(name, range)
      },
    }
    const held = probe(slow, key)
    for (let other = 0; other < 2; other++) expect((await probe(store, key)).kind).toBe('ok')
    goOn()
    expect((await held).kind).toBe('ok')
  })

  it('that consist of more parts than any real one are refused before they are parsed', async () => {
    const free = Buffer.from([0, 0, 0, 8, ...Buffer.from('free')])
    const bytes = Buffer.concat([(await read('video-short.mp4')).subarray(0, 32), Buffer.alloc(2_000_000, free)])
    const probed = await probeBytes(bytes)
    expect(probed).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
    expect(probed.kind === 'failed' && probed.message).toContain('too many parts')
  }, 30_000)

  it('whose bytes cannot be read for a while are not called damaged', async () => {
    const { key } = await store.putFile(join(fixtures, 'video-short.mp4'))
    let opened = 0
    const broken: MediaStore = {
      ...store,
      open: (name, range) => (opened++ < 2 ? store.open(name, range) : Promise.reject(new Error('disk is gone'))),
    }
    await expect(probe(broken, key)).rejects.toThrow('disk is gone')
  })
})

describe('files that cannot be used', () => {
  const box = (brand: string) =>
    Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0${brand}mp42`)])
  it.each([
    ['HEIC', box('heic'), 'HEIC'],
    ['HEIF', box('mif1'), 'HEIC'],
    ['AVIF', box('avif'), 'AVIF'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'SVG'],
    ['SVG with a prologue', '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'SVG'],
    ['a web page', '<!DOCTYPE html><html><body><img src="photo.jpg"></body></html>', 'web page'],
    ['TIFF', Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 0, 0]), 'image/tiff'],
    ['BMP', 'BM6\0\0\0\0\0\0\0', 'image/bmp'],
    ['sound', box('M4A '), 'sound'],
    [
      'Matroska',
      Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88]), Buffer.from('matroska')]),
      'Matroska',
    ],
    ['AVI', 'RIFF\x10\0\0\0AVI LIST', 'video/'],
    ['text', 'just words', 'neither an image nor a video or document'],
    ['an archive', 'PK\x03\x04\x14\0\0\0', 'application/zip'],
  ])('%s', async (_, bytes, words) => {
    const probed = await probeBytes(bytes)
    expect(probed).toMatchObject({ kind: 'failed', code: 'media-upload:unsupported_type' })
    expect(probed.kind === 'failed' && probed.message).toContain(words)
  })

  it('an empty one is damaged', async () => {
    expect(await probeBytes('')).toMatchObject({ kind: 'failed', code: 'media-upload:corrupt' })
  })

  it('one that cannot be read just now is not called damaged', async () => {
    const { key } = await store.putFile(join(fixtures, 'photo.jpg'))
    let opened = 0
    const broken: MediaStore = {
      ...store,
      path: () => join(dir, 'missing'),
      open: (name, range) => (opened++ < 1 ? store.open(name, range) : Promise.reject(new Error('disk is gone'))),
    }
    await expect(probe(broken, key)).rejects.toThrow('disk is gone')
  })

  it('a missing one is a bug, not a damaged file', async () => {
    await expect(probe(store, '0'.repeat(32))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The packets of an MP4 in another MP4. */
async function convert(bytes: Buffer, options: { fragmented?: boolean; audio?: boolean; video?: boolean }) {
  const target = new BufferTarget()
  const conversion = await Conversion.init({
    input: new Input({ source: new BlobSource(new Blob([Uint8Array.from(bytes)])), formats: [MP4] }),
    output: new Output({
      format: new Mp4OutputFormat({ fastStart: options.fragmented ? 'fragmented' : 'in-memory' }),
      target,
    }),
    video: { discard: options.video === false },
    audio: { discard: options.audio === false },
  })
  await conversion.execute()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}
