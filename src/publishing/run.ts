import { setTimeout as pause } from 'node:timers/promises'
import {
  allMedia,
  connectAgainMessage,
  type Delivery,
  type DeliveryPolicy,
  deliveryPolicy,
  type PartRules,
  pauseAfter,
  stageOf,
} from '#domain'
import {
  type Attempt,
  chosenFor,
  discardBody,
  fitsOf,
  type Http,
  type Network,
  plainPost,
  plainPreview,
  wordsKeyOf,
  wordsOfDelivery,
} from '#networks'
import {
  type DeliveryRow,
  databaseFault,
  endedParts,
  type FenceMark,
  type HeldDelivery,
  isFenceDoubted,
  LeaseLostError,
  renewFence,
  renewLease,
  storeHandles,
  underLease,
} from '#persistence'
import { earliest } from './clock.ts'
import { mediaToSend } from './media-to-send.ts'
import { rulesOf } from './parts.ts'
import { refreshToken, tokenOf } from './token-refresher.ts'
import type { DeliverDeps, Run, Turn, TurnDeps } from './turn.ts'
import { claim, othersOf } from './twins.ts'

/** @param takenAt before the lease was taken, by `performance.now()` */
export function beginTurn(
  deps: TurnDeps,
  held: HeldDelivery,
  { lease, takenAt, hardStop }: { lease: Turn['lease']; takenAt: number; hardStop: AbortSignal },
): Turn {
  const read = performance.now()
  const { database_now: databaseNow, taken_over: _, ...row } = held
  const network = deps.networks.serving(row.account_type)
  return {
    deps,
    lease,
    leaseEndsAt: takenAt + lease.ms,
    row,
    unstored: null,
    providerId: null,
    delivery: deliveryOf(row, { connection: network ? 'open' : 'gone', pause: null }),
    policy: policyOf(deps, network, rulesOf(row, [])),
    waitsForCover: false,
    network,
    now: () => earliest(new Date(databaseNow.getTime() + (performance.now() - read)), deps.databaseClock.notAfter()),
    hardStop,
  }
}

/**
 * Reads what the steps of a delivery need.
 *
 * @throws what reading or opening it throws
 */
export async function openRun(turn: Turn): Promise<Run> {
  const { deps, row, network } = turn
  const content = await deps.together.content(row)
  const { connection } = content
  const token = connection ? tokenOf(deps, content.identity) : null
  const reach = !network || !connection || !token ? 'gone' : connection.closed ? 'closed' : 'open'
  const parts = network?.connector.parts?.(plainPost(content.post)) ?? []
  return {
    ...turn,
    delivery: deliveryOf(row, { connection: reach, pause: content.pause }),
    policy: policyOf(deps, network, rulesOf(row, parts)),
    waitsForCover: network?.connector.lateCover?.wanted(plainPost(content.post)) ?? false,
    content,
    parts,
    token,
    refreshed: false,
    repeatUntil: null,
  }
}

function policyOf({ settings }: DeliverDeps, network: Network | null, parts: readonly PartRules[]): DeliveryPolicy {
  const listingDelayMs = settings.listingDelayMs ?? network?.manifest.listingDelayMs ?? 0
  return deliveryPolicy(settings, { listingDelayMs, parts })
}

/** A row as the machine sees it. */
function deliveryOf(row: DeliveryRow, around: Pick<Delivery, 'connection' | 'pause'>): Delivery {
  const stage = stageOf(row.state)
  if (!stage) throw new Error('A delivery that is done was taken up again.')
  return {
    stage,
    ended: endedParts(row),
    attempts: row.attempts,
    // Older versions counted from one below for a look at once.
    lookups: Math.max(row.lookups, 0),
    missedLooks: row.missed_looks,
    nextAt: row.next_at,
    givesUpAt: row.gives_up_at,
    ...(row.continues !== null && row.due_at ? { continuedAt: row.due_at } : {}),
    firstFencedAt: row.first_fenced_at,
    fencedAt: row.fenced_at,
    unknownSince: row.unknown_since,
    message: row.last_message,
    warnings: row.warnings,
    touched: row.state !== 'PREPARING' || row.attempts > 0 || row.last_message !== null || hasKeys(row.handles),
    connection: around.connection,
    pause: around.pause,
  }
}

const hasKeys = (value: object) => Object.keys(value).length > 0

/** Takes over what was written, with all handles: the lease counts from before that. */
export function written(turn: Turn, row: DeliveryRow, startedAt: number): void {
  turn.row = row
  turn.unstored = null
  turn.providerId = null
  turn.delivery = deliveryOf(row, turn.delivery)
  turn.leaseEndsAt = startedAt + turn.lease.ms
}

/** Renews the lease. False when another worker has taken over. */
async function keepLease(turn: Turn): Promise<boolean> {
  const startedAt = performance.now()
  if (!(await renewLease(turn.deps.db, turn.row.id, turn.lease))) return false
  turn.leaseEndsAt = startedAt + turn.lease.ms
  return true
}

type Unstored = Pick<Turn, 'lease' | 'row' | 'unstored'> & { deps: DeliverDeps }

/**
 * Asks for the lease again before a call, as a fence of its own.
 *
 * @throws LeaseLostError
 */
export async function verifyFence(turn: Turn, mark: FenceMark | null): Promise<void> {
  const startedAt = performance.now()
  const notAfter = turn.deps.databaseClock.notAfter()
  const row = await renewFence(turn.deps.db, turn.row.id, turn.lease, { mark, notAfter })
  if (!row) throw new LeaseLostError('The lease was lost.')
  turn.row = { ...turn.row, fenced_at: row.fenced_at }
  turn.delivery = { ...turn.delivery, fencedAt: row.fenced_at }
  turn.leaseEndsAt = startedAt + turn.lease.ms
}

/**
 * Stores the handles that wait for it.
 *
 * @throws LeaseLostError
 */
export async function storeUnstored(turn: Unstored): Promise<void> {
  const { deps, row, lease, unstored } = turn
  if (unstored === null) return
  if (!(await storeHandles(deps.db, row.id, lease.owner, unstored))) throw new LeaseLostError('The lease was lost.')
  if (turn.unstored === unstored) turn.unstored = null
  await deps.signals('handles-stored', row.id)
}

/** The database is away, or has broken off one of two transactions that were in each other's way. */
const passes = (error: unknown) =>
  databaseFault(error) !== null || ['40001', '40P01'].includes((error as { code?: string } | null)?.code ?? '')
const STORE_PAUSES_MS = [100, 500, 2_000]

/**
 * Stores what is known of a delivery. While the database is away it is tried again until the lease ends, and one last time
 * then: an answer of a network is not to be had twice.
 *
 * @throws what the database refuses it with in the end
 */
export async function storing<T>(turn: Turn, write: () => Promise<T>): Promise<T> {
  for (let nth = 1; ; nth++) {
    const leftMs = turn.leaseEndsAt - performance.now()
    try {
      return await write()
    } catch (error) {
      if (!passes(error) || leftMs <= 0 || turn.hardStop.aborted) throw error
      turn.deps.log.warn({ delivery: turn.row.id, error }, 'The outcome of a delivery could not be stored yet')
    }
    const waitMs = Math.min(pauseAfter(STORE_PAUSES_MS, nth), Math.max(leftMs, 0))
    await pause(waitMs, undefined, { signal: turn.hardStop }).catch(() => undefined)
  }
}

/** Whether a refresh can still help in this turn. */
export function canRefresh({ refreshed, network, token }: Pick<Run, 'refreshed' | 'network' | 'token'>): boolean {
  if (refreshed || !network?.connect.refresh || !token) return false
  return network.connect.canRefresh?.(token.credentials) ?? true
}

/** Refreshes the token of a run, once, when the network offers it. */
export async function refreshRunToken(run: Run): Promise<Awaited<ReturnType<typeof refreshToken>>> {
  const { connection } = run.content
  if (!connection || !run.token) return { kind: 'dead', message: connectAgainMessage }
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
export async function stepUnderLease<T>(run: Run, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { deps, lease, row } = run
  const onError = (error: unknown) => deps.log.warn({ delivery: row.id, error }, 'A lease could not be renewed')
  return underLease({ ms: lease.ms, renew: () => keepLease(run), onError }, async (lost) => {
    const limit = AbortSignal.timeout(deps.settings.stepLimitMs)
    const result = await step(AbortSignal.any([run.hardStop, lost, limit]))
    lost.throwIfAborted()
    return result
  })
}

/** What reaching a network takes of a run. */
type Reach = Unstored & Pick<Run, 'content' | 'token' | 'now'>

/**
 * What a connector gets to see of a run.
 *
 * @param options.crops `made` for steps that may send bytes; the others do not need the media at all
 * @param options.wrap adds checks around each request
 */
export async function attemptOf(
  run: Run,
  network: Network,
  signal: AbortSignal,
  options: AttemptOptions = {},
): Promise<Attempt> {
  const begunAt = run.deps.clock.monotonic()
  const attempt = await reachOf(run, network, signal, options)
  return Object.assign(attempt, {
    others: () => othersOf(run, wordsKeyOf(attempt.words), begunAt),
    claim: (providerId: string) => claim(run, providerId),
    before: run.delivery.ended,
    ...(isFirstContinued(run) ? { continues: true as const } : {}),
  })
}

/** The part that a person has asked for, before its first fence: what is there already was not seen by this delivery. */
const isFirstContinued = ({ row: { continues, first_fenced_at }, delivery: { ended } }: Run) =>
  continues === ended.length && first_fenced_at === null

interface AttemptOptions {
  crops?: 'made' | 'on demand'
  wrap?: (http: Http) => Http
}

/** What is done has no handles and gets none, and its id is its own. */
const SETTLED: Pick<Attempt, 'store' | 'others' | 'claim' | 'before'> = {
  store: async () => {},
  others: async () => ({ taken: new Set(), twins: [] }),
  claim: async () => true,
  before: [],
}

/** What a connector gets to see of a post that has ended. */
export async function settledAttempt(
  run: Omit<Reach, 'lease' | 'unstored'>,
  network: Network,
  signal: AbortSignal,
  options: AttemptOptions = {},
): Promise<Attempt> {
  const settled = { ...run, lease: { owner: '', ms: 0 }, unstored: null }
  return { ...(await reachOf(settled, network, signal, options)), ...SETTLED }
}

/** What does not depend on other deliveries. */
async function reachOf(
  run: Reach,
  network: Network,
  signal: AbortSignal,
  { crops = 'on demand', wrap = (http) => http }: AttemptOptions = {},
): Promise<Omit<Attempt, 'others' | 'claim' | 'before'>> {
  const { content, deps } = run
  const { connection } = content
  if (!connection || !run.token) throw new Error('A delivery without a connection cannot be sent.')
  const setting = (name: string) => deps.setting(network.manifest.name, name, connection)
  const words = wordsOfDelivery(network.connector, content.post, run.row.handles, setting)
  const { id: _, ...post } = plainPost(content.post)
  const sources = await deps.mediaSources(allMedia(post).map((item) => item.mediaId))
  const mediaOf = (media: typeof post.media) =>
    mediaToSend(media, sources, fitsOf(network.manifest, post, media), crops)
  const parts = post.thread.map(async (part) => ({ ...part, media: await mediaOf(part.media) }))
  return {
    post: { ...post, media: await mediaOf(post.media), thread: await Promise.all(parts) },
    account: {
      externalId: connection.externalId,
      username: connection.username,
      defaults: chosenFor(network.manifest, post, connection.defaults),
    },
    credentials: run.token.credentials,
    endpoint: (name) => deps.endpoint(network.manifest.name, name, connection),
    setting,
    ...words,
    get handles() {
      return run.row.handles
    },
    store: async (handles) => {
      run.row = { ...run.row, handles: { ...run.row.handles, ...handles } }
      run.unstored = { ...run.unstored, ...handles }
    },
    http: storingFirst(run, wrap(deps.httpFor(connection))),
    preview: async (url, image) => plainPreview(await deps.linkPreview?.(url, image, signal)),
    signal,
    now: run.now,
    pause: async (ms) => {
      await storeUnstored(run)
      await pause(ms, undefined, { signal }).catch(() => undefined)
    },
    get fencedAt() {
      return run.row.first_fenced_at
    },
    isFenceDoubted: isFenceDoubted(run.row),
  }
}

/** What the connector has noted down is stored before a request leaves. */
function storingFirst(run: Unstored, http: Http): Http {
  return async (request) => {
    try {
      await storeUnstored(run)
    } catch (error) {
      discardBody(request)
      throw error
    }
    return http(request)
  }
}
