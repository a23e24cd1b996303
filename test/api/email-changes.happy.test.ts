import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { askFor, decide, newAddress, signInStatus } from '../_util/api/email-changes.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'

/** A new mail address where no mail can be sent to confirm it. */

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const profile = async (person: Person) => (await person.request('GET', '/profile')).body
const rowOf = async (reader: Person, person: Person) =>
  (await reader.request('GET', '/members')).body.members.find((row: Body) => row.userId === person.userId)

test('waits for an owner; until then, the old address signs in', async () => {
  const person = await signInAs(api, 'author')
  const email = newAddress()
  const asked = await askFor(person, ` ${email.toUpperCase()} `)
  expect(asked).toMatchObject({ status: 200, body: { email: person.email, pendingEmail: email } })
  expect(await signInStatus(api, person, email)).toBe(401)
  expect(await signInStatus(api, person, person.email)).toBe(200)
  expect(await rowOf(owner, person)).toMatchObject({ email: person.email, pendingEmail: email })

  const confirmed = await decide(owner, 'confirm', person, email)
  expect(confirmed).toMatchObject({ status: 200, body: { userId: person.userId, email, pendingEmail: null } })
  expect(await signInStatus(api, person, email)).toBe(200)
  expect(await signInStatus(api, person, person.email)).toBe(401)
  expect(await profile(person)).toMatchObject({ email, pendingEmail: null, refusedEmail: null })
  expect(await rowOf(owner, person)).toMatchObject({ email, pendingEmail: null })
})

test('that an owner refuses stays as it is, and the person sees who refused it until they ask again', async () => {
  const person = await signInAs(api, 'editor')
  const email = newAddress()
  await askFor(person, email)
  expect(await decide(owner, 'refuse', person, email)).toMatchObject({ status: 200, body: { pendingEmail: null } })
  expect(await profile(person)).toMatchObject({
    email: person.email,
    pendingEmail: null,
    refusedEmail: { email, refusedBy: 'Ada' },
  })
  expect(await rowOf(owner, person)).toMatchObject({ pendingEmail: null })
  await askFor(person, email)
  expect(await profile(person)).toMatchObject({ pendingEmail: email, refusedEmail: null })
  expect((await decide(owner, 'confirm', person, email)).body.email).toBe(email)
})

test('of an owner is confirmed by another owner', async () => {
  const other = await signInAs(api, 'owner')
  const email = newAddress()
  expect((await askFor(other, email)).body).toMatchObject({ pendingEmail: email, emailConfirmedBy: 'OWNER' })
  expect((await decide(owner, 'confirm', other, email)).body.email).toBe(email)
})

test('of the only owner needs the password alone', async () => {
  const only = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  expect(await profile(only)).toMatchObject({ emailConfirmedBy: 'PASSWORD' })
  const email = newAddress()
  expect((await askFor(only, email)).body).toMatchObject({ email, pendingEmail: null })
  expect(await signInStatus(api, only, email)).toBe(200)
})

test('is confirmed in every account that has another owner; one who owns several confirms in all of them', async () => {
  const accountId = await api.newAccount()
  const theirs = await signInAs(api, 'owner', { accountId })
  const inBoth = async () => {
    const person = await signInAs(api, 'author')
    await newMember(api, accountId, { ...person, accountId }, { role: 'author' })
    return person
  }
  const person = await inBoth()
  const email = newAddress()
  await askFor(person, email)
  expect((await decide(owner, 'confirm', person, email)).body).toMatchObject({
    email: person.email,
    pendingEmail: null,
  })
  expect(await rowOf(owner, person)).toMatchObject({ email: person.email, pendingEmail: null })
  expect(await profile(person)).toMatchObject({ email: person.email, pendingEmail: email })
  expect((await decide(theirs, 'confirm', person, email)).body).toMatchObject({ email, pendingEmail: null })

  const ofBoth = await signInAs(api, 'owner')
  await newMember(api, accountId, { ...ofBoth, accountId }, { role: 'owner' })
  const another = await inBoth()
  const second = newAddress()
  await askFor(another, second)
  const answer = await decide(ofBoth, 'confirm', another, second)
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ email: second })
})

test('that was asked for can be taken back, and another one asked for instead', async () => {
  const person = await signInAs(api, 'author')
  const [first, second] = [newAddress(), newAddress()]
  await askFor(person, first)
  expect((await askFor(person, second)).body.pendingEmail).toBe(second)
  expect(await person.request('DELETE', '/profile/email')).toMatchObject({ status: 200, body: { pendingEmail: null } })
  expect(await rowOf(owner, person)).toMatchObject({ pendingEmail: null })
})
