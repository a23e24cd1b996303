import { get } from 'node:http'
import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { groupedBy, queriesOfOps, type Scrape, scrape, selectorsOf } from '../_util/api/metrics.ts'
import { rawClient } from '../_util/api/raw-client.ts'
import { createDatabase } from '../_util/database/database.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  runAlmanac,
  type Settings,
  spawnAlmanac,
  startAlmanac,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

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
  const ports = [await freePort(), await freePort()]
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
    const { sum } = await scrape(`http://${address}/metrics`)
    expect([sum('almanac_healthy'), sum('almanac_database_up'), sum('almanac_database_writable')]).toEqual([1, 1, 1])
    expect(sum('almanac_process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(await status(`http://${address}/healthz`)).toBe(404)
    expect(await status(`${almanac.url}/metrics`)).toBe(404)
  }
  // Any name can be pointed at this machine; a name of the network is meant where the port is open to it.
  const named = (port = '', host = '') =>
    new Promise((resolve, reject) => {
      const at = { host: '127.0.0.1', port, path: '/metrics', headers: { host, connection: 'close' } }
      get(at, (response) => resolve(response.resume().statusCode)).once('error', reject)
    })
  expect(await named(ports[0], `almanac.test:${ports[0]}`)).toBe(403)
  for (const name of ['localhost', '127.0.0.1', '[::1]']) expect(await named(ports[0], `${name}:${ports[0]}`)).toBe(200)
  expect(await named(ports[1], `worker:${ports[1]}`)).toBe(200)
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
  if (outside) {
    await expect(fetch(`http://${outside}:${ports[0]}/metrics`)).rejects.toThrow()
    expect(await status(`http://${outside}:${ports[1]}/metrics`)).toBe(200)
  }

  // The alert rules and the dashboard ask for what there is, by labels and values that there are.
  await status(`${api.url}/v1/social-sets`)
  const scrapes = await Promise.all(ports.slice(0, 2).map((port) => scrape(`http://127.0.0.1:${port}/metrics`)))
  const samples = scrapes.flatMap((one) => one.samples)
  const targets = ['instance', 'job']
  const wrong = queriesOfOps().flatMap(({ where, query }) => {
    const selectors = selectorsOf(query)
    const named = samples.filter(({ name }) => selectors.some((selector) => selector.name === name))
    const labels = new Set([...named.flatMap((sample) => Object.keys(sample.labels)), ...targets])
    return [
      ...(selectors.length === 0 ? [`${where}: no metric`] : []),
      ...selectors
        .filter((selector) => !samples.some((sample) => isSelected(sample, selector)))
        .map(({ name }) => `${where}: nothing is selected of ${name}`),
      ...groupedBy(query)
        .filter((label) => !labels.has(label))
        .map((label) => `${where}: no label ${label}`),
    ]
  })
  expect(wrong).toEqual([])
  expect(queriesOfOps().length).toBeGreaterThan(40)
  const asked = new Set(queriesOfOps().flatMap(({ query }) => selectorsOf(query).map(({ name }) => name)))
  const own = samples.map(({ name }) => name).filter((name) => !/^almanac_(process|nodejs)_/.test(name))
  const families = new Set(own.map((name) => name.replace(/_(bucket|sum|count)$/, '_bucket')))
  expect([...families].filter((name) => !asked.has(name))).toEqual([])
})

/** Whether a sample is one of those that a query asks for. A class of statuses that no request has got counts as one. */
function isSelected(sample: Scrape['samples'][number], { name, labels }: ReturnType<typeof selectorsOf>[number]) {
  return (
    sample.name === name &&
    Object.entries(labels).every(([label, wanted]) => {
      const value = sample.labels[label]
      if (value === undefined) return false
      if (label === 'status') return true
      const [, how, text = ''] = /^(=~|!=|=)(.*)$/.exec(wanted) ?? []
      if (how === '=~') return new RegExp(`^(?:${text})$`).test(value)
      return (value === text) === (how === '=')
    })
  )
}

test('a port that is taken, of the health check or of the metrics, is a line in the log and ends no process', async () => {
  const [health = '', metrics = ''] = [await freePort(), await freePort()]
  const others = await Promise.all(
    [health, metrics].map(async (port) => {
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(Number(port), '127.0.0.1', resolve))
      return other
    }),
  )
  const change = { ALMANAC_WORKER_PORT: health, ALMANAC_METRICS: 'on', ALMANAC_METRICS_PORT: metrics }
  const worker = spawnAlmanac(['worker'], { ...settings, ...change })
  try {
    await expect.poll(worker.stdout, { timeout: 60_000 }).toBe('The worker of Almanac is ready\n')
    const lines = worker
      .stderr()
      .split('\n')
      .filter((line) => line.includes('is taken'))
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringMatching(
        /^Port \d+ .* set ALMANAC_WORKER_PORT to another port\. .* works without its health check\.$/,
      ),
      expect.stringMatching(/^Port \d+ .* set ALMANAC_METRICS_PORT to another port\. .* works without its metrics\.$/),
    ])
    await Promise.all(others.map((other) => new Promise((resolve) => other.close(resolve))))
    // They are tried again.
    await expect
      .poll(() => status(`http://127.0.0.1:${health}/healthz`).catch(() => 0), { timeout: 30_000, interval: 250 })
      .toBe(200)
    await expect
      .poll(() => status(`http://127.0.0.1:${metrics}/metrics`).catch(() => 0), { timeout: 30_000, interval: 250 })
      .toBe(200)
  } finally {
    worker.process.kill('SIGTERM')
    for (const other of others) other.close()
  }
  expect((await worker.ended).code).toBe(0)
})

test('an address of the health check that this machine does not have is refused in one line', async () => {
  const { code, stderr } = await runAlmanac(['worker'], { settings: { ...settings, ALMANAC_HOST: '192.0.2.1' } })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^almanac: 192\.0\.2\.1 is not an address of this machine\. Set ALMANAC_HOST to one that is\.\n$/m,
  )
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
    'nothing listening',
    { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/almanac' },
    /127\.0\.0\.1:1\/almanac cannot be used: nothing is listening there/,
  ],
  ['a host that is not known', { DATABASE_URL: 'postgres://u:hunter2@no.invalid/almanac' }, /the host name/],
])('%s is reported in one line without secrets', async (_, change, words) => {
  const finished = await runAlmanac(['worker'], { settings: { ...settings, ...change } })
  expect(finished.code).toBe(1)
  expect(finished.stderr).toMatch(/^almanac: [^\n]*\n$/)
  expect(finished.stderr).toMatch(words)
  expect(finished.stderr).not.toContain('hunter2')
})

test('a database that does not exist and one that is not UTF8 are reported in one line', async () => {
  const missing = new URL(database.url)
  missing.pathname = '/no_such_database'
  const finished = await runAlmanac(['api'], { settings: { ...settings, DATABASE_URL: missing.href } })
  expect(finished.stderr).toMatch(
    /^almanac: The database at [^\n]*\/no_such_database cannot be used: there is no such database[^\n]*\n$/,
  )
})
