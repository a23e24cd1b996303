import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type Api, type Body, startApi } from '../_util/api/api.ts'
import { askFor, decide, newAddress } from '../_util/api/email-changes.ts'
import { invite } from '../_util/api/invitations.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const codeOf = ({ status, body }: Answer) => [status, body.code]
const REFUSED = [409, 'request:refused']
const emailOf = async (person: Person) => (await person.request('GET', '/profile')).body.email

test('an address that is none, is taken, or the wrong password is refused', async () => {
  const person = await signInAs(api, 'author')
  for (const email of [
    'ada',
    'ada@',
    'a b@example.com',
    'ada@localhost',
    person.email,
    `${'x'.repeat(250)}@a.example`,
  ]) {
    expect(await askFor(person, email), email).toMatchObject({ status: 400, body: { errors: [{ path: 'email' }] } })
  }
  expect(codeOf(await askFor(person, owner.email))).toEqual(REFUSED)
  const wrong = { email: newAddress(), password: 'not the password' }
  expect((await person.request('PUT', '/profile/email', { body: wrong })).status).toBe(403)
  expect((await person.request('GET', '/profile')).body).toMatchObject({ email: person.email, pendingEmail: null })
})

test('an address that an account has invited is not free, neither when it is asked for nor when it is confirmed', async () => {
  const person = await signInAs(api, 'author')
  const accountId = await api.newAccount()
  const elsewhere = await signInAs(api, 'owner', { accountId })
  const [invited, later] = [newAddress(), newAddress()]
  const { invitation } = await invite(elsewhere, { email: invited })
  const refused = await askFor(person, invited)
  expect(codeOf(refused)).toEqual(REFUSED)
  // The same words as for one that is taken: whom others invite is not reported.
  expect(refused.body.detail).toBe((await askFor(person, owner.email)).body.detail)

  expect((await askFor(person, later)).status).toBe(200)
  await invite(elsewhere, { email: later })
  expect(codeOf(await decide(owner, 'confirm', person, later))).toEqual(REFUSED)
  expect(await emailOf(person)).toBe(person.email)

  await elsewhere.request('DELETE', `/invitations/${invitation.id}`)
  expect((await askFor(person, invited)).status).toBe(200)
  expect((await decide(owner, 'confirm', person, invited)).status).toBe(200)
})

test('an owner decides about the address that was shown, once', async () => {
  const person = await signInAs(api, 'author')
  const [first, second] = [newAddress(), newAddress()]
  await askFor(person, first)
  await askFor(person, second)
  for (const verb of ['confirm', 'refuse'] as const) {
    expect(codeOf(await decide(owner, verb, person, first))).toEqual(REFUSED)
  }
  await decide(owner, 'refuse', person, second)
  for (const verb of ['confirm', 'refuse'] as const) {
    expect(codeOf(await decide(owner, verb, person, second))).toEqual(REFUSED)
  }
  expect(await emailOf(person)).toBe(person.email)
})

test('a decision wants an address and nothing else', async () => {
  const { userId } = await newMember(api, api.accountId)
  const post = (body: unknown, query = '') =>
    owner.request('POST', `/members/${userId}/email/confirm${query}`, { body })
  expect(codeOf(await post({}))).toEqual([400, 'request:invalid_body'])
  expect(codeOf(await post({ email: 'a@example.org', now: true }))).toEqual([400, 'request:invalid_body'])
  expect(codeOf(await post({ email: 'a@example.org' }, '?now=1'))).toEqual([400, 'request:invalid_query'])
  const absent = await owner.request('POST', '/members/nobody/email/confirm', { body: { email: 'a@example.org' } })
  expect(codeOf(absent)).toEqual([404, 'member:not_found'])
})

test('two people who ask for the same address do not both get it', async () => {
  const [one, two] = [await signInAs(api, 'author'), await signInAs(api, 'author')]
  const email = newAddress()
  await askFor(one, email)
  await askFor(two, email)
  const answers = await Promise.all([one, two].map((person) => decide(owner, 'confirm', person, email)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('two only owners who want the same address at once do not both get it', async () => {
  const alone = async () => signInAs(api, 'owner', { accountId: await api.newAccount() })
  const [one, two] = [await alone(), await alone()]
  const email = newAddress()
  const answers = await Promise.all([one, two].map((person) => askFor(person, email)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('what is confirmed while the person takes it back does not happen', async () => {
  const person = await signInAs(api, 'author')
  const email = newAddress()
  await askFor(person, email)
  const { asked } = await api.db.transaction().execute(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', person.userId).forUpdate().execute()
    const asked = decide(owner, 'confirm', person, email)
    await untilSomeoneWaits(api.db)
    await trx.deleteFrom('email_changes').where('user_id', '=', person.userId).execute()
    return { asked }
  })
  expect(codeOf(await asked)).toEqual(REFUSED)
  expect(await emailOf(person)).toBe(person.email)
})

test('owners are not flooded with requests', async () => {
  const person = await signInAs(api, 'author')
  for (let n = 0; n < 5; n += 1) expect((await askFor(person, newAddress())).status).toBe(200)
  expect(codeOf(await askFor(person, newAddress()))).toEqual([429, 'auth:too_many_attempts'])
})

test('what no owner has decided is over after 14 days', async () => {
  const person = await signInAs(api, 'author')
  const email = newAddress()
  await askFor(person, email)
  const age = (days: number) =>
    api.db
      .updateTable('email_changes')
      .set({ requested_at: sql<Date>`almanac_now() - make_interval(days => ${days}, mins => 1)` })
      .where('user_id', '=', person.userId)
      .execute()
  const shown = async () => {
    const { members } = (await owner.request('GET', '/members')).body
    return [
      members.find((row: Body) => row.userId === person.userId).pendingEmail,
      (await person.request('GET', '/profile')).body.pendingEmail,
    ]
  }
  await age(13)
  expect(await shown()).toEqual([email, email])
  await age(14)
  expect(await shown()).toEqual([null, null])
  expect(codeOf(await decide(owner, 'confirm', person, email))).toEqual(REFUSED)
  expect(codeOf(await decide(owner, 'refuse', person, email))).toEqual(REFUSED)
  // The time begins again with another request.
  await askFor(person, email)
  expect(await shown()).toEqual([email, email])
  expect((await decide(owner, 'confirm', person, email)).status).toBe(200)
})
