import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { shutDatabase } from '../_util/database/database.ts'

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const origin = { origin: 'https://almanac.test' }
const unavailable = [503, 'service:unavailable', '5']
const seen = ({ status, body, headers }: Awaited<ReturnType<Api['request']>>) => [
  status,
  body.code,
  headers.get('retry-after'),
]

/** Has PostgreSQL refuse rows for a table as it does on a full disk: all, or those that a condition on `new` names. */
async function refuseRows(table: string, condition = 'true'): Promise<() => Promise<void>> {
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`.execute(
    api.db,
  )
  await sql`create trigger refuse before insert or update on ${sql.table(table)}
    for each row when (${sql.raw(condition)}) execute function refuse()`.execute(api.db)
  return async () => void (await sql`drop function refuse cascade`.execute(api.db))
}

test('a write that a full disk refuses is 503, with what is wrong in words', async () => {
  const allow = await refuseRows('all_post_sets')
  const answer = await api.request('POST', '/v1/post-sets', { body: api.draft() })
  await allow()
  expect(seen(answer)).toEqual(unavailable)
  expect(answer.body.detail).toBe("The disk of Almanac's database is full. Try again in 5 seconds.")
  expect(api.logged()).toContain('A request met a fault of the database')
  expect((await api.request('POST', '/v1/post-sets', { body: api.draft() })).status).toBe(201)
})

test('a right password is not called wrong, and its try not counted, when the session cannot be written', async () => {
  const body = { email: owner.email, password: owner.password }
  const signIn = () => api.request('POST', '/internal/session', { key: null, headers: origin, body })
  const allow = await refuseRows('sessions')
  for (let tries = 0; tries < 6; tries += 1) expect(seen(await signIn())).toEqual(unavailable)
  await allow()
  expect((await signIn()).status).toBe(200)
})

test('a try that is counted in part, because the database refuses the rest, does not count', async () => {
  const body = { email: owner.email, password: owner.password }
  const signIn = () => api.request('POST', '/internal/session', { key: null, headers: origin, body })
  // The last of three counters of a browser that is not known: the address, the person at it, the person.
  const allow = await refuseRows('attempts', "new.subject ~ '^sign-in:[^:]+$'")
  for (let tries = 0; tries < 6; tries += 1) expect(seen(await signIn())).toEqual(unavailable)
  await allow()
  expect((await signIn()).status).toBe(200)
})

test('while the database refuses connections, every route that needs it is 503, for keys and for members', async () => {
  const open = await shutDatabase(api.databaseUrl)
  try {
    const asked = api.routes.filter(({ url, method }) => /^\/(v1|internal)\//.test(url) && method !== 'HEAD')
    expect(asked.length).toBeGreaterThan(80)
    for (const { method, url } of asked.filter((route) => !route.open)) {
      const path = url.replaceAll(/:\w+/g, '019a9c71-0d2e-7a61-bb1c-9e8d7c6b5a40')
      const headers = path.startsWith('/v1/') ? {} : { ...origin, cookie: owner.cookie }
      const key = path.startsWith('/v1/') ? api.key : null
      // While no one can be looked up, a client that does not wait is asked to: it counts by its address.
      await expect
        .poll(async () => [path, method, ...seen(await api.request(method, path, { key, headers }))], {
          timeout: 5_000,
        })
        .toEqual([path, method, ...unavailable])
    }
  } finally {
    await open()
  }
})
