import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMailer } from '#identity'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MailServer, startMailServer, tokenIn } from '../_util/api/mail-server.ts'
import { newMailPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
let withMail: Api
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi()
  withMail = await startApi({ mailer: createMailer({ smtpUrl: mail.url, from: 'almanac@example.com' }) })
})
afterAll(async () => {
  await api.close()
  await withMail.close()
  await mail.close()
})

const NEW = 'a password of this year'
let last = 0
const newAddress = () => {
  last += 1
  return `ada${last}@example.org`
}

async function signedIn(on: Api = api) {
  const person = await newMailPerson(on)
  const visitor = newVisitor(on)
  await visitor.signIn(person)
  return { person, visitor }
}

test('a person has another name from now on, in history too', async () => {
  const { person, visitor } = await signedIn()
  expect((await visitor.request('GET', '/profile')).body).toEqual({
    name: 'Ada',
    email: person.email,
    pendingEmail: null,
    refusedEmail: null,
    emailConfirmedBy: 'OWNER',
  })
  expect((await visitor.request('PATCH', '/profile', { body: { name: ' Ada Lovelace ' } })).body.name).toBe(
    'Ada Lovelace',
  )
  expect((await visitor.request('GET', '/session')).body.user.name).toBe('Ada Lovelace')
  const made = await visitor.request('POST', '/post-sets', { body: api.draft() })
  expect(await api.history(made.body.id)).toMatchObject([{ actor_name: 'Ada Lovelace' }])
  for (const name of ['', ' ', 'x'.repeat(201), 'a\u0007b', 1]) {
    const answer = await visitor.request('PATCH', '/profile', { body: { name } })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'name' }] } })
  }
})

describe('the password', () => {
  test('is changed with the old one; the other sessions and the links of the person end', async () => {
    const { person, visitor } = await signedIn()
    const other = newVisitor(api)
    await other.signIn(person)
    const body = { password: person.password, newPassword: NEW }
    expect((await visitor.request('PUT', '/profile/password', { body })).status).toBe(204)
    expect((await visitor.request('GET', '/session')).status).toBe(200)
    expect((await other.request('GET', '/session')).status).toBe(401)
    expect((await other.signIn(person)).status).toBe(401)
    expect((await other.signIn({ ...person, password: NEW })).status).toBe(200)
    for (const secret of [person.password, NEW]) expect(api.logged()).not.toContain(secret)
  })

  test('is refused when it is no good, and the old one is asked for', async () => {
    const { person, visitor } = await signedIn()
    const { password, email } = person
    for (const newPassword of ['short', '1234567890', email, password]) {
      const answer = await visitor.request('PUT', '/profile/password', { body: { password, newPassword } })
      expect(answer, newPassword).toMatchObject({ status: 400, body: { errors: [{ path: 'newPassword' }] } })
    }
    for (let n = 0; n < 5; n += 1) {
      const body = { password: 'not the password', newPassword: NEW }
      const answer = await visitor.request('PUT', '/profile/password', { body })
      expect(answer).toMatchObject({ status: 403, body: { code: 'auth:password_confirmation_failed' } })
    }
    const body = { password, newPassword: NEW }
    expect((await visitor.request('PUT', '/profile/password', { body })).status).toBe(429)
    expect((await newVisitor(api).signIn(person)).status).toBe(200)
  })

  test('its change is reported by mail', async () => {
    const { person, visitor } = await signedIn(withMail)
    await visitor.request('PUT', '/profile/password', { body: { password: person.password, newPassword: NEW } })
    const { content } = await mail.next(person.email)
    expect(content).toMatch(/^Subject: Your password for Almanac has changed\r$/m)
    expect(content).not.toContain(NEW)
  })
})

describe('the address, with mail', () => {
  test('is another one when the link that went there was opened; the old one is reported before', async () => {
    const { person, visitor } = await signedIn(withMail)
    const email = newAddress()
    const asked = await visitor.request('PUT', '/profile/email', { body: { email, password: person.password } })
    expect(asked.body).toMatchObject({ email: person.email, pendingEmail: email, emailConfirmedBy: 'LINK' })
    const notice = (await mail.next(person.email)).content
    expect(notice).toMatch(/^Subject: Another address for your account at Almanac\r$/m)
    expect(notice).not.toMatch(/token=/)
    expect((await newVisitor(withMail).signIn(person)).status).toBe(200)

    const token = tokenIn((await mail.next(email)).content)
    const redeem = () => newVisitor(withMail).request('POST', '/email-changes/redeem', { body: { token } })
    expect(await redeem()).toMatchObject({ status: 200, body: { email } })
    expect(await redeem()).toMatchObject({ status: 410, body: { code: 'auth:link_over' } })
    expect((await visitor.request('GET', '/profile')).body).toMatchObject({ email, pendingEmail: null })
    expect((await newVisitor(withMail).signIn({ ...person, email })).status).toBe(200)
  })

  test('of one that is taken nothing is said, and nothing is sent there', async () => {
    const { person, visitor } = await signedIn(withMail)
    const other = await newMailPerson(withMail)
    const body = { email: other.email, password: person.password }
    const asked = await visitor.request('PUT', '/profile/email', { body })
    expect(asked.body).toMatchObject({ email: person.email, pendingEmail: other.email })
    await mail.next(person.email)
    expect(mail.mails.flatMap(({ to }) => to)).not.toContain(other.email)
  })

  test('only the newest link holds, and none when somebody took the address meanwhile', async () => {
    const { person, visitor } = await signedIn(withMail)
    const [first, second] = [newAddress(), newAddress()]
    const put = (email: string) =>
      visitor.request('PUT', '/profile/email', { body: { email, password: person.password } })
    const redeem = (token: string) => visitor.request('POST', '/email-changes/redeem', { body: { token } })
    await put(first)
    const older = tokenIn((await mail.next(first)).content)
    await put(second)
    const newer = tokenIn((await mail.next(second)).content)
    expect((await redeem(older)).status).toBe(410)
    const other = await newMailPerson(withMail)
    await withMail.db.updateTable('users').set({ email: second }).where('id', '=', other.userId).execute()
    expect((await redeem(newer)).status).toBe(409)
    expect((await visitor.request('GET', '/profile')).body.email).toBe(person.email)
  })

  test('the link is worth nothing once the person takes the request back', async () => {
    const { person, visitor } = await signedIn(withMail)
    const email = newAddress()
    await visitor.request('PUT', '/profile/email', { body: { email, password: person.password } })
    const token = tokenIn((await mail.next(email)).content)
    const back = await visitor.request('DELETE', '/profile/email')
    expect(back).toMatchObject({ status: 200, body: { email: person.email, pendingEmail: null } })
    expect((await visitor.request('POST', '/email-changes/redeem', { body: { token } })).status).toBe(410)
  })

  test('no one is flooded by it, and none is sent where none arrives', async () => {
    const { person, visitor } = await signedIn(withMail)
    const put = (email: string) =>
      visitor.request('PUT', '/profile/email', { body: { email, password: person.password } })
    expect((await put('owner@nowhere.invalid')).status).toBe(409)
    for (let n = 0; n < 5; n += 1) expect((await put(newAddress())).status).toBe(200)
    expect((await put(newAddress())).status).toBe(429)
  })
})

test.each([
  ['GET', '/profile'],
  ['PATCH', '/profile'],
  ['PUT', '/profile/email'],
  ['DELETE', '/profile/email'],
  ['PUT', '/profile/password'],
])('%s %s wants somebody who is signed in, on our own pages', async (method, path) => {
  const body = method === 'GET' ? undefined : {}
  expect((await newVisitor(api).request(method, path, { body })).status).toBe(401)
  const { visitor } = await signedIn()
  const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  expect((await visitor.request(method, path, { body, headers })).status).toBe(403)
  // A key of the API does not open them.
  expect(
    (await api.request(method, `/internal${path}`, { body, headers: { origin: 'https://almanac.test' } })).status,
  ).toBe(401)
})
