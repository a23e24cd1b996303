import { commentedPost, firstComment } from '../kit/first-comment.ts'
import { parseError } from '../meta/errors.ts'
import { call, list, parseId } from '../meta/graph.ts'
import type { Attempt } from '../network.ts'
import { fieldsOf } from './fields.ts'
import { errors, isNotPermitted } from './outcomes.ts'
import { COMMENT_FIELDS, parseComment } from './wire.ts'

/** The permission for comments may be declined; the account publishes without it, so nothing is wrong with its token. */
const NOT_PERMITTED =
  'Comments were not allowed when the account was connected. Connect it again and leave that permission switched on.'

const pathOf = (attempt: Attempt) => `${commentedPost(attempt)}/comments`

/**
 * The first comment. `POST /{ig-media}/comments`:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments (read 2026-11-21)
 */
export const followUp = firstComment({
  title: 'Instagram',
  textOf(post) {
    const { type, firstComment: text } = fieldsOf(post.fields)
    return type === 'STORY' ? null : text
  },
  authorOf: ({ account }) => account.username,
  send: (attempt, message) =>
    call(attempt, { method: 'POST', path: pathOf(attempt), json: { message }, parse: parseId }),
  list: (attempt) =>
    list(attempt, { path: pathOf(attempt), query: { fields: COMMENT_FIELDS, limit: '50' }, parse: parseComment }),
  errors,
  notPermitted: (answer) => (isNotPermitted(parseError(answer)) ? NOT_PERMITTED : null),
})
