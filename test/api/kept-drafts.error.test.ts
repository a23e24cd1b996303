import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Answer, type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let author: Person
beforeAll(async () => {
  api = await startApi()
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

const codeOf = ({ status, body }: Answer) => [status, body.code]
const pathsOf = ({ body }: Answer) => body.errors.map(({ path }: Body) => path)
const typed = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  postSetId: null,
  sequence: 1,
  basedOnVersion: null,
  excerpt: '',
  content: {},
  ...more,
})
const put = (id: string, more: object, query = '') =>
  author.request('PUT', `/kept-drafts/${id}${query}`, { body: typed(more) })
const nothingKept = async () => expect(await api.db.selectFrom('kept_drafts').selectAll().execute()).toEqual([])

test('bodies that cannot be used, each problem at its place', async () => {
  const id = newId()
  for (const [more, paths] of [
    [{ content: [] }, ['content']],
    [{ content: 'text' }, ['content']],
    [{ content: null }, ['content']],
    [{ content: undefined }, ['content']],
    [{ sequence: -1 }, ['sequence']],
    [{ sequence: 1.5 }, ['sequence']],
    [{ sequence: 2e15, basedOnVersion: 0 }, ['sequence', 'basedOnVersion']],
    [{ basedOnVersion: 2 ** 31 }, ['basedOnVersion']],
    [{ excerpt: 'x'.repeat(1_001) }, ['excerpt']],
    [{ postSetId: newId() }, ['postSetId']],
    [{ postSetId: 'x' }, ['postSetId']],
    [{ socialSetId: null }, ['socialSetId']],
    [{ userId: newId() }, ['userId']],
  ] as [object, string[]][]) {
    const answer = await put(id, more)
    expect([...codeOf(answer), pathsOf(answer).toSorted()], JSON.stringify(more)).toEqual([
      400,
      'request:invalid_body',
      paths.toSorted(),
    ])
  }
  await nothingKept()
})

test('an object that is too large, in bytes of JSON, and one of too many parts', async () => {
  const text = 'é'.repeat(131_100)
  const answer = await put(newId(), { content: { text } })
  expect(answer.body.errors).toEqual([
    {
      code: 'request:invalid_body',
      message: 'content must have at most 262144 bytes as JSON.',
      path: 'content',
      pointer: '#/content',
      limit: 262_144,
      actual: 262_211,
    },
  ])
  const parts = await put(newId(), { content: { parts: Array(20_001).fill(0) } })
  expect(codeOf(parts)).toEqual([400, 'request:invalid_body'])
  await nothingKept()
})

test('places that are not there', async () => {
  for (const socialSetId of [newId(), 'x']) {
    expect(codeOf(await put(newId(), { socialSetId }))).toEqual([404, 'social-set:not_found'])
    const listed = await author.request('GET', `/kept-drafts?socialSetId=${socialSetId}&x=1`)
    expect(codeOf(listed)).toEqual([404, 'social-set:not_found'])
  }
  const none = newId()
  expect(codeOf(await put(none, { postSetId: none }))).toEqual([404, 'post-set:not_found'])
  const [elsewhere, deleted] = [
    await api.create({ socialSetId: await api.newSocialSet({ connected: ['BLUESKY'] }) }),
    await api.create(),
  ]
  await author.request('DELETE', `/post-sets/${deleted.id}`)
  for (const { id } of [elsewhere, deleted]) {
    expect(codeOf(await put(id, { postSetId: id }))).toEqual([404, 'post-set:not_found'])
  }
  await nothingKept()
})

test('ids that nothing has', async () => {
  for (const id of [newId(), 'x', '%20']) {
    for (const method of ['GET', 'DELETE']) {
      expect(codeOf(await author.request(method, `/kept-drafts/${id}`))).toEqual([404, 'kept-draft:not_found'])
    }
  }
  expect(codeOf(await put('x', { postSetId: 'x' }))).toEqual([404, 'kept-draft:not_found'])
})

test('queries that cannot be used', async () => {
  const id = newId()
  for (const [method, path] of [
    ['GET', `/kept-drafts?socialSetId=${api.socialSetId}&page=1`],
    ['GET', `/kept-drafts/${id}?x=1`],
    ['DELETE', `/kept-drafts/${id}?sequence=-1`],
    ['DELETE', `/kept-drafts/${id}?sequence=2000000000000000`],
    ['DELETE', `/kept-drafts/${id}?x=1`],
  ] as const) {
    const { status, body } = await author.request(method, path)
    // What is not there is found first.
    const expected =
      method === 'GET' && path.includes(id) ? [404, 'kept-draft:not_found'] : [400, 'request:invalid_query']
    expect([status, body.code], path).toEqual(expected)
  }
  expect(codeOf(await put(id, {}, '?x=1'))).toEqual([400, 'request:invalid_query'])
})
