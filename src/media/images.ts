import { buffer } from 'node:stream/consumers'
import type { Sharp, SharpOptions } from 'sharp'
import type { MediaStore } from './store.ts'

/**
 * The largest image that is decoded. Interlaced files must be held whole while decoding, some 6 bytes a pixel, and a
 * few kilobytes can announce any size. No network takes an image a third as large.
 */
export const MAX_PIXELS = 120_000_000

/**
 * Opens a stored image with sharp. Decoding fails on a file that ends early; what decoders merely grumble about passes,
 * because cameras write such files. Of an animation the first frame. sharp is loaded on first use.
 */
export async function openImage(store: MediaStore, key: string): Promise<(options?: SharpOptions) => Sharp> {
  const { default: sharp } = await import('sharp')
  // Every file is read once or twice; a cache would only hold memory and open files.
  sharp.cache(false)
  const input = store.path(key) ?? (await buffer(await store.open(key)))
  return (options) => sharp(input, { failOn: 'truncated', limitInputPixels: MAX_PIXELS, ...options })
}
