import { sql } from 'kysely'
import { BRAND_COLORS, type PlanName } from '#contract'
import { type Database, type DatabaseTransaction, now } from './database.ts'

export interface AccountRow {
  id: string
  name: string
  slug: string
  plan: PlanName
}

/** Inserts an account. False when the slug is taken. */
export async function insertAccount(trx: Database, account: AccountRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('accounts')
    .values({ ...account, logo: null, metadata: null })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Reads an account; with `lock` no other change of its connections runs until the caller's transaction ends. */
export async function findAccount(db: Database, id: string, options: { lock: boolean }): Promise<AccountRow | null> {
  const query = db.selectFrom('accounts').select(['id', 'name', 'slug', 'plan']).where('id', '=', id)
  const row = await (options.lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row ?? null
}

/** False when there is no such account. */
export async function updatePlan(db: Database, id: string, plan: PlanName): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set({ plan, updated_at: now })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The account that was made first; null when there is none. */
export async function oldestAccount(db: Database): Promise<AccountRow | null> {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'slug', 'plan'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

export interface ListedAccount {
  id: string
  name: string
  plan: PlanName
  socialSets: { id: string; name: string; timezone: string }[]
}

/** All accounts with their social sets, in the order in which they were created. */
export async function listAccounts(db: Database): Promise<ListedAccount[]> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'name', 'plan'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const socialSets = await db
    .selectFrom('social_sets')
    .select(['id', 'name', 'timezone', 'account_id as accountId'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const byAccount = Map.groupBy(socialSets, ({ accountId }) => accountId)
  return accounts.map((account) => ({
    ...account,
    socialSets: (byAccount.get(account.id) ?? []).map(({ id, name, timezone }) => ({ id, name, timezone })),
  }))
}

/** Whether there is no account yet. Until the caller's transaction ends, no one else makes one. */
export async function holdFirstAccount(trx: DatabaseTransaction): Promise<boolean> {
  await sql`lock table accounts in share row exclusive mode`.execute(trx)
  return (await oldestAccount(trx)) === null
}

/** Whether a social set belongs to an account. */
export async function ownsSocialSet(db: Database, accountId: string, socialSetId: string): Promise<boolean> {
  const row = await db
    .selectFrom('social_sets')
    .select('id')
    .where('id', '=', socialSetId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertSocialSet(
  trx: Database,
  socialSet: { id: string; accountId: string; name: string; timezone: string; color?: string | undefined },
): Promise<void> {
  const { id, accountId, name, timezone, color } = socialSet
  await trx
    .insertInto('social_sets')
    .values({ id, account_id: accountId, name, timezone, color: color ?? leastUsedColor(accountId) })
    .execute()
}

/** SQL: of the colours of brands, the first of those that an account uses least. */
const leastUsedColor = (accountId: string) => sql<string>`(
  select choice.color from unnest(${[...BRAND_COLORS]}::text[]) with ordinality as choice(color, place)
  left join social_sets brand on brand.color = choice.color and brand.account_id = ${accountId}
  group by choice.color, choice.place order by count(brand.id), choice.place limit 1)`

/** Gives an account another name. */
export async function renameAccount(db: Database, id: string, name: string): Promise<void> {
  await db.updateTable('accounts').set({ name, updated_at: now }).where('id', '=', id).execute()
}
