import type { Approval, PostSetStatus } from '#contract'
import { allMedia, newId, type PostContent } from '#domain'
import { addHistory, copyPostSet, type DatabaseTransaction } from '#persistence'
import type { Caller } from '../caller.ts'

/** The set that a series began with, as it is written. */
interface FirstOfSeries {
  id: string
  seriesId: string
  status: PostSetStatus
  approval: Approval
  posts: readonly PostContent[]
}

/**
 * Creates the other sets of a series: copies of the first one at the given times, each with its own ids and history.
 */
export async function repeatPostSet(
  trx: DatabaseTransaction,
  { accountId, actor }: Caller,
  first: FirstOfSeries,
  times: readonly Date[],
): Promise<void> {
  const copyOf = ({ id }: { id: string }) => ({ id: newId(), of: id })
  const copies = times.map((scheduledAt) => ({
    id: newId(),
    scheduledAt,
    posts: first.posts.map(copyOf),
    media: first.posts.flatMap((post) => allMedia(post).map(copyOf)),
  }))
  const { status, seriesId, approval } = first
  await copyPostSet(trx, first.id, approval, copies)
  const accountTypes = first.posts.map(({ accountType }) => accountType)
  const entries = copies.map(({ id, scheduledAt }) => ({
    accountId,
    postSetId: id,
    actor,
    action: 'created' as const,
    changes: { status, scheduledAt: scheduledAt.toISOString(), approval, accountTypes, seriesId },
  }))
  await addHistory(trx, entries)
}
