import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeResetLinkFor, takeSecondStepAway } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { tokenIn } from '../_util/api/mail-server.ts'
import { totp } from '../_util/api/totp.ts'
import { type Enrolled, enrolled } from '../_util/api/two-factor.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const NEW = 'a password of this year'
const pass = (visitor: ReturnType<typeof newVisitor>, code: string) =>
  visitor.request('POST', '/session/second-step', { body: { code } })

test('a code is good for one use: reading it over a shoulder is too late', async () => {
  const { person, secret } = await enrolled(api)
  const code = totp(secret, 1)
  const [owner, thief] = [newVisitor(api), newVisitor(api)]
  await owner.signIn(person)
  await thief.signIn(person)
  expect((await pass(owner, code)).status).toBe(200)
  expect((await pass(thief, code)).status).toBe(401)
  expect((await thief.request('GET', '/session')).status).toBe(401)
})

test('at the same moment, too', async () => {
  const { person, secret } = await enrolled(api)
  const visitors = Array.from({ length: 4 }, () => newVisitor(api))
  for (const visitor of visitors) await visitor.signIn(person)
  const code = totp(secret, 1)
  const answers = await Promise.all(visitors.map((visitor) => pass(visitor, code)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
})

test('the code of somebody who is signed in does not pass the step of somebody else', async () => {
  const attacker = await enrolled(api)
  const victim = await enrolled(api)
  // The attacker's browser keeps its session's cookie and takes that of the victim's first step besides.
  const visitor = newVisitor(api)
  await visitor.signIn(victim.person)
  for (const [name, value] of attacker.visitor.cookies) visitor.cookies.set(name, value)
  expect((await pass(visitor, totp(attacker.secret, 1))).status).toBe(401)
})

test('the cookie of the first step opens nothing and cannot be made up', async () => {
  const { person, secret } = await enrolled(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const [[name, value] = ['', '']] = visitor.cookies
  expect(name).toBe('__Secure-almanac.two_factor')
  for (const path of ['/session', '/profile', '/two-factor', '/sessions']) {
    expect((await visitor.request('GET', path)).status, path).toBe(401)
  }
  const identifier = decodeURIComponent(value).split('.')[0] ?? ''
  const stored = await api.db
    .selectFrom('verifications' as never)
    .selectAll()
    .execute()
  expect(JSON.stringify(stored)).not.toContain(identifier)
  const forger = newVisitor(api)
  forger.cookies.set(name, encodeURIComponent(`${identifier}.${'A'.repeat(43)}=`))
  expect((await pass(forger, totp(secret, 1))).status).toBe(401)
})

test('secret and backup codes are sealed in the database, and no answer or log shows them later', async () => {
  const { visitor, secret, backupCodes } = await enrolled(api)
  const stored = JSON.stringify(await api.db.selectFrom('two_factors').selectAll().execute())
  const reported = JSON.stringify((await visitor.request('GET', '/two-factor')).body)
  for (const text of [secret, ...backupCodes, ...backupCodes.map((code) => code.replace('-', ''))]) {
    expect(stored).not.toContain(text)
    expect(reported).not.toContain(text)
    expect(api.logged()).not.toContain(text)
  }
})

test.each<[string, (of: Enrolled) => Promise<{ status: number }>]>([
  [
    'a new password',
    ({ visitor, person: { password } }) =>
      visitor.request('PUT', '/profile/password', { body: { password, newPassword: NEW } }),
  ],
  [
    'a new password by a link',
    async ({ person: { email } }) => {
      const { link } = await makeResetLinkFor({ db: api.db, publicUrl: 'https://almanac.test' }, email)
      const body = { token: tokenIn(link), password: NEW }
      return newVisitor(api).request('POST', '/password-resets/redeem', { body })
    },
  ],
])('%s ends first steps that were done with the old one', async (_, change) => {
  const somebody = await enrolled(api)
  const other = await enrolled(api)
  const [thief, stranger] = [newVisitor(api), newVisitor(api)]
  expect((await thief.signIn(somebody.person)).body).toEqual({ next: 'second-step' })
  await stranger.signIn(other.person)
  expect((await change(somebody)).status).toBe(204)
  const code = totp(somebody.secret, 1)
  expect(await pass(thief, code)).toMatchObject({ status: 401, body: { code: 'auth:second_step_over' } })
  expect((await thief.request('GET', '/session')).status).toBe(401)
  expect((await pass(stranger, totp(other.secret, 1))).status).toBe(200)
})

test.each<[string, (of: Enrolled) => Promise<unknown>]>([
  [
    'by the person',
    ({ visitor, person: { password } }) => visitor.request('DELETE', '/two-factor', { body: { password } }),
  ],
  ['by the operator', ({ person: { email } }) => takeSecondStepAway({ db: api.db }, email)],
])('switched off %s, it leaves no first step behind', async (_, switchOff) => {
  const somebody = await enrolled(api)
  await newVisitor(api).signIn(somebody.person)
  await switchOff(somebody)
  const { rows } = await sql`select from verifications where value = ${somebody.person.userId}`.execute(api.db)
  expect(rows).toHaveLength(0)
})

test('a set-up that was begun and not confirmed changes nothing at the sign-in', async () => {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  await visitor.request('POST', '/two-factor', { body: { password: person.password } })
  expect((await newVisitor(api).signIn(person)).body).toEqual({ next: 'signed-in' })
})

test.each([
  ['GET', '/two-factor'],
  ['POST', '/two-factor'],
  ['POST', '/two-factor/confirm'],
  ['POST', '/two-factor/backup-codes'],
  ['DELETE', '/two-factor'],
])('%s %s wants somebody who is signed in, on our own pages', async (method, path) => {
  const body = method === 'GET' ? undefined : { password: 'x', code: 'x' }
  expect((await newVisitor(api).request(method, path, { body })).status).toBe(401)
  const visitor = newVisitor(api)
  await visitor.signIn(await newPerson(api))
  const elsewhere = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  expect((await visitor.request(method, path, { body, headers: elsewhere })).status).toBe(403)
})
