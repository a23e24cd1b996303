import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  almanacJson,
  freePort,
  makeDataDir,
  type RunningAlmanac,
  runAlmanac,
  type Settings,
  startAlmanac,
} from '../_util/app.ts'
import { createDatabase } from '../_util/database.ts'
import { rawClient } from '../_util/raw-client.ts'

vi.setConfig({ testTimeout: 120_000 })

let dataDir: { path: string; remove(): Promise<void> }
let database: { url: string; drop(): Promise<void> }
let settings: Settings
let running: RunningAlmanac[]

beforeEach(async () => {
  dataDir = await makeDataDir()
  database = await createDatabase()
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_PORT: await freePort(),
    ALMANAC_WORKER_PORT: await freePort(),
    ALMANAC_SANDBOX_PORT: await freePort(),
  }
  running = []
})
afterEach(async () => {
  for (const almanac of running) await almanac.stop()
  await database.drop()
  await dataDir.remove()
})

async function start(process: 'up' | 'api' | 'worker' | 'sandbox', change: Settings = {}): Promise<RunningAlmanac> {
  const almanac = await startAlmanac({ process, settings: { ...settings, ...change } })
  running.push(almanac)
  return almanac
}
const status = async (url: string) => (await fetch(url)).status

test('interface, worker and sandbox run as processes of their own on one database', async () => {
  const change = { ALMANAC_KEEP_ALIVE: '33s' }
  const [api, worker, sandbox] = await Promise.all([
    start('api', change),
    start('worker', change),
    start('sandbox', change),
  ])
  expect(await status(`${api.url}/healthz`)).toBe(200)
  expect(await status(`${api.url}/sandbox`)).toBe(404)
  expect(await status(`${worker.url}/healthz`)).toBe(200)
  // Not without being asked for, and never where the health check is.
  expect(await status(`${worker.url}/metrics`)).toBe(404)
  expect(await status(`${api.url}/metrics`)).toBe(404)
  expect(await status(sandbox.url)).toBe(200)
  for (const { url } of [api, worker, sandbox]) {
    expect((await fetch(url)).headers.get('keep-alive')).toBe('timeout=33')
    const client = await rawClient(url)
    await client.send('this is no HTTP\r\n\r\n')
    expect(await client.ended).toMatch(/^HTTP\/1\.1 400 [\s\S]*application\/problem\+json[\s\S]*request:invalid_json/)
    client.socket.destroy()
  }
  for (const almanac of [api, worker, sandbox]) expect((await almanac.stop()).code).toBe(0)
})

test('metrics are served on a port of their own, on this machine alone unless another address is set', async () => {
  const ports = [await freePort(), await freePort(), await freePort()]
  // Listens on all addresses, as in a container.
  const open = { ALMANAC_HOST: '0.0.0.0' }
  const [api, worker] = await Promise.all([
    start('api', { ...open, ALMANAC_METRICS: 'on', ALMANAC_METRICS_PORT: ports[0] ?? '' }),
    start('worker', { ...open, ALMANAC_METRICS: '0.0.0.0', ALMANAC_METRICS_PORT: ports[1] ?? '' }),
  ])
  for (const [almanac, address] of [
    [api, `127.0.0.1:${ports[0]}`],
    [worker, `127.0.0.1:${ports[1]}`],
  ] as const) {
    expect(almanac.stdout()).toContain(`Metrics are served at http://${address}/metrics\n`)
    const text = await (await fetch(`http://${address}/metrics`)).text()
    expect(text).toMatch(/^almanac_healthy 1$/m)
    expect(text).toMatch(/^almanac_process_cpu_seconds_total /m)
    expect(await status(`http://${address}/healthz`)).toBe(404)
    expect(await status(`${almanac.url}/metrics`)).toBe(404)
  }
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  if (outside) {
    await expect(fetch(`http://${outside}:${ports[0]}/metrics`)).rejects.toThrow()
    expect(await status(`http://${outside}:${ports[1]}/metrics`)).toBe(200)
  }
  const taken = await runAlmanac(['worker'], {
    settings: {
      ...settings,
      ALMANAC_WORKER_PORT: ports[2] ?? '',
      ALMANAC_METRICS: 'on',
      ALMANAC_METRICS_PORT: ports[0] ?? '',
    },
  })
  expect(taken).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^almanac: Port \d+ of 127\.0\.0\.1 is taken.*ALMANAC_METRICS_PORT to another port\.\n$/m,
    ),
  })
})

test('with DATABASE_URL everything in one process works as well, and leaves the database running', async () => {
  const almanac = await start('up')
  expect(await status(`${almanac.url}/healthz`)).toBe(200)
  expect((await almanac.stop()).code).toBe(0)
  expect(await almanacJson(['migrate'], { settings })).toEqual({ migrated: true })
})

test('a second sandbox on the same folder is refused in one line', async () => {
  await start('sandbox')
  const finished = await runAlmanac(['sandbox'], {
    settings: { ...settings, ALMANAC_SANDBOX_PORT: await freePort() },
  })
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(/^almanac: Another process serves the sandbox in [^\n]*\n$/)
})

test.each<[string, Settings, RegExp]>([
  ['no secret key', { ALMANAC_SECRET_KEY: '' }, /ALMANAC_SECRET_KEY is required together with DATABASE_URL/],
  [
    'nobody listening',
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/almanac' },
    /127\.0\.0\.1:1\/almanac cannot be used: nobody listens there/,
  ],
  ['a host that is not known', { DATABASE_URL: 'postgres://u:hunter2@no.invalid/almanac' }, /the host name/],
])('%s is told in one line without secrets', async (_, change, words) => {
  const finished = await runAlmanac(['worker'], { settings: { ...settings, ...change } })
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(/^almanac: [^\n]*\n$/)
  expect(finished.stderr).toMatch(words)
  expect(finished.stderr).not.toContain('hunter2')
})

test('a database that does not exist and one that is not UTF8 are told in one line', async () => {
  const missing = new URL(database.url)
  missing.pathname = '/no_such_database'
  const finished = await runAlmanac(['api'], { settings: { ...settings, DATABASE_URL: missing.href } })
  expect(finished.stderr).toMatch(
    /^almanac: The database at [^\n]*\/no_such_database cannot be used: there is no such database[^\n]*\n$/,
  )
})
