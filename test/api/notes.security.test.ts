import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Note } from '#contract'
import { type Answer, type Api, startApi } from '../_util/api/api.ts'

let api: Api
let note: Note
beforeAll(async () => {
  api = await startApi({ plans: { STARTER: { apiAccess: false } } })
  note = (await create(api.socialSetId)).body
})
afterAll(() => api.close())

const reported = ({ status, body }: Answer) => [status, body.code]
const create = (socialSetId: string, key = api.key) =>
  api.request('POST', '/v1/notes', {
    key,
    body: { socialSetId, content: 'hello', hexColor: '#faf785', scheduledAt: '2030-06-01T10:00:00Z' },
  })
const NOT_FOUND = [404, 'note:not_found']
const NO_SOCIAL_SET = [404, 'social-set:not_found']
const list = (socialSetId: string, key: string) =>
  api.request('GET', `/v1/notes?socialSetId=${socialSetId}&filters[startDate]=2030-01-01&filters[endDate]=2030-12-01`, {
    key,
  })

describe('what lies outside of what a key sees is not there', () => {
  test("notes-10: another account's, and of other social sets", async () => {
    const accountId = await api.newAccount()
    const other = await api.newKey({ accountId })
    const restricted = await api.newKey({ socialSetIds: [await api.newSocialSet()] })
    for (const key of [other, restricted]) {
      expect(reported(await api.request('GET', `/v1/notes/${note.id}`, { key }))).toEqual(NOT_FOUND)
      expect(reported(await api.request('PATCH', `/v1/notes/${note.id}`, { key, body: { content: 'x' } }))).toEqual(
        NOT_FOUND,
      )
      expect(reported(await api.request('DELETE', `/v1/notes/${note.id}`, { key }))).toEqual(NOT_FOUND)
      expect(reported(await create(api.socialSetId, key))).toEqual(NO_SOCIAL_SET)
      expect(reported(await list(api.socialSetId, key))).toEqual(NO_SOCIAL_SET)
    }
    expect((await api.request('GET', `/v1/notes/${note.id}`)).body).toEqual(note)
  })

  test('what lies inside is, and may be changed', async () => {
    const socialSetId = await api.newSocialSet()
    const key = await api.newKey({ socialSetIds: [socialSetId] })
    const { status, body: made } = await create(socialSetId, key)
    expect(status).toBe(201)
    expect((await list(socialSetId, key)).body).toEqual([made])
    expect((await api.request('GET', `/v1/notes/${made.id}`, { key })).body).toEqual(made)
    expect((await api.request('PATCH', `/v1/notes/${made.id}`, { key, body: { content: 'x' } })).status).toBe(200)
    expect((await api.request('DELETE', `/v1/notes/${made.id}`, { key })).status).toBe(204)
  })

  test('what is no id', async () => {
    for (const id of ['x', '1', '019a9c6f-91d4-7e55-b1a0-5d6c7b8a9f01', "' or 1=1", '%00']) {
      expect(reported(await api.request('GET', `/v1/notes/${encodeURIComponent(id)}`))).toEqual(NOT_FOUND)
      expect(reported(await api.request('PATCH', `/v1/notes/${encodeURIComponent(id)}`, { body: {} }))).toEqual(
        NOT_FOUND,
      )
      expect(reported(await api.request('DELETE', `/v1/notes/${encodeURIComponent(id)}`))).toEqual(NOT_FOUND)
    }
    expect(reported(await list('x', api.key))).toEqual(NO_SOCIAL_SET)
  })
})

test('without a key, or on a plan without the API, there are no notes at all', async () => {
  const accountId = await api.newAccount({ plan: 'STARTER' })
  const socialSetId = await api.newSocialSet({ accountId })
  const closed = await api.newKey({ accountId })
  const body = { content: 'x' }
  for (const [key, refused] of [
    [null, [401, 'auth:missing_credential']],
    [closed, [403, 'plan:api_access_not_available']],
  ] as const) {
    const answers = [
      await api.request('GET', `/v1/notes?socialSetId=${socialSetId}`, { key }),
      await api.request('POST', '/v1/notes', { key, body: { ...body, socialSetId } }),
      await api.request('GET', `/v1/notes/${note.id}`, { key }),
      await api.request('PATCH', `/v1/notes/${note.id}`, { key, body }),
      await api.request('DELETE', `/v1/notes/${note.id}`, { key }),
    ]
    expect(answers.map(reported)).toEqual(Array(5).fill(refused))
  }
})

describe('scopes', () => {
  test('notes-11, notes-23, auth-10: reading needs none, writing needs notes:write and nothing else', async () => {
    const reads = await api.newKey({ scopes: ['post-sets:write', 'post-sets:publish', 'media:write'] })
    const writes = await api.newKey({ scopes: ['notes:write'] })
    expect((await api.request('GET', `/v1/notes/${note.id}`, { key: reads })).status).toBe(200)
    expect((await list(api.socialSetId, reads)).status).toBe(200)
    const denied = [403, 'auth:insufficient_scope']
    expect(reported(await create(api.socialSetId, reads))).toEqual(denied)
    expect(reported(await api.request('PATCH', `/v1/notes/${note.id}`, { key: reads, body: {} }))).toEqual(denied)
    expect(reported(await api.request('DELETE', '/v1/notes/x', { key: reads }))).toEqual(denied)
    const { body: made } = await create(api.socialSetId, writes)
    expect((await api.request('PATCH', `/v1/notes/${made.id}`, { key: writes, body: { content: 'x' } })).status).toBe(
      200,
    )
    expect((await api.request('DELETE', `/v1/notes/${made.id}`, { key: writes })).status).toBe(204)
  })

  test('order-03, order-05: what is missing is reported before what is not there, and that before what is wrong', async () => {
    const reads = await api.newKey({ scopes: [] })
    expect(reported(await api.request('PATCH', '/v1/notes/x', { key: reads, raw: '{' }))[1]).toBe(
      'auth:insufficient_scope',
    )
    expect(reported(await api.request('PATCH', '/v1/notes/x', { body: { content: 1 } }))).toEqual(NOT_FOUND)
    expect(reported(await api.request('PATCH', `/v1/notes/${note.id}`, { body: { content: 1 } }))[0]).toBe(400)
    expect(reported(await api.request('POST', '/v1/notes', { body: { socialSetId: 'x', content: 1 } }))).toEqual(
      NO_SOCIAL_SET,
    )
    expect(reported(await api.request('GET', '/v1/notes?socialSetId=x&page=1'))).toEqual(NO_SOCIAL_SET)
  })
})
