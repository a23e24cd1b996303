import { access, chmod, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createDatabase } from '../_util/database/database.ts'
import { almanacJson, makeDataDir, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

interface Report {
  ok: boolean
  findings: { check: string; status: string; message: string }[]
}

vi.setConfig({ testTimeout: 120_000 })

let dataDir: { path: string; remove(): Promise<void> }
let settings: Settings

beforeAll(async () => {
  dataDir = await makeDataDir()
  settings = { ALMANAC_DATA_DIR: dataDir.path, ALMANAC_PORT: await freePort() }
})
afterAll(() => dataDir.remove())

async function examine(change: Settings = {}): Promise<Report & { code: number | null }> {
  const { code, stdout } = await runAlmanac(['doctor', '--json'], { settings: { ...settings, ...change } })
  return { code, ...(JSON.parse(stdout) as Report) }
}
const of = (report: Report, check: string) => report.findings.filter((finding) => finding.check === check)

test('a database that takes no writes is reported, by itself, through the public address and by the other commands', async () => {
  const database = await createDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const change = {
    // Not that of the embedded database: two installations on one folder are a warning.
    ALMANAC_DATA_DIR: `${dataDir.path}-external`,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_PORT: await freePort(),
  }
  const almanac = await startAlmanac({ process: 'api', settings: { ...settings, ...change } })
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query(`alter database ${name} set default_transaction_read_only = on`)
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid <> pg_backend_pid() and datname = current_database()`,
  )
  await client.end()
  const report = await examine(change)
  const command = await runAlmanac(['accounts', 'create', '--name', 'Bakery'], { settings: { ...settings, ...change } })
  await almanac.stop()
  await database.drop()
  expect(command).toMatchObject({
    code: 1,
    stderr: 'almanac: The database is read-only. Try again when that is mended; "almanac doctor" says more.\n',
  })
  const problems = report.findings.filter(({ status }) => status === 'problem')
  expect(problems).toEqual([
    {
      check: 'database',
      status: 'problem',
      message:
        'The database accepts no writes: The database is read-only. Nothing can be saved or published until it does.',
    },
    {
      check: 'public url',
      status: 'problem',
      message: expect.stringMatching(/\/readyz answers 503: The database is read-only\.$/),
    },
  ])
})

test('a database that is slow takes writes all the same', async () => {
  const database = await createDatabase()
  const change = {
    ALMANAC_DATA_DIR: `${dataDir.path}-slow`,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query('begin; update heartbeat set beaten_at = beaten_at')
  // As on a machine that is busy: longer than health checks wait.
  const slow = async () => {
    await client.query('select pg_stat_clear_snapshot()')
    const { rowCount } = await client.query(`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and clock_timestamp() - query_start > interval '2 seconds'`)
    return (rowCount ?? 0) > 0
  }
  let over = false
  const examined = examine(change).finally(() => {
    over = true
  })
  await expect.poll(async () => over || (await slow()), { timeout: 30_000, interval: 100 }).toBe(true)
  await client.query('commit')
  await client.end()
  const report = await examined
  await database.drop()
  expect(report.findings.filter(({ status }) => status === 'problem')).toEqual([])
})

test('an installation that was never started is well', async () => {
  const report = await examine()
  expect(report).toMatchObject({ code: 0, ok: true })
  expect(of(report, 'data directory')).toMatchObject([{ status: 'ok' }])
})

test('a running installation is well', async () => {
  const almanac = await startAlmanac({ settings })
  const report = await examine()
  // Who decodes depends on where this checkout lies, and who runs it.
  expect(report.findings.filter(({ check, status }) => status !== 'ok' && check !== 'decoders')).toEqual([])
  expect(report).toMatchObject({ code: 0, ok: true })
  expect(new Set(report.findings.map(({ check }) => check))).toEqual(
    new Set([
      'node',
      'settings',
      'proxy',
      'data directory',
      'disk',
      'media',
      'decoders',
      'database',
      'clock',
      'secret key',
      'public url',
      'sandbox',
      'networks',
      'alerts',
    ]),
  )
  const home = join(dataDir.path, 'postgres')
  expect(of(report, 'database')[0]?.message).toMatch(
    new RegExp(
      `^The database is in ${home} \\(.+ on .+\\)\\. Its server is process \\d+ of this namespace; this is .+\\. Its socket is ${home}/\\.s\\.PGSQL\\.\\d+\\. Almanac \\(process \\d+\\) holds its lock\\.$`,
    ),
  )
  await almanac.stop()
  const stopped = await examine()
  expect(of(stopped, 'database')[0]?.message).toMatch(/ No server runs; this is .+\. No Almanac holds its lock\.$/)
  expect(of(stopped, 'public url')).toMatchObject([
    { status: 'warning', message: expect.stringContaining('Nothing answers') },
  ])
})

test('a role that is not ready is a warning, and stays as it is', async () => {
  const path = join(dataDir.path, 'postgres', 'app-password')
  await rename(path, `${path}.away`)
  const report = await examine()
  expect(report.ok).toBe(true)
  expect(of(report, 'database')).toContainEqual({
    check: 'database',
    status: 'warning',
    message: expect.stringContaining('the next start gives the application a plain role'),
  })
  await expect(access(path)).rejects.toThrow('ENOENT')
  await rename(`${path}.away`, path)
  expect(of(await examine(), 'database').filter(({ status }) => status !== 'ok')).toEqual([])
})

test('an external database is looked at without making a data directory', async () => {
  const database = await createDatabase()
  const path = join(dataDir.path, 'never')
  try {
    await examine({ ALMANAC_DATA_DIR: path, DATABASE_URL: database.url })
    await expect(access(path)).rejects.toThrow('ENOENT')
  } finally {
    await database.drop()
  }
})

test('wrong settings are all reported', async () => {
  const report = await examine({ ALMANAC_PORT: 'x', ALMANAC_LEASE: 'x' })
  expect(report).toMatchObject({ code: 1, ok: false })
  expect(of(report, 'settings').map(({ status }) => status)).toEqual(['problem', 'problem'])
})

test('a name that means nothing is a warning', async () => {
  const report = await examine({ ALMANAC_LAESE: '1s' })
  expect(of(report, 'settings')).toMatchObject([
    { status: 'warning', message: expect.stringContaining('ALMANAC_LEASE') },
  ])
  expect(report.ok).toBe(true)
})

test('half of an app on a network is a problem, a whole one is well', async () => {
  const half = await examine({ ALMANAC_PINTEREST_CLIENT_ID: 'app' })
  expect(of(half, 'networks').filter(({ status }) => status === 'problem')).toMatchObject([
    { message: expect.stringContaining('ALMANAC_PINTEREST_CLIENT_SECRET is missing') },
  ])
  const whole = await examine({ ALMANAC_PINTEREST_CLIENT_ID: 'app', ALMANAC_PINTEREST_CLIENT_SECRET: 'kept to itself' })
  expect(of(whole, 'networks')).toMatchObject([
    { status: 'ok', message: expect.stringContaining('Pinterest') },
    { status: 'warning', message: expect.stringContaining('ALMANAC_PUBLIC_URL') },
  ])
  expect(JSON.stringify(whole)).not.toContain('kept to itself')
})

test('of two apps on one network either is enough, and half of one is a problem', async () => {
  const whole = await examine({
    ALMANAC_INSTAGRAM_LOGIN_CLIENT_ID: 'app',
    ALMANAC_INSTAGRAM_LOGIN_CLIENT_SECRET: 'secret',
    ALMANAC_INSTAGRAM_CLIENT_ID: 'app',
  })
  expect(of(whole, 'networks').filter(({ status }) => status !== 'warning')).toMatchObject([
    { status: 'ok', message: expect.stringContaining('Instagram') },
    { status: 'problem', message: expect.stringContaining('ALMANAC_INSTAGRAM_CLIENT_SECRET is missing') },
  ])
})

test('a version of an API that is not known here is a warning', async () => {
  const report = await examine({ ALMANAC_LINKEDIN_API_VERSION: '202401' })
  expect(of(report, 'networks')).toContainEqual(
    expect.objectContaining({ status: 'warning', message: expect.stringContaining('202401') }),
  )
})

test('a secret key of another database is a problem', async () => {
  const report = await examine({ ALMANAC_SECRET_KEY: Buffer.alloc(32, 3).toString('base64') })
  expect(report.code).toBe(1)
  expect(of(report, 'secret key')).toMatchObject([{ status: 'problem' }])
})

test('a secret key that others can read is a warning, one that is lost is a problem and stays lost', async () => {
  const path = join(dataDir.path, 'secret-key')
  await chmod(path, 0o644)
  expect(of(await examine(), 'secret key')).toMatchObject([{ status: 'warning' }])
  await rm(path)
  expect(of(await examine(), 'secret key')).toMatchObject([{ status: 'problem' }])
  expect(of(await examine(), 'secret key')).toMatchObject([{ status: 'problem' }])
})

test('a database that is not running is a problem', async () => {
  const report = await examine({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })
  expect(report.code).toBe(1)
  expect(of(report, 'database')).toMatchObject([
    { status: 'problem', message: expect.stringContaining('nothing is listening') },
  ])
})

test('a role of an external database that may do more than own its data is a warning, a plain one is well', async () => {
  const database = await createDatabase()
  try {
    const change = { ALMANAC_SECRET_KEY: Buffer.alloc(32, 3).toString('base64') }
    const plain = await examine({ ...change, DATABASE_URL: database.url })
    expect(of(plain, 'database').filter(({ message }) => message.includes('role'))).toEqual([])
    const url = Object.assign(new URL(inject('databaseAdminUrl')), { pathname: new URL(database.url).pathname })
    const powerful = await examine({ ...change, DATABASE_URL: url.href })
    expect(of(powerful, 'database')).toContainEqual({
      check: 'database',
      status: 'warning',
      message: expect.stringMatching(
        /The role almanac of DATABASE_URL .*superuser, createrole.*alter role "almanac" nosuperuser/,
      ),
    })
    expect(JSON.stringify(powerful)).not.toContain(url.password)
  } finally {
    await database.drop()
  }
})

test('for people it is a list of sentences', async () => {
  const { stdout } = await runAlmanac(['doctor'], { settings })
  expect(stdout).toMatch(/^ok {7}Node /m)
  expect(await almanacJson<object>(['migrate'], { settings }).catch((error: Error) => error.message)).toMatch(
    /secret key/,
  )
})
