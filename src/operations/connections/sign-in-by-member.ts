import {
  type AskedBody,
  type AskedQuery,
  type ChooseAccountBody,
  type ConnectedAnswer,
  type ConnectionSignIn,
  ProblemError,
  type StartedRenewal,
  type StartedSignIn,
  type StartSignInBody,
  why,
} from '#contract'
import { isId } from '#domain'
import { networkNamed } from '#networks'
import { type Authorization, countScheduledSets, findAuthorization, openConnections } from '#persistence'
import { readPlaced } from '../asked.ts'
import { type Caller, maySee, requireMember, requireRight } from '../caller.ts'
import { confirmPassword } from '../members/confirm-password.ts'
import { refused } from '../refused.ts'
import { type AddedConnection, connectIdentity } from './connect-identity.ts'
import { type AccountChoice, connectChosen, OVER, readChoices } from './finish-authorization.ts'
import { type MemberConnectionDeps, requireConnection } from './guards.ts'
import { startAuthorization } from './start-authorization.ts'

/**
 * Begins to connect a network account through a sign-in on the network's own pages. It can complete only in the
 * member's session.
 *
 * @throws ProblemError `request:refused`
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function startSignIn(
  deps: MemberConnectionDeps,
  caller: Caller,
  body: AskedBody<StartSignInBody>,
): Promise<StartedSignIn> {
  requireRight(caller, 'connections:manage')
  const { asked } = await readPlaced(deps.db, caller, body)
  return begin(deps, caller, asked)
}

/**
 * Begins to renew a connection. A demo account without a sign-in page is renewed at once.
 *
 * @throws ProblemError `request:refused`
 * @throws ProblemError `connection:not_found`, `request:invalid_query`
 */
export async function startRenewal(
  deps: MemberConnectionDeps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<StartedRenewal> {
  requireRight(caller, 'connections:manage')
  const row = await requireConnection(deps.db, caller, id)
  query.read()
  const { accountId } = caller
  const { socialSetId, accountType, sandbox } = row
  const network = networkNamed(deps.networks, row.network)
  if (sandbox) {
    if (!deps.withSandbox) throw sandboxOff()
    const known = await deps.withSandbox(async (identityFor) => identityFor(network, row))
    if (known.externalId === row.externalId) {
      const place = { accountId, socialSetId, accountType, sandbox, seenBy: caller }
      await deps.db.transaction().execute((trx) => connectIdentity(trx, deps.credentials, place, network, known))
      return { signIn: null }
    }
  }
  return { signIn: await begin(deps, caller, { socialSetId, accountType, sandbox, signIn: row.signIn }) }
}

/** @throws Refusal where the sandbox is off */
export function sandboxOff(): ProblemError {
  return refused('why:sandbox_off')
}

async function begin(
  deps: MemberConnectionDeps,
  caller: Caller,
  wanted: Pick<Authorization, 'socialSetId' | 'accountType' | 'sandbox'> & { signIn?: string | null },
): Promise<StartedSignIn> {
  const { userId, sessionId } = requireMember(caller)
  const network = deps.networks.serving(wanted.accountType)
  if (!network?.connect.oauth) {
    throw refused('why:no_sign_in_here')
  }
  if (wanted.sandbox && !deps.withSandbox) throw sandboxOff()
  const started = await startAuthorization(deps, {
    ...wanted,
    accountId: caller.accountId,
    network: network.manifest.name,
    startedBy: { userId, sessionId },
  })
  return { id: started.authorizationId, address: started.authorizeUrl }
}

/**
 * The outcome of a sign-in, for the member who began it.
 *
 * @throws ProblemError `connection:sign_in_not_found`
 */
export async function readSignIn(deps: MemberConnectionDeps, caller: Caller, id: string): Promise<ConnectionSignIn> {
  requireRight(caller, 'connections:manage')
  const authorization = await requireOwn(deps, caller, id)
  const { socialSetId, accountType, sandbox, connectionId } = authorization
  const status = statusOf(authorization)
  const accounts = status === 'CHOOSING' ? await readChoices(deps, id) : []
  const replaces = await replacedBy(deps, authorization, accounts)
  return {
    id,
    socialSetId,
    accountType,
    sandbox,
    status,
    ...reasonOf(authorization, status, accounts, replaces),
    accounts,
    replaces,
    connectionId,
  }
}

/** Why it came to nothing, or what there is to decide: a sentence, with an id where it is not a network's own. */
function reasonOf(
  authorization: Authorization,
  status: ConnectionSignIn['status'],
  accounts: readonly AccountChoice[],
  replaces: ConnectionSignIn['replaces'],
): Pick<ConnectionSignIn, 'message' | 'why'> {
  if (status === 'FAILED') {
    const { message } = authorization
    return message === null ? { message: OVER.message, why: OVER } : { message, why: authorization.why }
  }
  if (!replaces) return { message: null, why: null }
  const names = accounts.map(({ name, username }) => (username === null ? name : `${name} (${username})`)).join(', ')
  const code = accounts.length === 1 ? 'why:sign_in_other_account' : 'why:sign_in_other_accounts'
  const reason = why(code, { names, connected: replaces.name })
  return { message: reason.message, why: reason }
}

function statusOf({ status, expired }: Authorization): ConnectionSignIn['status'] {
  if (status === 'CONNECTED' || status === 'FAILED') return status
  if (expired) return 'FAILED'
  return status === 'RETURNED' ? 'WORKING' : status
}

/** The connection that would have to be closed for one of the accounts to choose from. */
async function replacedBy(
  deps: MemberConnectionDeps,
  { socialSetId, accountType }: Authorization,
  accounts: readonly AccountChoice[],
): Promise<ConnectionSignIn['replaces']> {
  if (accounts.length === 0) return null
  const open = (await openConnections(deps.db, socialSetId)).find((each) => each.accountType === accountType)
  if (!open || accounts.some(({ externalId }) => externalId === open.externalId)) return null
  const scheduled = await countScheduledSets(deps.db, socialSetId)
  const { id, name } = open
  return { id, name, scheduledSets: scheduled.get(accountType) ?? 0 }
}

/**
 * Connects one of the accounts that a sign-in gave. If another account is connected now, it is replaced and its
 * scheduled posts are taken over, which requires the member's password.
 *
 * @throws ProblemError `request:refused`
 * @throws ProblemError `connection:sign_in_not_found`, `request:invalid_query`, `request:invalid_body`,
 *   `auth:password_confirmation_failed`, `auth:too_many_attempts`
 */
export async function chooseOfSignIn(
  deps: MemberConnectionDeps,
  caller: Caller,
  id: string,
  body: AskedBody<ChooseAccountBody>,
): Promise<ConnectedAnswer> {
  requireRight(caller, 'connections:manage')
  await requireOwn(deps, caller, id)
  const { externalId, password } = body.read()
  if (password !== undefined) await confirmPassword(deps, caller, password)
  const replace = password !== undefined
  return connectedAnswer(await connectChosen(deps, { authorizationId: id, externalId, replace, seenBy: caller }))
}

/** The answer to the dashboard about a connected account. */
export function connectedAnswer({ connectionId, ...rest }: AddedConnection): ConnectedAnswer {
  return { id: connectionId, ...rest }
}

/** @throws ProblemError `connection:sign_in_not_found` also for one that another member has begun */
async function requireOwn(deps: MemberConnectionDeps, caller: Caller, id: string): Promise<Authorization> {
  const { userId } = requireMember(caller)
  const found = isId(id) ? await findAuthorization(deps.db, id, { lock: false }) : null
  const own = found?.startedBy?.userId === userId && found.accountId === caller.accountId
  if (!found || !own || !maySee(caller, found.socialSetId)) {
    throw new ProblemError('connection:sign_in_not_found', 'You have no sign-in with this id.')
  }
  return found
}
