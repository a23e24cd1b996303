import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROLES } from '#contract'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import {
  anyRate,
  done,
  NO_SOCIAL_SET,
  NOT_SIGNED_IN,
  OTHER_SITE,
  statusAndCode,
} from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const PATH = '/post-sets/series-dates'
const planOf = (socialSetId: string) => ({
  socialSetId,
  scheduledAt: '2030-06-01T08:00:00Z',
  repeat: { interval: 'DAY', occurrences: 2 },
})
const ask = (person: Person, socialSetId = api.socialSetId) =>
  person.request('POST', PATH, { body: planOf(socialSetId) })

test.each(ROLES)('%s may ask, and nothing is made by it', async (role) => {
  const count = async () => (await api.db.selectFrom('post_sets').select('id').execute()).length
  const before = await count()
  expect((await done(ask(await signInAs(api, role)))).dates).toHaveLength(2)
  expect(await count()).toBe(before)
})

test('a social set that is not there, or not seen, is reported as not there', async () => {
  expect(statusAndCode(await ask(await signInAs(api, 'owner'), newId()))).toEqual(NO_SOCIAL_SET)
  const limited = await signInAs(api, 'owner', { socialSetIds: [newId()] })
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  for (const person of [limited, stranger]) expect(statusAndCode(await ask(person))).toEqual(NO_SOCIAL_SET)
})

test('no one is let in without a session, with a key, or from another site', async () => {
  const body = planOf(api.socialSetId)
  const headers = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
  const path = `/internal${PATH}`
  expect(statusAndCode(await api.request('POST', path, { key: null, body, headers }))).toEqual(NOT_SIGNED_IN)
  expect(statusAndCode(await api.request('POST', path, { body, headers }))).toEqual(NOT_SIGNED_IN)
  const person = await signInAs(api, 'owner')
  const evil = { origin: 'https://evil.test' }
  expect(statusAndCode(await person.request('POST', PATH, { body, headers: evil }))).toEqual(OTHER_SITE)
})
