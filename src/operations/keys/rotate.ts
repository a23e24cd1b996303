import { HOUR_MS } from '#contract/durations'
import { type Database, type DatabaseTransaction, databaseNow, handOverWebhooks, updateApiKey } from '#persistence'
import { refused } from '../refused.ts'
import { changeKey } from './change.ts'
import { insertKey, requireRoomForKey } from './create.ts'

/** For so long the key before opens what it did, beside the one that replaces it. */
const OVERLAP_MS = 24 * HOUR_MS

/**
 * Creates a key that replaces another one: with its name, rights, social sets, expiry and agent settings, and with
 * its webhooks from now on. The old one expires 24 hours later, if not sooner.
 *
 * @param createdBy the member who asks; `stillMay` throws under the account's lock when they no longer may
 * @throws Refusal
 * @throws ProblemError `request:refused` for a key that opens nothing
 * @throws ProblemError `api-key:limit_reached`: for a day both keys are active
 */
export async function rotateKey(
  deps: { db: Database },
  id: string,
  createdBy: { userId: string; stillMay(trx: DatabaseTransaction): Promise<void> },
): Promise<{ id: string; key: string }> {
  let made: { id: string; key: string } | null = null
  await changeKey(deps.db, id, async (trx, key) => {
    await createdBy.stillMay(trx)
    if (key.revoked || key.disabled || key.expired) throw refused('why:key_not_rotated')
    const { accountId, name, scopes, socialSetIds, expiresAt, agent } = key
    await requireRoomForKey(trx, accountId)
    made = await insertKey(trx, {
      ...{ accountId, name, scopes, socialSetIds, expiresAt, agent },
      createdBy: createdBy.userId,
    })
    await handOverWebhooks(trx, { accountId, from: key.id, to: made.id })
    const end = new Date((await databaseNow(trx)).getTime() + OVERLAP_MS)
    const sooner = expiresAt && expiresAt < end ? expiresAt : end
    await updateApiKey(trx, key.id, { name, scopes, socialSetIds, agent, expiresAt: sooner })
  })
  if (!made) throw new Error('A key that was locked is gone.')
  return made
}
