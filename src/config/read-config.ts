import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { nearest } from './nearest.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { WrongValueError } from './values.ts'

/** The environment as a process sees it. */
export type Environment = Readonly<Record<string, string | undefined>>

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
}

export interface Config {
  host: string
  port: number
  /** Absolute path. */
  dataDir: string
  /** Without a slash at the end. Null: http, host and the port that is listened on. */
  publicUrl: string | null
  databaseUrl: string | null
  secretKeys: readonly Buffer[] | null
  plansFile: string | null
  trustProxy: boolean | number | readonly string[]
  lateLimitMs: number
  leaseMs: number
  tickMs: number
  graceMs: number
  sandbox: { on: boolean; port: number; url: string | null }
  workerPort: number
  trustedFetchHosts: readonly string[]
  logLevel: string
  /** Values that were set or have a default, by network and setting. */
  networks: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Sentences about names that mean nothing, for the operator. */
  warnings: readonly string[]
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
 * Reads every setting of the environment. An empty value counts as not set.
 *
 * @param options.projectDir what a relative data directory is relative to
 * @throws ConfigError naming every wrong setting at once
 */
export function readConfig(
  environment: Environment,
  options: { projectDir: string; networkSettings: readonly NetworkSetting[] },
): Config {
  const wrong: string[] = []
  const textOf = (name: string) => environment[name]?.trim() || null

  function read<T>(name: string, reader: (text: string) => T, secret: boolean): T | null {
    const text = textOf(name)
    if (text === null) return null
    try {
      return reader(text)
    } catch (error) {
      if (!(error instanceof WrongValueError)) throw error
      wrong.push(`${name} ${error.message}${secret ? '' : ` (it is ${JSON.stringify(text)})`}.`)
      return null
    }
  }
  const value = <T>(name: keyof typeof SETTINGS, setting: Setting<T>) =>
    read(name, setting.read, setting.secret === true) ?? (setting.fallback === 'computed' ? null : setting.fallback)
  const given = <T>(name: keyof typeof SETTINGS, setting: Setting<T>): T => value(name, setting) as T

  const host = given('ALMANAC_HOST', SETTINGS.ALMANAC_HOST)
  const networks: Record<string, Record<string, string>> = {}
  for (const declared of options.networkSettings) {
    const reader = declared.address ? SETTINGS.ALMANAC_PUBLIC_URL.read : (text: string) => text
    const found = read(declared.variable, reader, true) ?? declared.fallback
    const ofNetwork = (networks[declared.network] ??= {})
    if (found !== null) ofNetwork[declared.setting] = found
  }
  const config: Config = {
    host,
    port: given('ALMANAC_PORT', SETTINGS.ALMANAC_PORT),
    dataDir: resolve(options.projectDir, given('ALMANAC_DATA_DIR', SETTINGS.ALMANAC_DATA_DIR)),
    publicUrl: value('ALMANAC_PUBLIC_URL', SETTINGS.ALMANAC_PUBLIC_URL),
    databaseUrl: value('DATABASE_URL', SETTINGS.DATABASE_URL),
    secretKeys: value('ALMANAC_SECRET_KEY', SETTINGS.ALMANAC_SECRET_KEY),
    plansFile: value('ALMANAC_PLANS', SETTINGS.ALMANAC_PLANS),
    trustProxy: given('ALMANAC_TRUST_PROXY', SETTINGS.ALMANAC_TRUST_PROXY),
    lateLimitMs: given('ALMANAC_LATE_LIMIT', SETTINGS.ALMANAC_LATE_LIMIT),
    leaseMs: given('ALMANAC_LEASE', SETTINGS.ALMANAC_LEASE),
    tickMs: given('ALMANAC_TICK', SETTINGS.ALMANAC_TICK),
    graceMs: given('ALMANAC_GRACE', SETTINGS.ALMANAC_GRACE),
    sandbox: {
      on: value('ALMANAC_SANDBOX', SETTINGS.ALMANAC_SANDBOX) ?? isLoopback(host),
      port: given('ALMANAC_SANDBOX_PORT', SETTINGS.ALMANAC_SANDBOX_PORT),
      url: value('ALMANAC_SANDBOX_URL', SETTINGS.ALMANAC_SANDBOX_URL),
    },
    workerPort: given('ALMANAC_WORKER_PORT', SETTINGS.ALMANAC_WORKER_PORT),
    trustedFetchHosts: given('ALMANAC_TRUSTED_FETCH_HOSTS', SETTINGS.ALMANAC_TRUSTED_FETCH_HOSTS),
    logLevel: given('ALMANAC_LOG_LEVEL', SETTINGS.ALMANAC_LOG_LEVEL),
    networks,
    warnings: unknownNames(environment, options.networkSettings),
  }
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  return config
}

/** Whether a host to listen on can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true
  return isIP(host) === 4 && host.startsWith('127.')
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
