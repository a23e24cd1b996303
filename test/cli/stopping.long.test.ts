import { request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Installation, openInstallation } from '../_util/faults/stopping.ts'
import { makeDataDir, type RunningAlmanac, startAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/** How long each process takes to end in each case: the table in docs/operating.md, which this prints again. */

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

/** What a supervisor has to wait for. */
const LIMIT_MS = 25_000
const BACKLOG = Number(process.env.BACKLOG ?? 100_000)
const SOON = { timeout: 60_000, interval: 50 }

let home: Installation
const measured: string[] = []
beforeAll(async () => {
  home = await openInstallation(process.env.ALMANAC_TESTED_CHECKOUT)
})
afterAll(async () => {
  console.log(['| Process | Case | Ended after |', '| --- | --- | --- |', ...measured].join('\n'))
  await home.close()
})

async function stopped(name: string, what: string, almanac: RunningAlmanac, { signals = 1 } = {}): Promise<void> {
  const began = performance.now()
  const again = setInterval(() => signals > 1 && almanac.signal('SIGTERM'), 600)
  // One that does not end is ended here, and counts as that.
  const late = setTimeout(() => almanac.signal('SIGKILL'), 2 * LIMIT_MS)
  const { code } = await almanac.stop()
  clearTimeout(late)
  clearInterval(again)
  const ms = performance.now() - began
  measured.push(`| \`${name}\` | ${what} | ${(ms / 1_000).toFixed(1)} s${code === 0 ? '' : ` (code ${code})`} |`)
  expect(ms, what).toBeLessThan(LIMIT_MS)
}

test('worker', async () => {
  const start = () => home.start('worker')
  await stopped('worker', 'nothing to do', await start())

  await home.pile(BACKLOG, { secondsAgo: 3_600 })
  let worker = await start()
  await expect.poll(async () => (await home.statuses()).PUBLISHED ?? 0, SOON).toBeGreaterThan(5)
  await stopped('worker', '100,000 overdue posts of one account', worker)
  expect(await home.leased()).toBe(0)
  await home.clear()

  await home.pile(50, { caption: 'Slowly [[fault:slow-10s]]' })
  worker = await start()
  await expect.poll(() => home.leased('SENDING'), SOON).toBeGreaterThan(1)
  await stopped('worker', 'a slow network: each call takes ten seconds', worker)
  await home.clear()

  await home.pile(5, { caption: 'Never [[fault:timeout-after-accept]]' })
  worker = await start()
  await expect.poll(() => home.leased('SENDING'), SOON).toBeGreaterThan(1)
  await stopped('worker', 'a call that never answers', worker)
  await home.clear()

  await home.pile(5, { caption: 'Never [[fault:timeout-after-accept]]' })
  worker = await start()
  await expect.poll(() => home.leased('SENDING'), SOON).toBeGreaterThan(1)
  await stopped('worker', 'the same, asked twice', worker, { signals: 2 })
  await home.clear()

  worker = await start()
  const halting = home.files.halting('/photo.bin', Buffer.alloc(5_000_000), 1_000)
  await sql`insert into media_uploads (id, account_id, social_set_id, url, status)
    select gen_random_uuid(), account_id, id, ${halting.url}, 'PENDING' from social_sets where id = ${home.socialSetId}`.execute(
    home.db,
  )
  await expect.poll(halting.begun, SOON).toBeGreaterThan(0)
  await stopped('worker', 'an import under way', worker)
  halting.goOn()

  await home.pile(200, { caption: 'Slowly [[fault:slow-10s]]' })
  worker = await start()
  await expect.poll(() => home.leased('SENDING'), SOON).toBeGreaterThan(1)
  home.way.hush()
  await stopped('worker', 'a database that is silent, posts under way', worker)
  home.way.speak()
  await home.clear()

  worker = await start()
  await home.db.transaction().execute(async (trx) => {
    await sql`lock table deliveries, media_uploads, chores in access exclusive mode`.execute(trx)
    await home.pile(1)
    await expect
      .poll(async () => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(trx)
        return rows[0]?.count
      }, SOON)
      .toBeGreaterThan(0)
    await stopped('worker', 'statements that wait for a lock', worker)
  })
  await home.clear()
}, 600_000)

test('api', async () => {
  const start = () => home.start('api')
  const authorization = `Bearer ${home.key}`
  await stopped('api', 'nothing to do', await start())

  let api = await start()
  await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${api.url}/v1/social-sets`, { headers: { authorization } })),
  )
  await stopped('api', 'idle connections', api)

  api = await start()
  const arrived = Promise.withResolvers<void>()
  const upload = request(`${api.url}/v1/post-sets`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'content-length': 10_000, expect: '100-continue' },
  })
  upload.on('continue', () => upload.write('{"socialSetId":', () => arrived.resolve()))
  upload.on('error', () => {})
  upload.flushHeaders()
  await arrived.promise
  await stopped('api', 'a request whose body does not come to its end', api)
  upload.destroy()

  api = await start()
  await fetch(`${api.url}/v1/social-sets`, { headers: { authorization } })
  home.way.hush()
  const asked = fetch(`${api.url}/v1/social-sets`, { headers: { authorization } }).catch(() => null)
  await stopped('api', 'a database that is silent, a request under way', api)
  await asked
  home.way.speak()
}, 300_000)

test('up', async () => {
  const dataDir = await makeDataDir()
  const settings = { ALMANAC_DATA_DIR: dataDir.path, ALMANAC_PORT: await freePort() }
  const projectDir = process.env.ALMANAC_TESTED_CHECKOUT
  const checkout = projectDir === undefined ? {} : { projectDir }
  await stopped('up', "nothing to do, with Almanac's own PostgreSQL", await startAlmanac({ settings, ...checkout }))
  const up = await startAlmanac({ settings, ...checkout })
  const { dashboard, ownerEmail: email, ownerPassword: password } = await up.firstSignIn()
  const { origin } = new URL(dashboard)
  const session = await fetch(`${origin}/internal/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const cookie = session.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { key } = await up.firstSignIn()
  const sets = (await (
    await fetch(`${origin}/v1/social-sets`, { headers: { authorization: `Bearer ${key}` } })
  ).json()) as {
    data: { id: string }[]
  }
  const streams = await Promise.all(
    [1, 2, 3].map(() =>
      fetch(`${origin}/internal/live?socialSetId=${sets.data[0]?.id}`, {
        headers: { cookie, 'sec-fetch-site': 'same-origin' },
      }),
    ),
  )
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])
  await stopped('up', 'event streams of the dashboard are open', up)
  await dataDir.remove()
}, 120_000)
