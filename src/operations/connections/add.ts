import type { AccountType } from '#contract'
import { newId } from '#domain'
import { type ConnectContext, type Network, type Networks, OPERATOR_SERVICE } from '#networks'
import { type Database, findAccount, openConnections, reviveConnections } from '#persistence'
import type { CredentialBox } from '#publishing'
import { Refusal, refuseUnknownSocialSet } from '../refusal.ts'
import { faceOf, storeConnection, storeIdentity } from './store-connection.ts'

export interface AddConnectionDeps {
  db: Database
  networks: Networks
  credentials: CredentialBox
  /** What the network's sign-in may use; the named server may be private. */
  connectContext(network: Network, service: string | null): ConnectContext
}

export interface AddConnectionInput {
  accountId: string
  socialSetId: string
  /** Folder name of the network. */
  network: string
  /** Needed when the network serves more than one. */
  accountType: AccountType | null
  /** Address of the server that holds the account; null: the network's own. */
  service: string | null
  identifier: string
  password: string
}

/** How a connection came out. `renewed` when the social set had this very account already. */
export interface AddedConnection {
  connectionId: string
  accountType: AccountType
  name: string
  username: string | null
  renewed: boolean
}

/**
 * Connects an account of a network with a password that its owner made for this, to a social set. A social set has at
 * most one open connection of an account type: the same account is renewed and keeps its id, another one is refused.
 *
 * @throws Refusal
 */
export async function addConnection(deps: AddConnectionDeps, input: AddConnectionInput): Promise<AddedConnection> {
  const network = deps.networks.named(input.network)
  if (!network) {
    const names = deps.networks.all.map((candidate) => candidate.manifest.name).join(', ')
    throw new Refusal(`There is no network ${input.network}. There are: ${names}.`)
  }
  const accountType = chooseAccountType(network, input.accountType)
  const { title } = network.manifest
  if (!network.connect.withPassword) throw new Refusal(`${title} accounts cannot be connected with a password.`)
  await refuseUnknownSocialSet(deps.db, input)

  const service = input.service === null ? null : readService(input.service)
  const outcome = await network.connect.withPassword(deps.connectContext(network, service), {
    service,
    identifier: input.identifier,
    password: input.password,
  })
  if (outcome.kind === 'failed') throw new Refusal(outcome.message)
  const endpoints = { ...outcome.identity.endpoints, ...(service === null ? {} : { [OPERATOR_SERVICE]: service }) }
  const identity = { ...outcome.identity, endpoints }

  return deps.db.transaction().execute(async (trx) => {
    await findAccount(trx, input.accountId, { lock: true })
    await refuseUnknownSocialSet(trx, input)
    const open = (await openConnections(trx, input.socialSetId)).find((each) => each.accountType === accountType)
    if (open && open.externalId !== identity.externalId) {
      throw new Refusal(
        `The social set is connected to another ${title} account, ${open.name}. Close that connection first (almanac connections close ${open.id}); its scheduled posts would then go out through the new one.`,
      )
    }
    const where = { accountId: input.accountId, network: network.manifest.name, sandbox: false }
    const identityId = await storeIdentity(trx, deps.credentials, where, identity)
    await reviveConnections(trx, identityId, faceOf(identity))
    const connectionId = open?.id ?? newId()
    if (!open) await storeConnection(trx, { ...input, id: connectionId, identityId, accountType }, identity)
    const { name, username } = identity
    return { connectionId, accountType, name, username, renewed: open !== undefined }
  })
}

function readService(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password) return url.origin
  throw new Refusal(`${text} is not the address of a server. Write it as https://example.com.`)
}

function chooseAccountType(network: Network, wanted: AccountType | null): AccountType {
  const { accountTypes, title } = network.manifest
  if (wanted !== null && accountTypes.includes(wanted)) return wanted
  const [only, ...others] = accountTypes
  if (wanted === null && only && others.length === 0) return only
  throw new Refusal(`${title} serves ${accountTypes.join(' and ')}: say which with --account-type.`)
}
