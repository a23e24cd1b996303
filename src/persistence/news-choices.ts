import { sql } from 'kysely'
import type { NewsCause, NewsChoice } from '#contract'
import type { Database } from './database.ts'
import { MEMBER_CHOICES, MEMBER_ZONE, type NewsChosen } from './news-audience.ts'
import { isVisible, type Visible } from './visible.ts'

/** What a member has chosen in an account, and in which zone the mail of the day comes. */
export async function readNewsChoices(
  db: Database,
  { accountId }: Pick<Visible, 'accountId'>,
  userId: string,
): Promise<{ timezone: string | null; choices: NewsChosen[] }> {
  const { rows } = await sql<{ timezone: string | null; choices: NewsChosen[] }>`
    select ${MEMBER_ZONE} as timezone, ${MEMBER_CHOICES} as choices
    from memberships join users on users.id = memberships.user_id
    where memberships.user_id = ${userId} and memberships.account_id = ${accountId}`.execute(db)
  return rows[0] ?? { timezone: null, choices: [] }
}

/** The social sets that a member sees, by name. */
export async function listSocialSetNames(db: Database, visible: Visible): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('social_sets')
    .select(['id', 'name'])
    .where(isVisible(visible, { account: 'account_id', socialSet: 'id' }))
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Names of a social set and its account, for a member who sees it; null for any other. */
export async function findNamesOfSet(
  db: Database,
  { userId, accountId, socialSetId }: { userId: string; accountId: string; socialSetId: string },
): Promise<{ brand: string; account: string } | null> {
  const { rows } = await sql<{ brand: string; account: string }>`
    select social_sets.name as brand, accounts.name as account
    from memberships
      join accounts on accounts.id = memberships.account_id
      join social_sets on social_sets.account_id = memberships.account_id
        and (memberships.social_set_ids is null or social_sets.id = any(memberships.social_set_ids))
    where memberships.user_id = ${userId} and memberships.account_id = ${accountId}
      and social_sets.id = ${socialSetId}`.execute(db)
  return rows[0] ?? null
}

/** Writes what a member has chosen; null takes a choice back. */
export async function writeNewsChoices(
  trx: Database,
  place: { accountId: string; userId: string; socialSetId: string | null },
  choices: readonly { cause: NewsCause; choice: NewsChoice | null }[],
): Promise<void> {
  const { accountId, userId, socialSetId } = place
  const rows = JSON.stringify(choices)
  await sql`
    delete from news_choices where user_id = ${userId} and account_id = ${accountId}
      and social_set_id is not distinct from ${socialSetId}::uuid
      and cause in (select cause from jsonb_to_recordset(${rows}::jsonb) as (cause text, choice text))`.execute(trx)
  await sql`
    insert into news_choices (user_id, account_id, social_set_id, cause, choice)
    select ${userId}::uuid, ${accountId}::uuid, ${socialSetId}::uuid, cause, choice
    from jsonb_to_recordset(${rows}::jsonb) as (cause text, choice text) where choice is not null
    on conflict (user_id, account_id, social_set_id, cause) do update set choice = excluded.choice`.execute(trx)
}

/**
 * A member wants no more mails about these causes, in any social set of the account: the bell shows them. A person who is no
 * member gets none anyway.
 */
export async function stopMails(
  trx: Database,
  { userId, accountId }: { userId: string; accountId: string },
  causes: readonly NewsCause[],
): Promise<void> {
  const wanted = sql`${[...causes]}::text[]`
  await sql`
    update news_choices set choice = 'BELL' where user_id = ${userId} and account_id = ${accountId}
      and cause = any(${wanted}) and choice in ('DAILY', 'MAIL')`.execute(trx)
  await sql`
    insert into news_choices (user_id, account_id, social_set_id, cause, choice)
    select memberships.user_id, memberships.account_id, null, cause, 'BELL'
    from memberships, unnest(${wanted}) as cause
    where memberships.user_id = ${userId} and memberships.account_id = ${accountId}
    on conflict do nothing`.execute(trx)
}

/** A guest of a shared calendar wants no more mails about these causes. */
export async function stopGuestMails(trx: Database, guestId: string, causes: readonly NewsCause[]): Promise<void> {
  await sql`
    insert into news_stops (guest_id, cause) select ${guestId}::uuid, cause from unnest(${[...causes]}::text[]) as cause
    on conflict do nothing`.execute(trx)
}

/** Of guests, what they want no mails about. */
export async function readGuestStops(
  db: Database,
  guestIds: readonly string[],
): Promise<{ guestId: string; cause: NewsCause }[]> {
  return db
    .selectFrom('news_stops')
    .select(['guest_id as guestId', 'cause'])
    .where('guest_id', 'in', guestIds)
    .execute()
}
