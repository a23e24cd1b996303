import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let author: Person
beforeAll(async () => {
  api = await startApi()
})
beforeEach(async () => {
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

const [writer, another] = [newId(), newId()]
const postSet = (caption: string) => ({
  socialSetId: api.socialSetId,
  scheduledAt: '2030-01-01T10:00:00Z',
  status: 'DRAFT',
  approval: 'NONE',
  posts: [{ accountType: 'BLUESKY', caption, media: [] }],
})
const write = (id: string, more: object, person = author) =>
  person.request('PUT', `/kept-drafts/${id}`, {
    body: {
      ...{ socialSetId: api.socialSetId, postSetId: null, basedOnVersion: null, excerpt: '', content: {} },
      ...{ sequence: 1, writer, seen: 0, ...more },
    },
  })
const saving = (id: string, more: object = {}) =>
  new URLSearchParams({ keptDraft: id, sequence: '1', seen: '1', writer, ...more }).toString()
const save = (id: string, more: object = {}, caption = 'Fresh bread') =>
  author.request('POST', `/post-sets?${saving(id, more)}`, { body: postSet(caption) })
const countSets = async () => (await api.db.selectFrom('all_post_sets').select('id').execute()).length

test('parameters that cannot be used, each named', async () => {
  const id = newId()
  const before = await countSets()
  for (const [query, paths] of [
    [`keptDraft=${id}`, ['keptDraft']],
    [`writer=${writer}&seen=1&sequence=1`, ['keptDraft']],
    [saving('x'), ['keptDraft']],
    [saving(id, { writer: 'x' }), ['writer']],
    [saving(id, { sequence: '-1' }), ['sequence']],
    [saving(id, { seen: '2000000000000000' }), ['seen']],
    [`${saving(id)}&sequence=2`, ['sequence']],
  ] as [string, string[]][]) {
    const { status, body } = await author.request('POST', `/post-sets?${query}`, { body: postSet('Fresh bread') })
    const found = [status, body.code, [...new Set(body.errors?.map(({ path }: Body) => path))]]
    expect(found, query).toEqual([400, 'request:invalid_query', expect.arrayContaining(paths)])
  }
  expect((await write(id, { writer: 'x' })).body.errors).toMatchObject([{ path: 'writer' }])
  expect((await write(id, { seen: -1 })).body.errors).toMatchObject([{ path: 'seen' }])
  expect((await author.request('DELETE', `/kept-drafts/${id}?writer=x`)).body.errors).toMatchObject([
    { path: 'writer' },
  ])
  expect(await countSets()).toBe(before)
})

test('a key has no text that could end with its request', async () => {
  const { status, body } = await api.request('POST', `/v1/post-sets?${saving(newId())}`, {
    body: postSet('Fresh bread'),
  })
  expect([status, body.code]).toEqual([400, 'request:invalid_query'])
})

test('nothing is saved over what another window wrote unseen', async () => {
  const id = newId()
  await write(id, { sequence: 5, writer: another })
  const refused = await save(id)
  expect([refused.status, refused.body.code]).toEqual([409, 'kept-draft:changed'])
  expect((await author.request('GET', `/kept-drafts/${id}`)).status).toBe(200)
  const discarded = await author.request('DELETE', `/kept-drafts/${id}?sequence=9&seen=1&writer=${writer}`)
  expect([discarded.status, discarded.body.code]).toEqual([409, 'kept-draft:changed'])
  expect((await save(id, { seen: '5' })).status).toBe(201)

  const set = await api.create()
  await write(set.id, { sequence: 5, writer: another, postSetId: set.id, basedOnVersion: 1 })
  const body = { posts: [{ ...set.posts[0], caption: 'Rye' }] }
  const edit = await author.request('PATCH', `/post-sets/${set.id}?${saving(set.id)}`, { body })
  expect([edit.status, edit.body.code]).toEqual([409, 'kept-draft:changed'])
  expect((await api.request('GET', `/v1/post-sets/${set.id}`)).body).toEqual(set)
})

test('other words under an id that was saved are no second try', async () => {
  const id = newId()
  const first = await save(id)
  expect(first.status).toBe(201)
  const other = await save(id, { sequence: '2' }, 'Rye')
  expect([other.status, other.body.code]).toEqual([409, 'kept-draft:saved'])
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body).toEqual(first.body)
})

test('an id is taken where nobody else has it', async () => {
  // What was left of its draft may have gone since: then it was saved before.
  const set = await api.create()
  const taken = await save(set.id)
  expect([taken.status, taken.body.code]).toEqual([409, 'kept-draft:saved'])
  const colleague = await signInAs(api, 'author')
  const id = newId()
  await write(id, {}, colleague)
  const typed = await save(id)
  expect([typed.status, typed.body.code]).toEqual([409, 'kept-draft:id_taken'])
  expect((await colleague.request('GET', `/kept-drafts/${id}`)).status).toBe(200)
  expect(await api.db.selectFrom('kept_drafts').select('id').where('id', '=', set.id).execute()).toEqual([])
})
