import {
  type AskedBody,
  entryAt,
  type KeptDraftBody,
  LIMITS,
  type ProblemEntry,
  ProblemError,
  refuseBody,
  type StoredKeptDraft,
} from '#contract'
import { excerptOf, isId } from '#domain'
import { type Database, keepDraft as writeDraft } from '#persistence'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { postSetNotFound } from '../post-sets/get.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import { keptDraftNotFound } from './read.ts'

const CODE = 'request:invalid_body'

/**
 * Stores what a member has typed, separate from its post set: nothing else reads it or changes because of it. A
 * request that is overtaken by a newer one stores nothing, and neither does one from a page that has not seen what
 * another page wrote; both answers say so. One statement.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `kept-draft:not_found` for what cannot be an id,
 *   `request:invalid_query`, `request:invalid_body`, `social-set:not_found`, `post-set:not_found`,
 *   `kept-draft:limit_reached`
 */
export async function keepDraft(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<KeptDraftBody>,
): Promise<StoredKeptDraft> {
  requireRight(caller, 'post-sets:write')
  const { userId } = requireMember(caller)
  if (!isId(id)) throw keptDraftNotFound()
  // What is typed is kept as it is, also where a post could not have it.
  const { content: document, excerpt, writer = null, seen = 0, ...draft } = body.readAsTyped()
  const content = JSON.stringify(document)
  refuseBody([...checkSize(content), ...checkPostSet(draft.postSetId, id), ...checkWriter(writer)])
  if (!isId(draft.socialSetId)) throw socialSetNotFound()
  const { accountId, socialSetIds } = caller
  const outcome = await writeDraft(
    db,
    { accountId, socialSetIds, userId },
    { ...draft, id, content, writer, seen, excerpt: storable(excerpt) },
  )
  if (outcome === 'no social set') throw socialSetNotFound()
  if (outcome === 'no post set') throw postSetNotFound()
  if (outcome === 'limit reached') {
    const words = `You have ${LIMITS.keptDrafts.perMember} unsaved texts. Save or discard one of them first.`
    throw new ProblemError('kept-draft:limit_reached', words)
  }
  // The post set is there and the row has gone since.
  if (outcome === 'saved') {
    return { stored: false, sequence: draft.sequence, updatedAt: new Date().toISOString(), ended: 'saved' }
  }
  const { sequence, ended, updatedAt } = outcome
  const stored = ended === null && sequence === draft.sequence && outcome.writer === writer
  return { stored, sequence, updatedAt: updatedAt.toISOString(), ended }
}

function storable(excerpt: string): string {
  return excerptOf(excerpt.replaceAll('\0', ''), LIMITS.excerpt.codePoints)
}

function checkSize(content: string): ProblemEntry[] {
  const [limit, actual] = [LIMITS.keptDrafts.bytes, Buffer.byteLength(content)]
  if (actual <= limit) return []
  return [entryAt(['content'], CODE, `content must have at most ${limit} bytes as JSON.`, { limit, actual })]
}

function checkWriter(writer: string | null): ProblemEntry[] {
  return writer === null || isId(writer) ? [] : [entryAt(['writer'], CODE, 'writer must be a UUID.')]
}

function checkPostSet(postSetId: string | null, id: string): ProblemEntry[] {
  if (postSetId === null || postSetId.toLowerCase() === id.toLowerCase()) return []
  const words = 'postSetId must be the id in the address, or null for a new post set.'
  return [entryAt(['postSetId'], CODE, words)]
}
