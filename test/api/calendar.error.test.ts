import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, calendarQuery, NO_SET, NO_SOCIAL_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'author')
})
afterAll(() => api.close())

const ask = (...more: [string, string][]) => person.request('GET', calendarQuery(api, more))

test.each([
  ['from', 'yesterday'],
  ['to', '2030-02-30'],
  ['to', '2030-05-01'],
  ['to', '2030-07-27'],
  ['filters[series]', 'first'],
  ['filters[outcome][]', 'LOST'],
  ['filters[status][]', 'FAILED'],
  ['filters[accountTypes][]', 'LINKEDIN'],
  ['filters[search]', 'ab'],
  ['filters[startDate]', '2030-06-01'],
  ['page', '1'],
])('%s=%s is refused by its name', async (name, value) => {
  const answer = await ask([name, value])
  expect(statusAndCode(answer)).toEqual([400, 'request:invalid_query'])
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(
    name === 'to' && value === '2030-05-01' ? ['from'] : [name],
  )
})

test('62 days are taken, no matter what the clocks do meanwhile', async () => {
  // Summer time ends in between: the last day has 62 × 24 hours and one more before it.
  expect((await ask(['from', '2030-10-01'], ['to', '2030-12-02'])).status).toBe(200)
  expect((await ask(['from', '2030-10-01'], ['to', '2030-12-02T00:00:01'])).status).toBe(400)
  const equal = await ask(['from', '2030-06-01'], ['to', '2030-06-01'])
  expect([equal.status, equal.body.cards, equal.body.notes]).toEqual([200, [], []])
})

test('what is required is asked for, all at once, but not before the social set is known', async () => {
  const missing = await person.request('GET', '/calendar')
  expect(statusAndCode(missing)).toEqual([400, 'request:invalid_query'])
  expect(missing.body.errors.map(({ path }: { path: string }) => path)).toEqual(['from', 'to'])
  expect(statusAndCode(await person.request('GET', '/calendar?socialSetId=nonsense&from=x'))).toEqual(NO_SOCIAL_SET)
  expect(statusAndCode(await person.request('GET', `/calendar/authors?socialSetId=${newId()}`))).toEqual(NO_SOCIAL_SET)
})

test('a set that is not there has neither history nor deliveries', async () => {
  for (const id of [newId(), 'nonsense']) {
    expect(statusAndCode(await person.request('GET', `/post-sets/${id}/history`))).toEqual(NO_SET)
    expect(statusAndCode(await person.request('GET', `/post-sets/${id}/deliveries`))).toEqual(NO_SET)
  }
  const { id } = await api.create()
  expect(statusAndCode(await person.request('GET', `/post-sets/${id}/history?size=0`))).toEqual([
    400,
    'request:invalid_query',
  ])
  expect(statusAndCode(await person.request('GET', `/post-sets/${id}/deliveries?x=1`))).toEqual([
    400,
    'request:invalid_query',
  ])
})
