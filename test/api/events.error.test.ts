import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type EventStream, follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const readies = ({ events }: EventStream) => events.filter(([name]) => name === 'ready').length
const watched = async (socialSetId: string) => {
  const { rows } = await sql`
    select from watched_social_sets where social_set_id = ${socialSetId} and watched_until > clock_timestamp()`.execute(
    api.db,
  )
  return rows.length > 0
}
const lapse = () => sql`update watched_social_sets set watched_until = clock_timestamp()`.execute(api.db)
const untilHeard = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

test('HEAD is no way to follow, and takes no stream', async () => {
  for (let count = 0; count < 7; count++) {
    const head = await person.request('HEAD', `/live?socialSetId=${api.socialSetId}`)
    expect(head.status).toBe(405)
  }
  const stream = await follow(api, person, api.socialSetId)
  expect(stream.status).toBe(200)
  stream.close()
})

test('what a newer version reports is passed over', async () => {
  const stream = await follow(api, person, api.socialSetId)
  await stream.until('ready')
  for (const payload of [`moons ${api.accountId} ${api.socialSetId} x`, 'post-sets', '']) {
    await sql`select pg_notify('almanac_changes', ${payload})`.execute(api.db)
  }
  const { id } = await api.create()
  await stream.until('post-sets', [id])
  expect(stream.events).toEqual([
    ['ready', null],
    ['post-sets', [id]],
  ])
  expect(api.logged()).toContain(`"payload":"moons ${api.accountId}`)
  stream.close()
})

describe('the database', () => {
  test('reports nothing of a social set that no one watches', async () => {
    const client = new pg.Client({ connectionString: api.databaseUrl })
    await client.connect()
    try {
      const reported: string[] = []
      client.on('notification', ({ payload = '' }) => reported.push(payload))
      await client.query('listen almanac_changes')
      const [socialSetId, other] = [await api.newSocialSet(), await api.newSocialSet()]
      const stream = await follow(api, person, other)
      await stream.until('ready')
      const before = await api.create({ socialSetId })
      await api.request('PATCH', `/v1/post-sets/${before.id}`, { body: { scheduledAt: '2030-06-02' } })
      const followed = await api.create({ socialSetId: other })
      await untilHeard(() => expect(reported).toEqual([`post-sets ${api.accountId} ${other} ${followed.id}`]))

      stream.close()
      await lapse()
      await api.create({ socialSetId: other })
      const again = await follow(api, person, socialSetId)
      await again.until('ready')
      const { id } = await api.create({ socialSetId })
      await untilHeard(() => expect(reported.slice(1)).toEqual([`post-sets ${api.accountId} ${socialSetId} ${id}`]))
      again.close()
    } finally {
      await client.end()
    }
  })

  test('is asked to report before a stream is ready, which waits for changes that are under way', async () => {
    const socialSetId = await api.newSocialSet()
    const { id } = await api.create({ socialSetId })
    const stream = await api.db.transaction().execute(async (trx) => {
      await trx.updateTable('post_sets').set({ approval: 'PENDING' }).where('id', '=', id).execute()
      const opened = await follow(api, person, socialSetId)
      await vi.waitFor(async () => expect(await watched(socialSetId)).toBe(true), { timeout: 4_000 })
      await api.request('GET', '/v1/labels')
      expect(opened.events).toEqual([])
      return opened
    })
    await stream.until('ready')
    stream.close()
  })

  test('is asked again and again, and screens read again when that came too late', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const own = await startApi({ rate: anyRate })
    try {
      const stream = await follow(own, await signInAs(own, 'editor'), own.socialSetId)
      await stream.until('ready')
      const untilOf = async () =>
        (await sql<{ at: Date }>`select watched_until as at from watched_social_sets`.execute(own.db)).rows[0]?.at
      const first = await untilOf()
      vi.advanceTimersByTime(30_000)
      await vi.waitFor(async () => expect(await untilOf()).not.toEqual(first), { timeout: 5_000 })
      expect(readies(stream)).toBe(1)
      await sql`delete from watched_social_sets`.execute(own.db)
      vi.advanceTimersByTime(30_000)
      await untilHeard(() => expect(readies(stream)).toBe(2))
      const { id } = await own.create()
      await stream.until('post-sets', [id])
      stream.close()
    } finally {
      vi.useRealTimers()
      await own.close()
    }
  })
})
