import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SHIPPED_PLANS } from '#contract'
import { ConfigError, type NetworkSetting, readConfig, readSecretKeysOf } from './index.ts'

const networkSettings: NetworkSetting[] = [
  {
    network: 'bluesky',
    setting: 'pds',
    variable: 'ALMANAC_BLUESKY_PDS',
    fallback: 'https://bsky.social',
    address: true,
  },
  {
    network: 'instagram',
    setting: 'appSecret',
    variable: 'ALMANAC_INSTAGRAM_APP_SECRET',
    fallback: null,
    address: false,
  },
  {
    network: 'instagram',
    setting: 'without',
    variable: 'ALMANAC_INSTAGRAM_WITHOUT',
    fallback: null,
    address: false,
    listOf: ['comments', 'pages'],
  },
]
const read = (environment: Record<string, string>) =>
  readConfig(environment, { projectDir: '/project', networkSettings })
const key = 'a'.repeat(43)

test('without any setting the defaults hold', () => {
  expect(read({})).toMatchObject({
    host: '127.0.0.1',
    port: 4010,
    dataDir: '/project/.almanac',
    publicUrl: null,
    databaseUrl: null,
    secretKeys: null,
    trustProxy: false,
    hsts: false,
    keepAliveMs: 150_000,
    maxConnections: 2_000,
    startHeld: false,
    lateLimitMs: 21_600_000,
    leaseMs: 40_000,
    tickMs: 1_000,
    publishing: { slots: 200, slotsPerNetwork: 10, sharePerAccount: 25, perConnection: 2, claimedPerConnection: 100 },
    sandbox: { on: true, wanted: false, alone: true, open: false, port: 4011, url: null },
    demoWeek: true,
    workerPort: 4012,
    trustedFetchHosts: [],
    trustedWebhookHosts: [],
    plans: SHIPPED_PLANS,
    networks: { bluesky: { pds: 'https://bsky.social' }, instagram: {} },
    warnings: [],
  })
})

test.each<[Record<string, string>, object]>([
  [{ ALMANAC_PORT: ' 80 ' }, { port: 80 }],
  [{ ALMANAC_PORT: '' }, { port: 4010 }],
  [{ ALMANAC_DATA_DIR: '/var/lib/almanac' }, { dataDir: '/var/lib/almanac' }],
  [{ ALMANAC_DATA_DIR: 'data' }, { dataDir: '/project/data' }],
  [{ ALMANAC_PUBLIC_URL: 'https://almanac.example/app/' }, { publicUrl: 'https://almanac.example/app' }],
  [{ ALMANAC_SECRET_KEY: `${key}=, ${key}` }, { secretKeys: [Buffer.from(key, 'base64'), Buffer.from(key, 'base64')] }],
  [{}, { mail: null }],
  [
    { ALMANAC_SMTP_URL: 'smtp://me:p%40ss@mail.example:2525', ALMANAC_MAIL_FROM: 'Almanac <almanac@example.com>' },
    { mail: { smtpUrl: 'smtp://me:p%40ss@mail.example:2525', from: 'Almanac <almanac@example.com>' } },
  ],
  [
    { ALMANAC_SMTP_URL: 'smtps://mail.example', ALMANAC_MAIL_FROM: 'almanac@example.com' },
    { mail: { smtpUrl: 'smtps://mail.example', from: 'almanac@example.com' } },
  ],
  [{ ALMANAC_MAIL_FROM: 'almanac@example.com' }, { mail: null }],
  [{}, { alertUrl: null }],
  [{ ALMANAC_ALERT_URL: 'http://10.0.0.5:9000/hook?token=a' }, { alertUrl: 'http://10.0.0.5:9000/hook?token=a' }],
  [{ ALMANAC_START_HELD: 'on' }, { startHeld: true }],
  [{ ALMANAC_LATE_LIMIT: '90m' }, { lateLimitMs: 5_400_000 }],
  [{ ALMANAC_LEASE: '1s' }, { leaseMs: 1_000 }],
  [
    {
      ...{ ALMANAC_SLOTS: '20', ALMANAC_SLOTS_PER_NETWORK: '2', ALMANAC_SLOTS_PER_CONNECTION: '1' },
      ALMANAC_SHARE_PER_ACCOUNT: '100',
    },
    {
      publishing: { slots: 20, slotsPerNetwork: 2, sharePerAccount: 100, perConnection: 1, claimedPerConnection: 100 },
    },
  ],
  [{}, { trustedOrigins: [] }],
  [
    { ALMANAC_TRUSTED_ORIGINS: 'https://Calendar.example:443/, http://192.168.0.5:4010,' },
    { trustedOrigins: ['https://calendar.example', 'http://192.168.0.5:4010'] },
  ],
  [
    { ALMANAC_PUBLIC_URL: 'https://a.example', ALMANAC_TRUSTED_ORIGINS: 'http://localhost:8080,http://[::1]:1' },
    { trustedOrigins: ['http://localhost:8080', 'http://[::1]:1'] },
  ],
  [
    { ALMANAC_PUBLIC_URL: 'http://a.example', ALMANAC_TRUSTED_ORIGINS: 'https://b.example,http://c.example' },
    { trustedOrigins: ['https://b.example', 'http://c.example'] },
  ],
  [{ ALMANAC_TRUST_PROXY: 'on' }, { trustProxy: true }],
  [{ ALMANAC_TRUST_PROXY: '1' }, { trustProxy: 1 }],
  [{ ALMANAC_TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
  [{ ALMANAC_KEEP_ALIVE: '2m' }, { keepAliveMs: 120_000 }],
  [{ ALMANAC_MAX_CONNECTIONS: '500' }, { maxConnections: 500 }],
  [{ ALMANAC_HOST: '0.0.0.0' }, { sandbox: { on: false, open: false } }],
  [{ ALMANAC_HOST: '0.0.0.0', ALMANAC_SANDBOX: 'on' }, { sandbox: { on: true, open: true } }],
  [{ ALMANAC_PUBLIC_URL: 'https://almanac.example' }, { sandbox: { on: false, open: false } }],
  [{ ALMANAC_PUBLIC_URL: 'http://192.168.1.7:4010' }, { sandbox: { on: false } }],
  [{ ALMANAC_PUBLIC_URL: 'https://localhost.example' }, { sandbox: { on: false } }],
  [{ ALMANAC_PUBLIC_URL: 'https://almanac.example', ALMANAC_SANDBOX: 'on' }, { sandbox: { on: true, open: true } }],
  [{ ALMANAC_PUBLIC_URL: 'http://localhost:4010' }, { sandbox: { on: true, open: false } }],
  [{ ALMANAC_PUBLIC_URL: 'http://[::1]:4010/almanac' }, { sandbox: { on: true, open: false } }],
  [{ ALMANAC_PUBLIC_URL: 'http://127.0.0.1:8080', ALMANAC_HOST: '0.0.0.0' }, { sandbox: { on: false } }],
  [{ ALMANAC_SANDBOX: 'off' }, { sandbox: { on: false, alone: true, open: false } }],
  [{ ALMANAC_SANDBOX: 'on' }, { sandbox: { on: true, wanted: true, open: false } }],
  [{ ALMANAC_SANDBOX_URL: 'http://127.0.0.1:4011' }, { sandbox: { on: true, open: false } }],
  [{ ALMANAC_SANDBOX_URL: 'http://sandbox.example' }, { sandbox: { on: false, alone: false } }],
  [{ ALMANAC_SANDBOX_URL: 'http://sandbox.example', ALMANAC_SANDBOX: 'on' }, { sandbox: { on: true, open: true } }],
  [{ ALMANAC_HOST: '127.8.9.1' }, { sandbox: { on: true } }],
  [{ ALMANAC_HOST: '[::1]' }, { host: '::1', sandbox: { on: true } }],
  [{ ALMANAC_TRUSTED_FETCH_HOSTS: 'Localhost:8000, 10.1.2.3' }, { trustedFetchHosts: ['localhost:8000', '10.1.2.3'] }],
  [{ ALMANAC_TRUSTED_WEBHOOK_HOSTS: 'Flows:5678, 10.1.2.4' }, { trustedWebhookHosts: ['flows:5678', '10.1.2.4'] }],
  [{ ALMANAC_BLUESKY_PDS: 'http://localhost:2583/' }, { networks: { bluesky: { pds: 'http://localhost:2583' } } }],
  [{ ALMANAC_INSTAGRAM_APP_SECRET: 's' }, { networks: { instagram: { appSecret: 's' } } }],
  [{ ALMANAC_INSTAGRAM_WITHOUT: 'pages' }, { networks: { instagram: { without: 'pages' } } }],
  [{ ALMANAC_INSTAGRAM_WITHOUT: 'pages , comments' }, { networks: { instagram: { without: 'pages,comments' } } }],
])('%j', (environment, config) => {
  expect(read(environment)).toMatchObject(config)
})

test.each([
  ['ALMANAC_PORT', '65536'],
  ['ALMANAC_PORT', '-1'],
  ['ALMANAC_PORT', '80a'],
  ['ALMANAC_HOST', 'http://localhost'],
  ['ALMANAC_PUBLIC_URL', 'almanac.example'],
  ['ALMANAC_PUBLIC_URL', 'ftp://almanac.example'],
  ['ALMANAC_PUBLIC_URL', 'https://a:b@almanac.example'],
  ['ALMANAC_TRUSTED_ORIGINS', 'calendar.example'],
  ['ALMANAC_TRUSTED_ORIGINS', 'https://almanac.example/dashboard'],
  ['ALMANAC_TRUSTED_ORIGINS', 'https://*.example'],
  ['ALMANAC_TRUSTED_ORIGINS', 'https://almanac.example, null'],
  ['ALMANAC_TRUSTED_ORIGINS', 'https://a:b@almanac.example'],
  ['ALMANAC_TRUSTED_ORIGINS', 'https://almanac.example/?x'],
  ['ALMANAC_SMTP_URL', 'mail.example'],
  ['ALMANAC_SMTP_URL', 'https://mail.example'],
  ['ALMANAC_SMTP_URL', 'smtp://mail.example/?secure=no'],
  ['ALMANAC_ALERT_URL', 'alerts.example.com'],
  ['ALMANAC_ALERT_URL', 'ftp://alerts.example.com'],
  ['ALMANAC_ALERT_URL', 'https://me:secret@alerts.example.com'],
  ['ALMANAC_ALERT_URL', 'https://alerts.example.com/#a'],
  ['ALMANAC_MAIL_FROM', 'Almanac'],
  ['ALMANAC_MAIL_FROM', 'a@example.com, b@example.com'],
  ['ALMANAC_LATE_LIMIT', '6'],
  ['ALMANAC_LATE_LIMIT', '0s'],
  ['ALMANAC_LATE_LIMIT', '-6h'],
  ['ALMANAC_SANDBOX', 'maybe'],
  ['ALMANAC_TRUST_PROXY', 'nginx'],
  ['ALMANAC_KEEP_ALIVE', '75'],
  ['ALMANAC_KEEP_ALIVE', '500ms'],
  ['ALMANAC_KEEP_ALIVE', '2h'],
  ['ALMANAC_MAX_CONNECTIONS', '9'],
  ['ALMANAC_MAX_CONNECTIONS', '1e3'],
  ['ALMANAC_LOG_LEVEL', 'loud'],
  ['ALMANAC_BLUESKY_PDS', 'localhost'],
  ['ALMANAC_INSTAGRAM_WITHOUT', 'comments,stories'],
  ['ALMANAC_INSTAGRAM_WITHOUT', 'comments,'],
])('%s=%s is wrong', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(ConfigError)
  expect(() => read({ [name]: value })).toThrow(name)
})

test('of a list that holds another name, the message says which there are', () => {
  expect(() => read({ ALMANAC_INSTAGRAM_WITHOUT: 'stories' })).toThrow(
    'ALMANAC_INSTAGRAM_WITHOUT must be some of comments, pages, separated by commas.',
  )
})

test('slots that the networks would not leave are refused, with how many are needed', () => {
  expect(() => read({ ALMANAC_SLOTS: '50' })).toThrow(
    'ALMANAC_SLOTS must be at least 100: each of the 10 networks keeps',
  )
  expect(() => read({ ALMANAC_SLOTS: '0' })).toThrow('ALMANAC_SLOTS must be a whole number from 1 to 99999')
  for (const percent of ['0', '101', '2.5', 'half']) {
    expect(() => read({ ALMANAC_SHARE_PER_ACCOUNT: percent })).toThrow(
      'ALMANAC_SHARE_PER_ACCOUNT must be a whole number from 1 to 100',
    )
  }
})

test('every wrong setting is named at once, a secret one without its value', () => {
  const wrong = {
    ALMANAC_PORT: 'x',
    ALMANAC_LEASE: 'soon',
    DATABASE_URL: 'mysql://root:hunter2@host/db',
    ALMANAC_SECRET_KEY: 'hunter3',
    ALMANAC_SMTP_URL: 'http://me:hunter4@host',
  }
  let message = ''
  try {
    read(wrong)
  } catch (error) {
    message = (error as Error).message
  }
  expect(message.split('\n')).toHaveLength(5)
  for (const name of Object.keys(wrong)) expect(message).toContain(name)
  expect(message).not.toMatch(/hunter/)
})

test('a mail server needs a sender', () => {
  expect(() => read({ ALMANAC_SMTP_URL: 'smtp://me:hunter2@mail.example' })).toThrow(
    /^ALMANAC_MAIL_FROM must be set together with ALMANAC_SMTP_URL\.$/,
  )
})

test('an origin that is trusted by http cannot sign in where the public address is https', () => {
  const origins = 'https://b.example,http://192.168.0.5:4010,http://localhost:8080,http://c.example'
  const settings = { ALMANAC_PUBLIC_URL: 'https://a.example', ALMANAC_TRUSTED_ORIGINS: origins }
  expect(() => read(settings)).toThrow(ConfigError)
  expect(() => read(settings)).toThrow(
    /^ALMANAC_TRUSTED_ORIGINS has http:\/\/192\.168\.0\.5:4010 and http:\/\/c\.example, but .*https.*\.$/,
  )
})

test('a name that means nothing is reported, with the nearest one that does', () => {
  expect(read({ ALMANAC_PROT: '80', ALMANAC_NONSENSE_OF_ALL_SORTS: '1', OTHER: '2' }).warnings).toEqual([
    'ALMANAC_NONSENSE_OF_ALL_SORTS is not a setting of Almanac.',
    'ALMANAC_PROT is not a setting of Almanac; did you mean ALMANAC_PORT?',
  ])
})

describe('the plans file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'almanac-config-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  const readWith = (more: Record<string, string> = {}) =>
    readConfig({ ALMANAC_PLANS: 'plans.json', ...more }, { projectDir: folder, networkSettings })
  const write = (text: string) => writeFile(join(folder, 'plans.json'), text)

  test('is looked for in the project, and changes what it names', async () => {
    await write('{ "FREE": { "monthlyPosts": 11 } }')
    const plans = { ...SHIPPED_PLANS, FREE: { ...SHIPPED_PLANS.FREE, monthlyPosts: 11 } }
    expect(readWith().plans).toEqual(plans)
    const absolute = { ALMANAC_PLANS: join(folder, 'plans.json') }
    expect(readConfig(absolute, { projectDir: '/project', networkSettings }).plans).toEqual(plans)
  })

  test('that is not there is named with its path', () => {
    expect(() => readWith()).toThrow(ConfigError)
    expect(() => readWith()).toThrow(
      `ALMANAC_PLANS names a file that is not there: ${folder}/plans.json (it is "plans.json").`,
    )
  })

  test('that cannot be read is named with the reason', () => {
    expect(() => readWith({ ALMANAC_PLANS: folder })).toThrow(
      `ALMANAC_PLANS names a file that cannot be read: ${folder}, EISDIR`,
    )
  })

  test.each([
    ['', 'not JSON'],
    ['{\n  "FREE": hunter2\n}', 'not JSON'],
    ['{ "FREE": { "video": true }, }', 'not JSON (line 1 column 30)'],
  ])('%j is not JSON, and is not repeated', async (text, words) => {
    await write(text)
    expect(() => readWith()).toThrow(`ALMANAC_PLANS names a file that is ${words}`)
    expect(() => readWith()).not.toThrow(/hunter/)
  })

  test('with mistakes tells all of them in its line, beside the other wrong settings', async () => {
    await write('{ "FREE": { "monthlyPosts": -1 }, "GOLD": {} }')
    let lines: string[] = []
    try {
      readWith({ ALMANAC_PORT: 'x' })
    } catch (error) {
      lines = (error as Error).message.split('\n')
    }
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^ALMANAC_PORT /)
    expect(lines[1]).toMatch(/^ALMANAC_PLANS names a file with mistakes, \/.*plans\.json: /)
    expect(lines[1]).toContain('FREE.monthlyPosts must be at least 0')
    expect(lines[1]).toContain('GOLD is not a known field')
  })
})

describe('the secret key', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'almanac-config-'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))
  const wanted = (more: object = {}) => ({ secretKeys: null, databaseUrl: null, dataDir, ...more })

  test('is made once, for its owner alone, also when several begin at the same time', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map(() => readSecretKeysOf(wanted())))
    expect(new Set(keys.map(([first]) => first?.toString('hex'))).size).toBe(1)
    expect(keys[0]?.[0]).toHaveLength(32)
    expect((await stat(join(dataDir, 'secret-key'))).mode & 0o777).toBe(0o600)
    expect(await readdir(dataDir)).toEqual(['secret-key'])
  })

  test('of the setting goes first and makes no file', async () => {
    const secretKeys = [Buffer.alloc(32, 1)]
    expect(await readSecretKeysOf(wanted({ secretKeys }))).toBe(secretKeys)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('is demanded with DATABASE_URL', async () => {
    await expect(readSecretKeysOf(wanted({ databaseUrl: 'postgres://h/d' }))).rejects.toThrow(/openssl rand/)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('that is damaged is neither used nor replaced', async () => {
    await writeFile(join(dataDir, 'secret-key'), 'half')
    await expect(readSecretKeysOf(wanted())).rejects.toThrow(ConfigError)
    expect(await readFile(join(dataDir, 'secret-key'), 'utf8')).toBe('half')
  })
})
