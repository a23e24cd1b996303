import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Installation, openInstallation } from '../_util/faults/stopping.ts'
import { startBalancer } from '../_util/networks/balancer.ts'
import { withAnyRate } from '../_util/processes/app.ts'

/** Workers that are stopped and started while posts go out: none is lost, doubled, or waits for a lease to end. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** What waits for a lease to end is not sent within this test. */
const LEASE = '10m'
const SOON = { timeout: 60_000, interval: 50 }

let home: Installation
beforeAll(async () => {
  home = await openInstallation(process.env.ALMANAC_TESTED_CHECKOUT)
})
afterAll(() => home.close())

const published = async () => (await home.statuses()).PUBLISHED ?? 0

/** How many are done, and what the others wait for. */
async function progress() {
  const open = await home.db
    .selectFrom('deliveries')
    .select(['state', 'place', 'lease_until', 'next_at', 'lookups', 'last_message'])
    .where('state', '<>', 'DONE')
    .execute()
  return { published: await published(), open }
}

async function captionsHeld(): Promise<string[]> {
  const url = `http://127.0.0.1:${home.settings.ALMANAC_SANDBOX_PORT}/sandbox/bluesky/posts`
  const posts = (await (await fetch(url)).json()) as { text: string }[]
  return posts.map(({ text }) => text)
}

test('what a worker has in hand when it is stopped is sent by the one beside it, and nothing waits for a lease', async () => {
  const wide = { ALMANAC_SLOTS_PER_CONNECTION: '60', ALMANAC_LEASE: LEASE }
  const [one, other] = await Promise.all([home.start('worker', wide), home.start('worker', wide)])
  await home.pile(150, { caption: 'Handed over' })
  await expect.poll(published, SOON).toBeGreaterThan(5)
  const { code } = await one.stop()
  expect(code).toBe(0)
  expect(await published()).toBeLessThan(150)
  await expect.poll(progress, SOON).toEqual({ published: 150, open: [] })
  expect(await captionsHeld()).toHaveLength(150)
  await home.clear()
  // One after the other is replaced, while posts come all the time.
  const third = await home.start('worker', wide)
  let count = 0
  const steady = setInterval(() => {
    count += 1
    void home.pile(1, { caption: `Steady ${count}` })
  }, 200)
  await expect.poll(published, SOON).toBeGreaterThan(5)
  await other.stop()
  const fourth = await home.start('worker', wide)
  await third.stop()
  await expect.poll(published, SOON).toBeGreaterThan(20)
  clearInterval(steady)
  await expect.poll(progress, SOON).toEqual({ published: count, open: [] })
  expect(await captionsHeld()).toHaveLength(150 + count)
  await printLateness()
  await fourth.stop()
})

test('servers that are replaced one after the other behind a proxy lose no request', async () => {
  const settings = { ALMANAC_STOP_DELAY: '1s', ...(await withAnyRate(home.settings.ALMANAC_DATA_DIR ?? '')) }
  const balancer = await startBalancer()
  const start = async () => {
    const api = await home.start('api', settings)
    balancer.add(api.url)
    return api
  }
  const first = [await start(), await start()]
  await expect.poll(balancer.ready, SOON).toBe(2)
  let open = true
  const answers: string[] = []
  const ids = new Set<string>()
  const read = () => ask('GET', `/v1/post-sets?socialSetId=${home.socialSetId}&size=1`)
  const create = async () => {
    const posts = [{ accountType: 'BLUESKY', caption: randomUUID(), media: [] }]
    const body = { socialSetId: home.socialSetId, scheduledAt: '2030-06-01T10:00:00Z', status: 'DRAFT', posts }
    const answer = await ask('POST', '/v1/post-sets', { ...body, approval: 'NONE' })
    if (answer.id) ids.add(answer.id)
  }
  async function ask(method: string, path: string, body?: unknown): Promise<{ id?: string }> {
    const headers = {
      authorization: `Bearer ${home.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    }
    const answer = await fetch(`${balancer.url}${path}`, { method, headers, body: JSON.stringify(body) ?? null })
    answers.push(`${method} ${answer.status}`)
    return (await answer.json().catch(() => ({}))) as { id?: string }
  }
  const keep = async (act: () => Promise<unknown>) => {
    while (open) await act()
  }
  const load = [read, read, create, create].map(keep)
  const more = async (count: number) => {
    const wanted = answers.length + count
    await expect.poll(() => answers.length, SOON).toBeGreaterThan(wanted)
  }
  await more(20)
  const next = []
  for (const old of first) {
    next.push(await start())
    await expect.poll(balancer.ready, SOON).toBe(3)
    expect(await old.stop()).toMatchObject({ code: 0 })
    await more(20)
    balancer.remove(old.url)
  }
  await more(20)
  open = false
  await Promise.all(load)
  expect(new Set(answers)).toEqual(new Set(['GET 200', 'POST 201']))
  const rows = await home.db.selectFrom('post_sets').select('id').where('status', '=', 'DRAFT').execute()
  expect(new Set(rows.map(({ id }) => id))).toEqual(ids)
  await Promise.all(next.map((api) => api.stop()))
  await balancer.close()
})

/** Seconds from the time of a post to its end, where they are wanted. */
async function printLateness(): Promise<void> {
  if (!process.env.ALMANAC_MEASURES) return
  const rows = await home.db.selectFrom('post_sets').select(['scheduled_at', 'published_at']).execute()
  const seconds = rows.map((row) => (Number(row.published_at) - Number(row.scheduled_at)) / 1_000).sort((a, b) => a - b)
  console.log(`${seconds.length} posts: median ${seconds[seconds.length >> 1]} s, latest ${seconds.at(-1)} s`)
}
