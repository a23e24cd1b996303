import { sql } from 'kysely'
import { type Role, rolesWith } from '#contract'
import { type Database, now } from './database.ts'
import { emailChangeLasts } from './email-changes.ts'
import { roleOf } from './memberships.ts'

export interface MemberRow {
  userId: string
  name: string
  email: string
  role: Role
  /** Null: all social sets of the account. */
  socialSetIds: string[] | null
  joinedAt: Date
  /** When a session of the person was last used; null without one. */
  lastActiveAt: Date | null
  twoFactorEnabled: boolean
  /** An address that the person asked for and no owner of the account has decided about; null for none. */
  pendingEmail: string | null
  /** When someone else last removed the person's second step; null: never. */
  secondStepRemovedAt: Date | null
  /** Name of the owner who did; null: the operator. */
  secondStepRemovedBy: string | null
}

/** The members of an account, by name. */
export async function listMembers(db: Database, accountId: string): Promise<MemberRow[]> {
  const { rows } = await sql<Omit<MemberRow, 'role'> & { role: string }>`
    select users.id as "userId", users.name, users.email, role, social_set_ids as "socialSetIds",
      membership.created_at as "joinedAt", users.two_factor_enabled as "twoFactorEnabled",
      second_step_removed_at as "secondStepRemovedAt", second_step_removed_by as "secondStepRemovedBy",
      (select max(last_used_at) from sessions where sessions.user_id = users.id) as "lastActiveAt",
      (
        select email_changes.email from email_changes
        where email_changes.user_id = users.id and refused_by is null and membership.account_id <> all (confirmed_in)
          and ${emailChangeLasts}
      ) as "pendingEmail"
    from memberships membership join users on users.id = membership.user_id
    where membership.account_id = ${accountId}
    order by lower(users.name), users.id`.execute(db)
  return rows.map((row) => ({ ...row, role: roleOf(row.role) }))
}

/**
 * Gives a member another role or other social sets. What addresses the member could see until now is noted, for the day on which
 * they leave. The caller holds the account's lock.
 */
export async function updateMembership(
  trx: Database,
  member: { accountId: string; userId: string; role: Role; socialSetIds: readonly string[] | null },
): Promise<void> {
  await sql`
    update memberships set role = ${member.role},
      social_set_ids = ${member.socialSetIds === null ? null : [...member.socialSetIds]}::uuid[],
      addresses_seen = addresses_seen || coalesce((
        select jsonb_object_agg(brand.id, almanac_now()) from social_sets brand
        where brand.account_id = memberships.account_id and memberships.role = any(${rolesThatSee})
          and (memberships.social_set_ids is null or brand.id = any(memberships.social_set_ids))), '{}')
    where account_id = ${member.accountId} and user_id = ${member.userId}`.execute(trx)
}

/** Those who are shown the addresses of shared calendars or of calendars. */
const rolesThatSee = [...new Set([...rolesWith('shared-calendars:manage'), ...rolesWith('calendars:manage')])]

/** Lets a member see one more social set; nothing changes for one who sees all. */
export async function addSocialSetToMembership(
  trx: Database,
  member: { accountId: string; userId: string; socialSetId: string },
): Promise<void> {
  await sql`
    update memberships set social_set_ids = array_append(social_set_ids, ${member.socialSetId}::uuid)
    where account_id = ${member.accountId} and user_id = ${member.userId} and social_set_ids is not null`.execute(trx)
}

/**
 * Ends a membership. Sessions that worked on the account choose another one with their next request. The caller holds
 * the account's lock.
 */
export async function deleteMembership(trx: Database, member: { accountId: string; userId: string }): Promise<void> {
  await trx
    .deleteFrom('memberships')
    .where('account_id', '=', member.accountId)
    .where('user_id', '=', member.userId)
    .execute()
  await trx
    .updateTable('sessions')
    .set({ active_account_id: null })
    .where('user_id', '=', member.userId)
    .where('active_account_id', '=', member.accountId)
    .execute()
}

/** Has a session work on an account from its next request on. */
export async function chooseSessionAccount(db: Database, sessionId: string, accountId: string): Promise<void> {
  await db.updateTable('sessions').set({ active_account_id: accountId }).where('id', '=', sessionId).execute()
}

/** The user who signs in with that address (lower case), member of an account or not; null for none. */
export async function findUserByEmail(
  db: Database,
  email: string,
): Promise<{ id: string; name: string; twoFactorEnabled: boolean; passwordHash: string | null } | null> {
  const { rows } = await sql<{ id: string; name: string; twoFactorEnabled: boolean; passwordHash: string | null }>`
    select users.id, users.name, users.two_factor_enabled as "twoFactorEnabled", (
      select password from user_credentials where user_id = users.id and provider_id = 'credential'
    ) as "passwordHash"
    from users where email = ${email}`.execute(db)
  return rows[0] ?? null
}

export interface InvitationRow {
  id: string
  accountId: string
  accountName: string
  email: string
  role: Role
  socialSetIds: string[] | null
  inviterName: string
  /** What the one who made the newest link may do in the account by now; null for a member who left it. */
  inviter: { role: Role; socialSetIds: string[] | null } | null
  createdAt: Date
  expiresAt: Date
  expired: boolean
  accepted: boolean
  revoked: boolean
}

const invitationColumns = sql`
  invitation.id, invitation.account_id as "accountId", accounts.name as "accountName", email, invitation.role,
  invitation.social_set_ids as "socialSetIds", inviter_name as "inviterName", inviter.role as "inviterRole",
  inviter.social_set_ids as "inviterSocialSetIds", invitation.created_at as "createdAt",
  expires_at as "expiresAt", expires_at <= almanac_now() as expired, accepted_at is not null as accepted,
  revoked_at is not null as revoked`

const invitationTables = sql`
  invitations invitation join accounts on accounts.id = invitation.account_id
  left join memberships inviter
    on inviter.account_id = invitation.account_id and inviter.user_id = invitation.invited_by`

type RawInvitation = Omit<InvitationRow, 'role' | 'inviter'> & {
  role: string
  inviterRole: string | null
  inviterSocialSetIds: string[] | null
}

function invitationOf({ inviterRole, inviterSocialSetIds, ...row }: RawInvitation): InvitationRow {
  const inviter = inviterRole === null ? null : { role: roleOf(inviterRole), socialSetIds: inviterSocialSetIds }
  return { ...row, role: roleOf(row.role), inviter }
}

/** Invitations of an account that were neither accepted nor revoked, expired ones too, by address. */
export async function listOpenInvitations(db: Database, accountId: string): Promise<InvitationRow[]> {
  const { rows } = await sql<RawInvitation>`
    select ${invitationColumns} from ${invitationTables}
    where invitation.account_id = ${accountId} and accepted_at is null and revoked_at is null
    order by email`.execute(db)
  return rows.map(invitationOf)
}

/** The invitation whose token has this SHA-256, in any state. It changes under its account's lock only. */
export async function findInvitationByToken(db: Database, tokenHash: Buffer): Promise<InvitationRow | null> {
  const { rows } = await sql<RawInvitation>`
    select ${invitationColumns} from ${invitationTables} where token_hash = ${tokenHash}`.execute(db)
  return rows[0] ? invitationOf(rows[0]) : null
}

interface NewInvitation {
  id: string
  accountId: string
  email: string
  role: Role
  socialSetIds: readonly string[] | null
  tokenHash: Buffer
  inviter: { id: string; name: string }
  /** Days that the link is good for. */
  days: number
}

/** Inserts an invitation. The caller holds the account's lock and has seen that none is open for the address. */
export async function insertInvitation(trx: Database, invitation: NewInvitation): Promise<void> {
  await sql`
    insert into invitations
      (id, account_id, email, role, social_set_ids, token_hash, invited_by, inviter_name, expires_at)
    values (${invitation.id}, ${invitation.accountId}, ${invitation.email}, ${invitation.role},
      ${invitation.socialSetIds}::uuid[], ${invitation.tokenHash}, ${invitation.inviter.id}, ${invitation.inviter.name},
      almanac_now() + make_interval(days => ${invitation.days}::integer))`.execute(trx)
}

/**
 * Gives an invitation a new token and a new end: the old link is worth nothing from now on. It is an invitation of the
 * one who made the new link.
 */
export async function renewInvitation(
  trx: Database,
  id: string,
  { tokenHash, inviter, days }: Pick<NewInvitation, 'tokenHash' | 'inviter' | 'days'>,
): Promise<void> {
  await sql`
    update invitations
    set token_hash = ${tokenHash}, invited_by = ${inviter.id}, inviter_name = ${inviter.name},
      expires_at = almanac_now() + make_interval(days => ${days}::integer)
    where id = ${id}`.execute(trx)
}

export async function markInvitation(trx: Database, id: string, as: 'accepted' | 'revoked'): Promise<void> {
  const column = as === 'accepted' ? 'accepted_at' : 'revoked_at'
  await sql`update invitations set ${sql.ref(column)} = ${now} where id = ${id}`.execute(trx)
}
