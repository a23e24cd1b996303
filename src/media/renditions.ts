import { Readable } from 'node:stream'
import { type JpegSpec, LIMITS, type MediaFacts, POSTER_TYPES, type RenditionSpec } from '#contract'
import { drawPage, PAGE_PIXELS } from './documents.ts'
import { MediaFailure } from './failure.ts'
import type { MadePicture } from './make-picture.ts'
import type { Result } from './picture-process.ts'
import { type PictureOptions, UnreadablePictureError, withPicture } from './pictures.ts'
import { remuxVideo } from './remux-video.ts'
import type { Rendition } from './rendition.ts'
import { sniff } from './sniff.ts'
import type { MediaStore } from './store.ts'
import { sourceTypeSegment } from './strip-jpeg.ts'

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
 * metadata but how the picture came to be, never enlarged, of at most 36 million pixels; of an animation the first frame. The same file and spec give
 * the same bytes. Rejects with `MediaFailure` `too_large` when the image takes too much memory or time. Throws on a file
 * that `probe` does not call an image.
 */
export async function renderImage(
  store: MediaStore,
  key: string,
  spec: JpegSpec,
  options: PictureOptions = {},
): Promise<Rendition> {
  const { bytes, facts } = await paintImage(store, key, spec, options)
  const stored = await store.put(Readable.from([bytes]))
  return { key: stored.key, facts }
}

/** The same, and stores nothing. */
export async function paintImage(
  store: MediaStore,
  key: string,
  spec: JpegSpec,
  options: PictureOptions = {},
): Promise<{ bytes: Buffer; facts: MediaFacts }> {
  const { made, digitalSourceType, label } = await withPicture(store, key, options, async ({ read, run }) => {
    const digitalSourceType = read.said.sourceType
    const label = digitalSourceType === null ? Buffer.alloc(0) : sourceTypeSegment(digitalSourceType)
    const room = spec.maxBytes === undefined ? {} : { maxBytes: spec.maxBytes - label.length }
    return { made: madeBy(await run({ kind: 'jpeg', spec: { ...spec, ...room } })), digitalSourceType, label }
  })
  const { data, width, height } = made
  // Behind the first marker, which every JPEG begins with.
  const bytes = Buffer.concat([data.subarray(0, 2), label, data.subarray(2)])
  const facts: MediaFacts = {
    type: 'IMAGE',
    mimeType: 'image/jpeg',
    bytes: bytes.length,
    width,
    height,
    durationMs: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    animated: false,
    ...(digitalSourceType === null ? {} : { digitalSourceType }),
  }
  return { bytes, facts }
}

/**
 * Stores a small picture of an image, upright and without metadata, or of the first page of a document. Null for everything else.
 * Rejects with `MediaFailure` `too_large` when that takes too much memory or time.
 */
export async function makeThumbnail(
  store: MediaStore,
  key: string,
  options: PictureOptions = {},
): Promise<Thumbnail | null> {
  const { kind } = await sniff(store, key)
  if (kind === 'document') return thumbnailOfPage(store, key, options)
  if (kind !== 'image') return null
  const made = await withPicture(store, key, options, async ({ run }) => madeBy(await run({ kind: 'thumbnail' })))
  const { data, width, height } = made
  const stored = await store.put(Readable.from([data]))
  return { key: stored.key, mimeType: 'image/webp', width, height }
}

async function thumbnailOfPage(store: MediaStore, key: string, { signal }: PictureOptions): Promise<Thumbnail> {
  const page = { number: 1, pixels: PAGE_PIXELS.thumbnail }
  const { key: drawn, facts } = await drawPage(store, key, page, { signal })
  return { key: drawn, mimeType: 'image/webp', width: facts.width, height: facts.height }
}

/**
 * Stores a small picture of one that was sent for a video, made as a thumbnail is. Rejects with `MediaFailure` when what was sent is
 * no JPEG, PNG or WebP, is damaged, or has more pixels than `LIMITS.poster`.
 */
export async function makePoster(
  store: MediaStore,
  sent: Uint8Array,
  options: PictureOptions = {},
): Promise<Thumbnail> {
  const { key } = await store.put(Readable.from([Buffer.from(sent)]))
  try {
    const file = await sniff(store, key)
    if (file.kind !== 'image' || !POSTERS.has(file.mimeType)) throw noPoster()
    const made = await withPicture(store, key, options, async ({ header, run }) => {
      if (header.width * header.height > LIMITS.poster.pixels) throw largePoster()
      return madeBy(await run({ kind: 'thumbnail' }))
    })
    const { data, width, height } = made
    const stored = await store.put(Readable.from([data]))
    return { key: stored.key, mimeType: 'image/webp', width, height }
  } catch (error) {
    if (error instanceof UnreadablePictureError) throw damagedPoster(error)
    throw error
  } finally {
    await store.remove(key)
  }
}

const POSTERS: ReadonlySet<string> = new Set(POSTER_TYPES)
const noPoster = () => new MediaFailure('media-upload:unsupported_type', 'A poster is a JPEG, PNG or WebP picture.')
const damagedPoster = (cause: Error) =>
  new MediaFailure('media-upload:corrupt', 'The poster is damaged or was cut off. Send it again.', { cause })
const largePoster = () =>
  new MediaFailure('media-upload:too_large', `A poster has at most ${LIMITS.poster.pixels} pixels. Make it smaller.`)

function madeBy(result: Result): MadePicture {
  if (result.kind !== 'made') throw new TypeError(`A picture was asked for, and ${result.kind} came.`)
  return result
}
