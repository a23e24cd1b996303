import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { eventsBehind, giveAll } from '../_util/api/event-log.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const ask = (query: string, key = api.key) => api.request('GET', `/v1/events?${query}`, { key })
/** A key of an account of its own, in which so many events were made. */
async function withEvents(count: number): Promise<{ key: string; accountId: string }> {
  const accountId = await api.newAccount()
  const socialSetId = await api.newSocialSet({ accountId })
  const key = await api.newKey({ accountId })
  const note = { socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-01T10:00:00Z' }
  for (let at = 0; at < count; at++) await api.request('POST', '/v1/notes', { body: note, key })
  await giveAll(api)
  return { key, accountId }
}

test.each([
  'after=-1',
  'after=1.5',
  'after=x',
  'after=0&limit=0',
  `after=0&limit=${LIMITS.events.maxSize + 1}`,
  `after=0&wait=${LIMITS.events.waitSeconds + 1}`,
  'after=0&types[]=post_set.unheard',
  'after=0&before=5',
])('%s is no query', async (query) => {
  const { status, body } = await ask(query)
  expect([status, body.code]).toEqual([400, 'request:invalid_query'])
})

test('events-08: a position whose next event is gone, or that was never given, is refused with the oldest that there is', async () => {
  const { key, accountId } = await withEvents(4)
  const gone = async (after: number) => {
    const { status, body } = await ask(`after=${after}`, key)
    return [status, body.code, /position (\d+): go on with after=(\d+)/.exec(body.detail)?.slice(1).map(Number)]
  }
  expect(await gone(5)).toEqual([410, 'event:position_gone', [1, 0]])
  await sql`delete from events where account_id = ${accountId} and position <= 2`.execute(api.db)
  expect(await gone(0)).toEqual([410, 'event:position_gone', [3, 2]])
  expect(await gone(1)).toEqual([410, 'event:position_gone', [3, 2]])
  expect((await eventsBehind(api, 2, '', { key })).data.map(({ position }) => position)).toEqual([3, 4])
  await sql`delete from events where account_id = ${accountId}`.execute(api.db)
  const { status, body } = await ask('after=3', key)
  expect([status, body.detail]).toEqual([410, expect.stringContaining('go on with after=4')])
  expect((await eventsBehind(api, 4, '', { key })).data).toEqual([])
})

test('behind the end of a restored backup a reader is told, and one that reads it from before goes on behind the gap', async () => {
  const { key, accountId } = await withEvents(3)
  await sql`update event_positions set newest = newest + 1000000 where account_id = ${accountId}`.execute(api.db)
  expect((await ask('after=3', key)).body.detail).toContain('go on with after=0')
  expect(await eventsBehind(api, 0, '&limit=3', { key })).toMatchObject({ data: [{}, {}, {}], nextAfter: 1_000_003 })
  expect(await eventsBehind(api, 1, '', { key })).toMatchObject({ data: [{}, {}], nextAfter: 1_000_003 })
  expect((await eventsBehind(api, 1_000_003, '', { key })).data).toEqual([])
})

test('of an account at most five requests wait at a time, and a place is free when a client has left', async () => {
  const { key } = await withEvents(0)
  const clients = Array.from({ length: LIMITS.events.waiting + 1 }, () => new AbortController())
  const waiting = clients.map(async (client) => {
    const response = await fetch(`${api.url}/v1/events?after=0&wait=20`, {
      headers: { authorization: `Bearer ${key}` },
      signal: client.signal,
    }).catch(() => null)
    return { client, status: response?.status ?? null, retryAfter: response?.headers.get('retry-after') }
  })
  const first = await Promise.race(waiting)
  expect(first).toMatchObject({ status: 429, retryAfter: '1' })
  const { status, body } = await ask('after=0&wait=1', key)
  expect([status, body.code]).toEqual([429, 'rate-limit:exceeded'])
  // Without waiting there is an answer, and others wait as they like.
  expect((await ask('after=0', key)).status).toBe(200)
  const other = await withEvents(0)
  expect((await ask('after=0&wait=1', other.key)).status).toBe(200)
  clients.find((client) => client !== first.client)?.abort()
  await expect.poll(async () => (await ask('after=0&wait=1', key)).status, { timeout: 10_000 }).toBe(200)
  for (const client of clients) client.abort()
  await Promise.all(waiting)
})
