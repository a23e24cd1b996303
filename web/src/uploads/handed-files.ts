import { withWords } from '../language/language.ts'
import type { Given } from './given.ts'

/** Uploads that the next composer of a brand takes into its post. */
let handed: { socialSetId: string; keys: readonly string[] } | null = null

/**
 * Sends files and has pictures fetched, and gives them to the composer that is opened next: for what is dropped on a day of the
 * calendar. Answers whether there were any.
 */
export async function handToComposer(socialSetId: string, given: Given): Promise<boolean> {
  const { filesOf } = await withWords(import('./files-of.ts'))
  const { addFiles } = await withWords(import('./run-uploads.ts'))
  const files = filesOf(given)
  handed = { socialSetId, keys: addFiles(socialSetId, files) }
  return files.length > 0
}

/** The keys of the uploads that wait for a composer of this brand; only once. */
export function takeHanded(socialSetId: string): readonly string[] {
  const { keys = [] } = handed?.socialSetId === socialSetId ? handed : {}
  handed = null
  return keys
}
