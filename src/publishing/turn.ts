import type { Delivery, DeliveryPolicy } from '#domain'
import type { ReadLinkPreview } from '#media'
import type { Handles, MediaSource, Network, Networks, Part } from '#networks'
import type { DeliveryContent, DeliveryRow } from '#persistence'
import type { Calls } from './calls.ts'
import type { MachineClock } from './clock.ts'
import type { DatabaseClock } from './database-clock.ts'
import type { Noted } from './noted.ts'
import type { PublisherSettings } from './settings.ts'
import type { Signals } from './steps.ts'
import type { Together } from './together.ts'
import type { Token, TokenDeps } from './token-refresher.ts'

/** What the sending of deliveries needs of the rest of Almanac. */
export interface DeliverDeps extends TokenDeps {
  networks: Networks
  /** The bytes of media items, by their ids. */
  mediaSources(mediaIds: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
  /** The names of those whose file is not in the store. */
  missingMedia(mediaIds: readonly string[]): Promise<string[]>
  /** Reads what a page says of itself; absent: no page is read. */
  linkPreview?: ReadLinkPreview | undefined
  settings: PublisherSettings
  signals: Signals
  /** Replaces the clocks of the machine, for tests. */
  clock?: MachineClock
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

/** The same for turns of one publisher. */
export interface TurnDeps extends DeliverDeps {
  clock: MachineClock
  noted: Noted
  calls: Calls
  databaseClock: Pick<DatabaseClock, 'notAfter'>
  /** Connections whose deliveries have ended or were given back, until their next ones are moved up. */
  freed: Set<string>
  /** A delivery was given back that is due again in so many milliseconds. */
  goesOn(inMs: number): void
  together: Together
}

/** The hold of one worker on one delivery, under one lease. */
export interface Turn {
  deps: TurnDeps
  lease: { owner: string; ms: number }
  /** When the lease ends at the earliest, by `performance.now()`. */
  leaseEndsAt: number
  /** Its handles are those of the connector, stored or not. */
  row: DeliveryRow
  /** Handles that are not stored yet; null when all are. They are before the next request leaves, or with what the step leads to. */
  unstored: Handles | null
  /** The id of the post, named by the network before it is published, and not stored yet. */
  providerId: string | null
  /** What the machine knows of it. */
  delivery: Delivery
  policy: DeliveryPolicy
  /** Its network takes the cover of its post only later. False as long as the post was not read. */
  waitsForCover: boolean
  network: Network | null
  /** The database's clock, carried on by the monotonic one, as far as it is believed. */
  now(): Date
  /** Aborts everything when the process must end now. */
  hardStop: AbortSignal
}

/** A turn with everything that steps need. */
export interface Run extends Turn {
  content: DeliveryContent
  /** What its network makes behind the post. */
  parts: readonly Part[]
  /** Null when the identity has no secret. */
  token: Token | null
  /** A token is refreshed once per turn at most. */
  refreshed: boolean
  /** Until when the call may be repeated, as the last look says, by the clock that runs in suspend; null: nothing is repeated. */
  repeatUntil: number | null
}
