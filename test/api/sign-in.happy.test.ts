import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const COOKIE = '__Secure-almanac.session_token'

test('the session is a cookie that scripts cannot read, for 30 days', async () => {
  const visitor = newVisitor(api)
  const answer = await visitor.signIn(await newPerson(api))
  expect(answer).toMatchObject({ status: 200, body: { next: 'signed-in' } })
  const [cookie, ...others] = answer.headers.getSetCookie()
  // Beside the one by which the browser is known later, no other.
  expect(others).toEqual([expect.stringMatching(/^__Secure-almanac\.known_browser=/)])
  expect(cookie?.split('; ').slice(1).toSorted()).toEqual([
    'HttpOnly',
    'Max-Age=2592000',
    'Path=/',
    'SameSite=Lax',
    'Secure',
  ])
  expect(cookie).toMatch(new RegExp(`^${COOKIE}=`))
  expect((await visitor.request('GET', '/session')).status).toBe(200)
})

test('an address is the same however it is written', async () => {
  const person = await newPerson(api)
  const written = `  ${person.email.toUpperCase()} `
  expect((await newVisitor(api).signIn({ ...person, email: written })).status).toBe(200)
})

test('what is not seen around an address is none of it, wherever it is typed', async () => {
  const unseen = (email: string) => `\u202a${email.replace('@', '\u2060@')}\u200b\u202c`
  const person = await signInAs(api, 'owner')
  expect((await newVisitor(api).signIn({ ...person, email: unseen(person.email) })).status).toBe(200)
  const invited = { email: unseen('unseen@example.com'), role: 'author', socialSetIds: null }
  expect((await person.request('POST', '/invitations', { body: invited })).body.invitation).toMatchObject({
    email: 'unseen@example.com',
  })
  const changed = { email: unseen('changed@example.com'), password: person.password }
  expect((await person.request('PUT', '/profile/email', { body: changed })).status).toBe(200)
  const forgotten = { email: unseen(person.email) }
  expect((await newVisitor(api).request('POST', '/password-resets', { body: forgotten })).status).toBe(200)
})

test('a new sign-in is a new session, and the one that the browser had ends', async () => {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const older = new Map(visitor.cookies)
  await visitor.signIn(person)
  expect(visitor.cookies.get(COOKIE)).not.toBe(older.get(COOKIE))
  const withOlder = newVisitor(api)
  for (const [name, value] of older) withOlder.cookies.set(name, value)
  expect((await withOlder.request('GET', '/session')).status).toBe(401)
  expect((await visitor.request('GET', '/session')).status).toBe(200)
})

test('a session that was used a day ago is prolonged, and the browser gets to know', async () => {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  expect((await visitor.request('GET', '/profile')).headers.getSetCookie()).toEqual([])
  const soon = new Date(Date.now() + 28.9 * 86_400_000)
  await api.db.updateTable('sessions').set({ expires_at: soon }).where('user_id', '=', person.userId).execute()
  const prolonged = await visitor.request('GET', '/profile')
  expect(prolonged.status).toBe(200)
  expect(prolonged.headers.getSetCookie()).toEqual([expect.stringMatching(/Max-Age=2592000/)])
  const { expires_at } = await api.db
    .selectFrom('sessions')
    .select('expires_at')
    .where('user_id', '=', person.userId)
    .executeTakeFirstOrThrow()
  expect(expires_at.getTime()).toBeGreaterThan(Date.now() + 29.9 * 86_400_000)
  expect((await visitor.request('GET', '/session')).status).toBe(200)
})

test('a session that was not used for 30 days is over', async () => {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  await api.db.updateTable('sessions').set({ expires_at: new Date() }).where('user_id', '=', person.userId).execute()
  expect((await visitor.request('GET', '/session')).status).toBe(401)
})

test('below a path, the cookie is of that path, and without https it is sent all the same', async () => {
  const { createIdentity } = await import('#identity')
  const { newId } = await import('#domain')
  const publicUrl = 'http://calendar.test/almanac'
  const identity = createIdentity({ db: api.db, newId, publicUrl, secrets: [Buffer.alloc(32, 1)] })
  const person = await newPerson(api)
  const outcome = await identity.signIn(person, { headers: new Headers(), address: '' })
  expect(outcome).toMatchObject({
    kind: 'signed-in',
    cookies: [expect.stringMatching(/^almanac\.session_token=.*; Path=\/almanac; HttpOnly; SameSite=Lax$/)],
  })
})
