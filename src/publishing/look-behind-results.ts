import { setLateCovers } from './late-covers.ts'
import { lookIntoInboxes } from './late-inboxes.ts'
import { lookForParts } from './late-parts.ts'
import { lookForPermalinks } from './late-permalinks.ts'
import type { TurnDeps } from './turn.ts'

/** What comes behind results, and the posts that wait for it. */
const LOOKS = [
  [lookForPermalinks, 'Posts without an address'],
  [lookForParts, 'Posts with a part that is unsure'],
  [setLateCovers, 'Posts that wait for a cover'],
  [lookIntoInboxes, 'Posts that wait in an inbox'],
] as const

/** Looks once for all that comes behind results. What cannot be read is logged, and never rejects. */
export async function lookBehindResults(deps: TurnDeps, signal: AbortSignal): Promise<void> {
  for (const [look, waiting] of LOOKS) {
    await look(deps, signal).catch((error) => {
      if (!signal.aborted) deps.log.error({ error }, `${waiting} could not be read`)
    })
  }
}
