import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '#identity'
import { makeResetLinkFor } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MailServer, startMailServer, tokenIn } from '../_util/api/mail-server.ts'
import { totp } from '../_util/api/totp.ts'
import { enrolled } from '../_util/api/two-factor.ts'
import { newMailPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ mailer: createMailer({ smtpUrl: mail.url, from: 'Almanac <almanac@example.com>' }) })
})
afterAll(async () => {
  await api.close()
  await mail.close()
})

const NEW = 'a password of this year'

test('somebody asks for a link, gets it by mail and chooses a new password with it', async () => {
  const person = await newMailPerson(api)
  const elsewhere = newVisitor(api)
  await elsewhere.signIn(person)
  const visitor = newVisitor(api)
  expect((await visitor.request('GET', '/password-resets')).body).toEqual({ byMail: true })
  const asked = await visitor.request('POST', '/password-resets', { body: { email: person.email.toUpperCase() } })
  expect(asked).toMatchObject({ status: 200, body: { byMail: true } })

  const received = await mail.next(person.email)
  expect(received).toMatchObject({ from: 'almanac@example.com', to: [person.email] })
  expect(received.content).toContain('https://almanac.test/dashboard/reset-password#token=')
  expect(received.content).toMatch(/^Subject: A new password for Almanac\r$/m)
  const token = tokenIn(received.content)
  const look = () => visitor.request('POST', '/password-resets/look', { body: { token } })
  expect((await look()).body).toEqual({ email: person.email })
  const body = { token, password: NEW }
  expect((await visitor.request('POST', '/password-resets/redeem', { body })).status).toBe(204)

  expect((await elsewhere.request('GET', '/session')).status).toBe(401)
  expect((await visitor.signIn(person)).status).toBe(401)
  expect((await visitor.signIn({ ...person, password: NEW })).body).toEqual({ next: 'signed-in' })
  expect((await look()).status).toBe(410)
  expect((await mail.next(person.email)).content).toMatch(/^Subject: Your password for Almanac has changed\r$/m)
})

test('the link of the operator does the same, and the second step stays', async () => {
  const { person, secret } = await enrolled(api)
  const deps = { db: api.db, publicUrl: 'https://almanac.test' }
  const { link } = await makeResetLinkFor(deps, ` ${person.email.toUpperCase()}`)
  const visitor = newVisitor(api)
  const body = { token: tokenIn(link), password: NEW }
  expect((await visitor.request('POST', '/password-resets/redeem', { body })).status).toBe(204)
  expect((await visitor.signIn({ ...person, password: NEW })).body).toEqual({ next: 'second-step' })
  const code = { code: totp(secret, 1) }
  expect((await visitor.request('POST', '/session/second-step', { body: code })).status).toBe(200)
})

test('where no mail is sent, the page can say so', async () => {
  const without = await startApi()
  try {
    const visitor = newVisitor(without)
    expect((await visitor.request('GET', '/password-resets')).body).toEqual({ byMail: false })
    const asked = await visitor.request('POST', '/password-resets', { body: { email: 'anna@example.com' } })
    expect(asked).toMatchObject({ status: 200, body: { byMail: false } })
  } finally {
    await without.close()
  }
})
