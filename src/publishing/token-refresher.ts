import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '#domain'
import type { ConnectContext, Credentials, Http, IdentityPlace, Networks, RefreshOutcome } from '#networks'
import {
  type Database,
  databaseNow,
  type RefreshLease,
  readSealedIdentity,
  readStartState,
  releaseRefreshLease,
  requireReconnect,
  type SealedIdentity,
  storeFacts,
  storeRefreshedSecret,
  takeRefreshLease,
} from '#persistence'
import { type Observed, report } from './observer.ts'
import { type Workers, workerId } from './workers.ts'

/** Opens and seals the secrets of identities; the key never leaves it. */
export interface CredentialBox {
  open(identityId: string, sealed: { secret: Buffer; secretKeyId: string }): Credentials
  /** Seals with the first key, or with the one of that id when it is there. */
  seal(identityId: string, credentials: Credentials, keyId?: string): { secret: Buffer; secretKeyId: string }
}

/** How long the parts of a refresh may take, in milliseconds. */
interface RefreshTimes {
  /** The network's answer. Longer than any takes, and short enough for a process that is to stop. */
  callMs: number
  /** How long an answer is kept in memory while the database does not take it. */
  storeMs: number
  /** How long a caller waits for the refresh of another. */
  waitMs: number
}

export const refreshDefaults: RefreshTimes = { callMs: 20_000, storeMs: 60_000, waitMs: 10_000 }

/** A caller waits no longer than this, beyond the new token, for what else is read with it. */
const FACTS_MS = 5_000

/** A lease lasts longer than call and store together: a second call with a rotated token may end the whole sign-in. */
const LEASE_MARGIN_MS = 10_000

export interface TokenDeps extends Observed {
  db: Database
  networks: Networks
  /** For requests on behalf of that identity alone: a server that the operator named for it may be private. */
  httpFor(identity: IdentityPlace): Http
  credentials: CredentialBox
  endpoint(network: string, name: string, identity: IdentityPlace): string
  setting(network: string, name: string, identity: { sandbox: boolean }): string
  /** The process is to end: no refresh is begun any more, and none is waited for. */
  ends?: AbortSignal
  /** The process ends now: what the database has not taken by then is given up. */
  gone?: AbortSignal
  /** The worker that calls among others. Absent: what it leaves when it is killed is waited for, as is what others leave. */
  workers?: Workers | undefined
  /** Replaces some of `refreshDefaults`, for tests. */
  refreshTimes?: Partial<RefreshTimes>
}

export interface Token {
  credentials: Credentials
  expiresAt: Date | null
  /** The version of the secret: null when it was never replaced. */
  refreshedAt: Date | null
}

/** Reads the credentials of an identity. Null when it has none. */
export async function readToken(
  deps: Pick<TokenDeps, 'db' | 'credentials'>,
  identityId: string,
): Promise<Token | null> {
  return tokenOf(deps, await readSealedIdentity(deps.db, identityId))
}

/** Opens what was read of an identity. Null when it has no secret. */
export function tokenOf(
  deps: Pick<TokenDeps, 'credentials'>,
  identity: Pick<SealedIdentity, 'id' | 'secret' | 'secretKeyId' | 'expiresAt' | 'refreshedAt'> | null,
): Token | null {
  if (!identity?.secret || !identity.secretKeyId) return null
  const { id, secret, secretKeyId, expiresAt, refreshedAt } = identity
  return { credentials: deps.credentials.open(id, { secret, secretKeyId }), expiresAt, refreshedAt }
}

export type Refreshed =
  | { kind: 'token'; token: Token }
  | { kind: 'dead'; message: string }
  /** Nothing was learned of the token. Waiting for the refresh of another counts as no attempt. */
  | { kind: 'failed'; message: string; countsAsAttempt: boolean }

const DEAD = 'The connection no longer works: reconnect the account.'
const BUSY = 'The sign-in is being renewed. Try again in a minute.'
const HELD = 'Nothing is renewed until the person who operates Almanac has let its start go on.'
const INTERRUPTED = ' An earlier renewal was interrupted before it was stored.'

/**
 * Refreshes the credentials of an identity, one caller at a time over all processes: a caller that comes second waits for
 * the first and gets what it has stored. The network is called outside of any transaction, and the new token is stored
 * before a caller gets it. A token that the network calls dead marks the connections of the identity; a passing fault
 * marks nothing. When the one who refreshes is gone for certain, the next caller does so at once.
 *
 * Nothing breaks off one that has begun: a network that has rotated the token while its answer is thrown away has ended the connection.
 *
 * @param seen what the caller used and found wanting
 * @throws what the network's code or the database throws
 */
export async function refreshToken(
  deps: TokenDeps,
  identityId: string,
  seen: Pick<Token, 'refreshedAt'>,
): Promise<Refreshed> {
  const { callMs, storeMs, waitMs } = timesOf(deps)
  const until = performance.now() + waitMs
  const owner = deps.workers ? workerId(deps.workers) : newId()
  for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 1_000)) {
    const identity = await readSealedIdentity(deps.db, identityId)
    if (!identity || !isRefreshable(deps, identity)) return endConnection(deps, identityId, identity, DEAD)
    if (identity.refreshedAt?.getTime() !== seen.refreshedAt?.getTime()) return stored(deps, identityId)
    if (deps.ends?.aborted) return { kind: 'failed', message: BUSY, countsAsAttempt: false }
    const gone =
      identity.refresh === 'running' && (await isGone(deps, identity.refreshOwner)) ? identity.refreshOwner : null
    const wanted = { owner, ms: callMs + storeMs + LEASE_MARGIN_MS, seen: identity.refreshedAt, gone }
    const free = identity.refresh !== 'running' || gone !== null
    const lease = free ? await takeRefreshLease(deps.db, identityId, wanted) : null
    if (lease !== null) {
      const interrupted = gone !== null || identity.refresh === 'interrupted'
      if (!deps.ends?.aborted) return refreshUnderLease(deps, identity, { ...lease, interrupted })
      // The stop came meanwhile.
      await releaseRefreshLease(deps.db, identityId, { ...lease, interrupted }).catch(() => {})
    }
    if ((await readStartState(deps.db)) !== null) return { kind: 'failed', message: HELD, countsAsAttempt: false }
    if (performance.now() >= until) return { kind: 'failed', message: BUSY, countsAsAttempt: false }
    await pause(pauseMs, undefined, { signal: deps.ends }).catch(() => {})
  }
}

/** Whether the worker of that id has ended for certain. One that lives, or of which nothing is known, is waited for. */
async function isGone({ workers }: TokenDeps, id: string | null): Promise<boolean> {
  const name = workers && id !== null ? await workers.nameOf(id) : null
  return name !== null && (await workers?.isGone(name)) === true
}

const timesOf = (deps: TokenDeps): RefreshTimes => ({ ...refreshDefaults, ...deps.refreshTimes })

const isRefreshable = (deps: TokenDeps, { network, secret }: SealedIdentity) =>
  secret !== null && (deps.networks.named(network)?.connect.refresh ?? null) !== null

/** What is there now, after the secret has changed. */
async function stored(deps: TokenDeps, identityId: string): Promise<Refreshed> {
  const token = await readToken(deps, identityId)
  return token ? { kind: 'token', token } : endConnection(deps, identityId, null, DEAD)
}

/** The credentials are dead, unless there are others meanwhile. */
async function endConnection(
  deps: TokenDeps,
  identityId: string,
  used: SealedIdentity | null,
  message: string,
): Promise<Refreshed> {
  if (await requireReconnect(deps.db, identityId, message, used ? { seen: used.refreshedAt } : undefined))
    return { kind: 'dead', message }
  return stored(deps, identityId)
}

/**
 * Calls the network and stores what it answers. The lease is ours, and is given back.
 *
 * @param lease.interrupted an earlier answer was not stored. It is remembered until a later one is: without it, a dead token has no
 *   explanation
 */
async function refreshUnderLease(
  deps: TokenDeps,
  identity: SealedIdentity,
  lease: RefreshLease & { interrupted: boolean },
): Promise<Refreshed> {
  let { interrupted } = lease
  let ended: RefreshOutcome['kind'] = 'failed'
  try {
    const outcome = await callNetwork(deps, identity)
    if (outcome.kind !== 'refreshed') ended = outcome.kind
    switch (outcome.kind) {
      case 'failed':
        return { ...outcome, countsAsAttempt: true }
      case 'dead':
        return await endConnection(deps, identity.id, identity, `${outcome.message}${interrupted ? INTERRUPTED : ''}`)
      case 'refreshed': {
        interrupted = true
        const stored = await store(deps, identity, outcome)
        ended = 'refreshed'
        if (stored.kind === 'token' && !deps.ends?.aborted) await learnFacts(deps, identity, stored.token)
        return stored
      }
    }
  } finally {
    report(deps, { kind: 'refreshed', network: identity.network, outcome: ended })
    // While the database is away the lease runs out by itself.
    await releaseRefreshLease(deps.db, identity.id, { ...lease, interrupted }).catch(() => {})
  }
}

async function callNetwork(deps: TokenDeps, identity: SealedIdentity): Promise<RefreshOutcome> {
  const refresh = deps.networks.named(identity.network)?.connect.refresh
  const token = tokenOf(deps, identity)
  if (!refresh || !token) return { kind: 'dead', message: DEAD }
  const context = await contextOf(deps, identity, timesOf(deps).callMs)
  return refresh(context, { externalId: identity.externalId, credentials: token.credentials })
}

/** What the network's code gets to see for a call on behalf of an identity, which may take so many milliseconds. */
async function contextOf(deps: TokenDeps, identity: SealedIdentity, limitMs: number): Promise<ConnectContext> {
  const now = await databaseNow(deps.db)
  return {
    endpoint: (name) => deps.endpoint(identity.network, name, identity),
    setting: (name) => deps.setting(identity.network, name, identity),
    http: deps.httpFor(identity),
    signal: AbortSignal.timeout(limitMs),
    now: () => now,
  }
}

/**
 * Reads with a new token what the network reports for the account. The token is stored by then, and nothing that goes wrong
 * here keeps anybody from using it.
 */
async function learnFacts(deps: TokenDeps, identity: SealedIdentity, { credentials }: Token): Promise<void> {
  const facts = deps.networks.named(identity.network)?.connect.facts
  if (!facts) return
  try {
    const { externalId } = identity
    const read = await facts(await contextOf(deps, identity, FACTS_MS), { externalId, credentials })
    if (read) await storeFacts(deps.db, identity.id, read)
  } catch (error) {
    deps.log.warn({ identity: identity.id, error }, 'What a network reports for an account could not be read')
  }
}

/**
 * Stores a new token in place of the one that it was made from, and keeps trying while the database does not take it, for as
 * long as a process may take that is to stop. A
 * secret that replaced that one meanwhile stays, and is what the caller gets.
 *
 * @throws what the last try has met
 */
async function store(
  deps: TokenDeps,
  identity: SealedIdentity,
  fresh: { credentials: Credentials; expiresAt: Date | null },
): Promise<Refreshed> {
  const until = performance.now() + timesOf(deps).storeMs
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 2_000)) {
    try {
      return await storeOnce(deps, identity, fresh)
    } catch (error) {
      if (performance.now() + pauseMs >= until || deps.gone?.aborted) throw error
      deps.log.warn({ identity: identity.id, error }, 'A renewed token could not be stored yet')
      await pause(pauseMs, undefined, { signal: deps.gone }).catch(() => {})
    }
  }
}

async function storeOnce(
  deps: TokenDeps,
  identity: SealedIdentity,
  { credentials, expiresAt }: { credentials: Credentials; expiresAt: Date | null },
): Promise<Refreshed> {
  const { id, refreshedAt } = identity
  let sealedWith = identity.secretKeyId
  // Our first key; or the one that has sealed the row since it was read, which is the newer one.
  let keyId: string | undefined
  while (sealedWith !== null) {
    const sealed = { ...deps.credentials.seal(id, credentials, keyId), expiresAt }
    const version = await storeRefreshedSecret(deps.db, id, sealed, { refreshedAt, secretKeyId: sealedWith })
    if (version) return { kind: 'token', token: { credentials, expiresAt, refreshedAt: version } }
    const current = await readSealedIdentity(deps.db, id)
    if (!current?.secretKeyId || current.refreshedAt?.getTime() !== refreshedAt?.getTime()) break
    sealedWith = keyId = current.secretKeyId
  }
  return stored(deps, id)
}
