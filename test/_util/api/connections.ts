import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { createSecretBox } from '#domain'
import type { RateLimiter } from '#http'
import { createGuardedFetch } from '#media'
import { createHttp, type Http, type Networks, type SigningKeys } from '#networks'
import type { WithSandbox } from '#operations'
import type { Database } from '#persistence'
import { openSandbox } from '#sandbox'
import { readNetworkApps } from '../../../src/app/network-apps.ts'
import { createOutbound } from '../../../src/app/outbound.ts'
import { gateOf } from '../../../src/app/start-gate.ts'

/** What the simulators of tests sign with. */
export const SANDBOX_KEYS: SigningKeys = [Buffer.alloc(32, 4)]

/** Seals what servers of tests store. */
export const SECRET_BOX = createSecretBox([Buffer.alloc(32, 9)])

/** What is different from an installation without a sandbox, without settings and without a way out. */
export interface ConnectionOptions {
  /** Where the simulators answer. */
  sandboxUrl?: string
  http?: Http
  withSandbox?: WithSandbox
  /** Settings of networks by the network's name: `{ pinterest: { CLIENT_ID: 'app' } }`. */
  settings?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** The ways to networks and what is set of them, for servers of tests. Nothing reaches a network, unless a test brings the way. */
export async function waysOf(parts: { db: Database; networks: Networks }, options: ConnectionOptions = {}) {
  const { sandboxUrl = 'http://sandbox.invalid', http = noWayOut, withSandbox = null, settings = {} } = options
  const apps = await readNetworkApps({ ...parts, config: { networks: settings }, box: SECRET_BOX })
  const guarded = { dispatcher: new Agent() }
  const { networks } = parts
  const { settingsOf } = apps
  const ways = { settingsOf, networks, sandboxUrl, sandboxKeys: SANDBOX_KEYS, guarded, gate: gateOf(null) }
  const { endpoint, setting, connectContext } = createOutbound(ways)
  return {
    ...{ endpoint, setting, withSandbox },
    httpFor: () => http,
    connectContext: (...place: Parameters<typeof connectContext>) => ({ ...connectContext(...place), http }),
    environmentOf: (network: string) => settings[network] ?? {},
    refreshApps: apps.refresh,
  }
}

const noWayOut: Http = async () => ({ kind: 'failed', sent: false, message: 'There is no way out.' })

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
