import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { NETWORKS, type PlanCatalog, SHIPPED_PLANS } from '#contract'
import { nearest } from './nearest.ts'
import { readPlansFile } from './plans-file.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { readBaseUrl, readSomeOf, readText, WrongValueError } from './values.ts'

/** The environment as a process sees it. */
type Environment = Readonly<Record<string, string | undefined>>

/** A setting that a network declares in its manifest. */
export interface NetworkSetting {
  /** Folder name of the network. */
  network: string
  /** Name of the setting within the network. */
  setting: string
  /** Name in the environment: `ALMANAC_BLUESKY_PDS`. */
  variable: string
  /** What holds without it; null when nothing does. */
  fallback: string | null
  /** A base address: checked, and without a slash at the end. */
  address: boolean
  /** Some of these, separated by commas: checked, and without spaces. */
  listOf?: readonly string[]
}

export interface Config {
  host: string
  port: number
  /** Absolute path. */
  dataDir: string
  /** Without a slash at the end. Null: http, host and the port that is listened on. */
  publicUrl: string | null
  /** Origins besides that of the public address at which browsers open the dashboard. */
  trustedOrigins: readonly string[]
  databaseUrl: string | null
  /** `databaseUrl` is that of a pooler in transaction mode. */
  databasePooled: boolean
  /** The same database without the pooler; null: only the pooler is known, or there is none. May hold a password. */
  databaseDirectUrl: string | null
  secretKeys: readonly Buffer[] | null
  /** The shipped one without a file. */
  plans: PlanCatalog
  /** Absolute path of the package that decodes videos; null: none are. */
  videoDecoder: string | null
  trustProxy: boolean | number | readonly string[]
  hsts: boolean
  keepAliveMs: number
  maxConnections: number
  /** Null: no mail is sent. */
  mail: { smtpUrl: string; from: string } | null
  /** Null: no alerts are posted. May hold a token. */
  alertUrl: string | null
  /** A start is held until a person has answered. */
  startHeld: boolean
  lateLimitMs: number
  leaseMs: number
  tickMs: number
  /** Bounds of what is published at once; the publisher's settings of the same names. */
  publishing: {
    slots: number
    slotsPerNetwork: number
    sharePerAccount: number
    perConnection: number
    claimedPerConnection: number
  }
  /** Before the server takes no more requests. */
  stopDelayMs: number
  graceMs: number
  /**
   * `wanted`: switched on, not on by default. `alone`: the host, and the public URL and that of the sandbox if set, are
   * loopback. `open`: it is on, and not alone.
   */
  sandbox: { on: boolean; wanted: boolean; alone: boolean; open: boolean; port: number; url: string | null }
  /** The demo account of a first start gets two months of posts around today. */
  demoWeek: boolean
  workerPort: number
  /** Where metrics are served; null: nowhere. */
  metrics: { host: string; port: number } | null
  trustedFetchHosts: readonly string[]
  trustedWebhookHosts: readonly string[]
  logLevel: string
  /** Whether someone asked for that level; else it is the usual one. */
  logLevelAsked: boolean
  /** Values that were set or have a default, by network and setting. */
  networks: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Sentences about names that mean nothing, for the operator. */
  warnings: readonly string[]
}

/** What every setting reads as; one without a fallback may be null. */
type Values = {
  [Name in keyof typeof SETTINGS]:
    | ReturnType<(typeof SETTINGS)[Name]['read']>
    | ((typeof SETTINGS)[Name]['fallback'] extends string ? never : null)
}

/** One or several settings are wrong. The message has one line for each and never repeats a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The environment of this process. The one place that reads it. */
export function processEnvironment(): Environment {
  return process.env
}

/**
 * Where an agent is forwarded to, and with which API key. Both must be there.
 *
 * @throws ConfigError
 */
export function readAgentSettings(environment: Environment): { url: string; key: string } {
  const [url, key] = [environment.ALMANAC_URL?.trim(), environment.ALMANAC_KEY?.trim()]
  if (!url)
    throw new ConfigError('ALMANAC_URL is missing: the address of Almanac, such as https://almanac.example.com.')
  if (!key) throw new ConfigError('ALMANAC_KEY is missing: an API key of the account.')
  try {
    return { url: SETTINGS.ALMANAC_URL.read(url), key: SETTINGS.ALMANAC_KEY.read(key) }
  } catch (error) {
    if (error instanceof WrongValueError) throw new ConfigError(`ALMANAC_URL ${error.message}.`)
    throw error
  }
}

/**
 * Reads every setting of the environment. An empty value counts as not set.
 *
 * @param options.projectDir what a relative data directory or plans file is relative to
 * @throws ConfigError naming every wrong setting at once
 */
export function readConfig(
  environment: Environment,
  options: { projectDir: string; networkSettings: readonly NetworkSetting[] },
): Config {
  const wrong: string[] = []
  const textOf = (name: string) => environment[name]?.trim() || null

  function read<T>(name: string, { read: reader, fallback, secret }: Omit<Setting<T>, 'description'>): T | null {
    const text = textOf(name)
    try {
      return text !== null ? reader(text) : fallback !== null ? reader(fallback) : null
    } catch (error) {
      if (!(error instanceof WrongValueError)) throw error
      wrong.push(`${name} ${error.message}${secret ? '' : ` (it is ${JSON.stringify(text)})`}.`)
      return null
    }
  }
  const values = Object.fromEntries(
    Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => [name, read(name, setting)]),
  ) as Values
  const plans = read('ALMANAC_PLANS', {
    ...SETTINGS.ALMANAC_PLANS,
    read: (path) => readPlansFile(resolve(options.projectDir, path)),
  })
  const networks: Record<string, Record<string, string>> = {}
  for (const declared of options.networkSettings) {
    const { listOf } = declared
    const reader = declared.address ? readBaseUrl : listOf ? (text: string) => readSomeOf(listOf, text) : readText
    const found = read(declared.variable, { read: reader, fallback: declared.fallback, secret: true })
    networks[declared.network] = {
      ...networks[declared.network],
      ...(found === null ? {} : { [declared.setting]: found }),
    }
  }
  const smtpUrl = values.ALMANAC_SMTP_URL
  const from = values.ALMANAC_MAIL_FROM
  if (smtpUrl !== null && from === null && textOf('ALMANAC_MAIL_FROM') === null) {
    wrong.push('ALMANAC_MAIL_FROM must be set together with ALMANAC_SMTP_URL.')
  }
  if (values.ALMANAC_DATABASE_POOLED && textOf('DATABASE_URL') === null) {
    wrong.push('ALMANAC_DATABASE_POOLED is on, but DATABASE_URL, the address of the pooler, is not set.')
  }
  if (values.ALMANAC_DATABASE_POOLED === false && textOf('ALMANAC_DATABASE_DIRECT_URL') !== null) {
    wrong.push(
      'ALMANAC_DATABASE_DIRECT_URL is set, but ALMANAC_DATABASE_POOLED is off: without a pooler, set DATABASE_URL alone.',
    )
  }
  const insecure = originsWithoutSignIn(values.ALMANAC_PUBLIC_URL, values.ALMANAC_TRUSTED_ORIGINS ?? [])
  if (insecure.length > 0) {
    wrong.push(
      `ALMANAC_TRUSTED_ORIGINS has ${insecure.join(' and ')}, but ALMANAC_PUBLIC_URL is https: browsers store the cookie of a session there only over https, so no one could sign in. Serve that origin over https too, or remove it.`,
    )
  }
  const kept = (values.ALMANAC_SLOTS_PER_NETWORK ?? 0) * NETWORKS.length
  if (values.ALMANAC_SLOTS !== null && values.ALMANAC_SLOTS < kept) {
    wrong.push(
      `ALMANAC_SLOTS must be at least ${kept}: each of the ${NETWORKS.length} networks keeps ALMANAC_SLOTS_PER_NETWORK of them.`,
    )
  }
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  const host = values.ALMANAC_HOST
  const publicUrl = values.ALMANAC_PUBLIC_URL
  const sandboxUrl = values.ALMANAC_SANDBOX_URL
  const urls = [publicUrl, sandboxUrl].filter((url) => url !== null)
  const alone = isLoopback(host) && urls.every((url) => isLoopback(new URL(url).hostname))
  const sandboxOn = values.ALMANAC_SANDBOX ?? alone
  return {
    host,
    port: values.ALMANAC_PORT,
    dataDir: resolve(options.projectDir, values.ALMANAC_DATA_DIR),
    publicUrl,
    trustedOrigins: values.ALMANAC_TRUSTED_ORIGINS,
    databaseUrl: values.DATABASE_URL,
    databasePooled: values.ALMANAC_DATABASE_POOLED,
    databaseDirectUrl: values.ALMANAC_DATABASE_DIRECT_URL,
    secretKeys: values.ALMANAC_SECRET_KEY,
    plans: plans ?? SHIPPED_PLANS,
    videoDecoder:
      values.ALMANAC_VIDEO_DECODER === null ? null : resolve(options.projectDir, values.ALMANAC_VIDEO_DECODER),
    trustProxy: values.ALMANAC_TRUST_PROXY,
    hsts: values.ALMANAC_HSTS,
    keepAliveMs: values.ALMANAC_KEEP_ALIVE,
    maxConnections: values.ALMANAC_MAX_CONNECTIONS,
    mail: smtpUrl !== null && from !== null ? { smtpUrl, from } : null,
    alertUrl: values.ALMANAC_ALERT_URL,
    startHeld: values.ALMANAC_START_HELD,
    lateLimitMs: values.ALMANAC_LATE_LIMIT,
    leaseMs: values.ALMANAC_LEASE,
    tickMs: values.ALMANAC_TICK,
    publishing: {
      slots: values.ALMANAC_SLOTS,
      slotsPerNetwork: values.ALMANAC_SLOTS_PER_NETWORK,
      sharePerAccount: values.ALMANAC_SHARE_PER_ACCOUNT,
      perConnection: values.ALMANAC_SLOTS_PER_CONNECTION,
      claimedPerConnection: values.ALMANAC_CLAIMED_PER_CONNECTION,
    },
    stopDelayMs: values.ALMANAC_STOP_DELAY,
    graceMs: values.ALMANAC_GRACE,
    sandbox: {
      on: sandboxOn,
      wanted: values.ALMANAC_SANDBOX ?? false,
      alone,
      open: sandboxOn && !alone,
      port: values.ALMANAC_SANDBOX_PORT,
      url: sandboxUrl,
    },
    demoWeek: values.ALMANAC_DEMO_WEEK,
    workerPort: values.ALMANAC_WORKER_PORT,
    metrics:
      values.ALMANAC_METRICS === null ? null : { host: values.ALMANAC_METRICS, port: values.ALMANAC_METRICS_PORT },
    trustedFetchHosts: values.ALMANAC_TRUSTED_FETCH_HOSTS,
    trustedWebhookHosts: values.ALMANAC_TRUSTED_WEBHOOK_HOSTS,
    logLevel: values.ALMANAC_LOG_LEVEL,
    logLevelAsked: textOf('ALMANAC_LOG_LEVEL') !== null,
    networks,
    warnings: unknownNames(environment, options.networkSettings),
  }
}

/** Whether a host, as it is listened on or as a URL has it, can be reached from this machine alone. */
export function isLoopback(written: string): boolean {
  const host = written.replace(/^\[(.*)\]$/, '$1')
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
}

/** Trusted origins at which browsers drop the cookies, which are marked Secure when the public URL is https. */
function originsWithoutSignIn(publicUrl: string | null, origins: readonly string[]): string[] {
  if (publicUrl === null || new URL(publicUrl).protocol !== 'https:') return []
  return origins.filter((origin) => {
    const { protocol, hostname } = new URL(origin)
    return protocol === 'http:' && !isLoopback(hostname)
  })
}

function unknownNames(environment: Environment, networkSettings: readonly NetworkSetting[]): string[] {
  const known = [...Object.keys(SETTINGS), ...networkSettings.map((declared) => declared.variable)]
  return Object.keys(environment)
    .filter((name) => name.startsWith('ALMANAC_') && !known.includes(name))
    .sort()
    .map((name) => {
      const near = nearest(name, known)
      return `${name} is not a setting of Almanac${near ? `; did you mean ${near}?` : '.'}`
    })
}
