import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '#contract'
import { newId, setupCodeOf } from '#domain'
import { createRateLimiter, createServer, type Health, type ServerDeps } from '#http'
import { openFeedProcesses } from '#icalendar'
import { createIdentity, createMailer } from '#identity'
import {
  authenticateMember,
  createAuthorizationBox,
  createCredentialBox,
  createEventWaits,
  createKeyCheck,
  createLiveFeed,
  finishAuthorization,
  readSharedComments,
  sharedFeedScope,
  type WithSandbox,
  writeSharedComment,
} from '#operations'
import { listenForChanges, listenForEvents, surfaceFaults } from '#persistence'
import type { Sandbox } from '#sandbox'
import { type Addresses, listenWords } from './addresses.ts'
import type { Base } from './base.ts'
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
  const authorization = {
    db,
    networks,
    publicUrl,
    credentials: createCredentialBox(box),
    authorizations: createAuthorizationBox(box),
    connectContext: outbound.connectContext,
  }
  const identity = createIdentity({ db, newId, publicUrl, secrets: box.derive('sessions'), surfaceFaults })
  const live = createLiveFeed({ db, log, listen: (handlers) => listenForChanges(parts.server.directUrl, handlers) })
  const eventWaits = createEventWaits({ log, listen: (handlers) => listenForEvents(parts.server.directUrl, handlers) })
  const server = await createServer({
    publicUrl,
    finishAuthorization: (returned) => finishAuthorization(authorization, returned),
    log,
    quiet: process.stderr.isTTY === true && !config.logLevelAsked,
    keys: createKeyCheck({ db, plans: config.plans, log }),
    authenticateMember: (headers, setCookie) =>
      authenticateMember({ db, plans: config.plans, identity }, headers, setCookie),
    dashboardDir: findDashboard(),
    plans: config.plans,
    rate: createRateLimiter({ db, log }),
    addressLimit: LIMITS.requestsPerSecondPerAddress,
    deps: {
      ...outbound,
      ...authorization,
      identity,
      live,
      eventWaits,
      mailer: config.mail ? parts.gate.mailThrough(createMailer(config.mail)) : null,
      unsubscribeKeys: box.derive('unsubscribe'),
      setupCodes: box.derive('first-run').map(setupCodeOf),
      // Its address opens nothing now. Should that fail, the next start does it.
      afterSetUp: () =>
        removeSetupAddress(config.dataDir).catch((error: unknown) => {
          log.warn({ error }, 'The address of the setup could not be removed from the data directory')
        }),
      store: media.store,
      urls: media.urls,
      withSandbox: waysToSandbox(parts),
      box,
      trustedWebhookHosts: config.trustedWebhookHosts,
      environmentOf: (network) => config.networks[network] ?? {},
      refreshApps: apps.refresh,
      sharedFeedScope,
      feedWriter: openFeedProcesses(),
      now: () => new Date(),
      thread: { read: readSharedComments, write: writeSharedComment },
    },
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
    await live.close()
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
      await live.close()
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
