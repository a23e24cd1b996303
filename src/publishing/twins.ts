import type { Others, Twin } from '#networks'
import { claimProviderId, readOthers } from '#persistence'
import type { Run } from './run.ts'

/**
 * What other deliveries of the identity have, at this moment.
 *
 * @param begunAt when the look began, by the monotonic clock: what was called a listing delay before is in what it reads
 */
export async function othersOf(
  { deps, row, content, policy }: Run,
  wordsKey: string,
  begunAt: number,
): Promise<Others> {
  const identityId = content.connection?.identityId
  if (identityId === undefined) return { taken: new Set(), twins: [] }
  const others = await readOthers(deps.db, { id: row.id, identityId, wordsKey })
  const sinceMs = deps.clock.monotonic() - begunAt
  const twins = others.flatMap(({ id, providerId, isTwin, state, isFirst, calledAt }): Twin[] => {
    const known = providerId === null ? state : 'settled'
    if (!isTwin || known === 'absent') return []
    const isOver = known !== 'calling'
    const isListed = isOver && deps.noted.sinceCall(id, calledAt) - sinceMs >= policy.listingDelayMs
    return [{ state: known, isFirst, isListed }]
  })
  return { taken: new Set(others.flatMap(({ providerId }) => providerId ?? [])), twins }
}

/** Takes an id of the network for a delivery. False when it is another one's; so also when the lease is lost, which is met soon. */
export async function claim({ deps, row, lease, content }: Run, providerId: string): Promise<boolean> {
  const { connection } = content
  if (!connection) return false
  const own = { id: row.id, owner: lease.owner, identityId: connection.identityId }
  return (await claimProviderId(deps.db, own, providerId)) === 'claimed'
}
