import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { client } from '../e2e/client.ts'

const SAME_WISH_MS = 400

let dataDir: { path: string; remove(): Promise<void> }
let settings: Settings
let account: { accountId: string; socialSetId: string }
let key: string
let running: RunningAlmanac | undefined

beforeAll(async () => {
  dataDir = await makeDataDir()
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    ALMANAC_PORT: await freePort(),
    ALMANAC_LEASE: '20s',
    ALMANAC_GRACE: '15s',
    ...(await withAnyRate(dataDir.path)),
  }
  account = await almanacJson(['accounts', 'create', '--name', 'Brand', '--sandbox'], { settings })
  const scopes = 'post-sets:write,post-sets:publish'
  ;({ key } = await almanacJson<{ key: string }>(
    ['keys', 'create', '--account', account.accountId, '--name', 'robot', '--scopes', scopes],
    { settings },
  ))
})
afterAll(async () => {
  await running?.stop()
  await dataDir.remove()
})

async function start(): Promise<RunningAlmanac> {
  running = await startAlmanac({ settings })
  return running
}

/** Schedules a post and waits until the simulator holds it, no matter what it answers then. */
async function sent(almanac: RunningAlmanac, caption: string): Promise<string> {
  const { id } = await client(almanac.url, key).post('/v1/post-sets', {
    socialSetId: account.socialSetId,
    scheduledAt: new Date().toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption, media: [] }],
  })
  await vi.waitFor(async () => expect(await held(almanac, caption)).toBe(1), { timeout: 15_000, interval: 50 })
  return id
}

async function held(almanac: RunningAlmanac, caption: string): Promise<number> {
  const posts = (await (await fetch(`${almanac.url}/sandbox/bluesky/posts`)).json()) as { text: string }[]
  return posts.filter(({ text }) => text === caption).length
}

test('what is being sent is brought to its end before the process ends', async () => {
  const caption = 'Slowly [[fault:slow-10s]]'
  const first = await start()
  const id = await sent(first, caption)
  expect(await first.stop()).toMatchObject({ code: 0 })
  const second = await start()
  const set = await client(second.url, key).get(`/v1/post-sets/${id}`)
  expect(set).toMatchObject({ status: 'PUBLISHED', posts: [{ result: { status: 'POSTED' } }] })
  expect(await held(second, caption)).toBe(1)
  await second.stop()
}, 60_000)

test('asked again, it ends at once, and the next start learns the outcome of the post', async () => {
  const caption = 'Never answered [[fault:timeout-after-accept]]'
  const first = await start()
  const id = await sent(first, caption)
  const began = performance.now()
  first.signal('SIGINT')
  await vi.waitFor(() => expect(first.stderr()).toContain('Ending what is under way'), { timeout: 10_000 })
  // The same signal right after the first is the same wish: npm passes on what a terminal has sent to all.
  first.signal('SIGINT')
  await pause(SAME_WISH_MS + 200)
  expect(first.process.exitCode).toBeNull()
  first.signal('SIGINT')
  expect(await first.ended).toMatchObject({ code: 0 })
  expect(performance.now() - began).toBeLessThan(12_000)

  const second = await start()
  const set = await client(second.url, key).until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  expect(set).toMatchObject({ posts: [{ result: { status: 'POSTED' } }] })
  expect(await held(second, caption)).toBe(1)
}, 60_000)
