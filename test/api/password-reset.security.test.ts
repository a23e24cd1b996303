import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '#identity'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MailServer, startMailServer, tokenIn } from '../_util/api/mail-server.ts'
import { newMailPerson, newPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({
    trustProxy: true,
    mailer: createMailer({ smtpUrl: mail.url, from: 'almanac@example.com' }),
  })
})
afterAll(async () => {
  await api.close()
  await mail.close()
})

const ask = (email: string, from = '198.51.100.1') =>
  newVisitor(api, { 'x-forwarded-for': from }).request('POST', '/password-resets', { body: { email } })

test('the answer does not reveal who is a user', async () => {
  const person = await newMailPerson(api)
  const [known, unknown] = [await ask(person.email), await ask('nobody@example.com')]
  expect(known.status).toBe(unknown.status)
  expect(known.body).toEqual(unknown.body)
  await mail.next(person.email)
  expect(mail.mails.flatMap(({ to }) => to)).not.toContain('nobody@example.com')
})

test('an owner without an address of its own is sent nothing', async () => {
  const person = await newPerson(api)
  expect(person.email).toMatch(/\.invalid$/)
  expect((await ask(person.email)).status).toBe(200)
  const other = await newMailPerson(api)
  await ask(other.email)
  await mail.next(other.email)
  expect(mail.mails.flatMap(({ to }) => to)).not.toContain(person.email)
})

test('of the token the database holds SHA-256 alone, and the log nothing', async () => {
  const person = await newMailPerson(api)
  await ask(person.email)
  const token = tokenIn((await mail.next(person.email)).content)
  const rows = await api.db.selectFrom('user_links').selectAll().where('user_id', '=', person.userId).execute()
  expect(rows).toMatchObject([{ token_hash: createHash('sha256').update(token).digest() }])
  expect(JSON.stringify(rows)).not.toContain(token)
  const body = { token, password: 'a password of this year' }
  await newVisitor(api).request('POST', '/password-resets/redeem', { body })
  for (const secret of [token, body.password]) expect(api.logged()).not.toContain(secret)
})

test('no one is flooded: three mails in 15 minutes, no matter where they are requested from', async () => {
  const person = await newMailPerson(api)
  for (let n = 0; n < 6; n += 1) expect((await ask(person.email, `198.51.100.${10 + n}`)).status).toBe(200)
  const sent = () => mail.mails.filter(({ to }) => to.includes(person.email))
  await expect.poll(sent).toHaveLength(3)
  // What is sent behind those that would be too many is here when those would be, too.
  const other = await newMailPerson(api)
  await ask(other.email, '198.51.100.20')
  await mail.next(other.email)
  expect(sent()).toHaveLength(3)
})

test('one client asks 20 times in 15 minutes', async () => {
  for (let n = 0; n < 20; n += 1) expect((await ask(`nobody-${n}@example.com`, '198.51.100.99')).status).toBe(200)
  expect((await ask('nobody@example.com', '198.51.100.99')).status).toBe(429)
})

test('a link for a new address is none for a new password, and the other way round', async () => {
  const person = await newMailPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const email = `new-${person.email}`
  await visitor.request('PUT', '/profile/email', { body: { email, password: person.password } })
  const emailToken = tokenIn((await mail.next(email)).content)
  const body = { token: emailToken, password: 'a password of this year' }
  expect((await visitor.request('POST', '/password-resets/redeem', { body })).status).toBe(410)
  await ask(person.email, '198.51.100.30')
  await mail.next(person.email)
  const token = tokenIn((await mail.next(person.email)).content)
  expect((await visitor.request('POST', '/email-changes/redeem', { body: { token } })).status).toBe(410)
  expect((await visitor.request('POST', '/email-changes/redeem', { body: { token: emailToken } })).status).toBe(200)
})

test.each(['/password-resets', '/password-resets/look', '/password-resets/redeem', '/email-changes/redeem'])(
  '%s is answered to our own pages only',
  async (path) => {
    const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
    const answer = await newVisitor(api).request('POST', path, { body: {}, headers })
    expect(answer).toMatchObject({ status: 403, body: { code: 'auth:cross_site_request' } })
  },
)
