import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostSetStatus } from '#contract'
import { lockPostSet } from '#operations'
import { type Answer, type Api, BLUESKY_POST, startApi } from '../_util/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
const remove = (id: string, options = {}) => api.request('DELETE', `/v1/post-sets/${id}`, options)
const told = ({ status, body }: Answer) => [status, body.code]
const setStatus = (id: string, status: PostSetStatus) =>
  api.db.updateTable('post_sets').set({ status }).where('id', '=', id).execute()

describe('deleting a post set', () => {
  test.each(['DRAFT', 'SCHEDULED'])(
    'of status %s takes it off the calendar with its posts; media and history stay',
    async (status) => {
      const mediaLibraryId = await api.newMedia()
      const { id } = await api.create({ status, posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId }] }] })
      const answer = await remove(id)
      expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([204, '', null])
      expect(told(await api.request('GET', `/v1/post-sets/${id}`))).toEqual([404, 'post-set:not_found'])
      expect(told(await remove(id))).toEqual([404, 'post-set:not_found'])
      expect((await api.request('GET', `/v1/media-library/${mediaLibraryId}`)).status).toBe(200)
      const posts = await api.db.selectFrom('posts').selectAll().where('post_set_id', '=', id).execute()
      expect(posts).toEqual([])
      const [, last] = await api.history(id)
      expect(last).toMatchObject({ action: 'deleted', actor_type: 'API_KEY', changes: { status } })
    },
  )

  test('is refused when it is publishing, published or locked', async () => {
    for (const status of ['PUBLISHING', 'PUBLISHED'] as const) {
      const { id } = await api.create()
      await setStatus(id, status)
      expect(told(await remove(id))).toEqual([412, 'post-set:read_only'])
    }
    const { id } = await api.create()
    await lockPostSet({ db: api.db }, id, OPERATOR)
    expect(told(await remove(id))).toEqual([412, 'post-set:locked'])
    expect((await api.request('GET', `/v1/post-sets/${id}`)).status).toBe(200)
  })

  test('needs the scope of writing and no other', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    const reads = await api.newKey({ scopes: ['post-sets:publish', 'notes:write', 'media:write'] })
    expect(told(await remove(id, { key: reads }))).toEqual([403, 'auth:insufficient_scope'])
    const writes = await api.newKey({ scopes: ['post-sets:write'] })
    expect((await remove(id, { key: writes })).status).toBe(204)
  })

  test("does not reach another account's sets, those outside of the key's, and what is no id", async () => {
    const { id } = await api.create()
    const accountId = await api.newAccount()
    const other = await api.newKey({ accountId })
    const restricted = await api.newKey({ socialSetIds: [await api.newSocialSet()] })
    for (const key of [other, restricted]) {
      expect(told(await remove(id, { key }))).toEqual([404, 'post-set:not_found'])
    }
    expect(told(await remove('x'))).toEqual([404, 'post-set:not_found'])
    expect((await api.request('GET', `/v1/post-sets/${id}`)).status).toBe(200)
  })

  test('ignores a body of JSON and refuses another', async () => {
    const { id } = await api.create()
    expect(told(await remove(id, { raw: 'x', headers: { 'content-type': 'text/plain' } }))).toEqual([
      415,
      'request:unsupported_media_type',
    ])
    expect(told(await remove(id, { raw: '{' }))).toEqual([400, 'request:invalid_json'])
    expect((await remove(id, { body: {} })).status).toBe(204)
  })
})
