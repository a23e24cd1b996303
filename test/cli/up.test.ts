import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openEmbeddedDatabase } from '#persistence'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { makeDataDir, type RunningAlmanac, runAlmanac, type Settings, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

vi.setConfig({ testTimeout: 120_000 })

let dataDir: { path: string; remove(): Promise<void> }
let settings: Settings
let running: RunningAlmanac[]

beforeEach(async () => {
  await useData(await makeDataDir())
  running = []
})
async function useData(data: typeof dataDir): Promise<void> {
  dataDir = data
  settings = { ALMANAC_DATA_DIR: data.path, ALMANAC_PORT: await freePort() }
}
afterEach(async () => {
  for (const almanac of running) await almanac.stop()
  await dataDir.remove()
})

async function up(change: Settings = {}): Promise<RunningAlmanac> {
  const almanac = await startAlmanac({ settings: { ...settings, ...change } })
  running.push(almanac)
  return almanac
}
const fails = async (change: Settings = {}) => {
  const finished = await runAlmanac(['up'], { settings: { ...settings, ...change } })
  expect(finished.code).toBe(1)
  expect(finished.stdout).toBe('')
  return finished.stderr
}
const oneLine = (words: RegExp) => new RegExp(`^almanac: ${words.source}[^\\n]*\\n$`)
const postmaster = async () =>
  Number((await readFile(join(dataDir.path, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[0])

test('the first start makes a demo account; the next one says how to make a key', async () => {
  const first = await up()
  expect(first.url).toBe(`http://127.0.0.1:${settings.ALMANAC_PORT}`)
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200)
  const { key } = await first.firstSignIn()
  expect((await fetch(`${first.url}/sandbox`)).status).toBe(200)
  expect(await first.stop()).toMatchObject({ code: 0 })
  await expect(postmaster()).rejects.toThrow()

  const second = await up()
  expect(second.stdout()).toMatch(/keys create --account [0-9a-f-]{36} /)
  // The demo account's secrets are still where they were.
  expect(await second.firstSignIn()).toMatchObject({ key })
})

test('without a sandbox there is no demo account', async () => {
  const almanac = await up({ ALMANAC_SANDBOX: 'off' })
  expect(almanac.stdout()).toContain('accounts create')
  expect((await fetch(`${almanac.url}/sandbox`)).status).toBe(404)
})

test('a taken port is refused in one line, before there is any data', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(Number(settings.ALMANAC_PORT), '127.0.0.1', resolve))
  try {
    expect(await fails()).toMatch(oneLine(/Port \d+ of 127.0.0.1 is taken.* ALMANAC_PORT/))
    await expect(readFile(join(dataDir.path, 'secret-key'))).rejects.toThrow()
  } finally {
    await new Promise((resolve) => other.close(resolve))
  }
})

test('wrong settings are refused together, one line each', async () => {
  const words = await fails({ ALMANAC_PORT: 'http', ALMANAC_LATE_LIMIT: 'soon' })
  expect(words.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^almanac: ALMANAC_PORT must be a port/),
    expect.stringMatching(/^almanac: ALMANAC_LATE_LIMIT must be a length of time/),
  ])
})

test('a data directory that cannot be one is refused in one line', async () => {
  await mkdir(join(dataDir.path, '..'), { recursive: true })
  await writeFile(dataDir.path, 'a file')
  expect(await fails()).toMatch(oneLine(/.* is not a folder/))
})

test.runIf(process.platform === 'linux')('a place that takes no folder is refused in one line', async () => {
  expect(await fails({ ALMANAC_DATA_DIR: '/proc/almanac' })).toMatch(oneLine(/No folder can be made in \/proc/))
  expect(await fails({ ALMANAC_DATA_DIR: '/dev/null/almanac' })).toMatch(oneLine(/.* is not a folder/))
})

describe('on data of an earlier start', () => {
  beforeEach(async () => {
    await dataDir.remove()
    await useData(await copyOfBegunData())
  })

  test('a second one is refused in one line, the first goes on, and Ctrl-C ends it in order with exit code 0', async () => {
    const almanac = await up()
    expect(await fails({ ALMANAC_PORT: await freePort() })).toMatch(oneLine(/Almanac already runs on the data in /))
    expect((await fetch(`${almanac.url}/healthz`)).status).toBe(200)
    almanac.signal('SIGINT')
    expect((await almanac.ended).code).toBe(0)
    await expect(postmaster()).rejects.toThrow()
    await expect(fetch(`${almanac.url}/healthz`)).rejects.toThrow()
  })

  test('data of a newer version is refused in one line', async () => {
    await onDatabase(`insert into migrations (name, timestamp) values ('9999-later', '2099')`)
    expect(await fails()).toMatch(oneLine(/The data was written by a newer Almanac .*9999-later/))
  })

  test('a lost secret key is refused in one line, and nothing new is made in its place', async () => {
    expect(await fails({ ALMANAC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })).toMatch(
      oneLine(/The secret key does not fit the database/),
    )
    await up()
  })

  test('after a SIGKILL the next start goes on with the same data and the same database server', async () => {
    const first = await up()
    const server = await postmaster()
    first.signal('SIGKILL')
    await first.ended
    const second = await up()
    expect(await postmaster()).toBe(server)
    expect((await fetch(`${second.url}/healthz`)).status).toBe(200)
  })
})

async function onDatabase(text: string): Promise<void> {
  const projectDir = join(import.meta.dirname, '../..')
  const database = await openEmbeddedDatabase({ dataDir: dataDir.path, projectDir, log: () => {}, mode: 'join' })
  const client = new pg.Client(database.url)
  await client.connect()
  await client.query(text)
  await client.end()
  await database.stop()
}
