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
 * The form in which an image goes out. Many networks give everybody the bytes as they were uploaded, so what a file says
 * beside its picture is cut: where and with what it was taken, comments, what lies behind its end. What cannot be cut, is
 * too large or of another format goes out as a fresh JPEG. Never enlarged; the original is kept.
 */
export async function fittedImage(source: MediaSource, form: ImageForm): Promise<MediaSource> {
  const { facts } = source
  const { mimeTypes, ...bounds } = form
  const fits =
    mimeTypes.includes(facts.mimeType) &&
    (!facts.animated || facts.mimeType === 'image/gif') &&
    facts.width <= (bounds.maxWidth ?? Number.POSITIVE_INFINITY) &&
    facts.height <= (bounds.maxHeight ?? Number.POSITIVE_INFINITY)
  return (fits && (await source.stripped(bounds.maxBytes))) || source.rendition({ format: 'jpeg', ...bounds })
}
