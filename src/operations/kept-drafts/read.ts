import {
  type AskedQuery,
  type ForgetKeptDraftQuery,
  type KeptDraft,
  type KeptDrafts,
  ProblemError,
  type SeenBrandsQuery,
} from '#contract'
import { isId } from '#domain'
import {
  type Database,
  findKeptDraft,
  forgetKeptDraft as forget,
  type KeptDraftOwner,
  listKeptDrafts as readDrafts,
} from '#persistence'
import { placeNamed } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'
import { changedElsewhere } from './save.ts'

interface Deps {
  db: Database
}

/**
 * The member's unsaved texts in a social set, or in all that they see, newest first.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listKeptDrafts(
  { db }: Deps,
  caller: Caller,
  query: AskedQuery<SeenBrandsQuery>,
): Promise<KeptDrafts> {
  const named = await placeNamed(db, caller, query)
  query.read()
  const rows = await readDrafts(db, ownerOf(caller), named?.id ?? null)
  return { data: rows.map(dated) }
}

/** @throws ProblemError `kept-draft:not_found` also for what another member has typed */
export async function readKeptDraft({ db }: Deps, caller: Caller, id: string): Promise<KeptDraft> {
  const row = isId(id) ? await findKeptDraft(db, ownerOf(caller), id) : null
  if (!row) throw keptDraftNotFound()
  return dated(row)
}

/**
 * Deletes an unsaved text of the member. `query` is the query string: `sequence`, up to which later requests store
 * nothing, `writer`, the page that may store it again, and `seen`, the newest that the page has seen.
 *
 * @throws ProblemError `request:invalid_query`, `kept-draft:not_found`, `kept-draft:changed`
 */
export async function forgetKeptDraft(
  { db }: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<ForgetKeptDraftQuery>,
): Promise<void> {
  const asked = query.read((read, problem) => {
    if (read.writer !== undefined && !isId(read.writer)) problem('writer', 'must be a UUID')
  })
  const { sequence = 0, seen = 0, writer = null } = asked
  const outcome = isId(id) ? await forget(db, ownerOf(caller), { id, sequence, writer, seen }) : 'none'
  if (outcome === 'none') throw keptDraftNotFound()
  if (outcome === 'changed') throw changedElsewhere()
}

export const keptDraftNotFound = () => new ProblemError('kept-draft:not_found', 'No unsaved text has this id.')

function ownerOf(caller: Caller): KeptDraftOwner {
  const { accountId, socialSetIds } = caller
  return { accountId, socialSetIds, userId: requireMember(caller).userId }
}

const dated = <Row extends { updatedAt: Date }>(row: Row) => ({ ...row, updatedAt: row.updatedAt.toISOString() })
