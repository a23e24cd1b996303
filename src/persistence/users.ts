import { sql } from 'kysely'
import type { Preferences } from '#contract'
import { newId } from '#domain'
import { type Database, now } from './database.ts'

/** Name of the sign-in library for users who have a password here. */
const PASSWORD_PROVIDER = 'credential'

interface NewUser {
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

/** The password hash of a member of an account; null for a user who is none, or who has no password here. */
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

export interface UserRow {
  id: string
  name: string
  email: string
  twoFactorEnabled: boolean
  /** Operates the installation. */
  operator: boolean
}

const USER = [
  'users.id',
  'users.name',
  'users.email',
  'users.two_factor_enabled as twoFactorEnabled',
  'users.is_operator as operator',
] as const

export async function findUser(db: Database, id: string): Promise<UserRow | null> {
  return (await db.selectFrom('users').select(USER).where('id', '=', id).executeTakeFirst()) ?? null
}

/** Every user with what it is a member of, by address. */
export async function listUsers(
  db: Database,
): Promise<(UserRow & { memberships: { accountId: string; account: string; role: string }[] })[]> {
  const users = await db.selectFrom('users').select(USER).orderBy('email').execute()
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select(['memberships.user_id', 'accounts.id as accountId', 'accounts.name as account', 'memberships.role'])
    .orderBy('accounts.name')
    .execute()
  const byUser = Map.groupBy(memberships, ({ user_id }) => user_id)
  return users.map((user) => ({
    ...user,
    memberships: (byUser.get(user.id) ?? []).map(({ accountId, account, role }) => ({ accountId, account, role })),
  }))
}

/** Some owners of an account, by address. */
export function listOwners(db: Database, accountId: string, limit: number): Promise<{ email: string }[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.email')
    .where('memberships.account_id', '=', accountId)
    .where('memberships.role', '=', 'owner')
    .orderBy('users.email')
    .limit(limit)
    .execute()
}

export async function updateUserName(db: Database, id: string, name: string): Promise<void> {
  await db.updateTable('users').set({ name, updated_at: now }).where('id', '=', id).execute()
}

/**
 * Holds a user until the transaction ends. Every change of how a user signs in that touches several rows takes this one
 * first: so no two of them wait for each other.
 */
export async function lockUser(trx: Database, id: string): Promise<void> {
  await trx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Gives a user another address. False when it is taken. */
export async function updateUserEmail(trx: Database, id: string, email: string): Promise<boolean> {
  // Two people who want one address at the same moment: the second one fails on the unique key otherwise.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`users.email ${email}`}, 0))`.execute(trx)
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ email, updated_at: now })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('users as other').select('other.id').where('other.email', '=', email))),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function updatePasswordHash(trx: Database, userId: string, passwordHash: string): Promise<void> {
  await trx
    .updateTable('user_credentials')
    .set({ password: passwordHash, updated_at: now })
    .where('user_id', '=', userId)
    .where('provider_id', '=', PASSWORD_PROVIDER)
    .execute()
}

/** Keeps what is said of the preferences; the others stay. */
export async function updatePreferences(db: Database, userId: string, change: Partial<Preferences>): Promise<void> {
  await db
    .updateTable('users')
    .set({ preferences: sql`preferences || ${JSON.stringify(change)}::jsonb` })
    .where('id', '=', userId)
    .execute()
}

/**
 * Takes the second step of a user away, which is noted for the accounts that the user belongs to. The caller holds the user.
 *
 * @param by name of the owner who does; null: the operator
 */
export async function deleteSecondStep(trx: Database, userId: string, by: string | null): Promise<void> {
  await trx.deleteFrom('two_factors').where('user_id', '=', userId).execute()
  await trx.updateTable('users').set({ two_factor_enabled: false, updated_at: now }).where('id', '=', userId).execute()
  await trx
    .updateTable('memberships')
    .set({ second_step_removed_at: now, second_step_removed_by: by })
    .where('user_id', '=', userId)
    .execute()
}
