import { HOUR_MS } from '#contract/durations'
import type {
  Delivery,
  DeliveryPolicy,
  FindOutcome,
  PrepareOutcome,
  PublishOutcome,
  Retry,
  Step,
  Warning,
} from './index.ts'

/** A network that has one answer, forever. `absent at once`: and nothing is known of when the call was over. */
export const STUBBORN = [
  'retry',
  'wait',
  'wait for nothing',
  'accepted',
  'cannot tell',
  'no answer',
  'absent',
  'absent at once',
] as const
/** `well`: everything is made at once. */
export type Stubborn = (typeof STUBBORN)[number] | 'well'

/** What a stubborn network answers in a step. */
export function stubbornly(
  stubborn: Stubborn,
  step: Step,
  { retry, after, providerId }: { retry: Retry; after: (ms: number) => Date; providerId: string },
): PrepareOutcome | PublishOutcome | FindOutcome {
  if (step === 'prepare') return { kind: 'ready' }
  if (stubborn === 'well') return { kind: 'published', providerId, permalink: null }
  const waiting = { ...retry, from: 'publish', countsAsAttempt: false } as const
  if (stubborn === 'retry') return { ...waiting, notBefore: null, countsAsAttempt: true }
  if (stubborn === 'wait') return { ...waiting, notBefore: after(HOUR_MS) }
  if (stubborn === 'wait for nothing') return { ...waiting, notBefore: after(0) }
  if (stubborn === 'accepted') return { kind: 'accepted', askAgainAt: after(step === 'send' ? 5_000 : 0) }
  if (step !== 'find') return { kind: 'unknown', message: 'No answer.' }
  if (stubborn.startsWith('absent')) return { kind: 'absent' }
  const cannotTell = { kind: 'cannot-tell', message: 'No list.' } as const
  return stubborn === 'no answer' ? { ...cannotTell, unanswered: true } : cannotTell
}

/** A delivery as a claim makes it. */
export const freshDelivery = (now: Date, policy: DeliveryPolicy, warnings: readonly Warning[]): Delivery => ({
  stage: 'PREPARING',
  ended: [],
  attempts: 0,
  lookups: 0,
  missedLooks: 0,
  nextAt: now,
  givesUpAt: new Date(now.getTime() + policy.giveUpAfterMs),
  firstFencedAt: null,
  fencedAt: null,
  unknownSince: null,
  message: null,
  warnings,
  touched: false,
  pause: null,
  connection: 'open',
})
