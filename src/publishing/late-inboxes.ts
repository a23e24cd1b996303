import { HOUR_MS } from '#contract/durations'
import { inboxWarning } from '#domain'
import type { InboxOutcome, Network } from '#networks'
import { claimLooks, endInbox } from '#persistence'
import { publisherActor } from './ends.ts'
import { type Look, lookAtDue, wayOfLook } from './late-looks.ts'
import type { DeliverDeps } from './turn.ts'

/** When the network is asked for a post in an inbox, since the end of its delivery. */
const LOOKS_MS = Array.from({ length: 24 }, (_, nth) => (nth + 1) * HOUR_MS)
/** Then it has ended, also when the last look broke off. */
const OVER_MS = 25 * HOUR_MS
/** Posts that are asked for side by side. */
const AT_ONCE = 10
const LOOK_MS = 30_000

const UNASKED = 'It could not be asked whether the post was finished there. Look into the app.'

/**
 * Asks for posts that wait in the inbox of their account, where creators finish them. What goes wrong
 * is left to the next look; behind the last one the post counts as not finished.
 *
 * @returns how many wait no more
 */
export function lookIntoInboxes(deps: DeliverDeps, stopping: AbortSignal): Promise<number> {
  return lookAtDue(deps, stopping, {
    claim: () => claimLooks(deps.db, 'inbox', { limit: AT_ONCE, pausesMs: [...LOOKS_MS, OVER_MS] }),
    look: async (look) => (await lookInto(deps, look, stopping)) || null,
    end: async (ends) => ends.length,
  })
}

/** One look. False: another one comes. */
async function lookInto(deps: DeliverDeps, { row, content, now }: Look, stopping: AbortSignal): Promise<boolean> {
  const network = deps.networks.serving(row.account_type)
  const looks = row.inbox_looks ?? 0
  const outcome: InboxOutcome =
    looks > LOOKS_MS.length
      ? { kind: 'ended', message: UNASKED }
      : await ask(deps, { row, content, now, network }, stopping).catch((error: unknown) => {
          if (!stopping.aborted) deps.log.error({ delivery: row.id, error }, 'An inbox could not be asked for a post')
          return { kind: 'waiting', message: UNASKED }
        })
  if (outcome.kind === 'waiting' && (looks < LOOKS_MS.length || stopping.aborted)) return false
  const end =
    outcome.kind === 'published' ? outcome : ({ kind: 'ended', warning: inboxWarning(outcome.message) } as const)
  return endInbox(deps.db, { id: row.id, postSetId: row.post_set_id, end }, publisherActor)
}

async function ask(
  deps: DeliverDeps,
  { row, content, now, network }: Look & { network: Network | null },
  stopping: AbortSignal,
): Promise<InboxOutcome> {
  const connection = content?.connection
  if (!network?.connector.inbox || !content || !connection || connection.closed || row.inbox_id === null) {
    return { kind: 'ended', message: `The connection was removed. ${UNASKED}` }
  }
  const begin = () => AbortSignal.any([stopping, AbortSignal.timeout(LOOK_MS)])
  const { identityId } = connection
  const way = await wayOfLook(deps, { row, content, now }, network, { identityId, begin })
  return way.attempt
    ? network.connector.inbox(way.attempt, row.inbox_id)
    : { kind: 'waiting', message: `${way.message} ${UNASKED}` }
}
