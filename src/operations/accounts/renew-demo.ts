import { USUAL_SCOPES } from '#contract'
import type { Identity } from '#identity'
import {
  type Database,
  findAccount,
  findUserByEmail,
  listApiKeys,
  listMemberships,
  lockUser,
  setKeyRevoked,
} from '#persistence'
import { addKey } from '../keys/create.ts'
import { replacePassword } from '../password-resets/replace.ts'
import { Refusal } from '../refusal.ts'

/** How the demo account that the first start creates is recognized. */
export const DEMO = { account: 'Demo', ownerEmail: 'owner@demo.invalid', key: 'Demo key' } as const

/**
 * Gives the demo account a new key, and its owner a new password. Keys with the same name are revoked, and all
 * sessions of the owner end. All or nothing.
 *
 * @throws Refusal when there is no demo account, or its owner has another address by now
 * @throws ProblemError `api-key:limit_reached`
 */
export async function renewDemo(deps: {
  db: Database
  identity: Pick<Identity, 'hashPassword' | 'newPassword'>
}): Promise<{ ownerEmail: string; ownerPassword: string; key: string }> {
  const { db, identity } = deps
  const { ownerEmail } = DEMO
  const ownerPassword = identity.newPassword()
  // Takes tens of milliseconds by design: before the transaction, not in it.
  const passwordHash = await identity.hashPassword(ownerPassword)
  return db.transaction().execute(async (trx) => {
    const user = await findUserByEmail(trx, ownerEmail)
    const memberships = user ? await listMemberships(trx, user.id) : []
    const owned = memberships.find(({ role }) => role === 'owner')
    if (!user || !owned) {
      throw new Refusal(
        `There is no demo account here: no owner has the address ${ownerEmail}. almanac users reset-link makes a link for a new password.`,
      )
    }
    const { accountId } = owned
    await findAccount(trx, accountId, { lock: true })
    for (const { id, name, revoked } of await listApiKeys(trx, accountId)) {
      if (name === DEMO.key && !revoked) await setKeyRevoked(trx, id, 'operator')
    }
    const { key } = await addKey(trx, { accountId, name: DEMO.key, scopes: USUAL_SCOPES, socialSetIds: null })
    await lockUser(trx, user.id)
    await replacePassword(trx, user.id, passwordHash, { staysSignedIn: null })
    return { ownerEmail, ownerPassword, key }
  })
}
