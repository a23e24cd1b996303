/** What a simulator learns of an image by reading its header. */
interface MeasuredImage {
  /** As sharp names it: `jpeg`, `png`, `webp`. */
  format: string
  /** Upright, in pixels. */
  width: number
  height: number
}

/** Measures an image as the networks' servers do; null for what is no image, or not there. */
export async function measureImage(bytes: Buffer | undefined): Promise<MeasuredImage | null> {
  if (!bytes || bytes.length === 0) return null
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  try {
    const { format, autoOrient } = await sharp(bytes).metadata()
    return { format, ...autoOrient }
  } catch {
    return null
  }
}
