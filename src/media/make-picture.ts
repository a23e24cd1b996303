import sharp, { type Sharp } from 'sharp'
import type { JpegSpec, PictureFit, PixelRegion } from '#contract'

/** Runs in the process of `picture-program.ts`. */

export interface MadePicture {
  data: Uint8Array
  width: number
  height: number
}

const THUMBNAIL_PIXELS = 400
const THUMBNAIL_QUALITY = 78
/** JPEG quality at best, and what it may sink to before the image is made smaller: below, blocks show. */
const BEST_QUALITY = 90
const LOWEST_QUALITY = 74
/** No network takes more, and a picture that has to be rotated is held whole. */
const MOST_PIXELS = 36_000_000
/** Up to this size the JPEG encoder may hold a picture whole to find the shortest codes. Some 6 bytes a pixel. */
const OPTIMIZED_PIXELS = 8_000_000
const WHITE = '#ffffff'

interface Bounds {
  maxWidth?: number | undefined
  maxHeight?: number | undefined
}

/** A small WebP, upright and without metadata. */
export async function makeThumbnail(open: () => Sharp): Promise<MadePicture> {
  const { data, info } = await fitted(open(), { maxWidth: THUMBNAIL_PIXELS, maxHeight: THUMBNAIL_PIXELS })
    .webp({ quality: THUMBNAIL_QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** A JPEG that fits `spec`. Throws a RangeError when none is small enough. */
export async function makeJpeg(open: () => Sharp, spec: JpegSpec): Promise<MadePicture> {
  const { autoOrient: whole } = await open().metadata()
  const upright = spec.fit ?? spec.crop ?? whole
  const maxBytes = spec.maxBytes ?? Number.POSITIVE_INFINITY
  let bounds = withinMost(upright, spec)
  const encode = async (quality: number) => {
    const optimiseCoding = pixelsOf(upright, bounds) <= OPTIMIZED_PIXELS
    const shown = spec.fit
      ? await reshaped(open, sizeOf(spec.fit, bounds), spec.fit.kind)
      : fitted(open(), bounds, spec.crop)
    return shown.flatten({ background: WHITE }).jpeg({ quality, optimiseCoding }).toBuffer({ resolveWithObject: true })
  }
  let result = await encode(BEST_QUALITY)
  if (result.data.length > maxBytes) result = await encode(82)
  if (result.data.length > maxBytes) result = await encode(LOWEST_QUALITY)
  while (result.data.length > maxBytes) {
    const { width, height } = result.info
    if (width === 1 && height === 1) throw new RangeError(`No JPEG fits into ${maxBytes} bytes.`)
    // Bytes go about with the area; a little below the guess, so that the next step is mostly the last. Not by leaps:
    // grain vanishes when it is shrunk, and the bytes with it.
    const guess = Math.sqrt(maxBytes / result.data.length) * 0.97
    const scale = Math.min(0.9, Math.max(0.7, guess))
    bounds = { maxWidth: Math.max(1, Math.floor(width * scale)), maxHeight: Math.max(1, Math.floor(height * scale)) }
    result = await encode(LOWEST_QUALITY)
  }
  return { data: result.data, width: result.info.width, height: result.info.height }
}

/** Within the bounds that are given. */
function sizeOf(size: PictureFit, bounds: Bounds): { width: number; height: number } {
  const scale = scaleOf(size, bounds)
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
}

/** Ground of a picture: so many pixels of it are made soft, and then as large as all of it; so dark, as a share. */
const GROUND_PIXELS = 96
const GROUND_SOFTNESS = 4
const GROUND_LIGHT = 0.7

/** A picture of just these pixels: its middle, or all of it before a soft and dark copy of itself. */
async function reshaped(
  open: () => Sharp,
  size: { width: number; height: number },
  kind: PictureFit['kind'],
): Promise<Sharp> {
  if (kind === 'CROP')
    return open()
      .autoOrient()
      .resize({ ...size, fit: 'cover', position: 'centre' })
  const share = GROUND_PIXELS / Math.max(size.width, size.height)
  const [width, height] = [size.width * share, size.height * share].map((side) => Math.max(1, Math.round(side)))
  const ground = open()
    .autoOrient()
    .resize({ width, height, fit: 'cover', position: 'centre' })
    .flatten({ background: WHITE })
    .toColorspace('srgb')
    .removeAlpha()
    .blur(GROUND_SOFTNESS)
    .linear(GROUND_LIGHT, 0)
  const soft = await ground.raw().toBuffer({ resolveWithObject: true })
  const front = open()
    .autoOrient()
    .resize({ ...size, fit: 'inside' })
    .flatten({ background: WHITE })
  const whole = await front.toColorspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return sharp(soft.data, { raw: soft.info })
    .resize({ ...size, fit: 'fill', kernel: 'cubic' })
    .composite([{ input: whole.data, raw: whole.info, gravity: 'centre' }])
}

/** The bounds of `spec`, and those of `MOST_PIXELS` when it leaves more. */
function withinMost(upright: { width: number; height: number }, { maxWidth, maxHeight }: Bounds): Bounds {
  const pixels = pixelsOf(upright, { maxWidth, maxHeight })
  if (pixels <= MOST_PIXELS) return { maxWidth, maxHeight }
  const scale = scaleOf(upright, { maxWidth, maxHeight }) * Math.sqrt(MOST_PIXELS / pixels)
  return { maxWidth: Math.floor(upright.width * scale), maxHeight: Math.floor(upright.height * scale) }
}

function pixelsOf(upright: { width: number; height: number }, bounds: Bounds): number {
  return upright.width * upright.height * scaleOf(upright, bounds) ** 2
}

function scaleOf(upright: { width: number; height: number }, { maxWidth, maxHeight }: Bounds): number {
  return Math.min(1, (maxWidth ?? upright.width) / upright.width, (maxHeight ?? upright.height) / upright.height)
}

/**
 * Upright, the part of it that is asked for, and within the bounds that are given. sharp converts every color space to sRGB and leaves all metadata out
 * by default.
 */
function fitted(image: Sharp, { maxWidth, maxHeight }: Bounds, part?: PixelRegion): Sharp {
  const upright = part ? image.autoOrient().extract(part) : image.autoOrient()
  if (maxWidth === undefined && maxHeight === undefined) return upright
  return upright.resize({ width: maxWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true })
}
