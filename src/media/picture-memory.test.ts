import { describe, expect, it } from 'vitest'
import { LIMITS } from '#contract'
import { bytesToDecode, checkPictureSize, isLight, type PictureHeader } from './picture-memory.ts'

const header = (more: Partial<PictureHeader>): PictureHeader => {
  const { width = 1_000, height = 1_000 } = more
  const plain = { format: 'png', channels: 3, bytesPerSample: 1, multipass: false, chromaSubsampling: null }
  return { ...plain, upright: { width, height }, frames: 1, durationMs: null, width, height, ...more }
}

describe('bytesToDecode', () => {
  it.each<[string, Partial<PictureHeader>, number]>([
    ['a PNG row by row', {}, 0],
    ['an interlaced PNG', { multipass: true }, 3e6],
    ['an interlaced PNG of 16 bits with transparency', { multipass: true, channels: 4, bytesPerSample: 2 }, 8e6],
    ['a baseline JPEG', { format: 'jpeg' }, 0],
    ['a progressive JPEG', { format: 'jpeg', multipass: true, chromaSubsampling: '4:2:0' }, 3e6],
    ['one with half the color', { format: 'jpeg', multipass: true, chromaSubsampling: '4:2:2' }, 4e6],
    ['one with all its color', { format: 'jpeg', multipass: true, chromaSubsampling: '4:4:4' }, 6e6],
    ['one for print', { format: 'jpeg', multipass: true, chromaSubsampling: '4:4:4:4', channels: 4 }, 8e6],
    ['a GIF, with its file', { format: 'gif' }, 4e6 + 100],
    ['a WebP, with its file', { format: 'webp' }, 8e6 + 100],
    ['an AVIF', { format: 'heif' }, 20e6],
    ['one of more than 8 bits', { format: 'heif', bytesPerSample: 2 }, 28e6],
  ])('%s', (_, more, bytes) => {
    expect(bytesToDecode(header(more), 100)).toBe(bytes)
  })
})

describe('checkPictureSize', () => {
  const check = (more: Partial<PictureHeader>, fileBytes = 100) => {
    try {
      checkPictureSize(header(more), fileBytes)
      return null
    } catch (error) {
      return error as Error
    }
  }
  const side = (bytesPerPixel: number) => Math.floor(Math.sqrt(LIMITS.pictureDecodedBytes / bytesPerPixel))

  it.each<[string, Partial<PictureHeader>]>([
    ['a photo of 60 megapixels, progressive', { format: 'jpeg', multipass: true, chromaSubsampling: '4:2:0' }],
    ['the same as an interlaced PNG with transparency', { multipass: true, channels: 4 }],
    ['the same as a PNG of 16 bits', { channels: 4, bytesPerSample: 2 }],
  ])('takes %s', (_, more) => {
    expect(check({ ...more, width: 9_500, height: 6_300 })).toBeNull()
  })

  it('takes a baseline JPEG up to the most pixels', () => {
    const width = 12_000
    const height = LIMITS.picturePixels / width
    expect(check({ format: 'jpeg', width, height })).toBeNull()
    const failure = check({ format: 'jpeg', width, height: height + 1 })
    expect(failure).toMatchObject({ name: 'MediaFailure', code: 'media-upload:too_large' })
    expect(failure?.message).toBe('The image has 12000 x 10001 pixels; the most is 120 million. Make it smaller.')
  })

  it.each<[string, Partial<PictureHeader>, number, string]>([
    ['PNG', { multipass: true, channels: 4, bytesPerSample: 2 }, 8, 'of 16 bits, is interlaced and would take'],
    ['PNG', { multipass: true, channels: 4, bytesPerSample: 2 }, 8, 'Save it without interlacing'],
    ['JPEG', { format: 'jpeg', multipass: true }, 6, 'Save it as a baseline JPEG (not progressive)'],
    ['GIF', { format: 'gif' }, 4, 'Save it as a JPEG, or make it smaller.'],
  ])('refuses what has to be held whole and is larger than the limit: %s', (_, more, perPixel, words) => {
    const most = side(perPixel)
    expect(check({ ...more, width: most, height: most }, 0)).toBeNull()
    const failure = check({ ...more, width: most + 2, height: most + 2 }, 0)
    expect(failure).toMatchObject({ name: 'MediaFailure', code: 'media-upload:too_large' })
    expect(failure?.message).toContain(words)
    expect(failure?.message).toContain('the most is 256 MB')
  })

  it('reports the size as it is shown', () => {
    const failure = check({ width: 9_000, height: 14_000, upright: { width: 14_000, height: 9_000 } })
    expect(failure?.message).toContain('14000 x 9000')
  })
})

it('what usual cameras write is light', () => {
  expect(isLight(header({ format: 'jpeg', width: 6_000, height: 4_000 }), 8e6)).toBe(true)
  const progressive = { format: 'jpeg', multipass: true, chromaSubsampling: '4:2:0' }
  expect(isLight(header({ ...progressive, width: 6_000, height: 4_000 }), 8e6)).toBe(true)
  expect(isLight(header({ ...progressive, width: 9_500, height: 6_300 }), 8e6)).toBe(false)
  expect(isLight(header({ format: 'jpeg', width: 12_000, height: 9_000 }), 8e6)).toBe(false)
})
