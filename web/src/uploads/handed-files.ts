import { withWords } from '../language/language.ts'

/** Uploads that the next composer of a brand takes into its post. */
let handed: { socialSetId: string; keys: readonly string[] } | null = null

/** Sends files, and gives them to the composer that is opened next: for what is dropped on a day of the calendar. */
export async function handToComposer(socialSetId: string, files: readonly File[]): Promise<void> {
  const { addFiles } = await withWords(import('./run-uploads.ts'))
  handed = { socialSetId, keys: addFiles(socialSetId, files) }
}

/** The keys of the uploads that wait for a composer of this brand; only once. */
export function takeHanded(socialSetId: string): readonly string[] {
  const { keys = [] } = handed?.socialSetId === socialSetId ? handed : {}
  handed = null
  return keys
}
