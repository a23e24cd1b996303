import { Readable } from 'node:stream'
import type { MediaFacts } from '#contract'
import { paintImage } from './renditions.ts'
import type { ByteRange, MediaStore } from './store.ts'
import { stripPicture } from './strip-picture.ts'

/** What a picture shows and nothing beside it. */
export interface BarePicture {
  facts: MediaFacts
  open(range?: ByteRange): Promise<Readable>
}

/**
 * The same as a copy that is stored, made for once: where the store takes no copy. What can be cut is cut while it is read; what is
 * decoded is in memory, a JPEG of at most 36 million pixels.
 *
 * @throws MediaFailure what cannot be cut cannot be decoded either
 */
export async function makeBarePicture(store: MediaStore, key: string, facts: MediaFacts): Promise<BarePicture> {
  const found = await stripPicture(store, key)
  if (found.kind === 'bare') return { facts, open: (range) => store.open(key, range) }
  if (found.kind === 'cut') return { facts: { ...facts, bytes: found.bytes }, open: async (range) => found.open(range) }
  const made = await paintImage(store, key, { format: 'jpeg' })
  return { facts: made.facts, open: async (range) => Readable.from([made.bytes.subarray(range?.start, range?.end)]) }
}

const REFUSALS: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'])

/** Whether an error says that a disk takes no file: it is full, or may only be read. */
export const takesNoFile = (error: unknown): boolean => REFUSALS.has((error as NodeJS.ErrnoException).code)
