import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const drawnFor = (userId: string, accountId: string) => ({ headers: { 'almanac-acting-as': `${userId}.${accountId}` } })

test('what a page asks for another person or another account is not done by this session', async () => {
  const other = await signInAs(api, 'owner')
  const body = { name: 'Misplaced' }
  for (const page of [drawnFor(other.userId, api.accountId), drawnFor(person.userId, other.userId)]) {
    const made = await person.request('POST', '/labels', { body, ...page })
    expect(statusAndCode(made)).toEqual([409, 'auth:acting_as_another'])
    expect(statusAndCode(await person.request('GET', '/labels', page))).toEqual([409, 'auth:acting_as_another'])
  }
  const { body: labels } = await person.request('GET', '/labels')
  expect(JSON.stringify(labels)).not.toContain('Misplaced')
})

test('a page that is drawn for the session is answered, and so is one that does not say for whom it is', async () => {
  const own = drawnFor(person.userId, api.accountId)
  expect((await person.request('POST', '/labels', { body: { name: 'Placed' }, ...own })).status).toBeLessThan(300)
  expect((await person.request('GET', '/labels')).status).toBe(200)
})

test('it does not reveal whether a person is signed in', async () => {
  const nobody = await person.request('GET', '/labels', { headers: { cookie: '', 'almanac-acting-as': 'a.b' } })
  expect(statusAndCode(nobody)).toEqual([401, 'auth:not_signed_in'])
})
