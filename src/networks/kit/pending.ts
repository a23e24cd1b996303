import type { Reason } from '#contract'
import type { Attempt, Handles, PrepareOutcome, PublishOutcome, Reconnect, Refused, Retry } from '../network.ts'
import type { Fruitless } from './api.ts'
import { type Classification, few, type Meaning } from './errors.ts'
import type { HttpAnswer } from './http.ts'
import { failedPreparing, whilePreparing } from './outcomes.ts'

/** Why preparing does not go on for now, or at all. */
export type Stop = Exclude<PrepareOutcome, { kind: 'ready' }>

/**
 * An answer to the visible call that does not prove that nothing was published. It is kept in the handle `verdict` and holds
 * once a lookup has proved it. Stored with deliveries: names and shapes stay.
 */
export type PendingOutcome =
  | { kind: 'refused'; reason: Reason; message: string }
  | { kind: 'wait'; until: string; message: string }
  /** What was prepared is discarded. */
  | { kind: 'fresh' }

/** Keeps an answer that proves nothing, so that the network is looked up. `unclear`: the message when it has none. */
export async function keepPending(
  attempt: Attempt,
  classified: Classification,
  unclear: string,
): Promise<PublishOutcome> {
  const verdict = pendingOf(classified)
  if (verdict) await attempt.store({ verdict })
  return { kind: 'unknown', message: classified.meaning.message || unclear }
}

function pendingOf({ meaning, spent }: { meaning: Meaning; spent?: true }): PendingOutcome | null {
  if (meaning.kind === 'refused') return meaning
  if (meaning.kind === 'wait' && meaning.until) {
    return { kind: 'wait', until: meaning.until.toISOString(), message: meaning.message }
  }
  return spent ? { kind: 'fresh' } : null
}

/**
 * Applies the pending outcome in `prepare`, which follows a visible call only once it is proved that nothing was published.
 *
 * @param dropped handles that forget what was prepared
 */
export async function obeyPending(attempt: Attempt, dropped: Handles): Promise<Stop | null> {
  const verdict = (attempt.handles.verdict as PendingOutcome | null | undefined) ?? null
  if (verdict === null) return null
  if (verdict.kind === 'refused') return verdict
  await attempt.store({ verdict: null, ...(verdict.kind === 'fresh' ? dropped : {}) })
  if (verdict.kind === 'fresh') return null
  const until = new Date(verdict.until)
  if (until <= attempt.now()) return null
  return { kind: 'retry', notBefore: until, from: 'prepare', countsAsAttempt: false, message: verdict.message }
}

/** Tries of this delivery that count against `maxRetries`. */
export const triesOf = ({ tries }: Handles): number => (typeof tries === 'number' ? tries : 0)

/** What a refusal leads to in `prepare`. `dropped`: handles that forget what was prepared, when it is spent. */
export async function stopFor(
  attempt: Attempt,
  classified: Classification,
  dropped: Handles,
): Promise<Retry | Refused | Reconnect> {
  const { meaning, spent } = classified
  const outcome = whilePreparing(meaning)
  if (outcome.kind !== 'retry') return outcome
  return (await spendTry(attempt, classified, spent ? dropped : {})) ?? outcome
}

/** What a call that brought nothing leads to in `prepare`. */
export async function stopAfter(
  attempt: Attempt,
  called: Fruitless,
  { classify }: { classify(answer: HttpAnswer, now: Date): Classification },
  dropped: Handles = {},
): Promise<Retry | Refused | Reconnect> {
  if (called.kind === 'failed') return failedPreparing(called)
  return stopFor(attempt, classify(called.answer, attempt.now()), dropped)
}

/** Counts a try against `maxRetries`; the refusal once they are used up. `more`: handles that are stored with it. */
export async function spendTry(
  attempt: Attempt,
  { meaning, maxRetries = Number.POSITIVE_INFINITY, failAs }: Classification,
  more: Handles = {},
): Promise<Refused | null> {
  const tries = triesOf(attempt.handles) + (failAs ? 1 : 0)
  if (failAs && tries > maxRetries) return { kind: 'refused', reason: failAs, message: meaning.message }
  if (failAs || Object.keys(more).length > 0) await attempt.store({ ...(failAs ? { tries } : {}), ...more })
  return null
}

/** What was prepared is of no use: it is made again, at most so many times. `dropped`: handles that forget it. */
export function again(attempt: Attempt, message: string, maxRetries: number, dropped: Handles): Promise<Stop> {
  const meaning = { kind: 'again', from: 'prepare', message } as const
  const traits = { ...few('UNKNOWN_MEDIA_ERROR', maxRetries), spent: true, known: true, certain: true } as const
  return stopFor(attempt, { meaning, ...traits }, dropped)
}

/** Another try to publish begins in `prepare`. */
export function fromPrepare(outcome: PublishOutcome): PublishOutcome {
  return outcome.kind === 'retry' ? { ...outcome, from: 'prepare' } : outcome
}
