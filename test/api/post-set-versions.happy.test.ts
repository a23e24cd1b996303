import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockPostSet, unlockPostSet } from '#operations'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
const patch = (id: string, body: object, ifMatch?: string) =>
  api.request('PATCH', `/v1/post-sets/${id}`, { body, headers: ifMatch === undefined ? {} : { 'if-match': ifMatch } })

describe('the version of a post set', () => {
  test('extension-05: is in every answer, and in its entity tag', async () => {
    const created = await api.request('POST', '/v1/post-sets', { body: api.draft() })
    const { id } = created.body
    const read = await api.request('GET', `/v1/post-sets/${id}`)
    const changed = await patch(id, { approval: 'PENDING' })
    expect([created, read, changed].map(({ headers, body }) => [headers.get('etag'), body.version])).toEqual([
      ['"1"', 1],
      ['"1"', 1],
      ['"2"', 2],
    ])
    const { body } = await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}`)
    expect(body.data[0].version).toBe(2)
  })

  test('extension-05: rises with every change, and with nothing else', async () => {
    const { id, posts } = await api.create()
    const versions = []
    for (const body of [
      {},
      { status: 'DRAFT' },
      { scheduledAt: '2030-06-01T12:00:00+02:00' },
      { posts },
      { posts: [{ ...BLUESKY_POST, caption: 'again' }] },
      { scheduledAt: '2031-01-01T00:00:00Z' },
      { version: 1 },
    ]) {
      versions.push((await patch(id, body)).body.version)
    }
    expect(versions).toEqual([1, 1, 1, 1, 2, 3, 3])
    await lockPostSet({ db: api.db }, id, OPERATOR)
    await unlockPostSet({ db: api.db }, id, OPERATOR)
    expect((await api.request('GET', `/v1/post-sets/${id}`)).headers.get('etag')).toBe('"5"')
  })
})

describe('If-Match', () => {
  test('lets a change through that knows the version', async () => {
    const { id } = await api.create()
    expect((await patch(id, { approval: 'PENDING' }, '"1"')).status).toBe(200)
    expect((await patch(id, { approval: 'NONE' }, '"7", "2"')).status).toBe(200)
    expect((await patch(id, { approval: 'DENIED' }, '*')).status).toBe(200)
    expect((await patch(id, { approval: 'NONE' }, '"4"')).body.version).toBe(5)
  })

  test.each(['"2"', 'W/"1"', '1', 'x', '""', '"1'])(
    'problem-36, extension-06: %s does not match version 1',
    async (ifMatch) => {
      const { id } = await api.create()
      const refused = await patch(id, { approval: 'PENDING' }, ifMatch)
      expect([refused.status, refused.body.code]).toEqual([412, 'post-set:version_conflict'])
      const kept = await api.request('DELETE', `/v1/post-sets/${id}`, { headers: { 'if-match': ifMatch } })
      expect([kept.status, kept.body.code]).toEqual([412, 'post-set:version_conflict'])
      expect((await api.request('GET', `/v1/post-sets/${id}`)).body).toMatchObject({ version: 1, approval: 'NONE' })
    },
  )

  test('problem-36, extension-06: of two changes that know the same version, one gets through', async () => {
    const { id } = await api.create()
    const answers = await Promise.all(
      ['PENDING', 'DENIED', 'APPROVED'].map((approval) => patch(id, { approval }, '"1"')),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })
})
