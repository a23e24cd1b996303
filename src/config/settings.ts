import {
  readBaseUrl,
  readDatabaseUrl,
  readDuration,
  readHost,
  readHosts,
  readLogLevel,
  readPort,
  readSecretKeys,
  readSwitch,
  readText,
  readTrustProxy,
} from './values.ts'

/** One setting: what it is for, how its text is read, what holds without it. */
export interface Setting<T> {
  description: string
  /** Throws WrongValueError. */
  read: (text: string) => T
  /** `computed` is explained in the description. */
  fallback: T | 'computed'
  /** Never printed. */
  secret?: true
}

const setting = <T>(description: string, read: (text: string) => T, fallback: T): Setting<T> => ({
  description,
  read,
  fallback,
})
const computed = <T>(description: string, read: (text: string) => T): Setting<T> => ({
  description,
  read,
  fallback: 'computed',
})

/** Every setting of Almanac itself. Those of networks stand in their manifests. */
export const SETTINGS = {
  ALMANAC_HOST: setting('Address that the server listens on.', readHost, '127.0.0.1'),
  ALMANAC_PORT: setting('Port of the interface; with 0 a free one is chosen.', readPort, 4010),
  ALMANAC_DATA_DIR: setting('Where data is kept; relative to the project.', readText, '.almanac'),
  ALMANAC_PUBLIC_URL: computed(
    'Address under which people and networks reach this installation. Without it: http, host and port.',
    readBaseUrl,
  ),
  DATABASE_URL: {
    ...computed('PostgreSQL 15 or newer, UTF8. Without it Almanac starts its own.', readDatabaseUrl),
    secret: true,
  },
  ALMANAC_SECRET_KEY: {
    ...computed(
      '32 bytes as base64, several separated by commas; the first encrypts. Without it and without DATABASE_URL: made on first run in the data directory.',
      readSecretKeys,
    ),
    secret: true,
  },
  ALMANAC_PLANS: computed('File that replaces the plan catalogue.', readText),
  ALMANAC_TRUST_PROXY: setting(
    'Whose forwarding headers are believed: on, off, a number of proxies, or addresses.',
    readTrustProxy,
    false as ReturnType<typeof readTrustProxy>,
  ),
  ALMANAC_LATE_LIMIT: setting('A set that is claimed later than this is not sent.', readDuration, 6 * 3_600_000),
  ALMANAC_LEASE: setting('How long a worker may keep a delivery without a sign of life.', readDuration, 40_000),
  ALMANAC_TICK: setting('Pause between two looks at the calendar.', readDuration, 1_000),
  ALMANAC_GRACE: setting('How long deliveries under way may take when the process is to stop.', readDuration, 25_000),
  ALMANAC_SANDBOX: computed('The pretend networks: on or off. Without it: on when the host is loopback.', readSwitch),
  ALMANAC_SANDBOX_PORT: setting('Port of `almanac sandbox`.', readPort, 4011),
  ALMANAC_SANDBOX_URL: computed(
    'Address of the pretend networks. Without it: the main address in `up`, the sandbox port elsewhere.',
    readBaseUrl,
  ),
  ALMANAC_WORKER_PORT: setting('Port of the health check and the metrics of `almanac worker`.', readPort, 4012),
  ALMANAC_TRUSTED_FETCH_HOSTS: setting(
    'Hosts that imports may reach although they are private, separated by commas.',
    readHosts,
    [] as readonly string[],
  ),
  ALMANAC_LOG_LEVEL: setting('How much is logged: fatal, error, warn, info, debug or trace.', readLogLevel, 'info'),
} as const satisfies Record<string, Setting<never> | Setting<unknown>>
