import { isPost } from '#domain'
import type { Others } from '#networks'
import { claimProviderId, readOthers } from '#persistence'
import type { Run } from './turn.ts'

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
  if (identityId === undefined || !isPost(delivery)) return { taken: new Set(), twins: [] }
  const others = await readOthers(deps.db, { id: row.id, identityId, wordsKey })
  const sinceMs = deps.clock.monotonic() - begunAt
  const twins = others.flatMap(({ id, providerId, isTwin, state, isCalling, isFirst, calledAt }) => {
    const known = providerId === null ? state : 'settled'
    if (!isTwin || known === 'absent') return []
    // Of what is under way no mark says that it is over.
    return [{ id, fencedAt: calledAt, state: known, isFirst, isOver: known !== 'calling' && !isCalling }] as const
  })
  // Their calls count as one's own does, across restarts as well.
  const sinceCalls = await deps.calls.sinceCalls(twins.filter(({ isOver }) => isOver))
  const isListed = (id: string) => (sinceCalls.get(id) ?? -Infinity) - sinceMs >= policy.listingDelayMs
  return {
    // A part of a thread may have the words of another post.
    taken: new Set(others.flatMap(({ providerId, partIds }) => [providerId, ...partIds]).filter((id) => id !== null)),
    twins: twins.map(({ id, state, isFirst, isOver }) => ({ state, isFirst, isListed: isOver && isListed(id) })),
  }
}

/** Takes an id of the network for a delivery. False when it is another one's; so also when the lease is lost, which is met soon. */
export async function claim({ deps, row, lease, content }: Run, providerId: string): Promise<boolean> {
  const { connection } = content
  if (!connection) return false
  const own = { id: row.id, owner: lease.owner, identityId: connection.identityId }
  return (await claimProviderId(deps.db, own, providerId)) === 'claimed'
}
