import type { MediaCrop, MediaFacts, MediaTag, PictureFit, PixelRegion } from '#contract'

/** Pixels that a crop takes of an upright picture: at least one, never over its edges. */
export function cropPixels({ width, height }: { width: number; height: number }, crop: MediaCrop): PixelRegion {
  const left = Math.min(width - 1, Math.round(crop.x * width))
  const top = Math.min(height - 1, Math.round(crop.y * height))
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(crop.width * width))),
    height: Math.max(1, Math.min(height - top, Math.round(crop.height * height))),
  }
}

/**
 * What a picture will measure once it is cropped, which makes a JPEG of it. Its bytes are a guess: as many for each pixel as
 * the original has. Without a crop the facts are those of the file.
 */
export function croppedFacts(facts: MediaFacts, crop: MediaCrop | null): MediaFacts {
  if (crop === null || facts.type !== 'IMAGE') return facts
  const { width, height } = cropPixels(facts, crop)
  const bytes = Math.ceil((facts.bytes * width * height) / (facts.width * facts.height))
  return { ...facts, mimeType: 'image/jpeg', bytes, width, height }
}

/** What a picture will measure once it has another shape, which makes a JPEG of it. Its bytes are a guess, as of a crop. */
export function fittedFacts(facts: MediaFacts, fit: PictureFit | null): MediaFacts {
  if (fit === null) return facts
  const { width, height } = fit
  const bytes = Math.ceil((facts.bytes * width * height) / (facts.width * facts.height))
  return { ...facts, mimeType: 'image/jpeg', bytes, width, height }
}

/** Where the tags of a picture are once it has another shape; what was cut off is at its edge. */
export function tagsOn(
  tags: readonly MediaTag[],
  { width, height }: { width: number; height: number },
  fit: PictureFit,
): MediaTag[] {
  const [across, down] = [fit.width / width, fit.height / height]
  const scale = fit.kind === 'CROP' ? Math.max(across, down) : Math.min(across, down)
  const at = (place: number, share: number) => Math.min(1, Math.max(0, 0.5 + (place - 0.5) * share))
  return tags.map((tag) => ({ ...tag, x: at(tag.x, scale / across), y: at(tag.y, scale / down) }))
}
