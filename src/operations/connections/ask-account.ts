import type { AccountType } from '#contract'
import { isId } from '#domain'
import { type ConnectContext, type Credentials, type Network, networkNamed } from '#networks'
import { findOpenConnection, readSealedIdentity } from '#persistence'
import { readToken, refreshToken, type TokenDeps } from '#publishing'
import { Refusal, refusal } from '../refusal.ts'

/** What a network is asked about an account may take this long, a refresh included. */
const ASKING_MS = 60_000

export interface AccountDeps extends TokenDeps {
  now(): Date
}

interface AccountBehind {
  connection: NonNullable<Awaited<ReturnType<typeof findOpenConnection>>>
  network: Network
  who: { identityId: string; externalId: string; accountType: AccountType }
  context: ConnectContext
}

/**
 * The account of an open connection, with access to its network.
 *
 * @throws Refusal
 */
export async function accountBehind(deps: AccountDeps, connectionId: string): Promise<AccountBehind> {
  const connection = isId(connectionId) ? await findOpenConnection(deps.db, connectionId, { lock: false }) : null
  const identity = connection && (await readSealedIdentity(deps.db, connection.identityId))
  if (!connection || !identity) throw noConnection(connectionId)
  const network = networkNamed(deps.networks, identity.network)
  const context: ConnectContext = {
    endpoint: (name) => deps.endpoint(identity.network, name, identity),
    setting: (name) => deps.setting(identity.network, name, identity),
    http: deps.httpFor(identity),
    signal: AbortSignal.timeout(ASKING_MS),
    now: deps.now,
  }
  return { connection, network, who: { ...identity, ...connection }, context }
}

type NoAnswer = { kind: 'reconnect'; message: string; mayRefresh: boolean } | { kind: 'failed'; message: string }
type AnswerOf<Outcome> = Exclude<Outcome, { kind: NoAnswer['kind'] }>

/**
 * Asks a network about an account; if it does not accept the current token, again with a fresh one. A refusal ends
 * no connection: only publishing does that.
 *
 * @throws Refusal when the network does not say
 */
export async function askAccount<Outcome extends { kind: string }>(
  deps: AccountDeps,
  identityId: string,
  ask: (credentials: Credentials) => Promise<Outcome | NoAnswer>,
): Promise<AnswerOf<Outcome>> {
  let token = await readToken(deps, identityId)
  for (let turn = 0; token; turn++) {
    const outcome = await ask(token.credentials)
    if (!isNoAnswer(outcome)) return outcome as AnswerOf<Outcome>
    if (outcome.kind === 'failed' || !outcome.mayRefresh || turn > 0) throw new Refusal(outcome.message)
    const refreshed = await refreshToken(deps, identityId, token)
    if (refreshed.kind !== 'token') throw new Refusal(refreshed.message)
    token = refreshed.token
  }
  throw refusal('why:connection_over')
}

const isNoAnswer = (outcome: { kind: string }): outcome is NoAnswer =>
  outcome.kind === 'reconnect' || outcome.kind === 'failed'

export const noConnection = (id: string) => new Refusal(`There is no open connection ${id}.`)
