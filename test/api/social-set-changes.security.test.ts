import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '#contract'
import { type Answer, type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const codeOf = ({ status, body }: Answer) => [status, body?.code]
const onOne = (person: Person, id: string) => [
  person.request('PATCH', `/social-sets/${id}`, { body: { name: 'Mine now' } }),
  person.request('PATCH', `/social-sets/${id}`, { body: { timezone: 'Asia/Tokyo', keep: 'clock' } }),
  person.request('GET', `/social-sets/${id}/timezone-change?timezone=UTC`),
]

test.each<Role>(['editor', 'author', 'reviewer'])('%s makes and changes no social set', async (role) => {
  const person = await signInAs(api, role)
  const made = person.request('POST', '/social-sets', { body: { name: 'Mine', timezone: 'UTC' } })
  for (const answer of [made, ...onOne(person, api.socialSetId)]) {
    expect(codeOf(await answer)).toEqual([403, 'auth:insufficient_role'])
  }
})

test("another account's social sets, and those outside of what is seen, are not there", async () => {
  const accountId = await api.newAccount()
  const theirs = await api.newSocialSet({ accountId })
  const owner = await signInAs(api, 'owner')
  const other = await api.newSocialSet({ name: 'Other' })
  const narrow = await signInAs(api, 'admin', { socialSetIds: [other] })
  for (const answer of [...onOne(owner, theirs), ...onOne(narrow, api.socialSetId)]) {
    expect(codeOf(await answer)).toEqual([404, 'social-set:not_found'])
  }
})

test('a change of one social set leaves the others of the account alone', async () => {
  const owner = await signInAs(api, 'owner')
  const here = await api.newSocialSet({ connected: ['BLUESKY'] })
  const set = await api.create({ scheduledAt: '2030-06-01T10:00:00Z' })
  const changed = await owner.request('PATCH', `/social-sets/${here}`, {
    body: { timezone: 'Asia/Tokyo', keep: 'clock' },
  })
  expect(changed.body.moved.postSets).toBe(0)
  expect((await owner.request('GET', `/post-sets/${set.id}`)).body.scheduledAt).toBe('2030-06-01T10:00:00.000Z')
})

test('no session, a key and another site are refused', async () => {
  const owner = await signInAs(api, 'owner')
  const from = { origin: 'https://almanac.test' }
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', `/${api.socialSetId}`],
  ] as const) {
    const url = `/internal/social-sets${path}`
    expect(codeOf(await api.request(method, url, { key: null, body: {}, headers: from }))).toEqual([
      401,
      'auth:not_signed_in',
    ])
    expect(codeOf(await api.request(method, url, { body: {}, headers: from }))).toEqual([401, 'auth:not_signed_in'])
    const headers = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', cookie: owner.cookie }
    expect(codeOf(await api.request(method, url, { key: null, body: {}, headers }))).toEqual([
      403,
      'auth:cross_site_request',
    ])
  }
})

test('the API has no such routes for keys', async () => {
  const made = await api.request('POST', '/v1/social-sets', { body: { name: 'By a key', timezone: 'UTC' } })
  expect(codeOf(made)).toEqual([405, 'request:method_not_allowed'])
})
