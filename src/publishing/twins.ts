import type { Others, Twin } from '#networks'
import { claimProviderId, readOthers } from '#persistence'
import type { Run } from './run.ts'

/**
 * What other deliveries of the identity have, at this moment.
 *
 * @param begunAt when the look began, by the monotonic clock: what was called a listing delay before is in what it reads
 */
export async function othersOf(
  { deps, row, content, policy, delivery }: Run,
  wordsKey: string,
  begunAt: number,
): Promise<Others> {
  const identityId = content.connection?.identityId
  // What follows a post is looked for on the post itself.
  if (identityId === undefined || delivery.part > 0) return { taken: new Set(), twins: [] }
  const others = await readOthers(deps.db, { id: row.id, identityId, wordsKey })
  const sinceMs = deps.clock.monotonic() - begunAt
  const twins: Twin[] = []
  for (const { id, providerId, isTwin, state, isCalling, isFirst, calledAt } of others) {
    const known = providerId === null ? state : 'settled'
    if (!isTwin || known === 'absent') continue
    // There are few. Their calls count as one's own does, across restarts as well; what is under way is not marked as over.
    const isOver = known !== 'calling' && !isCalling
    const sinceCallMs = !isOver ? 0 : (await deps.calls.look({ id, fenced_at: calledAt })).sinceCallMs
    twins.push({
      state: known,
      isFirst,
      isListed: isOver && sinceCallMs - sinceMs >= policy.listingDelayMs,
    })
  }
  return { taken: new Set(others.flatMap(({ providerId }) => providerId ?? [])), twins }
}

/** Takes an id of the network for a delivery. False when it is another one's; so also when the lease is lost, which is met soon. */
export async function claim({ deps, row, lease, content }: Run, providerId: string): Promise<boolean> {
  const { connection } = content
  if (!connection) return false
  const own = { id: row.id, owner: lease.owner, identityId: connection.identityId }
  return (await claimProviderId(deps.db, own, providerId)) === 'claimed'
}
