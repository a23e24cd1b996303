import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { totp } from '../_util/api/totp.ts'
import { enrolled } from '../_util/api/two-factor.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('a member sets up a second step with an app and is reported ten backup codes', async () => {
  const person = await newPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  expect((await visitor.request('GET', '/two-factor')).body).toEqual({ enabled: false, backupCodesLeft: 0 })
  const before = new Map(visitor.cookies)

  const { body: started } = await visitor.request('POST', '/two-factor', { body: { password: person.password } })
  const uri = new URL(started.uri)
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/Almanac/)
  expect(decodeURIComponent(uri.pathname)).toContain(person.email)
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: started.secret,
    issuer: 'Almanac',
    digits: '6',
    period: '30',
  })
  // Nothing holds yet.
  expect((await newVisitor(api).signIn(person)).body).toEqual({ next: 'signed-in' })

  const confirmed = await visitor.request('POST', '/two-factor/confirm', { body: { code: totp(started.secret) } })
  expect(confirmed.status).toBe(200)
  expect(new Set(confirmed.body.backupCodes).size).toBe(10)
  for (const code of confirmed.body.backupCodes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
  expect((await visitor.request('GET', '/two-factor')).body).toEqual({ enabled: true, backupCodesLeft: 10 })
  expect((await visitor.request('GET', '/session')).body.user.twoFactorEnabled).toBe(true)
  // The session that it was done in has a new token, and the old one is worth nothing.
  const older = newVisitor(api)
  for (const [name, value] of before) older.cookies.set(name, value)
  expect((await older.request('GET', '/session')).status).toBe(401)
})

test('from then on a code is asked for after the password', async () => {
  const { person, secret } = await enrolled(api)
  const visitor = newVisitor(api)
  expect((await visitor.signIn(person)).body).toEqual({ next: 'second-step' })
  expect((await visitor.request('GET', '/session')).status).toBe(401)
  const code = totp(secret, 1)
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
  const passed = await visitor.request('POST', '/session/second-step', { body: { code: spaced } })
  expect(passed).toMatchObject({ status: 200, body: { next: 'signed-in' } })
  expect((await visitor.request('GET', '/session')).body.user.id).toBe(person.userId)
  const cookies = ['__Secure-almanac.known_browser', '__Secure-almanac.session_token']
  expect([...visitor.cookies.keys()].toSorted()).toEqual(cookies)
})

test('a backup code does it too, once, however it is typed', async () => {
  const { person, visitor: own, backupCodes } = await enrolled(api)
  const [code = ''] = backupCodes
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const typed = code.toUpperCase().replace('-', ' ')
  expect((await visitor.request('POST', '/session/second-step', { body: { code: typed } })).status).toBe(200)
  expect((await own.request('GET', '/two-factor')).body).toEqual({ enabled: true, backupCodesLeft: 9 })
  const again = newVisitor(api)
  await again.signIn(person)
  expect((await again.request('POST', '/session/second-step', { body: { code } })).status).toBe(401)
})

test('new backup codes take the place of the old ones', async () => {
  const { person, visitor: own, backupCodes } = await enrolled(api)
  const renewed = await own.request('POST', '/two-factor/backup-codes', { body: { password: person.password } })
  expect(renewed.body.backupCodes).toHaveLength(10)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const use = (code: unknown) => visitor.request('POST', '/session/second-step', { body: { code } })
  expect((await use(backupCodes[0])).status).toBe(401)
  expect((await use(renewed.body.backupCodes[0])).status).toBe(200)
})

test('the second step is taken away with the password, and the session gets a new token', async () => {
  const { person, visitor: own } = await enrolled(api)
  const before = new Map(own.cookies)
  expect((await own.request('DELETE', '/two-factor', { body: { password: person.password } })).status).toBe(204)
  expect((await own.request('GET', '/session')).body.user.twoFactorEnabled).toBe(false)
  expect([...own.cookies.values()]).not.toEqual([...before.values()])
  expect((await newVisitor(api).signIn(person)).body).toEqual({ next: 'signed-in' })
})
