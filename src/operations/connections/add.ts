import type { AccountType } from '#contract'
import { OPERATOR_SERVICE } from '#networks'
import type { Visible } from '#persistence'
import type { OperationDeps } from '../deps.ts'
import { Refusal, refuseUnknownSocialSet } from '../refusal.ts'
import { chooseNetwork } from './choose-network.ts'
import { type AddedConnection, connectIdentity } from './connect-identity.ts'

export type AddConnectionDeps = Pick<OperationDeps, 'db' | 'networks' | 'credentials' | 'connectContext'>

export interface AddConnectionInput {
  accountId: string
  socialSetId: string
  /** Folder name of the network. */
  network: string
  /** Needed when the network serves more than one. */
  accountType: AccountType | null
  /** Address of the server that holds the account; null: the network's own. */
  service: string | null
  /** The operator's may be a private address; what members name is only reached through the guard. */
  serviceMayBePrivate: boolean
  /** What the member who asks may see; null for the operator, who sees all. */
  seenBy: Visible | null
  identifier: string
  password: string
}

/**
 * Connects a network account to a social set with an app password. A social set has at most one open connection of
 * each account type: the same account is renewed and keeps its id, another one is refused.
 *
 * @throws Refusal
 */
export async function addConnection(deps: AddConnectionDeps, input: AddConnectionInput): Promise<AddedConnection> {
  const { network, accountType } = chooseNetwork(deps.networks, input)
  const { title } = network.manifest
  if (!network.connect.withPassword)
    throw new Refusal(
      `${title} accounts cannot be connected with a password: leave out --identifier, and sign in on its own pages.`,
    )
  await refuseUnknownSocialSet(deps.db, input)

  const service = input.service === null ? null : readService(input.service)
  const trusted = input.serviceMayBePrivate ? service : null
  const outcome = await network.connect.withPassword(
    deps.connectContext(network, { service: trusted, sandbox: false }),
    {
      service,
      identifier: input.identifier,
      password: input.password,
    },
  )
  if (outcome.kind === 'failed') throw new Refusal(outcome.message)
  const endpoints = { ...outcome.identity.endpoints, ...(trusted === null ? {} : { [OPERATOR_SERVICE]: trusted }) }
  const place = { ...input, accountType, sandbox: false }
  return deps.db
    .transaction()
    .execute((trx) => connectIdentity(trx, deps.credentials, place, network, { ...outcome.identity, endpoints }))
}

/**
 * The origin of the server that was named.
 *
 * @throws Refusal
 */
export function readService(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url.origin
  throw new Refusal(`${text} is not the address of a server. Write it as https://example.com.`)
}
