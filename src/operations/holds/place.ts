import {
  type AskedBody,
  bodyProblem,
  entryAt,
  type Hold,
  type HoldBody,
  LIMITS,
  nameProblem,
  type PlacedHold,
  type ProblemError,
  refuseBody,
} from '#contract'
import { newId } from '#domain'
import {
  type Actor,
  countWithNetworks,
  type Database,
  findHold,
  findHoldOf,
  type HoldRow,
  type HoldTarget,
  holdShown,
  insertHold,
  keepOpen,
  lockFences,
  takeHeadsOut,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { connectionNotFound, requireConnection } from '../connections/guards.ts'
import { refused } from '../refused.ts'
import { requireSocialSet } from '../social-sets/require.ts'

/**
 * Stops publishing for the account, a social set or a connection, until it is released. Once this returns, no
 * visible call begins any more; `withNetworks` says how many posts had begun before.
 *
 * @throws ProblemError `auth:insufficient_role`, `social-set:not_found`, `connection:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `request:refused` when it is held already, or when the account is to be held by a member who
 *   sees some of its social sets only
 */
export async function placeHold(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<HoldBody>,
): Promise<PlacedHold> {
  requireRight(caller, 'post-sets:publish')
  const target = await targetOf(db, caller, body)
  const { reason, id } = body.read()
  if (!target) {
    const words = 'id is required: which social set or connection is held.'
    throw bodyProblem([entryAt(['id'], 'request:invalid_body', words)])
  }
  if (target.socialSetId === null && typeof id === 'string') {
    refuseBody([entryAt(['id'], 'request:invalid_body', 'id is that of a social set or connection: leave it out.')])
  }
  const problem = reasonProblem(reason)
  refuseBody(problem === null ? [] : [entryAt(['reason'], 'request:invalid_body', problem)])
  return hold(db, target, reason, caller.actor)
}

/** What is wrong with a reason, as a sentence; null if nothing is. */
export function reasonProblem(reason: string): string | null {
  if (nameProblem(reason.trim(), 'A reason') === null) return null
  return `Give a reason in one line of at most ${LIMITS.nameCodePoints} characters, without invisible ones.`
}

/**
 * Places the hold, in its own transaction. The reason has been checked.
 *
 * @throws ProblemError `request:refused` when it is held already, `connection:not_found` when it was closed meanwhile
 */
export function hold(db: Database, target: HoldTarget, reason: string, actor: Actor): Promise<PlacedHold> {
  return db.transaction().execute(async (trx) => {
    await lockFences(trx, target.accountId)
    // Closing it waits, and ends this hold; or it was closed before.
    if (target.connectionId !== null && !(await keepOpen(trx, target.connectionId))) throw connectionNotFound()
    const id = newId()
    if (!(await insertHold(trx, { ...target, id, reason: reason.trim(), actor }))) throw await heldAlready(trx, target)
    await takeHeadsOut(trx, target)
    const placed = await findHold(trx, { accountId: target.accountId, socialSetIds: null }, id)
    if (!placed) throw new Error('A hold that was just placed is not there.')
    return { hold: holdAnswer(placed), withNetworks: await countWithNetworks(trx, target) }
  })
}

/** A hold as it is answered. */
export function holdAnswer(row: HoldRow): Hold {
  const { id, scope, socialSetId, connectionId, accountType, name } = row
  return { id, scope, socialSetId, connectionId, accountType, name, ...holdShown(row) }
}

/** @throws ProblemError `request:refused` */
export function requireWholeAccount({ socialSetIds }: Caller): void {
  if (socialSetIds === null) return
  throw refused('why:not_whole_account')
}

/** What the body names, when the caller may see it. Null: it names nothing, or nothing that could be read. */
async function targetOf(db: Database, caller: Caller, body: AskedBody<HoldBody>): Promise<HoldTarget | null> {
  const { accountId } = caller
  const { scope, id: named } = body.peek()
  if (scope === 'ACCOUNT') {
    requireWholeAccount(caller)
    return { accountId, socialSetId: null, connectionId: null }
  }
  if (typeof named !== 'string') return null
  if (scope === 'SOCIAL_SET') {
    return { accountId, socialSetId: (await requireSocialSet(db, caller, named)).id, connectionId: null }
  }
  if (scope !== 'CONNECTION') return null
  const { id, socialSetId } = await requireConnection(db, caller, named)
  return { accountId, socialSetId, connectionId: id }
}

async function heldAlready(db: Database, target: HoldTarget): Promise<ProblemError> {
  const open = await findHoldOf(db, target)
  if (!open) return refused('why:stopped_already')
  return refused('why:stopped_already_by', { by: open.by, since: open.since.toISOString(), reason: open.reason })
}
