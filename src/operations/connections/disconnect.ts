import type { AskedBody, ConnectionClosing, DisconnectBody, Disconnected } from '#contract'
import {
  addHistoryToEach,
  closeConnection,
  countScheduledSets,
  type Database,
  findAccount,
  lockScheduledSets,
  parkPostSets,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { type ConfirmDeps, confirmPassword } from '../members/confirm-password.ts'
import { requireConnection } from './guards.ts'

/**
 * What closing a connection would affect.
 *
 * @throws ProblemError `connection:not_found`
 */
export async function readClosing({ db }: { db: Database }, caller: Caller, id: string): Promise<ConnectionClosing> {
  const { socialSetId, accountType } = await requireConnection(db, caller, id)
  const scheduled = await countScheduledSets(db, socialSetId)
  return { scheduledSets: scheduled.get(accountType) ?? 0 }
}

/**
 * Closes a connection, whose row is kept because results and history refer to it. Scheduled post sets that would
 * have gone out through it stay and fail their check until another account is connected; or all of them become
 * drafts.
 *
 * @throws ProblemError `connection:not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `auth:password_confirmation_failed`, `auth:too_many_attempts`
 */
export async function disconnect(
  deps: ConfirmDeps,
  caller: Caller,
  id: string,
  body: AskedBody<DisconnectBody>,
): Promise<Disconnected> {
  requireRight(caller, 'connections:manage')
  await requireConnection(deps.db, caller, id)
  const { password, scheduledSets } = body.read()
  await confirmPassword(deps, caller, password)
  return deps.db.transaction().execute(async (trx) => {
    // Waits for a sign-in that is renewing it.
    await findAccount(trx, caller.accountId, { lock: true })
    const connection = await requireConnection(trx, caller, id)
    const ids = scheduledSets === 'PARK' ? await lockScheduledSets(trx, connection) : []
    await closeConnection(trx, id)
    await parkPostSets(trx, ids)
    const { accountId, actor } = caller
    const changes = { status: { from: 'SCHEDULED', to: 'DRAFT' } as const, disconnected: connection.accountType }
    await addHistoryToEach(trx, ids, { accountId, actor, action: 'moved to drafts', changes })
    return { parkedSets: ids.length }
  })
}
