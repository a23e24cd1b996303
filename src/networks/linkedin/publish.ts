import { askAgain } from '../kit/flow.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { confirmByLookup, failedPublishing, retryFrom, whilePublishing } from '../kit/outcomes.ts'
import type { Attempt, Connector, PublishOutcome } from '../network.ts'
import { call } from './api.ts'
import { CLOCK_SKEW_MS, find, mayRepeat, permalinkOf } from './find.ts'
import { prepare, STUCK_MS, workedOnFor } from './prepare.ts'
import { readState, type Sent } from './state.ts'
import { growingWait, meaningOf, renew } from './stops.ts'
import { parseCreated, parseDuplicate, parsePost, timeOf } from './wire.ts'

/** A post that was made so long before our call, by LinkedIn's clock, may still be ours. */
const SAME_MOMENT_MS = 5_000
/** Between calls that LinkedIn refuses because it is still working on the media: it counts them. */
const PAUSES = [
  [60_000, 10_000],
  [10 * 60_000, 60_000],
  [Number.POSITIVE_INFINITY, 5 * 60_000],
] as const
const UNKNOWN = 'LinkedIn did not say clearly whether it made the post.'

export const connector: Connector = { prepare, publish, confirm: confirmByLookup(find, UNKNOWN), find }

/** Makes the post: one call. That it is made is noted down before, and struck out when it certainly did nothing. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { body, sent: before, postUrn } = readState(attempt.handles)
  if (postUrn !== null) return published(attempt, postUrn)
  if (body === null) return retryFrom('prepare', 'Nothing was prepared.')
  // The pause before this turn may have been longer than LinkedIn remembers.
  if (before !== null && !before.missed && !mayRepeat(attempt, before)) return { kind: 'unknown', message: UNKNOWN }
  const since = before?.since ?? attempt.now().toISOString()
  await attempt.store({ sent: { since, count: (before?.count ?? 0) + 1, missed: false } satisfies Sent })

  const answer = await call(attempt, {
    method: 'POST',
    path: 'rest/posts',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseCreated,
  })
  if (answer.kind === 'ok') {
    await attempt.store({ postUrn: answer.value })
    return published(attempt, answer.value)
  }
  if (answer.kind === 'failed') {
    if (!answer.sent) await attempt.store({ sent: before })
    return failedPublishing(answer)
  }
  const duplicate = parseDuplicate(answer.answer)
  if (duplicate) return fromDuplicate(attempt, answer.answer, duplicate.urn, before)
  const classified = meaningOf(attempt, answer.answer)
  const { meaning, spent, takesIn } = classified
  const worked = takesIn ? workedOnFor(attempt) : null
  const useless = spent || (worked !== null && worked > STUCK_MS)
  if (meaning.kind === 'ambiguous') return whilePublishing(meaning)
  const final = meaning.kind === 'refused' || useless || (meaning.kind === 'reconnect' && !meaning.mayRefresh)
  // It says nothing of the call before, which may have made the post.
  if (final && before !== null && !before.missed) return { kind: 'unknown', message: meaning.message }
  await attempt.store({ sent: before })
  if (useless) return renew(attempt, meaning.message)
  if (worked !== null) {
    const notBefore = askAgain(attempt, new Date(attempt.now().getTime() - worked), PAUSES)
    return { kind: 'retry', notBefore, from: 'publish', countsAsAttempt: false, message: meaning.message }
  }
  return whilePublishing(await growingWait(attempt, classified))
}

const published = (attempt: Attempt, urn: string): PublishOutcome => ({
  kind: 'published',
  providerId: urn,
  permalink: permalinkOf(attempt, urn),
})

/**
 * The account has the same post already. It is ours when an earlier call of this delivery may have made it, and it is
 * not older than that call. LinkedIn also names posts that were deleted, under new ids, so it is looked at where that
 * is allowed.
 */
async function fromDuplicate(
  attempt: Attempt,
  answer: HttpAnswer,
  urn: string | null,
  before: Sent | null,
): Promise<PublishOutcome> {
  const refuse = async (): Promise<PublishOutcome> => {
    await attempt.store({ sent: before })
    const { meaning } = meaningOf(attempt, answer)
    const which = urn === null ? '' : ` It is ${permalinkOf(attempt, urn)}`
    const deleted = ' A post that was deleted counts for a day or two.'
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message: meaning.message + which + deleted }
  }
  if (before === null) return refuse()
  const unknown: PublishOutcome = { kind: 'unknown', message: UNKNOWN }
  if (urn === null) return unknown
  const seen = await call(attempt, {
    method: 'GET',
    path: `rest/posts/${encodeURIComponent(urn)}`,
    timeoutMs: 5_000,
    parse: parsePost,
  })
  if (seen.kind === 'failed') return unknown
  const status = seen.kind === 'ok' ? 200 : seen.answer.status
  // A fresh post may be unknown to its first reader; together with a listing that lacks it, it is certain.
  if (status === 404) return before.missed ? refuse() : unknown
  if (status !== 200 && status !== 403) return unknown
  const made = timeOf(urn) ?? (seen.kind === 'ok' ? seen.value.createdAt : null)
  if (made === null) return unknown
  const early = new Date(before.since).getTime() - made.getTime()
  if (early > CLOCK_SKEW_MS) return refuse()
  if (early > SAME_MOMENT_MS) return unknown
  await attempt.store({ postUrn: urn })
  return published(attempt, urn)
}
