import type { MediaLibraryItem } from '#contract'
import { withWords } from '../language/language.ts'
import type { Given } from './given.ts'

/** What the next composer of a brand takes into its post: uploads by their keys, or files of the library. */
interface Handed {
  keys: readonly string[]
  items: readonly MediaLibraryItem[]
}

let handed: ({ socialSetId: string } & Handed) | null = null

/**
 * Sends files and has pictures fetched, and gives them to the composer that is opened next: for what is dropped on a day of the
 * calendar. Answers whether there were any.
 */
export async function handToComposer(socialSetId: string, given: Given): Promise<boolean> {
  const { filesOf } = await withWords(import('./files-of.ts'))
  const { addFiles } = await withWords(import('./run-uploads.ts'))
  const files = filesOf(given)
  handed = { socialSetId, keys: addFiles(socialSetId, files), items: [] }
  return files.length > 0
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
