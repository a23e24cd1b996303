import { isId } from '#domain'
import { closeConnection as close, type Database, findAccount, findOpenConnection } from '#persistence'
import { Refusal } from '../refusal.ts'

/**
 * Closes a connection. It is kept, because results and history name it; scheduled posts of its account type stay and
 * fail their check until another account is connected. Waits for a sign-in that is renewing it.
 *
 * @throws Refusal
 */
export async function closeConnection(deps: { db: Database }, id: string): Promise<void> {
  const closed = await deps.db.transaction().execute(async (trx) => {
    const open = isId(id) ? await findOpenConnection(trx, id, { lock: false }) : null
    if (!open) return false
    await findAccount(trx, open.accountId, { lock: true })
    return close(trx, id)
  })
  if (!closed) throw new Refusal(`There is no open connection ${id}.`)
}
