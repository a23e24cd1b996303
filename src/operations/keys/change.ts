import { isId } from '#domain'
import { type ApiKeyRow, type Database, type DatabaseTransaction, findAccount, findApiKey } from '#persistence'
import { Refusal } from '../refusal.ts'

/**
 * Changes a key under the lock of its account, so that the keys of an account change one after the other.
 *
 * @throws Refusal when there is no such key
 */
export async function changeKey(
  db: Database,
  id: string,
  work: (trx: DatabaseTransaction, key: ApiKeyRow) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const named = isId(id) ? await findApiKey(trx, id) : null
    if (!named) throw new Refusal(`There is no key ${id}.`)
    await findAccount(trx, named.accountId, { lock: true })
    // Read again: what was read before the lock may have changed while it was waited for.
    const key = await findApiKey(trx, id)
    if (key) await work(trx, key)
  })
}
