import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { createSecretBox } from '#domain'
import type { RateLimiter } from '#http'
import { createGuardedFetch } from '#media'
import { createHttp, type Http, type Networks, resolveEndpoint, resolveSetting, type SigningKeys } from '#networks'
import { createAuthorizationBox, createCredentialBox, type MemberConnectionDeps } from '#operations'
import { openSandbox } from '#sandbox'
import { readNetworkApps } from '../../src/app/network-apps.ts'

/** What the simulators of tests sign with. */
export const SANDBOX_KEYS: SigningKeys = [Buffer.alloc(32, 4)]

/** Seals what servers of tests store. */
export const SECRET_BOX = createSecretBox([Buffer.alloc(32, 9)])

/** The operator's apps, of an environment with these settings and of what is stored. */
export async function appsOf(
  parts: Pick<MemberConnectionDeps, 'db' | 'networks'>,
  { settings = {} }: ConnectionOptions = {},
) {
  const { settingsOf, refresh } = await readNetworkApps({ ...parts, config: { networks: settings }, box: SECRET_BOX })
  const environmentOf = (network: string) => settings[network] ?? {}
  return { settingsOf, deps: { environmentOf, refreshApps: refresh } }
}

/** What is different from an installation without a sandbox, without settings and without a way out. */
export interface ConnectionOptions {
  /** Where the simulators answer. */
  sandboxUrl?: string
  http?: Http
  withSandbox?: MemberConnectionDeps['withSandbox']
  /** Settings of networks by the network's name: `{ pinterest: { CLIENT_ID: 'app' } }`. */
  settings?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** What connecting accounts needs, for servers of tests. Nothing reaches a network, unless a test brings the way. */
export function connectionDeps(
  parts: Pick<MemberConnectionDeps, 'db' | 'networks' | 'identity' | 'publicUrl'>,
  options: ConnectionOptions = {},
  settingsOf: (network: string) => Readonly<Record<string, string>> = (network) => options.settings?.[network] ?? {},
): MemberConnectionDeps {
  const { sandboxUrl = 'http://sandbox.invalid', withSandbox = null } = options
  const noWayOut: Http = async () => ({ kind: 'failed', sent: false, message: 'There is no way out.' })
  const { http = noWayOut } = options
  const named = (network: string) => {
    const found = parts.networks.named(network)
    if (!found) throw new Error(`There is no network ${network}.`)
    return found.manifest
  }
  const endpoint: MemberConnectionDeps['endpoint'] = (network, name, { sandbox, endpoints }) =>
    resolveEndpoint(named(network), name, {
      identityEndpoints: endpoints,
      sandbox,
      sandboxUrl,
      settings: settingsOf(network),
    })
  const setting: MemberConnectionDeps['setting'] = (network, name, { sandbox }) =>
    resolveSetting(named(network), name, { sandbox, sandboxKeys: SANDBOX_KEYS, settings: settingsOf(network) })
  const box = createSecretBox([Buffer.alloc(32, 3)])
  const now = () => new Date()
  return {
    ...parts,
    credentials: createCredentialBox(box),
    authorizations: createAuthorizationBox(box),
    connectContext: ({ manifest }, { sandbox }) => ({
      endpoint: (name) => endpoint(manifest.name, name, { sandbox, endpoints: {} }),
      setting: (name) => setting(manifest.name, name, { sandbox }),
      http,
      signal: AbortSignal.timeout(20_000),
      now,
    }),
    endpoint,
    setting,
    httpFor: () => http,
    log: { warn() {} },
    now,
    withSandbox,
  }
}

/** A rate that no test reaches. */
export const anyRate = (): RateLimiter => ({
  take: async (_, limit) => ({ limit, remaining: limit, resetAt: new Date(), allowed: true }),
  look: async (_, limit) => ({ allowed: true, limit, remaining: limit, resetAt: new Date() }),
  takeHere: (_, limit) => ({ allowed: true, limit, remaining: limit, resetAt: new Date() }),
  inDatabase: async () => null,
  countsInMemory: () => false,
})

/** The simulators on a port of their own, and the way to them. */
export async function startSimulators(
  networks: Networks,
  publicUrl = 'https://almanac.test',
): Promise<ConnectionOptions & { close(): Promise<void> }> {
  const errors: unknown[] = []
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sandboxUrl = `${origin}/sandbox`
  const guarded = createGuardedFetch({ trustedHosts: [] })
  const sandbox = openSandbox({
    networks,
    folder: null,
    url: sandboxUrl,
    publicUrl,
    keys: SANDBOX_KEYS,
    files: { guarded, own: guarded, ownPrefix: `${publicUrl}/media/` },
    now: () => new Date(),
    onError: (error) => void errors.push(error),
  })
  server.on('request', (request, response) => void sandbox.handle(request, response))
  const plain = new Agent()
  return {
    sandboxUrl,
    http: createHttp({ trustedOrigins: new Set([origin]), plain, guarded: guarded.dispatcher }),
    withSandbox: (work) => work(sandbox.identityFor),
    async close() {
      await plain.close()
      await guarded.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      sandbox.close()
      if (errors.length > 0) throw errors[0]
    },
  }
}
