import { sql } from 'kysely'
import { newId } from '#domain'
import { type Database, now } from './database.ts'

/** A post that was due, or on its way, while the start was held. */
export interface DueWhileHeld {
  postSetId: string
  accountId: string
  account: string
  socialSet: string
  scheduledAt: Date
  /** Its posts were claimed: some of them are not seen by a network yet. */
  begun: boolean
}

/** What those sets are, the oldest first. */
export async function describeDue(
  db: Database,
  ids: readonly string[],
  { limit }: { limit: number },
): Promise<DueWhileHeld[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<DueWhileHeld>`
    select post_sets.id as "postSetId", post_sets.account_id as "accountId", accounts.name as account,
      social_sets.name as "socialSet", post_sets.scheduled_at as "scheduledAt", post_sets.status <> 'SCHEDULED' as begun
    from post_sets join accounts on accounts.id = post_sets.account_id
      join social_sets on social_sets.id = post_sets.social_set_id
    where post_sets.id = any(${[...ids]}::uuid[])
    order by post_sets.scheduled_at, post_sets.id limit ${limit}`.execute(db)
  return rows
}

/** The accounts of those sets. */
export async function accountsOf(db: Database, postSetIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct account_id as id from post_sets where id = any(${[...postSetIds]}::uuid[]) order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** The label of that name, which is made when the account has none. Answers its id. */
export async function labelNamed(
  trx: Database,
  accountId: string,
  { name, color }: { name: string; color: string },
): Promise<string> {
  await sql`select from accounts where id = ${accountId} for update`.execute(trx)
  const found = await trx
    .selectFrom('labels')
    .select('id')
    .where('account_id', '=', accountId)
    .where('removed_by', 'is', null)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()
  if (found) return found.id
  const id = newId()
  await trx.insertInto('labels').values({ id, account_id: accountId, name, color }).execute()
  return id
}

/** Puts a label on sets whose rows the caller holds, and whose versions it raises. */
export async function putLabel(trx: Database, labelId: string, postSetIds: readonly string[]): Promise<void> {
  if (postSetIds.length === 0) return
  await sql`
    insert into post_set_labels (post_set_id, label_id)
    select id, ${labelId}::uuid from unnest(${[...postSetIds]}::uuid[]) as given (id)
    on conflict do nothing`.execute(trx)
}

/** Mails and alerts that were due while the start was held may have been sent already: they are not sent again. */
export async function dropDueSends(trx: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    update news_sends set state = 'GIVEN_UP', ended_at = ${now}
    where state = 'WAITING' and next_at <= ${now}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
