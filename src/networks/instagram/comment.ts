import { comparable, newEntries } from '../kit/lookup.ts'
import { failedPublishing, whilePublishing } from '../kit/outcomes.ts'
import { call, list, parseId } from '../meta/graph.ts'
import type { Attempt, FindOutcome, FollowUp, PublishOutcome } from '../network.ts'
import { fieldsOf } from './fields.ts'
import { errors, isNotPermitted } from './outcomes.ts'
import { COMMENT_FIELDS, parseComment } from './wire.ts'

const CLOCK_SKEW_MS = 60_000

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

async function send(attempt: Attempt): Promise<PublishOutcome> {
  const answer = await call(attempt, {
    method: 'POST',
    path: `${mediaIdOf(attempt)}/comments`,
    json: { message: textOf(attempt) },
    parse: parseId,
  })
  switch (answer.kind) {
    case 'ok':
      return { kind: 'published', providerId: answer.value, permalink: null }
    case 'failed':
      return failedPublishing(answer)
    case 'refused': {
      if (isNotPermitted(answer.answer)) return { kind: 'refused', reason: 'ACTION_BLOCKED', message: NOT_PERMITTED }
      const { meaning, certain } = errors.classify(answer.answer, attempt.now())
      return certain ? whilePublishing(meaning) : { kind: 'unknown', message: meaning.message }
    }
  }
}

/** Our comment on our own fresh post: by text, time and, where it is told, by name. */
async function find(attempt: Attempt): Promise<FindOutcome> {
  const text = comparable(textOf(attempt))
  const { username } = attempt.account
  let isForbidden = false
  const listed = await newEntries(attempt, {
    skewMs: CLOCK_SKEW_MS,
    async list() {
      const query = { fields: COMMENT_FIELDS, limit: '50' }
      const asked = await list(attempt, { path: `${mediaIdOf(attempt)}/comments`, query, parse: parseComment })
      isForbidden = asked.kind === 'refused' && isNotPermitted(asked.answer)
      return asked
    },
    at: ({ at }) => at,
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  if (isForbidden) return { kind: 'cannot-tell', message: NOT_PERMITTED }
  if (listed.kind !== 'entries') return listed
  if (!listed.whole) {
    return { kind: 'cannot-tell', message: 'Instagram lists more comments than can be looked through.' }
  }
  const comment = listed.entries.find(
    (each) =>
      comparable(each.text) === text && (each.username === null || username === null || each.username === username),
  )
  return comment ? { kind: 'found', providerId: comment.id, permalink: null } : { kind: 'absent' }
}

/** The permission for comments may be declined; the account publishes without it, so nothing is wrong with its token. */
const NOT_PERMITTED =
  'Comments were not allowed when the account was connected. Connect it again and leave that permission switched on.'

const textOf = (attempt: Attempt) => fieldsOf(attempt.post.fields).firstComment ?? ''

function mediaIdOf(attempt: Attempt): string {
  const { providerId } = attempt.handles
  if (typeof providerId !== 'string') throw new TypeError('A comment needs the id of its post.')
  return providerId
}
