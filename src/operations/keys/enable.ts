import { type Database, setKeyDisabled } from '#persistence'
import { refused } from '../refused.ts'
import { changeKey } from './change.ts'
import { requireRoomForKey } from './create.ts'

/**
 * Enables a disabled key. Does nothing if it is already enabled.
 *
 * @throws ProblemError `request:refused`
 * @throws ProblemError `api-key:limit_reached` when the account has its ten active keys without this one
 */
export async function enableKey(deps: { db: Database }, id: string): Promise<void> {
  await changeKey(deps.db, id, async (trx, key) => {
    if (key.revoked) throw refused('why:key_not_enabled')
    if (!key.disabled) return
    // One that has expired opens nothing, and is not counted, until it gets another time.
    if (!key.expired) await requireRoomForKey(trx, key.accountId)
    await setKeyDisabled(trx, key.id, false)
  })
}
