import { claimPermalinkLooks, type FoundPermalink, storePermalinks } from '#persistence'
import { type Look, lookAtDue } from './late-looks.ts'
import { settledAttempt } from './run.ts'
import { tokenOf } from './token-refresher.ts'
import type { DeliverDeps } from './turn.ts'

/** When a post without an address is looked for again, since it went live. */
const PAUSES_MS = [60_000, 300_000, 1_800_000] as const
/** Posts that are looked for side by side. */
const AT_ONCE = 20
const LOOK_MS = 15_000

/**
 * Looks again for the addresses of posts that are live and had none yet, where the connector can ask for them.
 * What goes wrong is left to the next look, and the post is live all the same.
 *
 * @returns how many were found
 */
export function lookForPermalinks(deps: DeliverDeps, stopping: AbortSignal): Promise<number> {
  return lookAtDue(deps, stopping, {
    claim: () => claimPermalinkLooks(deps.db, { limit: AT_ONCE, pausesMs: PAUSES_MS }),
    look: (look) =>
      lookFor(deps, look, stopping).catch((error: unknown) => {
        if (!stopping.aborted)
          deps.log.warn({ delivery: look.row.id, error }, 'The address of a post could not be looked for')
        return null
      }),
    end: (found) => storePermalinks(deps.db, found),
  })
}

async function lookFor(
  deps: DeliverDeps,
  { row, content, now }: Look,
  stopping: AbortSignal,
): Promise<FoundPermalink | null> {
  const network = deps.networks.serving(row.account_type)
  const providerId = row.result?.status === 'POSTED' ? row.result.providerId : undefined
  if (!network?.connector.permalink || !content?.connection || content.connection.closed || providerId === undefined)
    return null
  if (content.pause && content.pause.until > now) return null
  const run = { deps, row, content, token: tokenOf(deps, content.identity), now: () => now }
  if (!run.token) return null
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(LOOK_MS)])
  const permalink = await network.connector.permalink(await settledAttempt(run, network, signal), providerId)
  return permalink === null ? null : { id: row.id, postSetId: row.post_set_id, providerId, permalink }
}
