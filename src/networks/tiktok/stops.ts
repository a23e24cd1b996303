import type { Fruitless } from '../kit/api.ts'
import type { Classification } from '../kit/errors.ts'
import { failedPreparing, whilePreparing } from '../kit/outcomes.ts'
import { type Stop, spendTry } from '../kit/pending.ts'
import type { Attempt, Refused, Retry } from '../network.ts'
import { CROWDED_PAUSE, errors } from './outcomes.ts'
import { dropped, readState } from './state.ts'

/** The publisher gives a post up 24 hours after its time; the reason has to be told before. */
const CROWDED_WAIT_MS = 23 * 3_600_000

/** What a call that brought nothing leads to, when it was one that has no visible effect. */
export async function stopFor(attempt: Attempt, called: Fruitless): Promise<Stop> {
  if (called.kind === 'failed') return failedPreparing(called)
  const classified = errors.classify(called.answer, attempt.now())
  return (await whenCrowded(attempt, classified)) ?? whilePreparing(classified.meaning)
}

/**
 * The account has made its posts of 24 hours. Their day rolls, so the network is asked every hour, and the post ends with
 * the reason before the publisher gives it up without one. Null for everything else.
 */
export async function whenCrowded(
  attempt: Attempt,
  { meaning, quota }: Classification,
): Promise<Retry | Refused | null> {
  if (!quota || meaning.kind !== 'wait') return null
  const now = attempt.now()
  const since = readState(attempt.handles).crowdedSince
  if (since && now.getTime() + CROWDED_PAUSE - since.getTime() > CROWDED_WAIT_MS) {
    const message = `${meaning.message} Schedule the post for another day.`
    return { kind: 'refused', reason: 'ACCOUNT_RESTRICTED_SPAM', message }
  }
  if (!since) await attempt.store({ crowdedSince: now.toISOString() })
  const { until: notBefore, message } = meaning
  return { kind: 'retry', notBefore, from: 'prepare', countsAsAttempt: false, message, scope: 'identity' }
}

/** What a try leads to that the network took and gave up. Null: it is forgotten, and another may begin at once. */
export async function afterFailure(attempt: Attempt, classified: Classification) {
  const { meaning } = classified
  if (meaning.kind === 'refused' || meaning.kind === 'reconnect') return meaning
  return (await spendTry(attempt, classified, dropped)) ?? whenCrowded(attempt, classified)
}
