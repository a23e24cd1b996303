import type { CommentAudience } from '#contract'
import { type Actor, addReviewNews, type DatabaseTransaction, listWriters } from '#persistence'

interface Written {
  id: string
  accountId: string
  socialSetId: string
  postSetId: string
  actor: Actor
  audience: CommentAudience
  text: string
  /** Users. */
  mentioned: readonly string[]
  /** It is not new: those alone are notified who are mentioned since. */
  mentionedAlone?: boolean
}

/** Notifies the participants of a thread about a comment; about a team-only one, only members. */
export async function reportComment(
  trx: DatabaseTransaction,
  { id, audience, text, mentioned, mentionedAlone = false, ...about }: Written,
): Promise<void> {
  const inner = audience === 'INNER'
  const writers = mentionedAlone ? [] : await listWriters(trx, about.postSetId, 'MEMBERS')
  const concerned = writers.filter(({ type }) => type === 'USER').map((writer) => writer.id)
  const guestIds = inner ? [] : writers.filter(({ type }) => type === 'REVIEWER').map((writer) => writer.id)
  await addReviewNews(trx, [
    { ...about, kind: 'COMMENTED', commentId: id, inner, words: text, mentioned, concerned, guestIds },
  ])
}
