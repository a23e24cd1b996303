import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostSetStatus } from '#contract'
import { lockPostSet } from '#operations'
import { type Answer, type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
const remove = (id: string, options = {}) => api.request('DELETE', `/v1/post-sets/${id}`, options)
const reported = ({ status, body }: Answer) => [status, body.code]
const setStatus = (id: string, status: PostSetStatus) =>
  api.db.updateTable('post_sets').set({ status }).where('id', '=', id).execute()

describe('deleting a post set', () => {
  test.each(['DRAFT', 'SCHEDULED'])(
    'extension-02: of status %s takes it off the calendar with its posts; media and history stay',
    async (status) => {
      const mediaLibraryId = await api.newMedia()
      const { id } = await api.create({ status, posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId }] }] })
      const answer = await remove(id)
      expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([204, '', null])
      expect(reported(await api.request('GET', `/v1/post-sets/${id}`))).toEqual([404, 'post-set:not_found'])
      expect(reported(await remove(id))).toEqual([404, 'post-set:not_found'])
      expect((await api.request('GET', `/v1/media-library/${mediaLibraryId}`)).status).toBe(200)
      const posts = await api.db.selectFrom('posts').selectAll().where('post_set_id', '=', id).execute()
      expect(posts).toEqual([])
      const [, last] = await api.history(id)
      expect(last).toMatchObject({ action: 'deleted', actor_type: 'API_KEY', changes: { status } })
    },
  )

  test('extension-03: is refused when it is publishing, published or locked', async () => {
    for (const status of ['PUBLISHING', 'PUBLISHED'] as const) {
      const { id } = await api.create()
      await setStatus(id, status)
      expect(reported(await remove(id))).toEqual([412, 'post-set:read_only'])
    }
    const { id } = await api.create()
    await lockPostSet({ db: api.db }, id, OPERATOR)
    expect(reported(await remove(id))).toEqual([412, 'post-set:locked'])
    expect((await api.request('GET', `/v1/post-sets/${id}`)).status).toBe(200)
  })

  test('extension-02: needs the scope for writing, and of a scheduled set the one for publishing too', async () => {
    const draft = await api.create()
    const scheduled = await api.create({ status: 'SCHEDULED' })
    const noWrite = await api.newKey({ scopes: ['post-sets:publish', 'notes:write', 'media:write'] })
    for (const { id } of [draft, scheduled]) {
      expect(reported(await remove(id, { key: noWrite }))).toEqual([403, 'auth:insufficient_scope'])
    }
    const writes = await api.newKey({ scopes: ['post-sets:write'] })
    const refused = await remove(scheduled.id, { key: writes })
    expect(reported(refused)).toEqual([403, 'auth:insufficient_scope'])
    expect(refused.body.detail).toContain('post-sets:publish')
    const after = (await api.request('GET', `/v1/post-sets/${scheduled.id}`)).body
    expect(after).toMatchObject({ status: 'SCHEDULED', version: 1 })
    expect(await api.history(scheduled.id)).toHaveLength(1)
    expect((await remove(draft.id, { key: writes })).status).toBe(204)
    const both = await api.newKey({ scopes: ['post-sets:write', 'post-sets:publish'] })
    expect((await remove(scheduled.id, { key: both })).status).toBe(204)
  })

  test('extension-02: of a scheduled set is possible for a key that only writes, once it has parked the set as a draft', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    const key = await api.newKey({ scopes: ['post-sets:write'] })
    expect((await api.request('PATCH', `/v1/post-sets/${id}`, { key, body: { status: 'DRAFT' } })).status).toBe(200)
    expect((await remove(id, { key })).status).toBe(204)
  })

  test('extension-02: that waits while somebody schedules the set needs the scope for publishing', async () => {
    const { id } = await api.create()
    const key = await api.newKey({ scopes: ['post-sets:write'] })
    const { removal } = await api.db.transaction().execute(async (trx) => {
      await trx.selectFrom('post_sets').select('id').where('id', '=', id).forUpdate().execute()
      const asked = remove(id, { key })
      await untilSomeoneWaits(api.db)
      await trx.updateTable('post_sets').set({ status: 'SCHEDULED' }).where('id', '=', id).execute()
      return { removal: asked }
    })
    expect(reported(await removal)).toEqual([403, 'auth:insufficient_scope'])
    expect((await api.request('GET', `/v1/post-sets/${id}`)).body.status).toBe('SCHEDULED')
  })

  test("does not reach another account's sets, those outside of the key's, and what is no id", async () => {
    const { id } = await api.create()
    const accountId = await api.newAccount()
    const other = await api.newKey({ accountId })
    const restricted = await api.newKey({ socialSetIds: [await api.newSocialSet()] })
    for (const key of [other, restricted]) {
      expect(reported(await remove(id, { key }))).toEqual([404, 'post-set:not_found'])
    }
    expect(reported(await remove('x'))).toEqual([404, 'post-set:not_found'])
    expect((await api.request('GET', `/v1/post-sets/${id}`)).status).toBe(200)
  })

  test('ignores a body of JSON and refuses another', async () => {
    const { id } = await api.create()
    expect(reported(await remove(id, { raw: 'x', headers: { 'content-type': 'text/plain' } }))).toEqual([
      415,
      'request:unsupported_media_type',
    ])
    expect(reported(await remove(id, { raw: '{' }))).toEqual([400, 'request:invalid_json'])
    expect((await remove(id, { body: {} })).status).toBe(204)
  })
})
