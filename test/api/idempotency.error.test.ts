import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { openDatabase } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { type KeyedRequest, newKeyedClient, type Raw } from '../_util/api/keyed-requests.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

/** What becomes of a request with an `Idempotency-Key` that is refused, doubled, broken off or killed. */

let api: Api
let ask: ReturnType<typeof newKeyedClient>
beforeAll(async () => {
  api = await startApi()
  ask = newKeyedClient(api)
})
afterAll(() => api.close())

const note = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  content: 'Flour is delivered',
  hexColor: '#e4f8e2',
  scheduledAt: '2030-06-03T07:00:00Z',
  ...more,
})
const posted = (key: string, body: object = note()) => ({ method: 'POST', path: '/v1/notes', body, key })
const codeOf = ({ status, text }: Raw) => [status, status < 400 ? null : JSON.parse(text).code]
const notesOf = (content: string) => api.db.selectFrom('notes').select('id').where('content', '=', content).execute()
const storedOf = (key: string) => api.db.selectFrom('idempotency_keys').selectAll().where('key', '=', key).execute()

/** Runs something while a request is held up in the middle of its work, then lets it go on. */
async function whileHeld<T>(request: KeyedRequest, work: (held: Promise<Raw>) => Promise<T>) {
  const other = openDatabase(api.databaseUrl, { poolSize: 1 })
  try {
    return await other.transaction().execute(async (trx) => {
      await trx.selectFrom('social_sets').select('id').where('id', '=', api.socialSetId).forUpdate().execute()
      const held = ask(request)
      // A later await hears of a failure too.
      held.catch(() => {})
      await untilSomeoneWaits(api.db)
      return { held, result: await work(held) }
    })
  } finally {
    await other.destroy()
  }
}

describe('a key that cannot be used is 400 and says what to send', () => {
  test.each([
    ['empty', ''],
    ['of 256 characters', 'x'.repeat(256)],
    ['with a tab', 'a\tb'],
    ['with a letter that is not ASCII', 'schlüssel'],
  ])('idempotency-07: %s', async (_, key) => {
    const answer = await ask(posted(key, note({ content: 'Never' })))
    expect(codeOf(answer)).toEqual([400, 'request:invalid_header'])
    expect(JSON.parse(answer.text).detail).toMatch(/^Idempotency-Key must be 1 to 255 visible ASCII characters/)
    expect(await notesOf('Never')).toEqual([])
  })
})

describe('another request with the same key is 422 and writes nothing', () => {
  test.each<[string, () => Promise<Partial<KeyedRequest>>]>([
    ['with another body', async () => ({ body: note({ content: 'Sugar' }) })],
    ['with another path', async () => ({ path: '/v1/post-sets' })],
    ['with a query', async () => ({ path: '/v1/notes?colour=red' })],
    [
      'with another method',
      async () => ({
        method: 'PATCH',
        path: `/v1/notes/${(await api.request('POST', '/v1/notes', { body: note() })).body.id}`,
      }),
    ],
  ])('idempotency-06: %s', async (_, change) => {
    const key = newId()
    const first = await ask(posted(key))
    const other = await change()
    const before = await api.db
      .selectFrom('notes')
      .select(({ fn }) => fn.countAll().as('count'))
      .execute()
    expect(codeOf(await ask({ ...posted(key), ...other }))).toEqual([422, 'request:idempotency_key_reused'])
    expect(
      await api.db
        .selectFrom('notes')
        .select(({ fn }) => fn.countAll().as('count'))
        .execute(),
    ).toEqual(before)
    expect((await ask(posted(key))).text).toBe(first.text)
  })
})

describe('a request that is refused stores nothing: with its key it runs again, also corrected', () => {
  test.each<[string, number, () => object]>([
    ['shape', 400, () => note({ hexColor: 'red' })],
    ['existence', 404, () => note({ socialSetId: newId() })],
  ])('idempotency-04: for its %s', async (_, status, body) => {
    const key = newId()
    expect((await ask(posted(key, body()))).status).toBe(status)
    expect((await ask(posted(key, body()))).status).toBe(status)
    expect(await storedOf(key)).toEqual([])
    expect((await ask(posted(key))).status).toBe(201)
  })

  test('for the rules of a network, after it has written', async () => {
    const key = newId()
    const request = { method: 'POST', path: '/v1/post-sets', key }
    const posts = [{ accountType: 'BLUESKY', caption: 'x'.repeat(301), media: [] }]
    const refused = await ask({ ...request, body: api.draft({ status: 'SCHEDULED', posts }) })
    expect(codeOf(refused)).toEqual([422, 'post-set:invalid_posts'])
    expect((await ask({ ...request, body: api.draft({ status: 'DRAFT', posts }) })).status).toBe(201)
  })

  test('for a sixth pending upload, and works when there is room', async () => {
    const socialSetId = await api.newSocialSet()
    const upload = (key: string) => ({
      method: 'POST',
      path: '/v1/media-upload',
      body: { socialSetId, url: 'https://example.com/photo.jpg' },
      key,
    })
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.push(JSON.parse((await ask(upload(newId()))).text).id)
    const sixth = upload(newId())
    expect(codeOf(await ask(sixth))).toEqual([429, 'media-upload:too_many_pending'])
    await api.db
      .updateTable('media_uploads')
      .set({ status: 'FAILED' })
      .where('id', '=', ids[0] ?? '')
      .execute()
    expect((await ask(sixth)).status).toBe(201)
  })
})

test('idempotency-05: while the first request runs, others with its key are 409 at once; afterwards they get its answer', async () => {
  const key = newId()
  const { held, result } = await whileHeld(posted(key, note({ content: 'Once' })), () =>
    Promise.all([ask(posted(key, note({ content: 'Once' }))), ask(posted(key, note({ content: 'Other' })))]),
  )
  for (const answer of result) {
    expect(codeOf(answer)).toEqual([409, 'request:in_progress'])
    expect(answer.headers['retry-after']).toBe('1')
  }
  const first = await held
  expect(first.status).toBe(201)
  const again = await ask(posted(key, note({ content: 'Once' })))
  expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
  expect(await notesOf('Once')).toHaveLength(1)
  expect(codeOf(await ask(posted(key, note({ content: 'Other' }))))).toEqual([422, 'request:idempotency_key_reused'])
})

test('idempotency-03: a request whose client is gone is carried out, and the client that comes back gets the answer', async () => {
  const key = newId()
  const gone = new AbortController()
  const request = posted(key, note({ content: 'Lost answer' }))
  const { held } = await whileHeld({ ...request, signal: gone.signal }, async () => gone.abort())
  await expect(held).rejects.toThrow()
  let again = await ask(request)
  while (again.status === 409) again = await ask(request)
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect((await notesOf('Lost answer')).map(({ id }) => id)).toEqual([JSON.parse(again.text).id])
})

test('idempotency-03: a connection to the database that dies in the middle leaves nothing, and its key is free', async () => {
  const key = newId()
  const request = posted(key, note({ content: 'Killed' }))
  const { held } = await whileHeld(request, async () => {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(api.db)
  })
  expect((await held).status).toBeGreaterThanOrEqual(500)
  expect([await notesOf('Killed'), await storedOf(key)]).toEqual([[], []])
  const again = await ask(request)
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect(await notesOf('Killed')).toHaveLength(1)
})

test('idempotency-03: a change that cannot be committed takes its answer back with it', async () => {
  const key = newId()
  const request = posted(key, note({ content: 'Not committed' }))
  await sql`create function refuse_commit() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
    api.db,
  )
  await sql`create constraint trigger refused after insert on all_notes deferrable initially deferred
    for each row when (new.content = 'Not committed') execute function refuse_commit()`.execute(api.db)
  expect((await ask(request)).status).toBe(500)
  expect(await storedOf(key)).toEqual([])
  await sql`drop trigger refused on all_notes`.execute(api.db)
  expect((await ask(request)).headers['idempotency-replayed']).toBeUndefined()
  expect(await notesOf('Not committed')).toHaveLength(1)
})

test('idempotency-03: an answer that cannot be stored takes its change back with it', async () => {
  const key = newId()
  const request = posted(key, note({ content: 'Not stored' }))
  await sql`alter table idempotency_keys add constraint none check (key <> ${sql.lit(key)})`.execute(api.db)
  expect((await ask(request)).status).toBe(500)
  expect(await notesOf('Not stored')).toEqual([])
  await sql`alter table idempotency_keys drop constraint none`.execute(api.db)
  expect((await ask(request)).status).toBe(201)
  expect(await notesOf('Not stored')).toHaveLength(1)
})

test('idempotency-02: a hundred at once with one key make one row and one answer', async () => {
  const request = posted(newId(), note({ content: 'Crowded' }))
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(request)))
  const { 201: done = [], 409: waiting = [] } = Object.groupBy(answers, ({ status }) => status)
  expect(done.length + waiting.length).toBe(100)
  expect(new Set(done.map(({ text }) => text)).size).toBe(1)
  expect(done.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1)
  expect(await notesOf('Crowded')).toHaveLength(1)
})
