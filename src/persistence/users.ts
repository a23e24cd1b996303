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

/** The password hash of a member of an account; null for somebody who is none, or who has no password here. */
export async function findMemberPasswordHash(
  db: Database,
  member: { accountId: string; userId: string },
): Promise<string | null> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('user_credentials', 'user_credentials.user_id', 'memberships.user_id')
    .select('user_credentials.password')
    .where('memberships.account_id', '=', member.accountId)
    .where('memberships.user_id', '=', member.userId)
    .where('user_credentials.provider_id', '=', PASSWORD_PROVIDER)
    .executeTakeFirst()
  return row?.password ?? null
}
