import type { Config } from '#config'
import type { SecretBox } from '#domain'
import { appSettingsOf, type Networks, settingsWithApps } from '#networks'
import { readStoredApps, type StoredNetworkApp } from '#operations'
import { type Database, listenForNetworkApps } from '#persistence'
import type { Log } from './log.ts'

/** The operator's apps on networks, as this process knows them. */
export interface NetworkApps {
  /** The settings of a network as they are now: those of the environment, and its apps. */
  settingsOf(network: string): Readonly<Record<string, string>>
  /** Reads again what is stored. After it every change is known that was committed before. */
  refresh(): Promise<void>
}

interface NetworkAppParts {
  config: Pick<Config, 'networks'>
  networks: Networks
  db: Database
  box: Pick<SecretBox, 'open'>
}

/** Notifications may get lost: every change is known after this. */
const AGAIN_MS = 30_000

/** The apps as they are now, for a command. */
export async function readNetworkApps({ config, networks, db, box }: NetworkAppParts): Promise<NetworkApps> {
  let stored: readonly StoredNetworkApp[] = []
  let settings = new Map<string, Readonly<Record<string, string>>>()
  async function read(): Promise<void> {
    stored = await readStoredApps(db, box)
    settings = new Map(
      networks.all.map(({ manifest }) => {
        const own = stored.filter(({ network }) => network === manifest.name)
        const valuesOf = (prefix: string) => own.find((app) => app.prefix === prefix)?.values ?? null
        return [
          manifest.name,
          settingsWithApps(appSettingsOf(manifest), config.networks[manifest.name] ?? {}, valuesOf),
        ]
      }),
    )
  }
  await read()
  const refresh = oneAfterTheOther(read)
  return { settingsOf: (network) => settings.get(network) ?? {}, refresh }
}

/** The apps, kept as they are for as long as the process runs. */
export async function openNetworkApps(
  parts: NetworkAppParts & { directUrl: string | null; log: Log },
  closing: AsyncDisposableStack,
  { againMs = AGAIN_MS } = {},
): Promise<NetworkApps> {
  const { log } = parts
  const apps = await readNetworkApps(parts)
  let failing = false
  const refresh = () =>
    void apps.refresh().then(
      () => {
        failing = false
      },
      (error: unknown) => {
        if (!failing) log.warn({ error }, 'The apps of networks could not be read: they stay as they were read last')
        failing = true
      },
    )
  const timer = setInterval(refresh, againMs).unref()
  const listener = listenForNetworkApps(parts.directUrl, {
    onChange: refresh,
    onLost: (error) => log.warn({ error }, 'The listener for apps of networks was cut off: they are read by the clock'),
  })
  closing.defer(async () => {
    clearInterval(timer)
    await listener.close()
  })
  return apps
}

/** Calls that come while one runs share the next one: it sees what was committed before any of them. */
function oneAfterTheOther(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = () => {
    const mine = work().finally(() => {
      if (running === mine) running = null
    })
    running = mine
    return mine
  }
  return () => {
    if (!running) return begin()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return begin()
      })
    return next
  }
}
