import type { Comment, CommentThread } from '#contract'
import { type CommentRow, type Database, listComments, listMembersOfSet, type PostSetRow } from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { requirePostSet } from '../post-sets/get.ts'

interface Deps {
  db: Database
}

/**
 * The comments of a post set as members read them, and who may be mentioned.
 *
 * @throws ProblemError `auth:not_signed_in`, `post-set:not_found`
 */
export async function readThread({ db }: Deps, caller: Caller, postSetId: string): Promise<CommentThread> {
  const { userId } = requireMember(caller)
  const set = await requirePostSet(db, caller, postSetId)
  const rows = await listComments(db, set.id, 'MEMBERS')
  return { data: rows.map((row) => commentAnswer(row, userId)), people: await peopleOf(db, set) }
}

/** The members who see a post set's brand and may be mentioned. */
export function peopleOf(db: Database, { accountId, socialSetId }: Pick<PostSetRow, 'accountId' | 'socialSetId'>) {
  return listMembersOfSet(db, { accountId, socialSetId, roles: null })
}

/** A comment as members see it. */
export function commentAnswer(row: CommentRow, userId: string): Comment {
  const { id, audience, text, author, linkName, mentions, createdAt, editedAt, resolved } = row
  return {
    id,
    audience,
    text,
    author: { type: author.type, name: author.name },
    mine: author.type === 'USER' && author.id === userId,
    linkName,
    mentions,
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    resolved: resolved && { by: { type: 'USER', name: resolved.by }, at: resolved.at.toISOString() },
  }
}
