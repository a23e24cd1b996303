import { commentedPost, firstComment } from '../kit/first-comment.ts'
import { isPermission, parseError } from '../meta/errors.ts'
import { call, isUnseen, list, parseId } from '../meta/graph.ts'
import { errors } from './outcomes.ts'
import { COMMENT_FIELDS, parseComment } from './wire.ts'

const NOT_PERMITTED =
  'Facebook does not let this connection comment, or read comments. Connect the Page again and leave the permission for comments (pages_manage_engagement) switched on.'

/**
 * The first comment, in the name of the Page. `POST /{object}/comments`:
 * https://developers.facebook.com/docs/graph-api/reference/object/comments (read 2026-11-29). A video takes it by its own id.
 * Which permission reads comments the vendor's pages contradict each other about, so it is read with what was granted.
 */
export const followUp = firstComment({
  title: 'Facebook',
  authorOf: ({ account }) => account.externalId,
  send: (attempt, message) =>
    call(attempt, { method: 'POST', path: `${commentedPost(attempt)}/comments`, json: { message }, parse: parseId }),
  list: (attempt) =>
    list(attempt, {
      path: `${commentedPost(attempt)}/comments`,
      query: { fields: COMMENT_FIELDS, filter: 'stream', order: 'reverse_chronological', limit: '25' },
      parse: parseComment,
    }),
  errors,
  notPermitted: (answer) => (isPermission(parseError(answer)) ? NOT_PERMITTED : null),
  isUnknownPost: isUnseen,
})
