import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { insertAccount } from '#persistence'
import { type Api, SETUP_CODE, startApi } from '../_util/api/api.ts'
import { newVisitor } from '../_util/api/visitor.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
beforeEach(async () => {
  api = await startApi({ rate: anyRate })
  await api.db.deleteFrom('accounts').execute()
})
afterEach(() => api.close())

const BODY = {
  code: SETUP_CODE,
  name: ' Ada Lovelace ',
  email: ' Ada@Example.com ',
  password: 'a password of this year',
  accountName: 'Engines',
  socialSetName: 'Analytical Engine',
  timezone: 'Europe/London',
}
const setUp = (change: object = {}, visitor = newVisitor(api)) =>
  visitor.request('POST', '/setup', { body: { ...BODY, ...change } })
const accounts = async () => (await api.db.selectFrom('accounts').select('name').execute()).map(({ name }) => name)

test('the first account comes with its owner, who is signed in, and a social set', async () => {
  const visitor = newVisitor(api)
  expect((await visitor.request('GET', '/setup')).body).toEqual({ needed: true })
  expect(await setUp({}, visitor)).toMatchObject({ status: 200, body: { next: 'signed-in' } })
  expect((await visitor.request('GET', '/session')).body).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@example.com' },
    account: { name: 'Engines', plan: 'SCALE' },
    role: 'owner',
    socialSetIds: null,
  })
  const { body } = await visitor.request('GET', '/social-sets')
  expect(body.data).toMatchObject([{ name: 'Analytical Engine', timezone: 'Europe/London' }])
  expect((await visitor.request('GET', '/setup')).body).toEqual({ needed: false })
  expect((await newVisitor(api).signIn({ email: 'ada@example.com', password: BODY.password })).status).toBe(200)
})

test('when there is an account, no other one is made this way, not even at the same moment', async () => {
  const answers = await Promise.all(
    [1, 2, 3].map((n) => setUp({ email: `ada${n}@example.com`, accountName: `No ${n}` })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await accounts()).toHaveLength(1)
  expect(await setUp({ email: 'late@example.com' })).toMatchObject({ status: 409, body: { code: 'request:refused' } })
  expect(await api.db.selectFrom('users').select('email').where('email', 'like', 'ada%').execute()).toHaveLength(1)
})

test('nor while somebody else is making one', async () => {
  const inserted = Promise.withResolvers<void>()
  const other = api.db.transaction().execute(async (trx) => {
    await insertAccount(trx, { id: newId(), name: 'Faster', slug: 'faster', plan: 'FREE' })
    inserted.resolve()
    await untilSomeoneWaits(api.db)
  })
  await inserted.promise
  const [answer] = await Promise.all([setUp(), other])
  expect(answer).toMatchObject({ status: 409, body: { code: 'request:refused' } })
  expect(await accounts()).toEqual(['Faster'])
})

test('without the code no one is faster than the operator', async () => {
  for (const code of ['', 'x', SETUP_CODE.slice(1), `${SETUP_CODE} `]) {
    expect(await setUp({ code })).toMatchObject({ status: 403, body: { code: 'auth:wrong_setup_code' } })
  }
  expect(await accounts()).toEqual([])
  for (let n = 4; n < 50; n += 1) await setUp({ code: 'x' })
  expect((await setUp({ code: 'x' })).status).toBe(429)
  expect(api.logged()).not.toContain(SETUP_CODE)
  // Strangers who guess do not keep the right one out.
  expect((await setUp()).status).toBe(200)
})

test('everything that is wrong is reported at its field, and nothing is left behind', async () => {
  const answer = await setUp({
    name: ' ',
    email: 'ada',
    password: 'short',
    accountName: 'x'.repeat(201),
    socialSetName: '\u0007',
    timezone: '+02:00',
  })
  expect(answer.status).toBe(400)
  const fields = answer.body.errors.map(({ path }: { path: string }) => path)
  expect(fields).toEqual(['name', 'email', 'password', 'accountName', 'socialSetName', 'timezone'])
  expect(await accounts()).toEqual([])
  expect((await setUp({ password: BODY.email.trim() })).status).toBe(400)
  expect((await setUp({ code: undefined })).status).toBe(400)
  expect((await setUp({ plan: 'SCALE' })).status).toBe(400)
})

test('it is answered to our own pages only', async () => {
  const headers = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  const answer = await newVisitor(api).request('POST', '/setup', { body: BODY, headers })
  expect(answer).toMatchObject({ status: 403, body: { code: 'auth:cross_site_request' } })
  expect(await accounts()).toEqual([])
})
