import { afterAll, beforeAll, expect, test } from 'vitest'
import { ERRORS, POST_PROBLEMS } from '#contract'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, type Body, type RequestOptions, startApi } from '../_util/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const MEMBERS = ['code', 'detail', 'errors', 'message', 'requestId', 'status', 'title', 'type']
const ENTRY_MEMBERS = ['accountType', 'actual', 'code', 'limit', 'message', 'path', 'pointer']

const broken = () => ({
  body: api.draft({ status: 'SCHEDULED', posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(301) }] }),
})
const readOnly = async () => {
  const { id } = await api.create()
  await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id).execute()
  return `/v1/post-sets/${id}`
}

test.each<[number, string, () => Promise<[string, string, RequestOptions?]>]>([
  [400, 'a body that is no JSON', async () => ['POST', '/v1/post-sets', { raw: '{' }]],
  [400, 'a body of another shape', async () => ['POST', '/v1/post-sets', { body: { nonsense: 1 } }]],
  [400, 'a query', async () => ['GET', '/v1/post-sets?colour=red']],
  [401, 'no credential', async () => ['GET', '/v1/social-sets', { key: null }]],
  [401, 'a wrong credential', async () => ['GET', '/v1/social-sets', { key: 'alm_x' }]],
  [403, 'a scope', async () => ['POST', '/v1/post-sets', { key: await api.newKey({ scopes: [] }), body: api.draft() }]],
  [404, 'a set', async () => ['GET', `/v1/post-sets/${newId()}`]],
  [404, 'a route', async () => ['GET', '/v1/nothing']],
  [405, 'a method', async () => ['PUT', '/v1/post-sets']],
  [406, 'another form', async () => ['GET', '/v1/social-sets', { headers: { accept: 'text/html' } }]],
  [412, 'a state', async () => ['PATCH', await readOnly(), { body: {} }]],
  [413, 'a large body', async () => ['POST', '/v1/post-sets', { raw: JSON.stringify('x'.repeat(1_100_000)) }]],
  [
    415,
    'a body of another type',
    async () => ['POST', '/v1/post-sets', { raw: 'x', headers: { 'content-type': 'text/csv' } }],
  ],
  [422, 'rules', async () => ['POST', '/v1/post-sets', broken()]],
])(
  'problem-01, problem-02, problem-04, problem-06, problem-09: %i because of %s has the members of a problem, all of them and no other',
  async (status, _, make) => {
    const [method, path, options] = await make()
    const { body, headers, ...answer } = await api.request(method, path, options)
    expect(answer.status).toBe(status)
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/)
    expect(Object.keys(body).toSorted()).toEqual(MEMBERS)
    expect(body).toMatchObject({
      type: `https://almanac.test/docs/errors/${body.code}`,
      title: ERRORS[body.code as keyof typeof ERRORS].title,
      status,
      message: body.detail,
      requestId: headers.get('x-request-id'),
    })
    expect(ERRORS[body.code as keyof typeof ERRORS].status).toBe(status)
    for (const entry of body.errors as Body[]) {
      expect(ENTRY_MEMBERS).toEqual(expect.arrayContaining(Object.keys(entry)))
      expect(Object.keys({ ...ERRORS, ...POST_PROBLEMS })).toContain(entry.code)
      expect(entry.pointer).toMatch(/^#/)
    }
  },
)
