import { type RawBuilder, sql } from 'kysely'

/** What may be seen: an account's things, and of these perhaps only those of some social sets. */
export interface Visible {
  accountId: string
  /** Null: all of the account. */
  socialSetIds: readonly string[] | null
}

/** SQL of the social sets that are seen, or of one of them. */
export const visibleSets = (visible: Visible, socialSetId: string | null): RawBuilder<unknown> => sql`
  select id, timezone from social_sets
  where ${isVisible(visible, { account: 'account_id', socialSet: 'id' })}
    and ${socialSetId === null ? sql`true` : sql`id = ${socialSetId}::uuid`}`

/** Whether a row is seen, by the columns that hold its account and its social set. */
export function isVisible(
  { accountId, socialSetIds }: Visible,
  columns: { account: string; socialSet: string },
): RawBuilder<boolean> {
  const ofAccount = sql<boolean>`${sql.ref(columns.account)} = ${accountId}`
  return socialSetIds === null
    ? ofAccount
    : sql`${ofAccount} and ${sql.ref(columns.socialSet)} = any(${socialSetIds}::uuid[])`
}
