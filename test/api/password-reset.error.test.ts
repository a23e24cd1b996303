import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createMailer } from '#identity'
import { makeResetLinkFor, Refusal } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { untilWaiting } from '../_util/api/invitations.ts'
import { startMailServer, tokenIn } from '../_util/api/mail-server.ts'
import { type KnownPerson, newMailPerson, newVisitor } from '../_util/api/visitor.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ trustProxy: true })
})
afterAll(() => api.close())

const NEW = 'a password of this year'
const deps = () => ({ db: api.db, publicUrl: 'https://almanac.test' })
const linkFor = async ({ email }: KnownPerson) => tokenIn((await makeResetLinkFor(deps(), email)).link)
const redeem = (token: string, password = NEW) =>
  newVisitor(api).request('POST', '/password-resets/redeem', { body: { token, password } })

test('a link is good for an hour', async () => {
  const person = await newMailPerson(api)
  const token = await linkFor(person)
  await api.setClock(new Date(Date.now() + 3_599_000).toISOString())
  expect((await newVisitor(api).request('POST', '/password-resets/look', { body: { token } })).status).toBe(200)
  await api.setClock(new Date(Date.now() + 3_601_000).toISOString())
  expect(await redeem(token)).toMatchObject({ status: 410, body: { code: 'auth:link_over' } })
  await api.setClock(null)
  expect((await newVisitor(api).signIn(person)).status).toBe(200)
})

test('and for one use, also at the same moment; then the other links of the person are over, too', async () => {
  const person = await newMailPerson(api)
  const [token, other] = [await linkFor(person), await linkFor(person)]
  const answers = await Promise.all([redeem(token), redeem(token), redeem(token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 410, 410])
  expect((await redeem(other)).status).toBe(410)
})

test.each(['', 'x', 'A'.repeat(43), '../../etc', 'A'.repeat(200)])('the token %j opens nothing', async (token) => {
  expect((await newVisitor(api).request('POST', '/password-resets/look', { body: { token } })).status).toBe(410)
  expect(await redeem(token)).toMatchObject({ status: 410, body: { code: 'auth:link_over' } })
})

test.each([
  ['short', /at least 10/],
  ['password1234', /tries first/],
])('the password %j is refused, and the link stays good', async (password, words) => {
  const person = await newMailPerson(api)
  const token = await linkFor(person)
  const answer = await redeem(token, password)
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'password', message: expect.stringMatching(words) }] },
  })
  expect((await redeem(token, person.email)).status).toBe(400)
  expect((await redeem(token)).status).toBe(204)
})

test.each([{}, { email: 'anna' }, { email: 1 }, { email: 'anna@example.com', other: true }])(
  '%j does not ask for a link',
  async (body) => {
    const answer = await newVisitor(api).request('POST', '/password-resets', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'request:invalid_body' } })
  },
)

test('guessing tokens ends after 30', async () => {
  const visitor = newVisitor(api, { 'x-forwarded-for': '198.51.100.77' })
  const look = () => visitor.request('POST', '/password-resets/look', { body: { token: 'B'.repeat(43) } })
  for (let n = 0; n < 30; n += 1) expect((await look()).status).toBe(410)
  expect((await look()).status).toBe(429)
})

test('a link and a change of password at the same moment do not wait for each other forever', async () => {
  const person = await newMailPerson(api)
  const visitor = newVisitor(api)
  await visitor.signIn(person)
  const token = await linkFor(person)
  const asked = await api.db.transaction().execute(async (trx) => {
    await trx.selectFrom('user_links').select('user_id').where('user_id', '=', person.userId).forUpdate().execute()
    const byLink = redeem(token)
    await untilWaiting(api, 1)
    const body = { password: person.password, newPassword: 'another password of this year' }
    const byMember = visitor.request('PUT', '/profile/password', { body })
    await untilWaiting(api, 2)
    return [byLink, byMember]
  })
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([204, 204])
})

test('the operator is reported when there is no such user', async () => {
  await expect(makeResetLinkFor(deps(), 'nobody@example.com')).rejects.toThrow(Refusal)
})

test('a mail that the server does not take is reported in the log, and to no caller', async () => {
  const mail = await startMailServer()
  mail.refuse()
  const other = await startApi({ mailer: createMailer({ smtpUrl: mail.url, from: 'almanac@example.com' }) })
  try {
    const person = await newMailPerson(other)
    const asked = await newVisitor(other).request('POST', '/password-resets', { body: { email: person.email } })
    expect(asked).toMatchObject({ status: 200, body: { byMail: true } })
    await vi.waitUntil(() => other.logged().includes('A mail could not be sent'), { timeout: 10_000, interval: 10 })
    expect(other.logged()).toMatch(/"code":"EENVELOPE".*"responseCode":550/)
    for (const text of ['token=', person.email, person.userId, 'no one of that name']) {
      expect(other.logged()).not.toContain(text)
    }
  } finally {
    await other.close()
    await mail.close()
  }
})
