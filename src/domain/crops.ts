import type { MediaCrop, MediaFacts, PixelRegion } from '#contract'

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
