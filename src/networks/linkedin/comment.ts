import type { Called } from '../kit/api.ts'
import { commentedPost, firstComment } from '../kit/first-comment.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { retryFrom } from '../kit/outcomes.ts'
import type { Attempt, FollowUp } from '../network.ts'
import { errors } from './outcomes.ts'
import { readState } from './state.ts'
import { call, listComments, parseComment, parseNewComment } from './wire.ts'

const NOT_PERMITTED =
  'LinkedIn does not let this connection comment. Its app needs the permission for it (w_organization_social_feed for pages, w_member_social_feed for people); then set ALMANAC_LINKEDIN_COMMENTS=on and connect the account again.'
const UNREAD = 'LinkedIn does not let this connection read comments. Look at the post.'

const pathOf = (attempt: Attempt) => `socialActions/${encodeURIComponent(commentedPost(attempt))}/comments`

/**
 * The first comment, in the name of the account:
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api (read 2026-11-29). A text of a
 * comment is what it looks like: nothing stands for something else.
 */
const comment = firstComment({
  title: 'LinkedIn',
  authorOf: ({ account }) => account.externalId,
  send: (attempt, text) => post(attempt, readState(attempt.handles).olderComments ? 'v2' : 'rest', text),
  async list(attempt) {
    const listed = await listComments(attempt, `rest/${pathOf(attempt)}`, parseComment)
    return listed.kind === 'ok' ? { kind: 'ok', value: { entries: listed.value, whole: true } } : listed
  },
  errors,
  notPermitted,
  isUnknownPost: ({ status }) => status === 404,
})

/** Also a restricted account is answered so. */
function notPermitted(answer: HttpAnswer): string | null {
  if (answer.status !== 403) return null
  const { meaning } = errors.lookUp(answer, new Date(0))
  return meaning.kind === 'refused' && meaning.reason.startsWith('ACCOUNT_') ? null : NOT_PERMITTED
}

const post = (attempt: Attempt, api: 'rest' | 'v2', text: string): Promise<Called<string>> =>
  call(attempt, {
    method: 'POST',
    path: `${api}/${pathOf(attempt)}`,
    json: { actor: attempt.account.externalId, object: commentedPost(attempt), message: { text } },
    parse: parseNewComment,
  })

export const followUp: FollowUp = {
  ...comment,
  /** Pages of older permissions were seen to be refused by the versioned API and taken by the one before: the refusal makes nothing. */
  async send(attempt) {
    const outcome = await comment.send(attempt)
    const isRefused = outcome.kind === 'refused' && outcome.message === NOT_PERMITTED
    if (!isRefused || readState(attempt.handles).olderComments) return outcome
    await attempt.store({ olderComments: true })
    return { ...retryFrom('publish', NOT_PERMITTED), notBefore: attempt.now(), countsAsAttempt: false }
  },
  async find(attempt) {
    const outcome = await comment.find(attempt)
    const isUnread = outcome.kind === 'cannot-tell' && outcome.message === NOT_PERMITTED
    return isUnread ? { kind: 'cannot-tell', message: UNREAD } : outcome
  },
}
