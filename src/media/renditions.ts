import { Readable } from 'node:stream'
import type { Sharp } from 'sharp'
import type { JpegSpec, MediaFacts, RenditionSpec } from '#contract'
import { openImage } from './images.ts'
import { type Rendition, remuxVideo } from './remux-video.ts'
import { sniff } from './sniff.ts'
import type { MediaStore } from './store.ts'

const THUMBNAIL_PIXELS = 400
const THUMBNAIL_QUALITY = 78
/** JPEG quality at best, and what it may sink to before the image is made smaller: below, blocks show. */
const BEST_QUALITY = 90
const LOWEST_QUALITY = 74
const WHITE = '#ffffff'

export interface Thumbnail {
  key: string
  mimeType: 'image/webp'
  width: number
  height: number
}

/** Stores a copy of a file in another form. Rejects with `MediaFailure` when the file cannot have it. */
export function makeRendition(store: MediaStore, key: string, spec: RenditionSpec): Promise<Rendition> {
  return spec.format === 'mp4' ? remuxVideo(store, key) : renderImage(store, key, spec)
}

/**
 * Stores a copy of an image as a JPEG that fits `spec`: upright, sRGB, on white where it was transparent, without any
 * metadata, never enlarged; of an animation the first frame. The same file and spec give the same bytes. Throws on a
 * file that `probe` does not call an image.
 */
export async function renderImage(store: MediaStore, key: string, spec: JpegSpec): Promise<Rendition> {
  const open = await openImage(store, key)
  const maxBytes = spec.maxBytes ?? Number.POSITIVE_INFINITY
  let bounds: Bounds = spec
  let result = await encode(open(), bounds, BEST_QUALITY)
  if (result.data.length > maxBytes) result = await encode(open(), bounds, 82)
  if (result.data.length > maxBytes) result = await encode(open(), bounds, LOWEST_QUALITY)
  while (result.data.length > maxBytes) {
    const { width, height } = result.info
    if (width === 1 && height === 1) throw new RangeError(`No JPEG fits into ${maxBytes} bytes.`)
    // Bytes go about with the area; a little below the guess, so that the next step is mostly the last. Not by leaps:
    // grain vanishes when it is shrunk, and the bytes with it.
    const guess = Math.sqrt(maxBytes / result.data.length) * 0.97
    const scale = Math.min(0.9, Math.max(0.7, guess))
    bounds = { maxWidth: Math.max(1, Math.floor(width * scale)), maxHeight: Math.max(1, Math.floor(height * scale)) }
    result = await encode(open(), bounds, LOWEST_QUALITY)
  }
  const stored = await store.put(Readable.from([result.data]))
  const facts: MediaFacts = {
    type: 'IMAGE',
    mimeType: 'image/jpeg',
    bytes: stored.bytes,
    width: result.info.width,
    height: result.info.height,
    durationMs: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    animated: false,
  }
  return { key: stored.key, facts }
}

/** Stores a small picture of an image, upright and without metadata. Null for everything that is not an image. */
export async function makeThumbnail(store: MediaStore, key: string): Promise<Thumbnail | null> {
  if ((await sniff(store, key)).kind !== 'image') return null
  const open = await openImage(store, key)
  const { data, info } = await fitted(open(), { maxWidth: THUMBNAIL_PIXELS, maxHeight: THUMBNAIL_PIXELS })
    .webp({ quality: THUMBNAIL_QUALITY })
    .toBuffer({ resolveWithObject: true })
  const stored = await store.put(Readable.from([data]))
  return { key: stored.key, mimeType: 'image/webp', width: info.width, height: info.height }
}

type Bounds = Pick<JpegSpec, 'maxWidth' | 'maxHeight'>

function encode(image: Sharp, bounds: Bounds, quality: number) {
  return fitted(image, bounds).flatten({ background: WHITE }).jpeg({ quality }).toBuffer({ resolveWithObject: true })
}

/**
 * Upright, and within the bounds that are given. sharp makes sRGB of every colour space and leaves all metadata out
 * unless it is told otherwise.
 */
function fitted(image: Sharp, { maxWidth, maxHeight }: Bounds): Sharp {
  const upright = image.autoOrient()
  if (maxWidth === undefined && maxHeight === undefined) return upright
  return upright.resize({ width: maxWidth, height: maxHeight, fit: 'inside', withoutEnlargement: true })
}
