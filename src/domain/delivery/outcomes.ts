import type { Reason } from '#contract'
import type { Live, Warning } from './results.ts'

/** What the steps of a connector answer. Everything that goes wrong on a network is one of these values. */

/** Whose requests a network limits: those of the identity (an account there), or of the app that calls it. */
export type PauseScope = 'identity' | 'app'

/** Certain that nothing visible happened; try again. */
export interface Retry {
  kind: 'retry'
  /** Not before this time; null: when the retry policy says. */
  notBefore: Date | null
  from: 'prepare' | 'publish'
  /** False for a wait that the network asked for. */
  countsAsAttempt: boolean
  message: string
  /** Others have to wait too, until `notBefore`. Absent: this post alone. */
  scope?: PauseScope | undefined
}

/** The network said no, for good. `message` says what to do. */
export interface Refused {
  kind: 'refused'
  reason: Reason
  message: string
  /** The network has also said that the call which this one repeats made nothing. */
  ofBoth?: true
}

/** The credentials are not accepted. With `mayRefresh` one refresh is tried before the connection is called dead. */
export interface Reconnect {
  kind: 'reconnect'
  mayRefresh: boolean
  message: string
  /**
   * It was a read that was refused, as happens while publishing works: the connection is not called dead for it. In the
   * visible step the read may have come after the call, so the post is looked up. Set by `runStep` alone.
   */
  byRead?: true
}

export interface Published {
  kind: 'published'
  /** The network's id; null when the post is certainly live but its id could not be learned. */
  providerId: string | null
  permalink: string | null
  /** What the network did not take of it. */
  warnings?: readonly Warning[]
  /** The further parts of the post, where the one call made all of them. */
  thread?: readonly Live[]
  /** It is not live: the network has put it into the account's inbox, where its creator finishes it. It is asked for by this id. */
  inbox?: string
}

/** The network has it and works on it, or shows it soon: `confirm` asks how it went. */
export interface Accepted {
  kind: 'accepted'
  askAgainAt: Date
  /** The id that the post will have, where it is known already: no look of another post takes it. */
  providerId?: string
}

/** A look that proved nothing. */
interface CannotTell {
  kind: 'cannot-tell'
  message: string
  /** The network did not answer, or other posts have to be settled first: this look does not count. */
  unanswered?: true
}

export type PrepareOutcome = { kind: 'ready' } | { kind: 'waiting'; askAgainAt: Date } | Retry | Refused | Reconnect

/** The same of a part behind the post. `found`: it is there already, and nothing is sent. */
export type PartPrepareOutcome = PrepareOutcome | ({ kind: 'found' } & Omit<Published, 'kind'>)

export type PublishOutcome =
  | Published
  | Accepted
  | Retry
  | Refused
  | Reconnect
  /** The network may have done it: nothing is sent again before `find` has proof. */
  | { kind: 'unknown'; message: string }

export type FindOutcome =
  | ({ kind: 'found' } & Omit<Published, 'kind'>)
  /**
   * Proof that the visible call had no effect: when it was asked after the listing delay; `byItself` at once, as the network says so of
   * this very call.
   */
  | { kind: 'absent'; byItself?: true }
  /** No proof, but the same call is safe if it leaves so soon behind the first one: the network answers it by what that one made. */
  | { kind: 'repeatable'; withinMs: number; message: string }
  /** Known to be live or in work: `confirm` settles it in seconds, long before the next look would be due. */
  | Accepted
  | CannotTell
  | Reconnect
