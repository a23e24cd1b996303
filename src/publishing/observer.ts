import { ACCOUNT_TYPES, type AccountType, type Reason } from '#contract'
import { LOOKED_UP } from '#domain'
import type { DeliveryEnd, DeliveryRow } from '#persistence'
import { alertKindOf } from './results.ts'

/** How a post has ended. `may-be-live`: the network never confirmed it. */
export const OUTCOMES = ['posted', 'delivered', 'failed', 'may-be-live'] as const
/** How a call of a network's token endpoint has ended. `failed` is passing, or an error of ours. */
export const REFRESH_OUTCOMES = ['refreshed', 'failed', 'dead'] as const

/** What the publisher does, for figures: no ids and no texts. A network has the name of its lane. */
export type PublishingEvent =
  /** Post sets that were due are PUBLISHING now. */
  | { kind: 'claimed'; sets: number }
  /** A delivery whose worker is gone or let its lease run out. */
  | { kind: 'taken-over'; network: string }
  /** The first fence of a post is committed: its visible call begins, this long after it was due. */
  | { kind: 'fenced'; network: string; latenessMs: number }
  /** An attempt had no effect for certain, and counts. */
  | { kind: 'retried'; network: string }
  /** A visible call may have had its effect: it is looked up. */
  | { kind: 'unknown'; network: string }
  | { kind: 'ended'; network: string; outcome: (typeof OUTCOMES)[number]; reason: Reason | null }
  /** How far the clock of the database has jumped ahead, while it is not believed; 0 when it is. */
  | { kind: 'clock-ahead'; ms: number }
  | { kind: 'refreshed'; network: string; outcome: (typeof REFRESH_OUTCOMES)[number] }

export interface Observed {
  /** Receives each event right after it is committed. Absent: none is reported. */
  observe?: ((event: PublishingEvent) => void) | undefined
  log: { warn(fields: object, message: string): void }
}

/** Reports an event. An observer that throws changes nothing of what is published. */
export function report({ observe, log }: Observed, event: PublishingEvent): void {
  try {
    observe?.(event)
  } catch (error) {
    log.warn({ error }, 'An observer of the publisher has failed')
  }
}

const networkOf = (accountType: AccountType) => ACCOUNT_TYPES[accountType].network

/** @param fenced the row as the fence has left it */
export function reportFence(observed: Observed, before: DeliveryRow, fenced: DeliveryRow): void {
  const { state, due_at: dueAt, fenced_at: fencedAt } = fenced
  if (before.first_fenced_at !== null || state !== 'SENDING' || dueAt === null || fencedAt === null) return
  const latenessMs = Math.max(0, fencedAt.getTime() - dueAt.getTime())
  report(observed, { kind: 'fenced', network: networkOf(fenced.account_type), latenessMs })
}

/** What a step has changed of a delivery that stays open. */
export function reportChange(observed: Observed, before: DeliveryRow, after: DeliveryRow): void {
  const network = networkOf(after.account_type)
  if (LOOKED_UP.includes(after.state) && before.state !== after.state) report(observed, { kind: 'unknown', network })
  if (after.attempts > before.attempts) report(observed, { kind: 'retried', network })
}

export function reportEnd(observed: Observed, accountType: AccountType, end: DeliveryEnd): void {
  const { result } = end
  const alert = alertKindOf(end)
  const there = result.delivery === 'INBOX' ? 'delivered' : 'posted'
  const outcome = alert === null ? there : alert === 'POST_UNKNOWN' ? 'may-be-live' : 'failed'
  report(observed, { kind: 'ended', network: networkOf(accountType), outcome, reason: result.reason ?? null })
}

export const reportTakeover = (observed: Observed, accountType: AccountType) =>
  report(observed, { kind: 'taken-over', network: networkOf(accountType) })
