import type { Attempt, Connector, PublishOutcome } from '../network.ts'
import { call, parseId } from '../toolkit/graph.ts'
import { confirmByLookup, failedPublishing, retryFrom, whilePublishing } from '../toolkit/outcomes.ts'
import { find, permalinkOf } from './lookup.ts'
import { type Judgement, judge } from './outcomes.ts'
import { prepare, waitForQuota } from './prepare.ts'
import { readState, type Verdict } from './state.ts'

const UNKNOWN = 'Threads did not say clearly whether it published the post.'
/** Calls that one container gets before it is made anew, when the network does not know it. */
const RACES_PER_CONTAINER = 3
/** Calls that may end so before the post is given up: those of three containers. */
const MOST_RACES = 9
const RACE_PAUSE_MS = 2_000

export const connector: Connector = { prepare, publish, confirm: confirmByLookup(find, UNKNOWN), find }

/** Publishes the container: one call. Another try begins in `prepare`, which reads the status of the container. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { container, mediaId, published: isPublished } = readState(attempt.handles)
  if (mediaId !== null) return published(attempt, mediaId)
  if (isPublished) return { kind: 'unknown', message: 'Threads says that the post is published already.' }
  if (container === null) return retryFrom('prepare', 'Nothing was prepared.')

  const answer = await call(attempt, {
    method: 'POST',
    path: 'me/threads_publish',
    query: { creation_id: container },
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
      if (!judgement.certain) return doubtful(attempt, judgement.meaning)
      if (judgement.race) return race(attempt, judgement.meaning.message)
      if (judgement.daily) return waitForQuota(attempt, judgement.meaning.message)
      return fromPrepare(whilePublishing(judgement.meaning))
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
async function doubtful(attempt: Attempt, meaning: Judgement['meaning']): Promise<PublishOutcome> {
  const verdict = verdictOf(meaning)
  if (verdict) await attempt.store({ verdict })
  return { kind: 'unknown', message: meaning.message || UNKNOWN }
}

function verdictOf(meaning: Judgement['meaning']): Verdict | null {
  if (meaning.kind === 'refused') return meaning
  if (meaning.kind === 'wait' && meaning.until) {
    return { kind: 'wait', until: meaning.until.toISOString(), message: meaning.message }
  }
  return null
}

/**
 * The network does not know a container that it had called finished. That call did nothing, and most often the next one
 * works. A container is given up only when the lookup has proven that no call before it was heard after all.
 */
async function race(attempt: Attempt, message: string): Promise<PublishOutcome> {
  const races = readState(attempt.handles).races + 1
  if (races % RACES_PER_CONTAINER !== 0) {
    await attempt.store({ races })
    const notBefore = new Date(attempt.now().getTime() + RACE_PAUSE_MS)
    return { ...retryFrom('prepare', message), notBefore }
  }
  const verdict: Verdict =
    races < MOST_RACES ? { kind: 'fresh' } : { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
  await attempt.store({ races, verdict })
  return { kind: 'unknown', message }
}
