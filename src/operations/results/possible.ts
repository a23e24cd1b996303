import { type Why, why } from '#contract'
import type { HoldsOfSet, ResultPostRow } from '#persistence'
import { isUnderWay } from '../post-sets/under-way.ts'

/**
 * Whether a failed post can be sent again now: the one rule for lists, members and the operator. Null if it can,
 * otherwise why not and what to do. Only posts that are certain not to be live are ever sent again.
 */
export function retryProblem(post: ResultPostRow, holds: HoldsOfSet): Why | null {
  const { state, result, surelyAbsent, open, copy } = post
  if (state === null) return why('why:not_sent')
  if (isUnderWay(state)) return why(result === null ? 'why:publishing' : 'why:sending_again')
  if (result?.status !== 'FAILED') return why('why:published')
  if (!surelyAbsent) return why('why:may_be_live')
  if (copy !== null && copy.status !== 'DRAFT' && !copy.failed) return why('why:sent_in_copy')
  return wayProblem(open, holds)
}

/** Whether a delivery of the post is continuing its thread. */
export const isGoingOn = ({ state, isContinued }: Pick<ResultPostRow, 'state' | 'isContinued'>) =>
  isContinued && isUnderWay(state)

/**
 * Whether a thread that ended early can be continued now, by the same rules: null if it can, otherwise why not.
 * Undefined if there is nothing to continue.
 */
export function continueProblem(
  post: Pick<ResultPostRow, 'thread' | 'open' | 'isSameAccount'>,
  holds: HoldsOfSet,
): Why | null | undefined {
  if (!post.thread) return undefined
  if (!post.thread.surelyAbsent) return why('why:may_be_live')
  const problem = wayProblem(post.open, holds)
  return problem === null && !post.isSameAccount ? why('why:thread_elsewhere') : problem
}

/** Whether something can be sent there now. */
function wayProblem(open: ResultPostRow['open'], holds: HoldsOfSet): Why | null {
  if (!open) return why('why:not_connected')
  if (open.status === 'RECONNECT_REQUIRED') return why('why:reconnect')
  const hold = holds.whole ?? holds.connections.find(({ id }) => id === open.id)?.hold
  return hold ? why('why:stopped', { reason: hold.reason }) : null
}

/**
 * Whether the network can be asked right now about a post that it has not confirmed. Undefined if there is nothing
 * to ask; null if it can be asked; otherwise why not.
 */
export function lookProblem({ state, pausing, result, surelyAbsent }: ResultPostRow): Why | null | undefined {
  switch (state) {
    case 'CONFIRMING':
    case 'LOOKING_UP':
    case 'FOLLOW_UP_LOOKING_UP':
    case 'PART_CONFIRMING':
    case 'PART_LOOKING_UP':
      return pausing ? null : why('why:being_asked')
    case 'SENDING':
    case 'FOLLOW_UP_SENDING':
    case 'PART_SENDING':
      return why('why:being_sent')
    case 'DONE':
      if (result?.status !== 'FAILED' || surelyAbsent) return undefined
      return why('why:never_answered')
    default:
      return undefined
  }
}
