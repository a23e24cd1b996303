import { buffer } from 'node:stream/consumers'
import { fileTypeFromBuffer } from 'file-type'
import type { MediaStore } from './store.ts'
import { boxesIn, type ReadRange } from './video-boxes.ts'

/** The formats that can be used, by the names of the contract. */
export type ImageMimeType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
export type VideoMimeType = 'video/mp4' | 'video/quicktime' | 'video/webm'

type Sniffed =
  | {
      kind: 'image'
      mimeType: ImageMimeType /** A PNG with frames, which image libraries read as a still. */
      apng: boolean
    }
  | { kind: 'video'; mimeType: VideoMimeType }
  | { kind: 'document' }
  /** `message` says what the file is and what to do. */
  | { kind: 'unsupported'; message: string }
  | { kind: 'empty' }

/** Enough for every signature that is looked for, and for the chunks in front of a PNG's first frame. */
const HEAD_BYTES = 65_536
type FileType = { ext: string; mime: string }
const WANTED = 'Use JPEG, PNG, GIF or WebP for images, MP4, MOV or WebM for videos, and PDF for documents.'
const PDF = '%PDF-'

/** Says what a file is by its first bytes. Neither its name nor what a server called it matters. */
export async function sniff(store: MediaStore, key: string): Promise<Sniffed> {
  const { head, bytes } = await headOf(store, key)
  if (head.length === 0) return { kind: 'empty' }
  if (head.toString('latin1', 0, PDF.length) === PDF) return { kind: 'document' }
  const found = BEFORE_BRAND.has(head.toString('latin1', 4, 8))
    ? await typeOfBoxes(async (start, end) => buffer(await store.open(key, { start, end })), bytes)
    : await fileTypeFromBuffer(head)
  switch (found?.mime) {
    case 'image/jpeg':
    case 'image/png':
    case 'image/gif':
    case 'image/webp':
      return { kind: 'image', mimeType: found.mime, apng: false }
    case 'image/apng':
      return { kind: 'image', mimeType: 'image/png', apng: true }
    case 'video/mp4':
    case 'video/quicktime':
    case 'video/webm':
      return { kind: 'video', mimeType: found.mime }
    case 'video/x-m4v':
    case 'video/3gpp':
    case 'video/3gpp2':
      return { kind: 'video', mimeType: 'video/mp4' }
    default:
      return { kind: 'unsupported', message: unsupported(found, head) }
  }
}

/** Whether a picture can be made of a file. AVIF is not taken as media: networks want other formats. */
export async function isPicture(store: MediaStore, key: string): Promise<boolean> {
  if ((await sniff(store, key)).kind === 'image') return true
  const { head } = await headOf(store, key)
  // Its first brand may be one of all HEIF files.
  return (
    head.length >= 16 &&
    head.toString('latin1', 4, 8) === 'ftyp' &&
    head.subarray(8, head.readUInt32BE()).includes('avif')
  )
}

async function headOf(store: MediaStore, key: string): Promise<{ head: Buffer; bytes: number }> {
  const bytes = (await store.stat(key))?.bytes ?? HEAD_BYTES
  return { head: await buffer(await store.open(key, { start: 0, end: Math.min(bytes, HEAD_BYTES) })), bytes }
}

/** What may stand in front of the brand of an MP4, or of the index and the packets of a QuickTime file without one. */
const BEFORE_BRAND = new Set(['free', 'skip', 'wide', 'uuid', 'pnot'])
const MOST_BEFORE_BRAND = 16
const BRAND_BYTES = 64

/** The type of a file of boxes: by its brand, wherever it stands; without one it is QuickTime's, which had none before 1999. */
async function typeOfBoxes(read: ReadRange, bytes: number): Promise<FileType | undefined> {
  let count = 0
  for await (const { type, start } of boxesIn(read, 0, bytes)) {
    if (type === 'ftyp') return fileTypeFromBuffer(await read(start - 8, Math.min(start + BRAND_BYTES, bytes)))
    count++
    if (!BEFORE_BRAND.has(type) || count === MOST_BEFORE_BRAND) break
  }
  return count === 0 ? undefined : { ext: 'mov', mime: 'video/quicktime' }
}

function unsupported(found: FileType | undefined, head: Buffer): string {
  const text = head.subarray(0, 1024).toString('latin1').toLowerCase()
  if (text.includes('<svg')) return 'The file is an SVG drawing. Save it as a PNG.'
  if (/<!doctype html|<html/.test(text)) {
    return 'The file is a web page. Give the address of the image or video itself, not of the page that shows it.'
  }
  if (!found) return `The file is neither an image nor a video or document that can be read. ${WANTED}`
  if (/^image\/hei[cf]/.test(found.mime)) return 'The file is a HEIC photo. Save it as a JPEG.'
  if (found.mime === 'image/avif') return 'The file is an AVIF image. Save it as a JPEG, PNG or WebP.'
  if (found.mime === 'video/matroska') return 'The file is a Matroska (MKV) video. Save it as an MP4.'
  if (found.mime.startsWith('audio/')) return `The file is sound only (${found.mime}). ${WANTED}`
  return `The file is of the type ${found.mime}. ${WANTED}`
}
