import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import type { Health, ServerDeps } from '#http'
import { createIdentity, createMailer } from '#identity'
import type { WithSandbox } from '#operations'
import { surfaceFaults } from '#persistence'
import type { Sandbox } from '#sandbox'
import { type Addresses, listenWords } from './addresses.ts'
import type { Base } from './base.ts'
import { composeServer } from './compose-server.ts'
import { removeSetupAddress } from './first-sign-in.ts'
import type { MediaParts } from './media.ts'
import { createOutbound } from './outbound.ts'
import { proxyWarning } from './proxy.ts'
import { sandboxKeysOf } from './secrets.ts'

interface InterfaceParts extends Base {
  port: number
  media: MediaParts
  addresses: Addresses
  /** Served below /sandbox; null without. */
  sandbox: Sandbox | null
  health: Health
  /** Aborts when the process is asked to stop: from then on each answer closes its connection. */
  stopping: AbortSignal
  /** Counts requests; absent without metrics. */
  onAnswered?: ServerDeps['onAnswered']
}

/** Serves the API. */
export async function startInterface(
  parts: InterfaceParts,
): Promise<{ stop(options: { graceMs: number }): Promise<void> }> {
  const { config, db, networks, box, media, apps, log } = parts
  const { publicUrl, sandboxUrl } = parts.addresses
  const aboutProxy = proxyWarning(config)
  if (aboutProxy) log.warn({}, aboutProxy)
  const outbound = createOutbound({
    settingsOf: apps.settingsOf,
    networks,
    sandboxUrl,
    sandboxKeys: sandboxKeysOf(box),
    guarded: media.fetch,
    gate: parts.gate,
  })
  const server = await composeServer({
    ...{ db, networks, box, publicUrl, log, ...outbound },
    plans: config.plans,
    directUrl: parts.server.directUrl,
    identity: createIdentity({ db, newId, publicUrl, secrets: box.derive('sessions'), surfaceFaults }),
    store: media.store,
    urls: media.urls,
    mailer: config.mail ? parts.gate.mailThrough(createMailer(config.mail)) : null,
    withSandbox: waysToSandbox(parts),
    refreshApps: apps.refresh,
    environmentOf: (network) => config.networks[network] ?? {},
    trustedWebhookHosts: config.trustedWebhookHosts,
    // Its address opens nothing now. Should that fail, the next start does it.
    afterSetUp: () =>
      removeSetupAddress(config.dataDir).catch((error: unknown) => {
        log.warn({ error }, 'The address of the setup could not be removed from the data directory')
      }),
    quiet: process.stderr.isTTY === true && !config.logLevelAsked,
    dashboardDir: findDashboard(),
    addressLimit: LIMITS.requestsPerSecondPerAddress,
    health: parts.health,
    onAnswered: parts.onAnswered,
    stopping: parts.stopping,
    sandbox: parts.sandbox && { handle: parts.sandbox.handle, open: config.sandbox.wanted },
    trustProxy: config.trustProxy,
    trustedOrigins: config.trustedOrigins,
    hsts: config.hsts,
    limits: { keepAliveMs: config.keepAliveMs, connections: config.maxConnections },
    strict: false,
  })
  try {
    await server.listen({ host: config.host, port: parts.port })
  } catch (error) {
    // What is open already would keep the process alive.
    await server.close()
    await outbound.close()
    throw listenWords(error, config.host, parts.port, 'ALMANAC_PORT')
  }
  let closed: Promise<void> | null = null
  return {
    async stop({ graceMs }) {
      closed ??= server.close().then(() => {})
      const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
      await outbound.close()
    },
  }
}

/** The simulators of this process, or those of the one that serves them, visited for a moment. */
function waysToSandbox(parts: InterfaceParts): WithSandbox | null {
  const { sandbox, config, addresses } = parts
  if (sandbox) return (work) => work(sandbox.identityFor)
  if (!config.sandbox.on) return null
  return async (work) => {
    const { visitSandbox } = await import('./sandbox.ts')
    await using closing = new AsyncDisposableStack()
    const { identityFor } = await visitSandbox(parts, addresses, closing)
    return await work(identityFor)
  }
}

/** The built dashboard, when there is one. */
function findDashboard(): string | null {
  const folder = join(import.meta.dirname, '../../web/dist')
  return existsSync(join(folder, 'index.html')) ? folder : null
}
