import { sql } from 'kysely'
import { LIMITS } from '#contract'
import { type Database, now } from './database.ts'

/** A new mail address that a user asked for where no mail can be sent. */
export interface EmailChange {
  email: string
  /** Accounts whose owners have confirmed it. */
  confirmedIn: string[]
  /** Name of the owner who refused it; null while it waits. */
  refusedBy: string | null
}

/** Whether a row of email_changes is not over yet: it waits 14 days for an owner, and a refusal is shown as long. */
export const emailChangeLasts = sql<boolean>`
  email_changes.requested_at > almanac_now() - make_interval(days => ${LIMITS.emailChangeDays}::integer)`

/** What a user asks for; null without, or when it is over. */
export async function findEmailChange(db: Database, userId: string): Promise<EmailChange | null> {
  const row = await db
    .selectFrom('email_changes')
    .select(['email', 'confirmed_in as confirmedIn', 'refused_by as refusedBy'])
    .where('user_id', '=', userId)
    .where(emailChangeLasts)
    .executeTakeFirst()
  return row ?? null
}

/** Stores what a user asks for, in place of an earlier request and of what was decided about it. */
export async function putEmailChange(trx: Database, userId: string, email: string): Promise<void> {
  const asked = { email, requested_at: now, confirmed_in: [], refused_by: null }
  await trx
    .insertInto('email_changes')
    .values({ user_id: userId, ...asked })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(asked))
    .execute()
}

/** Writes what owners decided. The caller holds the user. */
export async function decideEmailChange(
  trx: Database,
  userId: string,
  decision: { confirmedIn: readonly string[] } | { refusedBy: string },
): Promise<void> {
  await trx
    .updateTable('email_changes')
    .set('confirmedIn' in decision ? { confirmed_in: [...decision.confirmedIn] } : { refused_by: decision.refusedBy })
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteEmailChange(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute()
}

/** The accounts of a user where an owner other than the user decides: all but those that the user alone owns. */
export async function accountsDecidedByOthers(db: Database, userId: string): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select account_id as "accountId" from memberships membership
    where user_id = ${userId} and (
      role <> 'owner' or exists (
        select from memberships other
        where other.account_id = membership.account_id and other.role = 'owner' and other.user_id <> ${userId}
      )
    )`.execute(db)
  return rows.map(({ accountId }) => accountId)
}

/** Whether an account has an open invitation for that address (lower case). */
export async function isInvited(db: Database, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from invitations
    where email = ${email} and accepted_at is null and revoked_at is null and expires_at > almanac_now()
    limit 1`.execute(db)
  return rows.length > 0
}
