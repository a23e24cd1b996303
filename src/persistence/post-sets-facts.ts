import type { AccountType, ConnectionStatus, MediaFacts } from '#contract'
import type { Database } from './database.ts'

/**
 * The facts of open library items of a social set, by id. What is not there, is closed or lies in another social set
 * is missing. With `hold` the rows stay as they are until the caller's transaction ends.
 */
export async function findMediaFacts(
  db: Database,
  socialSetId: string,
  ids: readonly string[],
  { hold }: { hold: boolean },
): Promise<Map<string, MediaFacts>> {
  if (ids.length === 0) return new Map()
  const query = db
    .selectFrom('media_items')
    .select(['id', 'facts'])
    .where('social_set_id', '=', socialSetId)
    .where('id', 'in', ids)
    .where('closed_at', 'is', null)
    .orderBy('id')
  const rows = await (hold ? query.forShare() : query).execute()
  return new Map(rows.map(({ id, facts }) => [id, facts]))
}

/** What rules must know of an open connection. */
export interface ConnectionState {
  accountType: AccountType
  status: ConnectionStatus
  defaults: Readonly<Record<string, unknown>>
  signIn: string | null
}

/** The open connections of a social set. */
export async function connectionStates(db: Database, socialSetId: string): Promise<ConnectionState[]> {
  return db
    .selectFrom('connections')
    .select(['account_type as accountType', 'status', 'defaults', 'sign_in as signIn'])
    .where('social_set_id', '=', socialSetId)
    .where('closed_at', 'is', null)
    .execute()
}
