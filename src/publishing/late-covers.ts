import { MINUTE_MS } from '#contract/durations'
import { followUpWarning, ownErrorMessage } from '#domain'
import { MediaFailure } from '#media'
import type { CoverOutcome, LateCover, Network } from '#networks'
import { type CoverEnd, claimLooks, type DeliveryContent, endCovers } from '#persistence'
import { type Look, lookAtDue, wayOfLook } from './late-looks.ts'
import type { DeliverDeps } from './turn.ts'

/** When a cover is looked after, since the end of its post. */
const LOOKS_MS = [1, 5, 15, 30, 60, 120, 240, 480].map((minutes) => minutes * MINUTE_MS)
/** Then it has ended, also when the last look broke off. */
const OVER_MS = 720 * MINUTE_MS
/** Posts that are looked after side by side. */
const AT_ONCE = 10
const LOOK_MS = MINUTE_MS

/**
 * Sets covers of posts that are live, where the network takes them only when it has done its work. What goes wrong is left to the next look; behind the last one the result of the post gets a warning.
 *
 * @returns how many wait no more
 */
export function setLateCovers(deps: DeliverDeps, stopping: AbortSignal): Promise<number> {
  return lookAtDue(deps, stopping, {
    claim: () => claimLooks(deps.db, 'cover', { limit: AT_ONCE, pausesMs: [...LOOKS_MS, OVER_MS] }),
    look: (look) => lookAfter(deps, look, stopping),
    end: (ends) => endCovers(deps.db, ends),
  })
}

/** One look. Null: another one comes. */
async function lookAfter(
  deps: DeliverDeps,
  { row, content, now }: Look,
  stopping: AbortSignal,
): Promise<CoverEnd | null> {
  const network = deps.networks.serving(row.account_type)
  const cover = network?.connector.lateCover
  const ends = { id: row.id, postSetId: row.post_set_id }
  if (!network || !cover || !content) return { ...ends, warning: null }
  const looks = row.cover_looks ?? 0
  const outcome: CoverOutcome =
    looks > LOOKS_MS.length
      ? { kind: 'missing', message: 'There was no time left for it.' }
      : await set(deps, { row, content, now, network, cover }, stopping).catch((error: unknown) => {
          if (!stopping.aborted) deps.log.error({ delivery: row.id, error }, 'The cover of a post could not be set')
          return { kind: 'later', message: ownErrorMessage }
        })
  if (outcome.kind === 'set') return { ...ends, warning: null }
  if (outcome.kind === 'later' && (looks < LOOKS_MS.length || stopping.aborted)) return null
  return { ...ends, warning: followUpWarning(cover.title, outcome.message) }
}

interface Wanted extends Look {
  content: DeliveryContent
  network: Network
  cover: LateCover
}

async function set(deps: DeliverDeps, wanted: Wanted, stopping: AbortSignal): Promise<CoverOutcome> {
  const { row, content, network, cover } = wanted
  const { connection } = content
  const providerId = row.result?.providerId
  if (!connection || connection.closed || providerId === undefined) {
    return { kind: 'missing', message: 'The connection was removed.' }
  }
  let signal = stopping
  const begin = () => (signal = AbortSignal.any([stopping, AbortSignal.timeout(LOOK_MS)]))
  const { identityId } = connection
  try {
    const way = await wayOfLook(deps, wanted, network, { identityId, begin, options: { crops: 'made' } })
    return way.attempt ? await cover.set(way.attempt, providerId) : { kind: 'later', message: way.message }
  } catch (error) {
    // What fails while the look is stopped may have failed of that.
    if (!(error instanceof MediaFailure) || signal.aborted) throw error
    return { kind: 'missing', message: error.message }
  }
}
