import type { AskedBody, ConnectedAnswer, ConnectedSandbox, ConnectPasswordBody, ConnectSandboxBody } from '#contract'
import { findAccount } from '#persistence'
import { readPlaced } from '../asked.ts'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { limitTries } from '../members/attempts.ts'
import { refused } from '../refused.ts'
import { addConnection, readService } from './add.ts'
import { connectSandbox } from './connect-sandbox.ts'
import type { MemberConnectionDeps } from './guards.ts'
import { connectedAnswer, sandboxOff } from './sign-in-by-member.ts'

/** Wrong passwords of accounts of networks that one member may try in 15 minutes. */
const MAX_TRIES = 10

/**
 * Connects or renews an account with an app password.
 *
 * @throws Refusal also when the network does not take the password
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`, `request:invalid_body`, `auth:too_many_attempts`
 */
export async function connectWithPassword(
  deps: MemberConnectionDeps,
  caller: Caller,
  body: AskedBody<ConnectPasswordBody>,
): Promise<ConnectedAnswer> {
  requireRight(caller, 'connections:manage')
  const { asked } = await readPlaced(deps.db, caller, body)
  const { service: named = null, ...wanted } = asked
  const network = deps.networks.serving(wanted.accountType)
  if (!network?.connect.withPassword) {
    throw refused('why:no_password_here')
  }
  const service = named === null ? null : readService(named)
  // A password that travels in the clear is everybody's.
  if (service !== null && new URL(service).protocol !== 'https:') throw refused('why:server_without_https')
  const { userId } = requireMember(caller)
  const tries = [{ subject: `connect-password:${userId}`, limit: MAX_TRIES }]
  const input = {
    ...wanted,
    service,
    serviceMayBePrivate: false,
    seenBy: caller,
    accountId: caller.accountId,
    network: network.manifest.name,
  }
  const added = await limitTries(deps.db, tries, () => addConnection(deps, input))
  if (!added) throw new Error('A connection was made and is not there.')
  return connectedAnswer(added)
}

/**
 * Connects a social set to demo accounts: of all account types without a connection, or of those that are named.
 *
 * @throws Refusal where the sandbox is off
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function connectDemoAccounts(
  deps: MemberConnectionDeps,
  caller: Caller,
  body: AskedBody<ConnectSandboxBody>,
): Promise<ConnectedSandbox> {
  requireRight(caller, 'connections:manage')
  const { socialSet, asked } = await readPlaced(deps.db, caller, body)
  if (!deps.withSandbox) throw sandboxOff()
  const { accountId } = caller
  const connected = await deps.withSandbox((sandboxIdentity) =>
    deps.db.transaction().execute(async (trx) => {
      await findAccount(trx, accountId, { lock: true })
      const place = { accountId, socialSetId: socialSet.id, name: socialSet.name }
      return connectSandbox(trx, { ...deps, sandboxIdentity }, place, asked.accountTypes ?? null)
    }),
  )
  return { connected }
}
