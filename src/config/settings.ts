import {
  readAlertUrl,
  readBaseUrl,
  readConnections,
  readCount,
  readDatabaseUrl,
  readDelay,
  readDuration,
  readHost,
  readHosts,
  readKeepAlive,
  readLogLevel,
  readMetricsHost,
  readOrigins,
  readPercent,
  readPort,
  readSecretKeys,
  readSender,
  readSmtpUrl,
  readSwitch,
  readText,
  readTrustProxy,
} from './values.ts'

/** One setting: what it is for, how its text is read, what holds without it. */
export interface Setting<T> {
  description: string
  /** Throws WrongValueError. */
  read: (text: string) => T
  /** As it would be written. Null: what holds without it is said in the description. */
  fallback: string | null
  /** Never printed. */
  secret: boolean
}

/** A setting that always has a value. */
interface Given<T> extends Setting<T> {
  fallback: string
}

const given = <T>(description: string, read: (text: string) => T, fallback: string): Given<T> => ({
  description,
  read,
  fallback,
  secret: false,
})
const optional = <T>(description: string, read: (text: string) => T): Setting<T> & { fallback: null } => ({
  description,
  read,
  fallback: null,
  secret: false,
})

/** Every setting of Almanac itself. Those of networks are in their manifests. */
export const SETTINGS = {
  ALMANAC_HOST: given('Address that the server listens on.', readHost, '127.0.0.1'),
  ALMANAC_PORT: given('Port of the API. With 0 a free one is chosen.', readPort, '4010'),
  ALMANAC_DATA_DIR: given('Where data is stored, relative to the project.', readText, '.almanac'),
  ALMANAC_PUBLIC_URL: optional(
    'Address at which people and networks reach this installation. Default: http, host and port.',
    readBaseUrl,
  ),
  ALMANAC_TRUSTED_ORIGINS: given(
    'More origins at which browsers may open the dashboard, such as https://calendar.example.com, separated by commas.',
    readOrigins,
    '',
  ),
  DATABASE_URL: {
    ...optional('PostgreSQL 15 or newer, UTF8. Without it Almanac starts its own.', readDatabaseUrl),
    secret: true,
  },
  ALMANAC_DATABASE_POOLED: given(
    'Whether DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer: on or off.',
    readSwitch,
    'off',
  ),
  ALMANAC_DATABASE_DIRECT_URL: {
    ...optional(
      'The same database without that pooler, for migrations, notifications and commands. Without it, due posts and changes for the dashboard are polled, and migrations are refused.',
      readDatabaseUrl,
    ),
    secret: true,
  },
  ALMANAC_SECRET_KEY: {
    ...optional(
      '32 bytes as base64, several separated by commas; the first encrypts. Required with DATABASE_URL, otherwise created in the data directory on first run.',
      readSecretKeys,
    ),
    secret: true,
  },
  ALMANAC_PLANS: optional(
    'File that changes the plans, relative to the project. Default: the shipped plans.',
    readText,
  ),
  ALMANAC_VIDEO_DECODER: optional(
    'Folder of the package @ffmpeg/core 0.12, relative to the project. Without it the server draws no pictures of videos.',
    readText,
  ),
  ALMANAC_TRUST_PROXY: given(
    'Whose forwarding headers to trust: the number of proxies in front, their addresses, off, or on (all that arrive: only behind a proxy that replaces them).',
    readTrustProxy,
    'off',
  ),
  ALMANAC_KEEP_ALIVE: given(
    'How long an idle connection stays open for another request. Must be longer than a proxy in front keeps its own.',
    readKeepAlive,
    '150s',
  ),
  ALMANAC_MAX_CONNECTIONS: given('Connections that a process serves at once.', readConnections, '2000'),
  ALMANAC_SMTP_URL: {
    ...optional(
      'Mail server, such as smtp://user:password@host:587, or smtps: for TLS from the start. Without it no mail is sent.',
      readSmtpUrl,
    ),
    secret: true,
  },
  ALMANAC_MAIL_FROM: optional(
    'Sender of mail, such as Almanac <almanac@example.com>. Required with ALMANAC_SMTP_URL.',
    readSender,
  ),
  ALMANAC_ALERT_URL: {
    ...optional(
      'Where to report each failed post and each account that has to be reconnected, with one POST of JSON. A private host is accepted if it is an address or can only be private (localhost, a name without a dot, .local, .internal); any other has to be in ALMANAC_TRUSTED_FETCH_HOSTS.',
      readAlertUrl,
    ),
    secret: true,
  },
  ALMANAC_START_HELD: given(
    'Whether a start waits for a person before anything is published, sent or removed, as for a copy of a machine: on or off.',
    readSwitch,
    'off',
  ),
  ALMANAC_HSTS: given(
    'Whether browsers are asked to use only https for the host of an https address from now on, for everything that runs there: on or off.',
    readSwitch,
    'off',
  ),
  ALMANAC_LATE_LIMIT: given('A post whose turn comes later than this is not sent.', readDuration, '6h'),
  ALMANAC_LEASE: given('How long a worker keeps a delivery without a heartbeat.', readDuration, '40s'),
  ALMANAC_TICK: given(
    'Longest pause between two checks of the calendar; posts that are due are checked for on time.',
    readDuration,
    '1s',
  ),
  ALMANAC_SLOTS: given('Posts that one worker handles at once. They mostly wait for a network.', readCount, '200'),
  ALMANAC_SLOTS_PER_NETWORK: given(
    'How many of these are reserved for each network, so that one that hangs leaves room for the others.',
    readCount,
    '10',
  ),
  ALMANAC_SHARE_PER_ACCOUNT: given(
    "Percent of a network's slots that one account may hold in a worker before posts of other accounts go first, from 1 to 100.",
    readPercent,
    '25',
  ),
  ALMANAC_SLOTS_PER_CONNECTION: given(
    'Posts of one connection that are next or under way at once, over all workers.',
    readCount,
    '2',
  ),
  ALMANAC_CLAIMED_PER_CONNECTION: given(
    'Claimed posts that wait for one connection; late ones are counted separately. Beyond that, posts that go only to it can still be changed.',
    readCount,
    '100',
  ),
  ALMANAC_STOP_DELAY: given(
    'How long a process that was asked to stop keeps accepting requests, while /readyz is 503, so that a proxy sends them elsewhere.',
    readDelay,
    '0s',
  ),
  ALMANAC_GRACE: given(
    'How long deliveries under way may take after the process was asked to stop.',
    readDuration,
    '8s',
  ),
  ALMANAC_SANDBOX: optional(
    'The sandbox with its simulators: on or off. Default: on if the host, the public URL and that of the sandbox (if set) are loopback.',
    readSwitch,
  ),
  ALMANAC_DEMO_WEEK: given(
    'Whether the demo account of a first start gets two months of posts to look at: on or off.',
    readSwitch,
    'on',
  ),
  ALMANAC_SANDBOX_PORT: given('Port of `almanac sandbox`.', readPort, '4011'),
  ALMANAC_SANDBOX_URL: optional(
    'Address of the simulators. Default: that of the API in `up`, otherwise that of the sandbox port.',
    readBaseUrl,
  ),
  ALMANAC_WORKER_PORT: given('Port of the health check of `almanac worker`.', readPort, '4012'),
  ALMANAC_METRICS: given(
    'Metrics of `up`, `api` and `worker` for Prometheus: off, on (reached from this machine only), or the address to listen on.',
    readMetricsHost,
    'off',
  ),
  ALMANAC_METRICS_PORT: given('Port of the metrics.', readPort, '4013'),
  ALMANAC_TRUSTED_FETCH_HOSTS: given(
    'Hosts that imports and alerts may reach although they are private, separated by commas.',
    readHosts,
    '',
  ),
  ALMANAC_TRUSTED_WEBHOOK_HOSTS: given(
    'Hosts that webhooks may reach although they are private, also over http, separated by commas.',
    readHosts,
    '',
  ),
  ALMANAC_URL: optional('For `almanac mcp` only: address of the Almanac that an agent works with.', readBaseUrl),
  ALMANAC_KEY: {
    ...optional('For `almanac mcp` only: the API key that the agent works with.', readText),
    secret: true,
  },
  ALMANAC_LOG_LEVEL: given('How much is logged: fatal, error, warn, info, debug or trace.', readLogLevel, 'info'),
} as const
