import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract'
import { type Answer, type Api, type Body, startApi } from '../_util/api/api.ts'
import { askFor, decide, newAddress, signInStatus } from '../_util/api/email-changes.ts'
import { invite } from '../_util/api/invitations.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const VERBS = ['confirm', 'refuse'] as const
const codeOf = ({ status, body }: Answer) => [status, body.code]
const WRONG_ROLE = [403, 'auth:insufficient_role']
const emailOf = async (person: Person) => (await person.request('GET', '/profile')).body.email
async function asking(role: Role = 'author') {
  const person = await signInAs(api, role)
  const email = newAddress()
  await askFor(person, email)
  return { person, email }
}

test.each<Role>(['admin', 'editor', 'author', 'reviewer'])(
  '%s neither decides nor sees what is asked for',
  async (role) => {
    const { person, email } = await asking()
    const someone = await signInAs(api, role)
    for (const verb of VERBS) expect(codeOf(await decide(someone, verb, person, email))).toEqual(WRONG_ROLE)
    const { body } = await someone.request('GET', '/members')
    expect(JSON.stringify(body)).not.toContain(email)
    expect(await emailOf(person)).toBe(person.email)
  },
)

test('no one confirms their own address, not even an owner', async () => {
  const { person, email } = await asking('owner')
  for (const verb of VERBS) expect(codeOf(await decide(person, verb, person, email))).toEqual(WRONG_ROLE)
  const { body } = await person.request('GET', '/members')
  expect(body.members.find(({ isYou }: Body) => isYou).pendingEmail).toBeNull()
  expect(await emailOf(person)).toBe(person.email)
})

test('to an owner of another account there is no such member', async () => {
  const { person, email } = await asking()
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  for (const verb of VERBS) {
    expect(codeOf(await decide(stranger, verb, person, email))).toEqual([404, 'member:not_found'])
  }
})

test('who owns an account alone gets no address past the owners of another one, with an accomplice neither', async () => {
  const accountId = await api.newAccount()
  const person = await signInAs(api, 'owner', { accountId })
  await newMember(api, api.accountId, { ...person, accountId: api.accountId }, { role: 'author' })
  const email = newAddress()
  expect((await askFor(person, email)).body).toMatchObject({ email: person.email, pendingEmail: email })
  const accomplice = await signInAs(api, 'owner', { accountId })
  expect((await decide(accomplice, 'confirm', person, email)).body).toMatchObject({ email: person.email })
  expect(await emailOf(person)).toBe(person.email)
  expect((await decide(owner, 'refuse', person, email)).status).toBe(200)
  expect(codeOf(await decide(accomplice, 'confirm', person, email))).toEqual([409, 'request:refused'])
  expect(await emailOf(person)).toBe(person.email)
})

test('a new password ends what somebody asked for with the old one', async () => {
  const { person, email } = await asking()
  const body = { password: person.password, newPassword: 'a password of this year' }
  expect((await person.request('PUT', '/profile/password', { body })).status).toBe(204)
  expect(codeOf(await decide(owner, 'confirm', person, email))).toEqual([409, 'request:refused'])
})

test('an invitation stays with the person it was meant for', async () => {
  const { person, email } = await asking()
  const accountId = await api.newAccount()
  const elsewhere = await signInAs(api, 'owner', { accountId })
  const { token } = await invite(elsewhere, { email })
  expect(codeOf(await decide(owner, 'confirm', person, email))).toEqual([409, 'request:refused'])
  const body = { token, name: 'Grace', password: 'a long enough secret' }
  const headers = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
  const accepted = await api.request('POST', '/internal/invitations/accept', { key: null, body, headers })
  expect(accepted).toMatchObject({ status: 200, body: { accountId, next: 'signed-in' } })
  expect(await signInStatus(api, person, email)).toBe(401)
  const { members } = (await elsewhere.request('GET', '/members')).body
  expect(members.find((row: Body) => row.email === email).userId).not.toBe(person.userId)
})

test('no session, a key and another site are refused', async () => {
  const { person, email } = await asking()
  for (const verb of VERBS) {
    const path = `/internal/members/${person.userId}/email/${verb}`
    const own = { origin: 'https://almanac.test' }
    const nobody = await api.request('POST', path, { key: null, body: { email }, headers: own })
    expect(codeOf(nobody)).toEqual([401, 'auth:not_signed_in'])
    const key = await api.request('POST', path, { body: { email }, headers: own })
    expect(codeOf(key)).toEqual([401, 'auth:not_signed_in'])
    const elsewhere = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', cookie: owner.cookie }
    const foreign = await api.request('POST', path, { key: null, body: { email }, headers: elsewhere })
    expect(codeOf(foreign)).toEqual([403, 'auth:cross_site_request'])
  }
  expect(await emailOf(person)).toBe(person.email)
})
