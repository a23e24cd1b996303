import { type Database, setKeyRevoked } from '#persistence'
import { changeKey } from './change.ts'

/**
 * Revokes a key for good. Its row stays: history names it. Nothing happens when it is revoked.
 *
 * @throws Refusal
 */
export async function revokeKey(deps: { db: Database }, id: string): Promise<void> {
  await changeKey(deps.db, id, async (trx, key) => {
    if (!key.revoked) await setKeyRevoked(trx, key.id)
  })
}
