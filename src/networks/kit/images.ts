import type { MediaSource } from '../network.ts'

/** What a network takes of an image as it is. Everything else goes out as a fresh JPEG within these bounds. */
interface ImageForm {
  /** Types that need no conversion: `image/jpeg`, `image/png`. An animated image is never sent as it is, but as `image/gif` in this list. */
  mimeTypes: readonly string[]
  maxBytes?: number
  maxWidth?: number
  maxHeight?: number
  /** The network does not turn a picture by what its file says (Exif). */
  upright?: boolean
}

/**
 * The form in which an image goes out. Many networks give everybody the bytes as they were uploaded, so what a file says
 * beside its picture is cut: where and with what it was taken, comments, what lies behind its end. What cannot be cut, is
 * too large or of another format goes out as a fresh JPEG. Never enlarged; the original is kept.
 */
export async function fittedImage(source: MediaSource, form: ImageForm): Promise<MediaSource> {
  const { facts } = source
  const { mimeTypes, upright: isUprightOnly = false, ...bounds } = form
  const fits =
    mimeTypes.includes(facts.mimeType) &&
    (!facts.animated || facts.mimeType === 'image/gif') &&
    facts.width <= (bounds.maxWidth ?? Number.POSITIVE_INFINITY) &&
    facts.height <= (bounds.maxHeight ?? Number.POSITIVE_INFINITY)
  // Only of JPEGs it is certain that networks turn them.
  const upright = isUprightOnly || facts.mimeType !== 'image/jpeg'
  const asked = { ...(bounds.maxBytes === undefined ? {} : { maxBytes: bounds.maxBytes }), upright }
  return (fits && (await source.stripped(asked))) || source.rendition({ format: 'jpeg', ...bounds })
}
