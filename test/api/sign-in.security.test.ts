import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { createIdentity } from '#identity'
import { type Api, startApi } from '../_util/api/api.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const COOKIE = '__Secure-almanac.session_token'

test('nothing in the database is enough to be signed in', async () => {
  const person = await newPerson(api)
  const own = newVisitor(api)
  await own.signIn(person)
  const { token } = await api.db
    .selectFrom('sessions')
    .select('token')
    .where('user_id', '=', person.userId)
    .executeTakeFirstOrThrow()
  // Signed by somebody who has the database and not the secret key.
  const other = createIdentity({
    db: api.db,
    newId,
    publicUrl: 'https://almanac.test',
    secrets: [Buffer.alloc(32, 9)],
  })
  const forged = await other.signIn(person, { headers: new Headers(), address: '' })
  const signature = forged.kind === 'wrong' ? '' : (forged.cookies[0] ?? '').split(';')[0]?.split('.').at(-1)
  for (const value of [
    token,
    `${token}.`,
    `${token}.${signature}`,
    encodeURIComponent(`${token}.${'A'.repeat(43)}=`),
  ]) {
    const thief = newVisitor(api)
    for (const name of [COOKIE, 'almanac.session_token']) thief.cookies.set(name, value)
    expect((await thief.request('GET', '/session')).status, value).toBe(401)
  }
  expect(decodeURIComponent(own.cookies.get(COOKIE) ?? '')).toMatch(new RegExp(`^${token}\\.`))
})

test('a cookie that somebody else has set in a browser does not become its session', async () => {
  const attacker = newVisitor(api)
  await attacker.signIn(await newPerson(api))
  const planted = attacker.cookies.get(COOKIE) ?? ''
  const victim = newVisitor(api)
  victim.cookies.set(COOKIE, planted)
  const person = await newPerson(api)
  await victim.signIn(person)
  expect(victim.cookies.get(COOKIE)).not.toBe(planted)
  expect((await victim.request('GET', '/session')).body.user.id).toBe(person.userId)
  // What was planted is over.
  expect((await attacker.request('GET', '/session')).status).toBe(401)
})

test('after signing out the cookie is worth nothing', async () => {
  const visitor = newVisitor(api)
  await visitor.signIn(await newPerson(api))
  const kept = visitor.cookies.get(COOKIE) ?? ''
  expect((await visitor.request('DELETE', '/session')).status).toBe(204)
  expect(visitor.cookies.has(COOKIE)).toBe(false)
  visitor.cookies.set(COOKIE, kept)
  expect((await visitor.request('GET', '/session')).status).toBe(401)
})

test.each(['https://elsewhere.test', 'null', 'https://almanac.test.elsewhere.test'])(
  'a sign-in from %s is refused',
  async (origin) => {
    const person = await newPerson(api)
    const visitor = newVisitor(api, { origin, 'sec-fetch-site': 'cross-site' })
    expect(await visitor.signIn(person)).toMatchObject({ status: 403, body: { code: 'auth:cross_site_request' } })
    expect(visitor.cookies.size).toBe(0)
  },
)

test('forms of other sites do not sign anybody in', async () => {
  const person = await newPerson(api)
  const answer = await api.request('POST', '/internal/session', {
    key: null,
    raw: `email=${person.email}&password=${person.password}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://almanac.test' },
  })
  expect(answer.status).toBe(415)
})

describe('the library behind it', () => {
  test.each([
    '/auth/sign-in/email',
    '/auth/sign-up/email',
    '/auth/get-session',
    '/auth/two-factor/disable',
    '/auth/ok',
    '/api/auth/get-session',
    '/internal/auth/get-session',
    '/internal/session/get-session',
  ])('is not reached at %s', async (path) => {
    const visitor = newVisitor(api)
    await visitor.signIn(await newPerson(api))
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const method of ['GET', 'POST']) {
      const headers = { cookie, origin: 'https://almanac.test' }
      const { status } = await api.request(method, path, { key: null, headers })
      expect(status, method).toBe(404)
    }
  })

  test('does not believe what a client writes about its address', async () => {
    const person = await newPerson(api)
    const visitor = newVisitor(api, { 'x-forwarded-for': '203.0.113.9', 'x-almanac-address': '203.0.113.9' })
    await visitor.signIn(person)
    const { body } = await visitor.request('GET', '/sessions')
    expect(body.data).toMatchObject([{ address: '127.0.0.1' }])
  })
})

test('an unknown address takes about as long as a known one', async () => {
  const person = await newPerson(api)
  const took = async (email: string) => {
    const begun = performance.now()
    await newVisitor(api).signIn({ email, password: 'not the password' })
    return performance.now() - begun
  }
  await took('warm@example.com')
  const known: number[] = []
  const unknown: number[] = []
  // Without the second hash it would be a tenth, however often it is tried; a busy machine needs a few tries more.
  const alike = () => Math.min(...unknown) > Math.min(...known) * 0.5
  for (let n = 0; n < 4 || (n < 9 && !alike()); n += 1) {
    known.push(await took(person.email))
    unknown.push(await took(`nobody-${n}@example.com`))
  }
  expect(alike()).toBe(true)
})

test('no answer and no line of the log holds a password or a token', async () => {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  const answers = [
    await visitor.signIn({ ...person, password: `${person.password}x` }),
    await visitor.signIn(person),
    await visitor.request('GET', '/session'),
    await visitor.request('POST', '/session', { body: { email: 1, password: person.password } }),
    await visitor.request('GET', '/sessions'),
    await visitor.request('DELETE', '/session'),
  ]
  const rows = await api.db.selectFrom('sessions').select('token').execute()
  const secrets = [person.password, ...rows.map(({ token }) => token)]
  for (const secret of secrets) {
    expect(api.logged()).not.toContain(secret)
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain(secret)
  }
})
