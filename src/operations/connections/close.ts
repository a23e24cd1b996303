import type { HoldShown } from '#contract'
import { isId } from '#domain'
import {
  closeConnection as close,
  type Database,
  findAccount,
  findHoldOn,
  findOpenConnection,
  holdShown,
} from '#persistence'
import { Refusal } from '../refusal.ts'

/**
 * Closes a connection. Its row is kept, because results and history refer to it; scheduled posts of its account type
 * stay and fail their check until another account is connected. Waits for a sign-in that is renewing it. `ended`:
 * the hold that ended with it; null if it was not held.
 *
 * @throws Refusal
 */
export async function closeConnection(deps: { db: Database }, id: string): Promise<{ ended: HoldShown | null }> {
  const closed = await deps.db.transaction().execute(async (trx) => {
    const open = isId(id) ? await findOpenConnection(trx, id, { lock: false }) : null
    if (!open) return null
    await findAccount(trx, open.accountId, { lock: true })
    const hold = await findHoldOn(trx, id)
    return (await close(trx, id)) ? { ended: hold && holdShown(hold) } : null
  })
  if (!closed) throw new Refusal(`There is no open connection ${id}.`)
  return closed
}
