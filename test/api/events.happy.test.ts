import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
})
afterAll(() => api.close())

/** A stream that is listening. */
async function listening(socialSetId = api.socialSetId) {
  const stream = await follow(api, person, socialSetId)
  expect(stream.status).toBe(200)
  await stream.until('ready')
  return stream
}

test('a stream is answered as one, begins with ready and reports what happens to post sets', async () => {
  const stream = await listening()
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
  })
  const { id } = await api.create()
  await stream.until('post-sets', [id])
  const ways: (() => Promise<unknown>)[] = [
    () => api.request('PATCH', `/v1/post-sets/${id}`, { body: { scheduledAt: '2030-06-02' } }),
    () => act.lock(id),
    () => act.lock(id, false),
    () => act.remove(id),
    () => act.restore(id),
  ]
  for (const way of ways) {
    const before = stream.events.length
    await way()
    await vi.waitFor(() => expect(stream.events.slice(before)).toContainEqual(['post-sets', [id]]), { timeout: 5_000 })
  }
  stream.close()
})

test('it reports files that come, change and go, and a picture of a video to the cards of posts too', async () => {
  const stream = await listening()
  const id = await api.newMedia()
  await stream.until('media', [id])
  const change = async (set: object, expected: [string, string[]][]) => {
    const before = stream.events.length
    await api.db.updateTable('media_items').set(set).where('id', '=', id).execute()
    for (const event of expected)
      await vi.waitFor(() => expect(stream.events.slice(before)).toContainEqual(event), { timeout: 5_000 })
  }
  await change({ thumbnail_key: 'drawn' }, [
    ['media', [id]],
    ['post-sets', []],
  ])
  await change({ name: 'Rye.jpg' }, [['media', [id]]])
  await change({ closed_at: new Date() }, [['media', [id]]])
  stream.close()
})

test('it reports notes, connections and the results of posts', async () => {
  const stream = await listening()
  const body = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-15' }
  const note = await done(person.request('POST', '/notes', { body }), 201)
  await stream.until('notes', [note.id])
  const connections = await api.db
    .updateTable('connections')
    .set({ status: 'RECONNECT_REQUIRED' })
    .where('social_set_id', '=', api.socialSetId)
    .returning('id')
    .execute()
  await stream.until(
    'connections',
    connections.map(({ id }) => id),
  )
  const { id } = await api.create()
  await stream.until('post-sets', [id])
  await sql`insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at)
    select gen_random_uuid(), post_set_id, id, 1, account_type, 'SENDING', now(), now() from posts
    where post_set_id = ${id}`.execute(api.db)
  const before = stream.events.length
  await sql`update deliveries set state = 'DONE', result = '{"status":"POSTED"}' where post_set_id = ${id}`.execute(
    api.db,
  )
  await vi.waitFor(() => expect(stream.events.slice(before)).toEqual([['post-sets', [id]]]), { timeout: 5_000 })
  stream.close()
})

test('other processes are heard, a series is reported at once, and more than are reported is reported as no ids', async () => {
  const stream = await listening()
  const other = openDatabase(api.databaseUrl, { poolSize: 1 })
  const { id } = await api.create()
  await stream.until('post-sets', [id])
  const before = stream.events.length
  await other.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', id).execute()
  await stream.until('post-sets', [id])
  const { seriesId } = await api.create({ repeat: { interval: 'DAY', occurrences: 50 } })
  const sets = await other.selectFrom('post_sets').select('id').where('series_id', '=', seriesId).execute()
  await stream.until(
    'post-sets',
    sets.map((set) => set.id),
  )
  expect(stream.events.length - before).toBeLessThanOrEqual(3)
  await sql`insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    select gen_random_uuid(), account_id, social_set_id, scheduled_at, status, approval
    from post_sets, generate_series(1, 101) where id = ${id}`.execute(other)
  await vi.waitFor(() => expect(stream.events.at(-1)).toEqual(['post-sets', []]), { timeout: 5_000 })
  await other.destroy()
  stream.close()
})

test('what happens within a moment is reported together', async () => {
  const stream = await listening()
  await Promise.all(Array.from({ length: 20 }, () => api.create()))
  await act.bulk([await api.create()], { lock: true })
  await vi.waitFor(() => expect(new Set(stream.events.flatMap(([, ids]) => ids ?? [])).size).toBe(21), {
    timeout: 5_000,
  })
  // The 22 changes took some tenths of a second.
  expect(stream.events.length).toBeLessThan(15)
  stream.close()
})

describe('when the connection to the database is lost', () => {
  test('another one is made, and all are asked to read again', async () => {
    const streams = [await listening(), await listening()]
    const { rows } = await sql<{ pid: number }>`
      select pid, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'almanac-changes'`.execute(api.db)
    expect(rows).toHaveLength(1)
    for (const stream of streams) {
      await vi.waitFor(() => expect(stream.events.filter(([name]) => name === 'ready')).toHaveLength(2), {
        timeout: 10_000,
      })
    }
    const { id } = await api.create()
    for (const stream of streams) await stream.until('post-sets', [id])
    for (const stream of streams) stream.close()
  })
})

test('a proxy hears a sign of life before it takes the stream for dead', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const stream = await listening()
    vi.advanceTimersByTime(20_000)
    await vi.waitFor(() => expect(stream.text()).toContain(': still here\n\n'), { timeout: 5_000 })
    stream.close()
  } finally {
    vi.useRealTimers()
  }
})

test('stopping the server ends all streams at once', async () => {
  const own = await startApi({ rate: anyRate })
  const someone = await signInAs(own, 'reviewer')
  const streams = [await follow(own, someone, own.socialSetId), await follow(own, someone, own.socialSetId)]
  const began = performance.now()
  await own.stop()
  await Promise.all(streams.map(({ ended }) => ended))
  expect(performance.now() - began).toBeLessThan(2_000)
  await own.close()
})
