import { Agent } from 'undici'
import type { GuardedFetch } from '#media'
import {
  type ConnectContext,
  createHttp,
  type Http,
  type IdentityPlace,
  type Network,
  type Networks,
  networkNamed,
  OPERATOR_SERVICE,
  resolveEndpoint,
  resolveSetting,
  type SigningKeys,
} from '#networks'
import type { NetworkApps } from './network-apps.ts'
import type { StartGate } from './start-gate.ts'

/** The ways of connectors to their networks. */
export interface Outbound {
  /** For requests on behalf of that identity alone. */
  httpFor(identity: IdentityPlace): Http
  /** The base address of an endpoint for an identity. */
  endpoint(network: string, name: string, identity: IdentityPlace): string
  /** A setting of a network's manifest; empty when it is not set. */
  setting(network: string, name: string, identity: { sandbox: boolean }): string
  /** What a sign-in may use; `service` is the server that the operator named. */
  connectContext(network: Network, place: { service: string | null; sandbox: boolean }): ConnectContext
  close(): Promise<void>
}

/**
 * What time it is by the server that has answered; null where that proves nothing: without TLS, from a cache, or from a server of the
 * operator, which may be this machine.
 */
export function timeOf(
  address: string,
  { date, age }: Readonly<Record<string, string>>,
  own: ReadonlySet<string>,
): Date | null {
  const { protocol, origin } = new URL(address)
  if (protocol !== 'https:' || own.has(origin) || date === undefined || age !== undefined) return null
  const time = new Date(date)
  return Number.isNaN(time.getTime()) ? null : time
}

/** A sign-in that takes longer has failed. */
const SIGN_IN_MS = 60_000

/**
 * Requests to the operator's own addresses go out as they are: those of settings for every identity, the sandbox for the
 * identities in it, a server that was named when connecting for the identity that it was named for. All others go
 * through the guard, which lets nothing reach a private address.
 */
export function createOutbound(deps: {
  /** Settings of a network, as they are whenever they are asked for. */
  settingsOf: NetworkApps['settingsOf']
  networks: Networks
  sandboxUrl: string
  sandboxKeys: SigningKeys
  guarded: Pick<GuardedFetch, 'dispatcher'>
  gate: Pick<StartGate, 'through'>
  /** What time it is by the clocks of networks. Absent: no one wants to know. */
  onTime?: ((time: Date) => void) | undefined
}): Outbound {
  const { settingsOf, networks, sandboxUrl, sandboxKeys, onTime } = deps
  // Addresses are the environment's alone.
  const ofSettings = networks.all.flatMap(({ manifest }) =>
    Object.values(manifest.endpoints).map(
      ({ setting, default: fallback }) => new URL(settingsOf(manifest.name)[setting] ?? fallback).origin,
    ),
  )
  const agent = new Agent()
  const plain = deps.gate.through(agent)

  const httpFor: Outbound['httpFor'] = ({ sandbox, endpoints }) => {
    const named = endpoints[OPERATOR_SERVICE]
    const trustedOrigins = new Set([
      ...ofSettings,
      ...(sandbox ? [new URL(sandboxUrl).origin] : []),
      ...(named === undefined ? [] : [new URL(named).origin]),
    ])
    const http = createHttp({ trustedOrigins, plain, guarded: deps.guarded.dispatcher })
    if (!onTime || sandbox) return http
    const own = new Set(named === undefined ? [] : [new URL(named).origin])
    return async (request) => {
      const result = await http(request)
      const time = result.kind === 'answer' ? timeOf(request.url, result.headers, own) : null
      if (time) onTime(time)
      return result
    }
  }
  const endpoint: Outbound['endpoint'] = (network, name, identity) =>
    resolveEndpoint(networkNamed(networks, network).manifest, name, {
      identityEndpoints: identity.endpoints,
      sandbox: identity.sandbox,
      sandboxUrl,
      settings: settingsOf(network),
    })
  const setting: Outbound['setting'] = (network, name, { sandbox }) =>
    resolveSetting(networkNamed(networks, network).manifest, name, {
      sandbox,
      sandboxKeys,
      settings: settingsOf(network),
    })

  let closed: Promise<void> | undefined
  return {
    httpFor,
    endpoint,
    setting,
    connectContext(network, { service, sandbox }) {
      const { name } = network.manifest
      const identity = { sandbox, endpoints: service === null ? {} : { [OPERATOR_SERVICE]: service } }
      return {
        endpoint: (wanted) => endpoint(name, wanted, identity),
        setting: (wanted) => setting(name, wanted, identity),
        http: httpFor(identity),
        signal: AbortSignal.timeout(SIGN_IN_MS),
        now: () => new Date(),
      }
    },
    // A process that is asked again ends its parts a second time.
    close: () => (closed ??= agent.close()),
  }
}
