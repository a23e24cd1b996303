import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
let made: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  made = (await api.create({ status: 'DRAFT' })).id
})
afterAll(() => api.close())

const PAST = '2020-01-01T10:00:00Z'
const FUTURE = '2030-01-01T10:00:00Z'
const ASKED = [409, 'post-set:publishes_at_once']
const read = async (id: string) => (await person.request('GET', `/post-sets/${id}`)).body
const bodyOf = (status: string, scheduledAt: string) => api.draft({ status, scheduledAt })
const create = (status: string, scheduledAt: string, query = '') =>
  person.request('POST', `/post-sets${query}`, { body: bodyOf(status, scheduledAt) })
const total = async () => {
  const { socialSetId } = await read(made)
  return (await person.request('GET', `/post-sets?socialSetId=${socialSetId}`)).body.pagination.total
}

describe('a member who schedules at a time that has passed', () => {
  test('is asked before a set is made', async () => {
    const before = await total()
    expect(statusAndCode(await create('SCHEDULED', PAST))).toEqual(ASKED)
    expect(statusAndCode(await create('SCHEDULED', PAST, '?publishNow=false'))).toEqual(ASKED)
    expect(await total()).toBe(before)
    expect((await create('DRAFT', PAST)).status).toBe(201)
    const now = await create('SCHEDULED', PAST, '?publishNow=true')
    expect([now.status, now.body.scheduledAt]).toEqual([201, '2020-01-01T10:00:00.000Z'])
  })

  test.each([
    ['moves a scheduled set there', 'SCHEDULED', FUTURE, { scheduledAt: PAST }],
    ['schedules a draft that lies there', 'DRAFT', PAST, { status: 'SCHEDULED' }],
    ['does both', 'DRAFT', FUTURE, { scheduledAt: PAST, status: 'SCHEDULED' }],
  ])('is asked when a change %s', async (_, status, scheduledAt, body) => {
    const { id } = (await create(status, scheduledAt)).body
    const patch = (query: string) => person.request('PATCH', `/post-sets/${id}${query}`, { body })
    expect(statusAndCode(await patch(''))).toEqual(ASKED)
    expect(await read(id)).toMatchObject({ status, version: 1 })
    expect((await patch('?publishNow=true')).status).toBe(200)
  })

  test('is asked when the first of a series goes there', async () => {
    const { id } = (await create('SCHEDULED', FUTURE)).body
    const body = { scheduledAt: PAST, scope: 'all' }
    expect(statusAndCode(await person.request('POST', `/post-sets/${id}/move`, { body }))).toEqual(ASKED)
  })

  test('is not asked about anything else', async () => {
    const { id } = (await create('DRAFT', FUTURE)).body
    for (const body of [{ scheduledAt: PAST }, { approval: 'PENDING' }, { scheduledAt: FUTURE, status: 'SCHEDULED' }]) {
      expect((await person.request('PATCH', `/post-sets/${id}`, { body })).status).toBe(200)
    }
  })

  test('gets all other problems first', async () => {
    const body = { ...bodyOf('SCHEDULED', PAST), posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(301) }] }
    expect(statusAndCode(await person.request('POST', '/post-sets', { body }))).toEqual([422, 'post-set:invalid_posts'])
  })
})

test('what else a query says is refused', async () => {
  for (const query of ['?publishNow=yes', '?publishNow=true&x=1', '?x=1']) {
    expect(statusAndCode(await create('DRAFT', FUTURE, query))).toEqual([400, 'request:invalid_query'])
  }
})

test('a key is not asked, and knows no such parameter or field', async () => {
  const body = bodyOf('SCHEDULED', PAST)
  const request = (path: string, sent: object) => api.request('POST', path, { body: sent })
  expect((await request('/v1/post-sets', body)).status).toBe(201)
  expect(statusAndCode(await request('/v1/post-sets?publishNow=true', body))).toEqual([400, 'request:invalid_query'])
  expect(statusAndCode(await request('/v1/post-sets', { ...body, publishNow: true }))).toEqual([
    400,
    'request:invalid_body',
  ])
  const patch = (query: string) =>
    api.request('PATCH', `/v1/post-sets/${made}${query}`, { body: { scheduledAt: PAST } })
  expect(statusAndCode(await patch('?publishNow=true'))).toEqual([400, 'request:invalid_query'])
  expect((await patch('')).status).toBe(200)
})
