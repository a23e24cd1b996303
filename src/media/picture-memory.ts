import { LIMITS } from '#contract'
import { formatBytes, MediaFailure } from './failure.ts'

/** What the header of an image file says; no pixel is decoded for it. */
export interface PictureHeader {
  /** `jpeg`, `png`, `gif`, `webp`, or what else it turns out to be. */
  format: string
  /** In pixels, as stored. */
  width: number
  height: number
  /** As shown, after the rotation that the file asks for. */
  upright: { width: number; height: number }
  channels: number
  bytesPerSample: number
  /** Interlaced, progressive: the first row is complete only when all of the file is decoded. */
  multipass: boolean
  /** Of a JPEG: `4:2:0`, `4:4:4`, …; null for other formats. */
  chromaSubsampling: string | null
  frames: number
  /** Of all frames together; null for a still image. */
  durationMs: number | null
}

/** Pictures up to here are cheap: they do not wait for those that are not. */
const LIGHT_PIXELS = 32_000_000
const LIGHT_BYTES = 96_000_000

/**
 * Bytes that a decoder must hold at once; 0 for files that are decoded row by row. A JPEG with several scans is held as
 * coefficients of two bytes. Decoders of GIF and WebP hold the whole frame and map the file into memory. Measured with
 * libvips 8.18.
 */
export function bytesToDecode(header: PictureHeader, fileBytes: number): number {
  const pixels = header.width * header.height
  switch (header.format) {
    case 'jpeg':
      return header.multipass ? pixels * coefficientsPerPixel(header) * 2 : 0
    case 'gif':
      return pixels * 4 + fileBytes
    case 'webp':
      return pixels * 8 + fileBytes
    // AVIF: pictures of pages alone.
    case 'heif':
      return pixels * (header.bytesPerSample > 1 ? 28 : 20)
    default:
      return header.multipass ? pixels * header.channels * header.bytesPerSample : 0
  }
}

function coefficientsPerPixel({ chromaSubsampling, channels }: PictureHeader): number {
  if (chromaSubsampling === '4:2:0') return 1.5
  return chromaSubsampling === '4:2:2' ? 2 : channels
}

/** Throws `MediaFailure` `too_large` for a picture that is not decoded because of what its header announces. */
export function checkPictureSize(header: PictureHeader, fileBytes: number): void {
  const { width, height } = header.upright
  const size = `The image has ${width} x ${height} pixels`
  if (width * height > LIMITS.picturePixels) {
    const most = `${LIMITS.picturePixels / 1e6} million`
    throw new MediaFailure('media-upload:too_large', `${size}; the most is ${most}. Make it smaller.`)
  }
  const bytes = bytesToDecode(header, fileBytes)
  if (bytes <= LIMITS.pictureDecodedBytes) return
  const cost = `would take ${formatBytes(bytes)} of memory; the most is ${formatBytes(LIMITS.pictureDecodedBytes)}`
  throw new MediaFailure('media-upload:too_large', `${size}${kindOf(header)} and ${cost}. ${adviceFor(header)}`)
}

function kindOf({ format, bytesPerSample, multipass }: PictureHeader): string {
  const depth = bytesPerSample > 1 ? ` of ${bytesPerSample * 8} bits` : ''
  if (!multipass) return depth
  return `${depth}, is ${format === 'jpeg' ? 'progressive' : 'interlaced'}`
}

function adviceFor({ format, multipass }: PictureHeader): string {
  if (format === 'jpeg') return 'Save it as a baseline JPEG (not progressive), or make it smaller.'
  return multipass ? 'Save it without interlacing, or make it smaller.' : 'Save it as a JPEG, or make it smaller.'
}

/** Whether reading a picture takes little memory and time. */
export function isLight(header: PictureHeader, fileBytes: number): boolean {
  return header.width * header.height <= LIGHT_PIXELS && bytesToDecode(header, fileBytes) <= LIGHT_BYTES
}
