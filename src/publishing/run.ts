import { setTimeout as pause } from 'node:timers/promises'
import type { Attempt, Http, MediaSource, Network, Networks } from '#networks'
import {
  type DeliveryContent,
  type DeliveryRow,
  type HeldDelivery,
  readDeliveryContent,
  renewLease,
  storeHandles,
} from '#persistence'
import type { PublisherSettings } from './settings.ts'
import type { Signals } from './steps.ts'
import { readToken, refreshToken, type Token, type TokenDeps } from './token-refresher.ts'

/** What the sending of deliveries needs of the rest of Almanac. */
export interface DeliverDeps extends TokenDeps {
  networks: Networks
  /** The bytes of media items, by their ids. */
  mediaSources(mediaIds: readonly string[]): Promise<ReadonlyMap<string, MediaSource>>
  /** The names of those whose file is not in the store. */
  missingMedia(mediaIds: readonly string[]): Promise<string[]>
  settings: PublisherSettings
  signals: Signals
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
    error(fields: object, message: string): void
  }
}

/** One turn of a worker at one delivery, under one lease. */
export interface Run {
  deps: DeliverDeps
  lease: { owner: string; ms: number }
  row: DeliveryRow
  content: DeliveryContent
  network: Network | null
  /** Null while not read, or when the identity has no secret. */
  token: Token | null
  /** A token is refreshed once per turn at most. */
  refreshed: boolean
  /** The database's clock, carried on by the monotonic one. */
  now(): Date
  /** Aborts everything when the process must end now. */
  hardStop: AbortSignal
}

/** The lease went to another worker: this turn is over, whatever it was doing. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/** A hold came before the fence: this turn is over, and the delivery waits for the release. */
export class HeldError extends Error {
  override name = 'HeldError'
}

export async function startRun(
  deps: DeliverDeps,
  held: HeldDelivery,
  lease: Run['lease'],
  hardStop: AbortSignal,
): Promise<Run> {
  const taken = performance.now()
  const { database_now: databaseNow, ...row } = held
  const content = await readDeliveryContent(deps.db, row)
  const token = content.connection ? await readToken(deps, content.connection.identityId) : null
  return {
    deps,
    lease,
    row,
    content,
    network: deps.networks.serving(row.account_type),
    token,
    refreshed: false,
    now: () => new Date(databaseNow.getTime() + (performance.now() - taken)),
    hardStop,
  }
}

/** Whether a refresh can still help in this turn. */
export function canRefresh({ refreshed, network, token }: Run): boolean {
  if (refreshed || !network?.connect.refresh || !token) return false
  return network.connect.canRefresh?.(token.credentials) ?? true
}

/** Refreshes the token of a run, once, when the network offers it. */
export async function refreshRunToken(run: Run): Promise<Awaited<ReturnType<typeof refreshToken>>> {
  const { connection } = run.content
  if (!connection || !run.token)
    return { kind: 'dead', message: 'The connection has to be renewed: connect the account again.' }
  const refreshed = await refreshToken(run.deps, connection.identityId, run.token)
  // A refresh that failed in passing is no refresh: the step may ask for one again.
  if (refreshed.kind === 'token') {
    run.refreshed = true
    run.token = refreshed.token
  }
  return refreshed
}

/** Refreshes ahead of time what would expire on the way. A failure is left to the step itself. */
export async function refreshAhead(run: Run): Promise<void> {
  const expiresAt = run.token?.expiresAt
  if (!expiresAt || !canRefresh(run)) return
  if (expiresAt.getTime() - run.now().getTime() > run.deps.settings.refreshAheadMs) return
  await refreshRunToken(run)
}

/**
 * Runs an invisible step: the lease is renewed meanwhile, and `signal` aborts when it is lost, the step takes too long
 * or the process must end.
 */
export async function underLease<T>(run: Run, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const lost = new AbortController()
  const beat = async () => {
    try {
      if (!(await renewLease(run.deps.db, run.row.id, run.lease))) lost.abort(new LeaseLostError('The lease was lost.'))
    } catch (error) {
      run.deps.log.warn({ delivery: run.row.id, error }, 'A lease could not be renewed')
    }
  }
  const timer = setInterval(beat, run.lease.ms / 3)
  try {
    const limit = AbortSignal.timeout(run.deps.settings.stepLimitMs)
    const result = await step(AbortSignal.any([run.hardStop, lost.signal, limit]))
    if (lost.signal.aborted) throw lost.signal.reason
    return result
  } finally {
    clearInterval(timer)
  }
}

/** What a connector gets to see of a run. `wrap` adds checks around each request. */
export async function attemptOf(
  run: Run,
  network: Network,
  signal: AbortSignal,
  wrap: (http: Http) => Http = (http) => http,
): Promise<Attempt> {
  const { content, deps } = run
  const { connection, post } = content
  if (!connection || !run.token) throw new Error('A delivery without a connection cannot be sent.')
  const sources = await deps.mediaSources(post.media.map((item) => item.mediaId))
  return {
    post: {
      accountType: post.accountType,
      caption: post.caption,
      fields: post.fields,
      media: post.media.map(({ mediaId, ...item }) => {
        const source = sources.get(mediaId)
        if (!source) throw new Error('A media item of a delivery has no file.')
        return { ...item, source }
      }),
    },
    account: { externalId: connection.externalId, username: connection.username, defaults: connection.defaults },
    credentials: run.token.credentials,
    endpoint: (name) => deps.endpoint(network.manifest.name, name, connection),
    setting: (name) => deps.setting(network.manifest.name, name, connection),
    get handles() {
      return run.row.handles
    },
    store: async (handles) => {
      if (!(await storeHandles(deps.db, run.row.id, run.lease.owner, handles)))
        throw new LeaseLostError('The lease was lost.')
      run.row = { ...run.row, handles: { ...run.row.handles, ...handles } }
      await deps.signals('handles-stored', run.row.id)
    },
    http: wrap(deps.httpFor(connection)),
    signal,
    now: run.now,
    pause: (ms) => pause(ms, undefined, { signal }).catch(() => undefined),
    fencedAt: run.row.first_fenced_at,
  }
}
