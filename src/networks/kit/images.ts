import { buffer } from 'node:stream/consumers'
import type { MediaSource } from '../network.ts'

/** What a network takes of an image as it is. Everything else goes out as a fresh JPEG within these bounds. */
export interface ImageForm {
  /** Types that need no conversion: `image/jpeg`, `image/png`. An animated image is never sent as it is, but as `image/gif` in this list. */
  mimeTypes: readonly string[]
  maxBytes?: number
  maxWidth?: number
  maxHeight?: number
}

/**
 * The form in which an image goes out. Many networks give everybody the bytes as they were uploaded, so a file that says
 * where and with what a picture was taken goes out as a fresh JPEG, as does what is too large or of another format.
 * Everything else is sent as it is. Never enlarged; the original is kept.
 */
export async function fittedImage(source: MediaSource, form: ImageForm): Promise<MediaSource> {
  const { facts } = source
  const { mimeTypes, ...bounds } = form
  const fits =
    mimeTypes.includes(facts.mimeType) &&
    (!facts.animated || facts.mimeType === 'image/gif') &&
    facts.bytes <= (bounds.maxBytes ?? Number.POSITIVE_INFINITY) &&
    facts.width <= (bounds.maxWidth ?? Number.POSITIVE_INFINITY) &&
    facts.height <= (bounds.maxHeight ?? Number.POSITIVE_INFINITY)
  if (fits && facts.mimeType === 'image/gif') return source
  const tells = scans[facts.mimeType]
  if (fits && tells && !tells(await buffer(await source.open()))) return source
  return source.rendition({ format: 'jpeg', ...bounds })
}

/** By type of file: whether it carries more about the picture than the picture. When in doubt it does. */
const scans: Record<string, (bytes: Buffer) => boolean> = {
  'image/jpeg': jpegTells,
  'image/png': pngTells,
}

/** Marker segments up to the picture itself (ITU T.81, B.1.1.4): APP1 is Exif or XMP, APP13 IPTC, COM a comment. */
function jpegTells(bytes: Buffer): boolean {
  const startOfScan = 0xda
  const telling = new Set([0xe1, 0xed, 0xfe])
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff) return true
    if (marker === startOfScan) return false
    if (telling.has(marker)) return true
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return true
}

/** Chunks (PNG specification, 11.3): Exif, texts and the time of the last change. */
function pngTells(bytes: Buffer): boolean {
  const telling = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])
  for (let at = 8; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (telling.has(type)) return true
    if (type === 'IEND') return false
    at += 12 + bytes.readUInt32BE(at)
  }
  return true
}
