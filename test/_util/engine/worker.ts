import { Agent } from 'undici'
import { createSecretBox } from '#domain'
import { createDiskStore, createGuardedFetch, createUrlSigner } from '#media'
import { createHttp, loadNetworks, resolveEndpoint } from '#networks'
import { createCredentialBox } from '#operations'
import { openDatabase, publishingLimits } from '#persistence'
import {
  createMediaSources,
  createPublisher,
  missingMediaIn,
  type PublisherSettings,
  publisherDefaults,
  type Signals,
} from '#publishing'
import { writingOnWall } from '../networks/wall.ts'

/** What a worker of a test needs to know; plain data, so that it can be handed to another process. */
export interface WorkerSetup {
  databaseUrl: string
  mediaDir: string
  publicUrl: string
  sandboxUrl: string
  secretKey: string
  trustedHosts: string[]
  /** Where Bluesky writes 24 parts behind each post; absent: nowhere. */
  wallUrl?: string
  settings: Partial<PublisherSettings>
}

export const secretBoxOf = (setup: Pick<WorkerSetup, 'secretKey'>) =>
  createSecretBox([Buffer.from(setup.secretKey, 'base64')])

export function urlSignerOf(setup: Pick<WorkerSetup, 'secretKey' | 'publicUrl'>) {
  const [secret] = secretBoxOf(setup).derive('media urls')
  return createUrlSigner({ publicUrl: setup.publicUrl, secrets: [secret] })
}

/** A publisher with the real networks and media, as the process `almanac worker` has it. */
export async function startWorker(setup: WorkerSetup, signals: Signals): Promise<{ stop(): Promise<void> }> {
  const quiet = { info() {}, warn() {}, error() {} }
  const db = openDatabase(setup.databaseUrl, { poolSize: 5, limits: publishingLimits })
  const loaded = await loadNetworks()
  const networks = setup.wallUrl === undefined ? loaded : writingOnWall(loaded, 'bluesky', setup.wallUrl)
  const store = createDiskStore({ dir: setup.mediaDir })
  const settingsOf = (name: string) => {
    const settings = networks.named(name)?.manifest.settings ?? {}
    return Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, setting.default ?? '']))
  }
  const plain = new Agent()
  const guarded = createGuardedFetch({ trustedHosts: setup.trustedHosts })
  const trustedOrigins = new Set([new URL(setup.sandboxUrl).origin])
  const http = createHttp({ trustedOrigins, plain, guarded: guarded.dispatcher })
  const publisher = createPublisher({
    db,
    networks,
    httpFor: () => http,
    credentials: createCredentialBox(secretBoxOf(setup)),
    endpoint: (name, endpoint, identity) => {
      const network = networks.named(name)
      if (!network) throw new Error(`No network ${name}.`)
      return resolveEndpoint(network.manifest, endpoint, {
        identityEndpoints: identity.endpoints,
        sandbox: identity.sandbox,
        sandboxUrl: setup.sandboxUrl,
        settings: {},
      })
    },
    setting: (name, setting) => settingsOf(name)[setting] ?? '',
    mediaSources: createMediaSources({ db, store, urls: urlSignerOf(setup) }),
    missingMedia: missingMediaIn({ db, store }),
    settings: { ...publisherDefaults, ...setup.settings },
    signals,
    log: quiet,
  })
  publisher.start()
  return {
    async stop() {
      await publisher.stop({ graceMs: 5_000 })
      await db.destroy()
      await plain.close()
      await guarded.dispatcher.close()
    },
  }
}
