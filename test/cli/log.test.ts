import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDatabase } from '../_util/database/database.ts'
import { makeDataDir, type RunningAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

vi.setConfig({ testTimeout: 120_000 })

let dataDir: { path: string; remove(): Promise<void> }
let database: { url: string; drop(): Promise<void> }
let worker: RunningAlmanac

beforeEach(async () => {
  dataDir = await makeDataDir()
  database = await createDatabase()
})
afterEach(async () => {
  await worker?.stop()
  await database.drop()
  await dataDir.remove()
})

async function startWorker(settings: Settings = {}): Promise<void> {
  worker = await startAlmanac({
    process: 'worker',
    settings: {
      ALMANAC_DATA_DIR: dataDir.path,
      DATABASE_URL: database.url,
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      ALMANAC_WORKER_PORT: await freePort(),
      ...settings,
    },
  })
}

test('a connection to the database that is lost is logged without what the connection knows', async () => {
  await startWorker()
  const admin = new pg.Client(database.url)
  await admin.connect()
  try {
    await vi.waitUntil(
      async () => {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'almanac-worker' and datname = current_database()`,
        )
        return worker.stderr().includes('A connection to the database was lost')
      },
      { timeout: 20_000, interval: 50 },
    )
  } finally {
    await admin.end()
  }
  await worker.stop()
  const lines = worker.stderr().trim().split('\n')
  const lost = lines.find((line) => line.includes('A connection to the database was lost')) ?? ''
  expect(JSON.parse(lost)).toMatchObject({
    level: 40,
    error: { type: 'DatabaseError', code: '57P01', message: expect.stringContaining('terminating connection') },
  })
  for (const line of lines) {
    expect(line).not.toMatch(/secretKey|processID|_events|connectionParameters|"client"|saslSession/)
    expect(line.length).toBeLessThan(5_000)
  }
  expect(worker.stderr()).not.toContain(new URL(database.url).password)
})

test('an error that nothing catches ends the process, and is logged without its other fields', async () => {
  const fault = `Object.assign(new Error('caught nowhere'), { client: { secretKey: 2111 * 2 } })`
  const program = `process.once('SIGUSR2', () => { Promise.reject(${fault}) })`
  await startWorker({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` })
  worker.signal('SIGUSR2')
  const { code, stderr } = await worker.ended
  expect(code).toBe(70)
  const last = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
  expect(last).toMatchObject({ level: 60, error: { type: 'Error', message: 'caught nowhere' } })
  // The stack names the program above, which does not hold the product.
  expect(stderr).not.toContain('4222')
})
