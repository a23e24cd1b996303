import type { MediaLibraryItem } from '#contract'
import { withWords } from '../language/language.ts'
import type { Source } from './files-of.ts'

/** What the next composer of a brand takes into its post: uploads by their keys, or files of the library. */
interface Handed {
  keys: readonly string[]
  items: readonly MediaLibraryItem[]
}

let handed: ({ socialSetId: string } & Handed) | null = null

/**
 * Sends files and has pictures fetched, and gives them to the composer that is opened next: for what is dropped on a day of the
 * calendar.
 */
export async function handToComposer(socialSetId: string, files: readonly Source[]): Promise<void> {
  const { addFiles } = await withWords(import('./run-uploads.ts'))
  handed = { socialSetId, keys: addFiles(socialSetId, files), items: [] }
}

/** Gives files of the library to the composer that is opened next. */
export function handItems(socialSetId: string, items: readonly MediaLibraryItem[]): void {
  handed = { socialSetId, keys: [], items }
}

/** What waits for a composer of this brand; only once. */
export function takeHanded(socialSetId: string): Handed {
  const { keys = [], items = [] } = handed?.socialSetId === socialSetId ? handed : {}
  handed = null
  return { keys, items }
}
