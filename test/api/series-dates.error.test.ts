import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'author')
})
afterAll(() => api.close())

const ask = (body: object) => person.request('POST', '/post-sets/series-dates', { body })

test.each([
  [{ scheduledAt: 'soon' }, 'scheduledAt'],
  [{ repeat: { interval: 'DAY', occurrences: 1 } }, 'repeat.occurrences'],
  [{ repeat: { interval: 'HOUR', occurrences: 2 } }, 'repeat.interval'],
  [{ scheduledAt: '2099-12-31T12:00:00Z', repeat: { interval: 'YEAR', occurrences: 3 } }, 'repeat.occurrences'],
])('%j is reported at %s', async (part, path) => {
  const good = { scheduledAt: '2030-06-01T08:00:00Z', repeat: { interval: 'DAY', occurrences: 2 } }
  const answer = await ask({ socialSetId: api.socialSetId, ...good, ...part })
  expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
  expect(answer.body.errors.map((entry: { path: string }) => entry.path)).toEqual([path])
})
