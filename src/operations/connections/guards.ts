import { ProblemError } from '#contract'
import { isId } from '#domain'
import { type ConnectionRow, type Database, findConnectionRow } from '#persistence'
import type { Caller } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import type { DefaultsDeps } from './choose-defaults.ts'
import type { AuthorizationDeps } from './start-authorization.ts'

/** What members need to connect accounts in the dashboard. */
export type MemberConnectionDeps = AuthorizationDeps & DefaultsDeps & Pick<OperationDeps, 'identity' | 'withSandbox'>

/**
 * The open connection with that id, if the caller may see it.
 *
 * @throws ProblemError `connection:not_found` for one that is absent, closed, another account's or outside of what is seen
 */
export async function requireConnection(db: Database, caller: Caller, id: string): Promise<ConnectionRow> {
  const found = isId(id) ? await findConnectionRow(db, caller, id) : null
  if (!found) throw connectionNotFound()
  return found
}

export function connectionNotFound(): ProblemError {
  return new ProblemError('connection:not_found', 'No open connection has this id.')
}
