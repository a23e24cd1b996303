import {
  type AskedBody,
  type AskedQuery,
  type Comment,
  type CommentBody,
  type CommentResolvedBody,
  type CommentUpdateBody,
  entryAt,
  ProblemError,
  refuseBody,
} from '#contract'
import { isId, newId } from '#domain'
import {
  type CommentRow,
  type Database,
  type DatabaseTransaction,
  deleteComment,
  findComment,
  forgetCommentWords,
  insertComment,
  markResolved,
  type PostSetRow,
  updateComment,
} from '#persistence'
import { type Caller, requireMember } from '../caller.ts'
import { requirePostSet } from '../post-sets/get.ts'
import { reportComment } from './report.ts'
import { holdComment, readText, refuseLimit } from './require.ts'
import { commentAnswer, peopleOf } from './thread.ts'

interface Deps {
  db: Database
}

/**
 * Writes a member's comment; mentioned members must see the brand.
 *
 * @throws ProblemError in this order: `auth:not_signed_in`, `post-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `comment:limit_reached`, `comment:too_fast`
 */
export async function writeComment(
  { db }: Deps,
  caller: Caller,
  postSetId: string,
  body: AskedBody<CommentBody>,
): Promise<Comment> {
  const { userId } = requireMember(caller)
  const set = await requirePostSet(db, caller, postSetId)
  const read = body.read()
  const { text, mentions } = await readComment(db, set, read)
  const { accountId, actor } = caller
  return db.transaction().execute(async (trx) => {
    const id = newId()
    const author = { type: 'USER', id: userId, name: actor.name } as const
    const place = { accountId, socialSetId: set.socialSetId, postSetId: set.id }
    const { audience } = read
    refuseLimit(await insertComment(trx, { id, ...place, audience, author, link: null, text, mentions }))
    await reportComment(trx, { ...place, actor, id, audience, text, mentioned: mentions })
    return commentAnswer(await readBack(trx, caller, id), userId)
  })
}

/**
 * Changes the text and mentions of one's own comment; its audience stays.
 *
 * @throws ProblemError in this order: `auth:not_signed_in`, `comment:not_found`, `auth:insufficient_role` for another's,
 *   `request:invalid_query`, `request:invalid_body`
 */
export async function editComment(
  { db }: Deps,
  caller: Caller,
  id: string,
  body: AskedBody<CommentUpdateBody>,
): Promise<Comment> {
  const { userId } = requireMember(caller)
  return db.transaction().execute(async (trx) => {
    const comment = await holdComment(trx, caller, id)
    if (!isOwn(comment, userId)) {
      throw new ProblemError('auth:insufficient_role', 'Comments are changed by those who wrote them.')
    }
    const read = body.read()
    const set = await requirePostSet(trx, caller, comment.postSetId)
    const before = comment.mentions.map((person) => person.userId)
    const kept = (read.mentions ?? null) === null
    const checked = await readComment(trx, set, kept ? { text: read.text } : read)
    const { text } = checked
    const mentions = kept ? before : checked.mentions
    await updateComment(trx, comment.id, { text, mentions })
    await forgetCommentWords(trx, comment.id)
    const mentioned = mentions.filter((one) => !before.includes(one))
    const { accountId, actor } = caller
    const { socialSetId, postSetId, audience } = comment
    if (mentioned.length > 0) {
      const place = { accountId, socialSetId, postSetId }
      await reportComment(trx, { ...place, actor, id: comment.id, audience, text, mentioned, mentionedAlone: true })
    }
    return commentAnswer(await readBack(trx, caller, comment.id), userId)
  })
}

/**
 * Deletes one's own comment; owners and admins can delete anyone's.
 *
 * @throws ProblemError `auth:not_signed_in`, `comment:not_found`, `auth:insufficient_role`, `request:invalid_query`
 */
export async function removeComment(
  { db }: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<void> {
  const { userId } = requireMember(caller)
  await db.transaction().execute(async (trx) => {
    const comment = await holdComment(trx, caller, id)
    if (!isOwn(comment, userId) && !caller.rights.includes('social-sets:manage')) {
      const words = 'Comments are deleted by those who wrote them, and by owners and admins.'
      throw new ProblemError('auth:insufficient_role', words)
    }
    query.read()
    await deleteComment(trx, comment.id)
    await forgetCommentWords(trx, comment.id)
  })
}

/**
 * Marks a comment as resolved, or reopens it. Every member may.
 *
 * @throws ProblemError `auth:not_signed_in`, `comment:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function resolveComment(
  { db }: Deps,
  caller: Caller,
  id: string,
  body: AskedBody<CommentResolvedBody>,
): Promise<Comment> {
  const { userId } = requireMember(caller)
  return db.transaction().execute(async (trx) => {
    const comment = await holdComment(trx, caller, id)
    const { resolved } = body.read()
    if (resolved === (comment.resolved !== null)) return commentAnswer(comment, userId)
    await markResolved(trx, comment.id, resolved ? caller.actor.name : null)
    return commentAnswer(await readBack(trx, caller, comment.id), userId)
  })
}

const isOwn = ({ author }: CommentRow, userId: string) => author.type === 'USER' && author.id === userId

/** A member's words and mentions as they are kept. */
async function readComment(
  db: Database,
  set: PostSetRow,
  read: { text: string; mentions?: readonly string[] | null | undefined },
): Promise<{ text: string; mentions: string[] }> {
  const { text, entries } = readText(read.text)
  const given = (read.mentions ?? []).map((id) => id.toLowerCase())
  const people = given.length === 0 ? [] : await peopleOf(db, set)
  const unknown = given.flatMap((id, index) =>
    isId(id) && people.some(({ userId }) => userId === id)
      ? []
      : [entryAt(['mentions', index], 'request:invalid_body', `mentions[${index}] is no member who sees the brand.`)],
  )
  refuseBody([...entries, ...unknown])
  return { text, mentions: [...new Set(given)] }
}

async function readBack(trx: DatabaseTransaction, caller: Caller, id: string): Promise<CommentRow> {
  const comment = await findComment(trx, caller, id, { reader: 'MEMBERS' })
  if (!comment) throw new Error('A comment that was just written is not there.')
  return comment
}
