import { Agent } from 'undici'
import type { Config } from '#config'
import type { GuardedFetch } from '#media'
import {
  type ConnectContext,
  createHttp,
  type Http,
  type Network,
  type Networks,
  networkNamed,
  OPERATOR_SERVICE,
  resolveEndpoint,
  resolveSetting,
  type SigningKeys,
} from '#networks'

/** The ways of connectors to their networks. */
export interface Outbound {
  http: Http
  /** The base address of an endpoint for an identity. */
  endpoint(
    network: string,
    name: string,
    identity: { sandbox: boolean; endpoints: Readonly<Record<string, string>> },
  ): string
  /** A setting of a network's manifest; empty when it is not set. */
  setting(network: string, name: string, identity: { sandbox: boolean }): string
  /** What a sign-in may use; `service` is the server that the operator named. */
  connectContext(network: Network, place: { service: string | null; sandbox: boolean }): ConnectContext
  close(): Promise<void>
}

/** A sign-in that takes longer has failed. */
const SIGN_IN_MS = 60_000

/**
 * Requests to the operator's own addresses (settings, the sandbox, a server named when connecting) go out as they are;
 * all others through the guard, which lets nothing reach a private address.
 */
export function createOutbound(deps: {
  config: Config
  networks: Networks
  sandboxUrl: string
  sandboxKeys: SigningKeys
  guarded: Pick<GuardedFetch, 'dispatcher'>
}): Outbound {
  const { config, networks, sandboxUrl, sandboxKeys } = deps
  const settingsOf = (network: string) => config.networks[network] ?? {}
  const trusted = new Set([new URL(sandboxUrl).origin])
  for (const { manifest } of networks.all) {
    for (const { setting, default: fallback } of Object.values(manifest.endpoints)) {
      trusted.add(new URL(settingsOf(manifest.name)[setting] ?? fallback).origin)
    }
  }
  const plain = new Agent()
  const http = createHttp({ trustedOrigins: trusted, plain, guarded: deps.guarded.dispatcher })

  const endpoint: Outbound['endpoint'] = (network, name, identity) => {
    const named = identity.endpoints[OPERATOR_SERVICE]
    if (named !== undefined) trusted.add(new URL(named).origin)
    return resolveEndpoint(networkNamed(networks, network).manifest, name, {
      identityEndpoints: identity.endpoints,
      sandbox: identity.sandbox,
      sandboxUrl,
      settings: settingsOf(network),
    })
  }
  const setting: Outbound['setting'] = (network, name, { sandbox }) =>
    resolveSetting(networkNamed(networks, network).manifest, name, {
      sandbox,
      sandboxKeys,
      settings: settingsOf(network),
    })

  return {
    http,
    endpoint,
    setting,
    connectContext(network, { service, sandbox }) {
      const { name } = network.manifest
      const endpoints = service === null ? {} : { [OPERATOR_SERVICE]: service }
      if (service !== null) trusted.add(new URL(service).origin)
      return {
        endpoint: (wanted) => endpoint(name, wanted, { sandbox, endpoints }),
        setting: (wanted) => setting(name, wanted, { sandbox }),
        http,
        signal: AbortSignal.timeout(SIGN_IN_MS),
        now: () => new Date(),
      }
    },
    close: () => plain.close(),
  }
}
