import { comparable, lookUp } from '../kit/lookup.ts'
import { failedPublishing, whilePublishing } from '../kit/outcomes.ts'
import { parseError } from '../meta/errors.ts'
import { call, list, parseId } from '../meta/graph.ts'
import type { Attempt, FindOutcome, FollowUp, PublishOutcome } from '../network.ts'
import { fieldsOf } from './fields.ts'
import { errors, isNotPermitted } from './outcomes.ts'
import { COMMENT_FIELDS, parseComment } from './wire.ts'

/**
 * The first comment. `POST /{ig-media}/comments`:
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments (read 2026-11-21)
 */
export const followUp: FollowUp = {
  title: 'first comment',
  wanted: (post) => {
    const { type, firstComment } = fieldsOf(post.fields)
    return firstComment !== null && type !== 'STORY'
  },
  send,
  find,
}

/** The permission for comments may be declined; the account publishes without it, so nothing is wrong with its token. */
const NOT_PERMITTED =
  'Comments were not allowed when the account was connected. Connect it again and leave that permission switched on.'

const textOf = (attempt: Attempt) => fieldsOf(attempt.post.fields).firstComment ?? ''

function pathOf({ handles: { providerId } }: Attempt): string {
  if (typeof providerId !== 'string') throw new TypeError('A comment needs the id of its post.')
  return `${providerId}/comments`
}

async function send(attempt: Attempt): Promise<PublishOutcome> {
  const json = { message: textOf(attempt) }
  const answer = await call(attempt, { method: 'POST', path: pathOf(attempt), json, parse: parseId })
  if (answer.kind === 'ok') return { kind: 'published', providerId: answer.value, permalink: null }
  if (answer.kind === 'failed') return failedPublishing(answer)
  if (isNotPermitted(parseError(answer.answer)))
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message: NOT_PERMITTED }
  const { meaning, certain } = errors.classify(answer.answer, attempt.now())
  return certain ? whilePublishing(meaning) : { kind: 'unknown', message: meaning.message }
}

/** Our comment on our own fresh post: by text, time and, where it is reported, by name. */
async function find(attempt: Attempt): Promise<FindOutcome> {
  const text = comparable(textOf(attempt))
  const name = attempt.account.username
  const query = { fields: COMMENT_FIELDS, limit: '50' }
  const found = await lookUp(attempt, {
    title: 'Instagram',
    skewMs: 60_000,
    list: () => list(attempt, { path: pathOf(attempt), query, parse: parseComment }),
    id: ({ id }) => id,
    at: ({ at }) => at,
    // On this very post, which no other delivery has.
    match: (entry) =>
      comparable(entry.text) === text && (entry.username ?? name) === (name ?? entry.username) ? 'own' : null,
    meaningOf: (answer) =>
      isNotPermitted(parseError(answer))
        ? { kind: 'ambiguous', message: NOT_PERMITTED }
        : errors.lookUp(answer, attempt.now()).meaning,
  })
  return found.kind === 'entry' ? { kind: 'found', providerId: found.entry.id, permalink: null } : found
}
