import { limits } from './manifest.ts'

/** How a file is divided. `count` times `chunkSize`, and the rest goes with the last chunk. */
export interface ChunkPlan {
  chunkSize: number
  count: number
}

/**
 * Divides a file as the network wants it: `count` is the size by the chunk's, rounded down, and what is one chunk is a chunk
 * of its size. Chunks are as small as they may be, because the last one is the visible call, which has half a minute: it is
 * always smaller than 10 MiB.
 *
 * @param few the fewest that are allowed, for apps from which TikTok takes no small ones: one up to 64 MB, equal ones of at
 * most 64 MB for more (decision 0039)
 */
export function planChunks(size: number, { few = false } = {}): ChunkPlan {
  const { chunkMinBytes, chunkMaxBytes } = limits
  if (few) {
    const count = Math.ceil(size / chunkMaxBytes.value)
    return { chunkSize: Math.floor(size / count), count }
  }
  const count = Math.floor(size / chunkMinBytes.value)
  return count < 2 ? { chunkSize: size, count: 1 } : { chunkSize: chunkMinBytes.value, count }
}

/** Where the last chunk begins. */
export function lastChunkStart(size: number, chunkSize: number): number {
  return (Math.floor(size / chunkSize) - 1) * chunkSize
}

/** End of the chunk that begins at `start`, exclusive. */
export function chunkEnd(start: number, size: number, chunkSize: number): number {
  return start >= lastChunkStart(size, chunkSize) ? size : start + chunkSize
}

/** Whether a chunk begins here, or the file ends. */
export function isBoundary(offset: number, size: number, chunkSize: number): boolean {
  return offset === size || (offset % chunkSize === 0 && offset <= lastChunkStart(size, chunkSize))
}

/** Number of bytes that are there, of a `Content-Range: bytes 0-9999999/50000123`; null when it does not say. */
export function bytesThere(contentRange: string | undefined): number | null {
  const last = /^bytes[ =]0-(\d+)\/(?:\d+|\*)$/.exec(contentRange?.trim() ?? '')?.[1]
  return last === undefined ? null : Number(last) + 1
}
