import { entryAt, LIMITS, type ProblemEntry, ProblemError } from '#contract'
import { isId } from '#domain'
import { type CommentLimit, type CommentRow, type Database, findComment, type Visible } from '#persistence'

/**
 * A comment with its row locked.
 *
 * @throws ProblemError `comment:not_found`
 */
export async function holdComment(trx: Database, visible: Visible, id: string): Promise<CommentRow> {
  const comment = isId(id) ? await findComment(trx, visible, id, { reader: 'MEMBERS', lock: true }) : null
  if (!comment) throw new ProblemError('comment:not_found', 'No comment has this id.')
  return comment
}

/** The text of a comment as it is stored, or what is wrong with it. Its length was checked with the shape. */
export function readText(given: string): { text: string; entries: ProblemEntry[] } {
  const text = given.replaceAll('\r\n', '\n').trim()
  const problem = (words: string) => ({ text, entries: [entryAt(['text'], 'request:invalid_body', `text ${words}.`)] })
  if (text === '') return problem('must have at least one character that is no space')
  if ([...text].length > LIMITS.comments.codePoints) {
    return problem(`must have at most ${LIMITS.comments.codePoints} characters`)
  }
  return /[^\P{Cc}\n\t]/u.test(text) ? problem('must not have control characters') : { text, entries: [] }
}

/** @throws ProblemError */
export function refuseLimit(limit: CommentLimit | null): void {
  const { perPostSet, perMinute, guests } = LIMITS.comments
  const reached = (words: string) => new ProblemError('comment:limit_reached', words)
  if (limit === 'perPostSet') {
    throw reached(
      `The team has written its ${perPostSet} comments about the post. Delete some that are no longer needed.`,
    )
  }
  if (limit === 'perGuest') throw reached(`You have written ${guests.each} comments about this post: that is the most.`)
  if (limit === 'perLink') {
    throw reached(`Guests have written ${guests.ofLink} comments about this post: that is the most. Write to the team.`)
  }
  if (limit === 'perMinute') {
    const words = `These are more than ${perMinute} comments in a minute. Wait a moment.`
    throw new ProblemError('comment:too_fast', words, { headers: { 'retry-after': '60' } })
  }
}
