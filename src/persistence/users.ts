import { newId } from '#domain'
import type { Database } from './database.ts'

/** Name of the sign-in library for users who have a password here. */
const PASSWORD_PROVIDER = 'credential'

export interface NewUser {
  id: string
  name: string
  /** Lower case, as the sign-in looks it up. */
  email: string
  passwordHash: string
}

/** Inserts a user who signs in with a password. False when the address is taken. */
export async function insertUser(trx: Database, user: NewUser): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('users')
    .values({ id: user.id, name: user.name, email: user.email, email_verified: true, image: null })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows !== 1n) return false
  await trx
    .insertInto('user_credentials')
    .values({
      id: newId(),
      user_id: user.id,
      provider_id: PASSWORD_PROVIDER,
      provider_account_id: user.id,
      password: user.passwordHash,
    })
    .execute()
  return true
}

/** Makes a user a member of an account. */
export async function insertMembership(
  trx: Database,
  membership: { accountId: string; userId: string; role: 'owner' | 'admin' | 'member' },
): Promise<void> {
  await trx
    .insertInto('memberships')
    .values({ id: newId(), account_id: membership.accountId, user_id: membership.userId, role: membership.role })
    .execute()
}
