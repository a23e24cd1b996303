import { isId } from '#domain'
import { loadChecks, type MediaToSend, type Network } from '#networks'
import { listNetworkConnections, type NetworkConnection, readSealedIdentity } from '#persistence'
import { readToken } from '#publishing'
import { Refusal } from '../refusal.ts'
import { checkPost } from './check-post.ts'
import { checkChoices, checkRefresh, checkToken } from './check-sign-in.ts'
import {
  type CheckDeps,
  type CheckedStep,
  type CheckInput,
  type Checking,
  isShown,
  type NetworkReport,
  openCheck,
} from './check-steps.ts'

/**
 * Checks with a connected account what only the network can show: whether its answers have the shape that the
 * connector reads, what tokens allow and when they end, what lookups rely on. It reads, and refreshes the sign-in.
 * If `mayPublish` allows it, publishes one test post and deletes it where the network can.
 *
 * @throws Refusal when there is no such network or connection
 */
export async function checkNetwork(deps: CheckDeps, input: CheckInput): Promise<NetworkReport> {
  const network = networkOrRefusal(deps, input.network)
  const connection = await chooseConnection(deps, network, input.connectionId)
  const identity = await readSealedIdentity(deps.db, connection.identityId)
  const token = await readToken(deps, connection.identityId)
  if (!identity || !token) throw new Refusal('The connection no longer has a sign-in: reconnect the account.')
  const [checks, media] = await Promise.all([loadChecks(network), mediaOf(deps, input)])
  const at = deps.now().toISOString()
  const steps: CheckedStep[] = []
  const checking = openCheck({ deps, input, network, checks, connection, identity }, token.credentials, steps)
  await checkToken(checking, token)
  await checkRefresh(checking, token)
  await checkChoices(checking)
  for (const probe of checks?.probes ?? []) {
    if (probe.accountTypes && !probe.accountTypes.includes(connection.accountType)) continue
    await checking.step(probe, () => probe.ask(checking.look()))
  }
  await checkPost(checking, media)
  const { accountType, sandbox } = connection
  return { network: network.manifest.name, accountType, sandbox, at, settings: settingsOf(checking), steps }
}

function networkOrRefusal({ networks }: CheckDeps, name: string): Network {
  const network = networks.named(name)
  if (network) return network
  const names = networks.all.map(({ manifest }) => manifest.name).join(', ')
  throw new Refusal(`There is no network ${name}. Available: ${names}.`)
}

/** @throws Refusal */
async function chooseConnection(
  { db }: CheckDeps,
  { manifest: { name, title } }: Network,
  id: string | null,
): Promise<NetworkConnection> {
  const all = await listNetworkConnections(db, name)
  if (id !== null) {
    const named = isId(id) ? all.find((each) => each.id === id) : undefined
    if (named) return named
    throw new Refusal(`There is no open connection ${id} to ${title}. "almanac connections list" lists them.`)
  }
  const real = all.filter(({ sandbox }) => !sandbox)
  const [only, ...others] = real.length > 0 ? real : all
  if (!only) {
    throw new Refusal(
      `No account is connected on ${title}. Connect one first: almanac connections add --network ${name}.`,
    )
  }
  if (others.length === 0) return only
  const lines = [only, ...others].map(
    (each) => `${each.id} ${each.accountType} ${each.name}${each.sandbox ? ' (sandbox)' : ''}`,
  )
  throw new Refusal(`There are several connections to ${title}. Choose one with --connection:\n${lines.join('\n')}`)
}

/** @throws Refusal when there is no such item */
async function mediaOf({ mediaSources }: CheckDeps, { mediaId }: CheckInput): Promise<MediaToSend[]> {
  if (mediaId === null) return []
  const source = isId(mediaId) ? (await mediaSources([mediaId])).get(mediaId) : undefined
  if (!source) throw new Refusal(`There is no media item ${mediaId}.`)
  const words = { altText: 'A test', title: null, description: null, link: null, tags: [] }
  return [{ ...words, facts: source.facts, source }]
}

function settingsOf({ network, look }: Checking): Record<string, string> {
  const names = Object.keys(network.manifest.settings).filter((name) => isShown(network, name))
  return Object.fromEntries(names.map((name) => [name, look().setting(name)]))
}
