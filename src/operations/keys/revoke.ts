import { closeWebhooksOfKey, type Database, type DatabaseTransaction, listApiKeys, setKeyRevoked } from '#persistence'
import type { Caller } from '../caller.ts'
import { changeKey } from './change.ts'
import { seesKey } from './visible.ts'

/**
 * Revokes a key permanently. Its row stays, because history refers to it. Its webhooks are closed. Does nothing if
 * it is already revoked.
 *
 * @param by name of the person who revokes it
 * @throws Refusal
 */
export async function revokeKey(deps: { db: Database }, id: string, by = 'operator'): Promise<void> {
  await changeKey(deps.db, id, async (trx, key) => {
    if (!key.revoked) await endKey(trx, key.id, by)
  })
}

/**
 * Revokes the keys of the account that a user created, including disabled and expired ones, which could be used
 * again later. Keys for social sets that the caller does not see stay. The caller holds the account's lock.
 */
export async function revokeKeysOf(trx: DatabaseTransaction, caller: Caller, userId: string): Promise<void> {
  for (const key of await listApiKeys(trx, caller.accountId)) {
    if (key.creator?.id !== userId || key.revoked || !seesKey(caller, key)) continue
    await endKey(trx, key.id, caller.actor.name)
  }
}

async function endKey(trx: DatabaseTransaction, id: string, by: string): Promise<void> {
  await setKeyRevoked(trx, id, by)
  await closeWebhooksOfKey(trx, id)
}
