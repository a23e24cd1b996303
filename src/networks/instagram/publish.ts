import type { Attempt, Connector, PublishOutcome } from '../network.ts'
import { call, parseId } from '../toolkit/graph.ts'
import { confirmByLookup, failedPublishing, retryFrom, whilePublishing } from '../toolkit/outcomes.ts'
import { followUp } from './comment.ts'
import { find, permalinkOf } from './lookup.ts'
import { type Judgement, judge, QUOTA_PAUSE } from './outcomes.ts'
import { prepare } from './prepare.ts'
import { readState, type Verdict } from './state.ts'
import { parseQuota } from './wire.ts'

const HOUR = 3_600_000
/** The publisher gives a post up 24 hours after its time; the reason has to be told before. */
const QUOTA_WAIT_MS = 23 * HOUR
const UNKNOWN = 'Instagram did not say clearly whether it published the post.'

export const connector: Connector = { prepare, publish, confirm: confirmByLookup(find, UNKNOWN), find, followUp }

/** Publishes the container: one call. Another try begins in `prepare`, which reads the status of the container. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { container, mediaId, published: isPublished } = readState(attempt.handles)
  if (mediaId !== null) return published(attempt, mediaId)
  if (isPublished) return { kind: 'unknown', message: 'Instagram says that the post is published already.' }
  if (container === null) return retryFrom('prepare', 'Nothing was prepared.')

  const answer = await call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/media_publish`,
    json: { creation_id: container },
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseId,
  })
  switch (answer.kind) {
    case 'ok':
      await attempt.store({ mediaId: answer.value })
      return published(attempt, answer.value)
    case 'failed':
      return fromPrepare(failedPublishing(answer))
    case 'refused': {
      const judgement = judge(answer.answer, attempt.now())
      if (!judgement.certain) return doubtful(attempt, judgement)
      return judgement.daily ? quotaReached(attempt, judgement) : fromPrepare(whilePublishing(judgement.meaning))
    }
  }
}

function fromPrepare(outcome: PublishOutcome): PublishOutcome {
  return outcome.kind === 'retry' ? { ...outcome, from: 'prepare' } : outcome
}

async function published(attempt: Attempt, mediaId: string): Promise<PublishOutcome> {
  return { kind: 'published', providerId: mediaId, permalink: await permalinkOf(attempt, mediaId) }
}

/** The answer proves nothing: the network is looked up, and what it said is kept for when nothing is there. */
async function doubtful(attempt: Attempt, { meaning, fresh }: Judgement): Promise<PublishOutcome> {
  const verdict = verdictOf(meaning, fresh === true)
  if (verdict) await attempt.store({ verdict })
  return { kind: 'unknown', message: meaning.message || UNKNOWN }
}

function verdictOf(meaning: Judgement['meaning'], fresh: boolean): Verdict | null {
  if (meaning.kind === 'refused') return meaning
  if (meaning.kind === 'wait' && meaning.until) {
    return { kind: 'wait', until: meaning.until.toISOString(), message: meaning.message }
  }
  return fresh ? { kind: 'fresh' } : null
}

/** Places of the quota become free one by one within 24 hours, so it is asked again every hour. */
async function quotaReached(attempt: Attempt, { meaning }: Judgement): Promise<PublishOutcome> {
  const quota = await call(attempt, {
    method: 'GET',
    path: `${attempt.account.externalId}/content_publishing_limit`,
    query: { fields: 'quota_usage,config' },
    timeoutMs: 5_000,
    parse: parseQuota,
  })
  const numbers = quota.kind === 'ok' ? ` (${quota.value.used} of ${quota.value.total})` : ''
  const message = `${meaning.message}${numbers}`
  const since = attempt.fencedAt ?? attempt.now()
  if (attempt.now().getTime() + QUOTA_PAUSE - since.getTime() > QUOTA_WAIT_MS) {
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message: `${message} Schedule the post for another day.` }
  }
  return fromPrepare(whilePublishing({ ...meaning, message }))
}
