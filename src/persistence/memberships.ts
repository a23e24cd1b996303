import { type PlanName, type Preferences, ROLES, type Role } from '#contract'
import { newId } from '#domain'
import type { Database } from './database.ts'

export interface MembershipRow {
  accountId: string
  accountName: string
  plan: PlanName
  role: Role
  /** Null: all social sets of the account. */
  socialSetIds: string[] | null
  /** Whether the person operates the installation, in any account. */
  operator: boolean
}

/** Makes a user a member of an account. */
export async function insertMembership(
  trx: Database,
  membership: { accountId: string; userId: string; role: Role; socialSetIds?: readonly string[] | null },
): Promise<void> {
  const { accountId, userId, role, socialSetIds = null } = membership
  await trx
    .insertInto('memberships')
    .values({
      id: newId(),
      account_id: accountId,
      user_id: userId,
      role,
      social_set_ids: socialSetIds === null ? null : [...socialSetIds],
    })
    .execute()
}

/** The accounts that a user is a member of, by name. */
export async function listMemberships(db: Database, userId: string): Promise<MembershipRow[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.id', 'memberships.account_id')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'accounts.id as accountId',
      'accounts.name as accountName',
      'plan',
      'role',
      'social_set_ids as socialSetIds',
      'users.is_operator as operator',
    ])
    .where('user_id', '=', userId)
    .orderBy('accounts.name')
    .orderBy('accounts.id')
    .execute()
  return rows.map((row) => ({ ...row, role: roleOf(row.role) }))
}

/** How a person wants the dashboard to be, as far as that was ever said. */
export async function findPreferences(db: Database, userId: string): Promise<Partial<Preferences>> {
  const row = await db.selectFrom('users').select('preferences').where('id', '=', userId).executeTakeFirst()
  return row?.preferences ?? {}
}

/** The role of a row. */
export function roleOf(text: string): Role {
  const role = ROLES.find((name) => name === text)
  if (!role) throw new Error(`There is no role ${text}.`)
  return role
}
