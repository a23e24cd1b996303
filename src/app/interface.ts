import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { createRateLimiter, createServer } from '#http'
import { createIdentity } from '#identity'
import {
  authenticate,
  authenticateMember,
  createAuthorizationBox,
  createCredentialBox,
  finishAuthorization,
} from '#operations'
import { databaseNow } from '#persistence'
import type { Queue } from '#queue'
import type { Sandbox } from '#sandbox'
import { type Addresses, listenWords } from './addresses.ts'
import type { Base } from './base.ts'
import type { MediaParts } from './media.ts'
import { createOutbound } from './outbound.ts'

/** A database that takes longer than this to tell the time is not reached. */
const HEALTH_MS = 3_000

export interface InterfaceParts extends Base {
  port: number
  queue: Queue
  media: MediaParts
  addresses: Addresses
  /** Served below /sandbox; null without. */
  sandbox: Sandbox | null
  /** Whether the process does its work; null: whether it reaches the database. */
  healthy: (() => boolean) | null
}

/** Serves the interface. */
export async function startInterface(
  parts: InterfaceParts,
): Promise<{ stop(options: { graceMs: number }): Promise<void> }> {
  const { config, db, networks, box, media, log, healthy } = parts
  const { publicUrl, sandboxUrl } = parts.addresses
  const outbound = createOutbound({ config, networks, sandboxUrl, guarded: media.fetch })
  const authorization = {
    db,
    networks,
    publicUrl,
    credentials: createCredentialBox(box),
    authorizations: createAuthorizationBox(box),
    connectContext: outbound.connectContext,
  }
  const identity = createIdentity({ db, newId, publicUrl, secrets: box.derive('sessions') })
  const server = await createServer({
    publicUrl,
    finishAuthorization: (returned) => finishAuthorization(authorization, returned),
    log,
    authenticate: (key) => authenticate({ db, plans: config.plans, log }, key),
    authenticateMember: (headers) => authenticateMember({ db, plans: config.plans, identity }, headers),
    dashboardDir: findDashboard(),
    plans: config.plans,
    rate: createRateLimiter({ db, log }),
    addressLimit: LIMITS.requestsPerSecondPerAddress,
    deps: { db, networks, identity, queue: parts.queue, store: media.store, urls: media.urls },
    healthy: async () => healthy?.() ?? reachesDatabase(parts),
    sandbox: parts.sandbox?.handle ?? null,
    trustProxy: config.trustProxy,
    strict: false,
  })
  try {
    await server.listen({ host: config.host, port: parts.port })
  } catch (error) {
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

/** The built dashboard, when there is one. */
function findDashboard(): string | null {
  const folder = join(import.meta.dirname, '../../web/dist')
  return existsSync(join(folder, 'index.html')) ? folder : null
}

async function reachesDatabase({ db }: Base): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, HEALTH_MS, false)
  try {
    return await Promise.race([databaseNow(db).then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
