import { type AccountType, why } from '#contract'
import { HOUR_MS } from '#contract/durations'
import { isId } from '#domain'
import { type NetworkIdentity, networkNamed, signInNamed } from '#networks'
import {
  type Authorization,
  claimAuthorization,
  type Database,
  endAuthorization,
  findAuthorization,
  findAuthorizationByState,
  keepChoices,
  openConnections,
  type Visible,
} from '#persistence'
import { type Caller, maySee } from '../caller.ts'
import { Refusal, refusal } from '../refusal.ts'
import { type AddedConnection, anotherAccount, closeOther, connectIdentity } from './connect-identity.ts'
import { type AuthorizationDeps, hashState, type StartedSecret } from './start-authorization.ts'

/** Accounts wait this long for one of them to be chosen. */
const CHOICES_LAST_MS = HOUR_MS

/** What the browser brought back from the network. */
export interface ReturnedAuthorization {
  network: string
  state: string | null
  code: string | null
  /** Why the network gives no code. */
  error: string | null
  errorDescription: string | null
  /** Who is signed in to the dashboard in that browser; null for no one. */
  visitor: Caller | null
}

/** An account to choose from; never its secrets. */
export interface AccountChoice {
  externalId: string
  name: string
  username: string | null
}

export type FinishedAuthorization =
  | { kind: 'connected'; title: string; connection: AddedConnection }
  | { kind: 'choose'; title: string; authorizationId: string; accountType: AccountType; accounts: AccountChoice[] }
  | { kind: 'failed'; message: string }
  /** The member who began it has come back: the dashboard shows the outcome. */
  | { kind: 'back'; authorizationId: string; socialSetId: string }

/** The message about an expired sign-in. */
export const OVER = why('why:sign_in_over')
const ELSEWHERE =
  'This sign-in was begun in the dashboard by another person, in another browser, or by you before you signed out. Nothing was connected. Begin it again in the dashboard.'

/**
 * Completes a sign-in when the browser comes back: asks the network which accounts it may use, and connects the only
 * one, or the one that was connected before, or keeps them to choose from. A sign-in completes once, in any browser;
 * one that a member began completes only in the session that began it, so that no account gets into another person's
 * social set.
 */
export async function finishAuthorization(
  deps: AuthorizationDeps,
  returned: ReturnedAuthorization,
): Promise<FinishedAuthorization> {
  const { state, visitor } = returned
  const network = deps.networks.named(returned.network)
  if (state === null || !network) return { kind: 'failed', message: OVER.message }
  const sessionId = visitor?.member?.sessionId ?? null
  const stateHash = hashState(state)
  const claimed = await claimAuthorization(deps.db, { network: returned.network, stateHash, sessionId })
  if (!claimed) return notClaimed(await findAuthorizationByState(deps.db, stateHash), sessionId)
  const finished = await settle(deps, claimed, returned)
  return claimed.startedBy ? backTo(claimed) : finished
}

async function settle(
  deps: AuthorizationDeps,
  claimed: Authorization,
  returned: ReturnedAuthorization,
): Promise<FinishedAuthorization> {
  try {
    if (claimed.startedBy && !mayConnect(returned.visitor, claimed)) throw refusal('why:sign_in_elsewhere')
    return await exchange(deps, claimed, returned)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await endAuthorization(deps.db, claimed.id, { status: 'FAILED', message: error.message, why: error.why })
    return { kind: 'failed', message: error.message }
  }
}

/** Ten minutes are long enough for a role or a membership to change. */
function mayConnect(visitor: Caller | null, { accountId, socialSetId }: Authorization): boolean {
  return (
    visitor?.accountId === accountId && visitor.rights.includes('connections:manage') && maySee(visitor, socialSetId)
  )
}

const backTo = ({ id, socialSetId }: Authorization) => ({ kind: 'back', authorizationId: id, socialSetId }) as const

/** Pages are loaded again: who comes back twice gets the outcome of the first time, and nothing else happens. */
function notClaimed(known: Authorization | null, sessionId: string | null): FinishedAuthorization {
  if (!known?.startedBy) return { kind: 'failed', message: whyNot(known) }
  return known.startedBy.sessionId === sessionId ? backTo(known) : { kind: 'failed', message: ELSEWHERE }
}

function whyNot(known: Authorization | null): string {
  if (known?.status === 'CONNECTED') return 'This sign-in has connected its account already. You can close this page.'
  if (known?.status === 'CHOOSING' && !known.expired) {
    return `This sign-in gave several accounts already. Choose one: almanac connections choose ${known.id}`
  }
  return known?.status === 'FAILED' ? `${known.message ?? ''} Begin the sign-in again.`.trim() : OVER.message
}

/** @throws Refusal */
async function exchange(
  deps: AuthorizationDeps,
  authorization: Authorization,
  { code, error, errorDescription, visitor }: ReturnedAuthorization,
): Promise<FinishedAuthorization> {
  const network = networkNamed(deps.networks, authorization.network)
  const { title } = network.manifest
  if (error !== null || code === null) throw refusedThere(title, error, errorDescription)
  const secret = opened(deps, authorization) as StartedSecret | null
  const way = secret && signInNamed(network, secret.signIn ?? null)
  if (!way) throw new Refusal(OVER)
  const { accountType, redirectUri, sandbox } = authorization
  const context = deps.connectContext(network, { service: null, sandbox })
  const { codeVerifier } = secret
  const outcome = await way.oauth.complete(context, { accountType, code, redirectUri, codeVerifier })
  if (outcome.kind === 'failed') throw new Refusal(outcome.message)

  // Who is signed in beside a sign-in of the operator has nothing to do with it.
  const seenBy = authorization.startedBy ? visitor : null
  const open = (await openConnections(deps.db, authorization.socialSetId)).find(
    (each) => each.accountType === accountType,
  )
  const [first, ...others] = outcome.accounts
  const before = outcome.accounts.find(({ externalId }) => externalId === open?.externalId)
  if (open && !before && !authorization.startedBy) throw anotherAccount(title, open)
  if (before || (!open && others.length === 0)) {
    return { kind: 'connected', title, connection: await connect(deps, { ...authorization, seenBy }, before ?? first) }
  }
  const sealed = deps.authorizations.seal(authorization.id, outcome.accounts)
  await keepChoices(deps.db, authorization.id, { ...sealed, lastsMs: CHOICES_LAST_MS })
  const accounts = outcome.accounts.map(choiceOf)
  return { kind: 'choose', title, authorizationId: authorization.id, accountType, accounts }
}

function connect(
  deps: AuthorizationDeps,
  authorization: Authorization & { seenBy: Visible | null },
  identity: NetworkIdentity,
): Promise<AddedConnection> {
  const network = networkNamed(deps.networks, authorization.network)
  return deps.db.transaction().execute(async (trx) => {
    const connection = await connectIdentity(trx, deps.credentials, authorization, network, identity)
    await endAuthorization(trx, authorization.id, { status: 'CONNECTED', connectionId: connection.connectionId })
    return connection
  })
}

/** Whether an id is that of a sign-in. */
export async function isAuthorization(deps: Pick<AuthorizationDeps, 'db'>, id: string): Promise<boolean> {
  return isId(id) && (await findAuthorization(deps.db, id, { lock: false })) !== null
}

/**
 * The accounts that a sign-in gave to choose from.
 *
 * @throws Refusal
 */
export async function readChoices(
  deps: Pick<AuthorizationDeps, 'db' | 'authorizations'>,
  authorizationId: string,
): Promise<AccountChoice[]> {
  const authorization = await found(deps.db, authorizationId, { lock: false })
  return choices(deps, authorization).map(choiceOf)
}

/**
 * Connects one of the accounts that a sign-in gave to choose from. With `replace`, another account that is connected now
 * is closed first.
 *
 * @throws Refusal
 */
export async function connectChosen(
  deps: AuthorizationDeps,
  input: { authorizationId: string; externalId: string; replace?: boolean; seenBy: Visible | null },
): Promise<AddedConnection> {
  return deps.db.transaction().execute(async (trx) => {
    const authorization = await found(trx, input.authorizationId, { lock: true })
    const accounts = choices(deps, authorization)
    const identity = accounts.find(({ externalId }) => externalId === input.externalId)
    if (!identity) {
      const ids = accounts.map(({ externalId, name }) => `${externalId} (${name})`).join(', ')
      throw new Refusal(`The sign-in gave no account ${input.externalId}. Available: ${ids}.`)
    }
    const network = networkNamed(deps.networks, authorization.network)
    if (input.replace) await closeOther(trx, authorization, identity)
    const place = { ...authorization, seenBy: input.seenBy }
    const connection = await connectIdentity(trx, deps.credentials, place, network, identity)
    await endAuthorization(trx, authorization.id, { status: 'CONNECTED', connectionId: connection.connectionId })
    return connection
  })
}

/** @throws Refusal */
async function found(db: Database, id: string, options: { lock: boolean }): Promise<Authorization> {
  const authorization = isId(id) ? await findAuthorization(db, id, options) : null
  if (!authorization) throw new Refusal(`There is no sign-in ${id}.`)
  return authorization
}

/** @throws Refusal when there is nothing to choose from */
function choices(deps: Pick<AuthorizationDeps, 'authorizations'>, authorization: Authorization): NetworkIdentity[] {
  if (authorization.status === 'FAILED') throw new Refusal(authorization.why ?? authorization.message ?? OVER)
  if (authorization.status === 'CONNECTED') throw refusal('why:sign_in_connected')
  if (authorization.status !== 'CHOOSING' && !authorization.expired) {
    throw refusal('why:sign_in_not_back')
  }
  const accounts = authorization.expired ? null : opened(deps, authorization)
  if (!accounts) throw new Refusal(OVER)
  return (accounts as (NetworkIdentity & { expiresAt: string | null })[]).map((account) => ({
    ...account,
    // As JSON has it.
    expiresAt: account.expiresAt === null ? null : new Date(account.expiresAt),
  }))
}

function opened(deps: Pick<AuthorizationDeps, 'authorizations'>, authorization: Authorization): unknown {
  const { id, secret, secretKeyId } = authorization
  return secret === null || secretKeyId === null ? null : deps.authorizations.open(id, { secret, secretKeyId })
}

const choiceOf = ({ externalId, name, username }: NetworkIdentity): AccountChoice => ({ externalId, name, username })

/** The network's own words come through an address that anybody can write: they are shown short, and as theirs. */
function refusedThere(title: string, error: string | null, description: string | null): Refusal {
  if (error === null) return refusal('why:sign_in_no_code', { title })
  if (/denied|cancel/i.test(error)) return refusal('why:sign_in_not_allowed', { title })
  const words = (description ?? error)
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200)
  return refusal('why:sign_in_refused', { title, words })
}
