import { entryAt, type ProblemEntry, refuseBody } from '#contract'
import { isId } from '#domain'
import { type Database, socialSetsOf } from '#persistence'
import type { Access } from './lock-team.ts'

/**
 * The requested access of a member, with its social sets checked: they belong to the account, there is at least one,
 * and an owner sees all.
 *
 * @throws ProblemError `request:invalid_body`
 */
export async function readAccess(db: Database, accountId: string, { role, socialSetIds }: Access): Promise<Access> {
  if (socialSetIds === null) return { role, socialSetIds }
  const wanted = [...new Set(socialSetIds.map((id) => id.toLowerCase()))].toSorted()
  const found = await socialSetsOf(db, accountId, wanted.filter(isId))
  refuseBody([
    ...(role === 'owner' ? [problem('An owner sees all social sets.')] : []),
    ...(wanted.length === 0 ? [problem('Choose at least one social set, or all of them.')] : []),
    ...wanted.filter((id) => !found.includes(id)).map((id) => problem(`The account has no social set ${id}.`)),
  ])
  return { role, socialSetIds: wanted }
}

function problem(message: string): ProblemEntry {
  return entryAt(['socialSetIds'], 'request:invalid_body', message)
}
