import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { purgeRemoved } from '#persistence'
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

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const typed = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  postSetId: null,
  sequence: 1,
  basedOnVersion: null,
  excerpt: 'Half a sen',
  content: { caption: 'Half a sen', networks: ['BLUESKY'], at: null },
  ...more,
})
async function put(id: string, more: object = {}, person = author): Promise<Body> {
  const answer = await person.request('PUT', `/kept-drafts/${id}`, { body: typed(more) })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const read = (id: string) => author.request('GET', `/kept-drafts/${id}`)
const list = async (socialSetId = api.socialSetId) =>
  (await author.request('GET', `/kept-drafts?socialSetId=${socialSetId}`)).body.data
const forget = (id: string, query = '') => author.request('DELETE', `/kept-drafts/${id}${query}`)

test('what is typed for a new post is kept, read, listed without its content, and forgotten', async () => {
  const id = newId()
  expect(await list()).toEqual([])
  const stored = await put(id, { sequence: 7, excerpt: '  Half\na \0 sen\ud83c' })
  expect(stored).toEqual({ stored: true, sequence: 7, updatedAt: TIME, ended: null })
  const light = {
    id,
    socialSetId: api.socialSetId,
    postSetId: null,
    basedOnVersion: null,
    sequence: 7,
    excerpt: 'Half a sen\ufffd',
    updatedAt: stored.updatedAt,
  }
  expect(await list()).toEqual([light])
  expect((await read(id)).body).toEqual({ ...light, content: typed().content })
  expect((await forget(id)).status).toBe(204)
  expect(await list()).toEqual([])
  expect((await read(id)).status).toBe(404)
})

test('each post set has one and new posts have several, the newest first, for each brand', async () => {
  const other = await api.newSocialSet()
  const [set, first, second, elsewhere] = [await api.create(), newId(), newId(), newId()]
  await put(first)
  await put(set.id, { postSetId: set.id, basedOnVersion: set.version })
  await put(second)
  await put(elsewhere, { socialSetId: other })
  await put(first, { sequence: 2 })
  const idsOf = (drafts: Body[]) => drafts.map(({ id }) => id)
  expect(idsOf(await list())).toEqual([first, second, set.id])
  expect(idsOf(await list(other))).toEqual([elsewhere])
  expect((await read(set.id)).body).toMatchObject({ postSetId: set.id, basedOnVersion: 1 })
})

test('the post set stays as it is, with its version, its history and its time of change', async () => {
  const set = await api.create({ status: 'SCHEDULED' })
  const content = { posts: [{ caption: 'Half a sentence' }], status: 'DRAFT' }
  await put(set.id, { postSetId: set.id, basedOnVersion: set.version, content })
  expect((await api.request('GET', `/v1/post-sets/${set.id}`)).body).toEqual(set)
  expect(await api.history(set.id)).toHaveLength(1)
})

test('a request that a newer one has overtaken stores nothing; the same again is stored', async () => {
  const id = newId()
  const newest = await put(id, { sequence: 5, content: { caption: 'newest' } })
  expect(await put(id, { sequence: 4, excerpt: 'late', basedOnVersion: 3, content: {} })).toEqual({
    ...newest,
    stored: false,
  })
  expect((await read(id)).body).toMatchObject({
    excerpt: 'Half a sen',
    basedOnVersion: null,
    content: { caption: 'newest' },
  })
  expect(await put(id, { sequence: 5, content: { caption: 'again' } })).toMatchObject({ stored: true, sequence: 5 })
  expect((await read(id)).body.content).toEqual({ caption: 'again' })
  const text = 'x'.repeat(10_000)
  await Promise.all([9, 6, 20, 7, 8, 19].map((sequence) => put(id, { sequence, content: { sequence, text } })))
  expect((await read(id)).body).toMatchObject({ sequence: 20, content: { sequence: 20 } })
})

test('what was forgotten does not come back by a request that was on its way', async () => {
  const id = newId()
  await put(id, { sequence: 5 })
  expect((await forget(id, '?sequence=6')).status).toBe(204)
  for (const sequence of [5, 6]) expect(await put(id, { sequence })).toMatchObject({ stored: false, sequence: 7 })
  expect(await list()).toEqual([])
  expect((await read(id)).status).toBe(404)
  expect((await forget(id)).status).toBe(404)
  const { rows } = await readRows(id)
  expect(rows).toMatchObject([{ content: null, excerpt: '' }])
  expect(await put(id, { sequence: 8 })).toMatchObject({ stored: true, sequence: 8 })
  // Without a sequence, all that came before.
  await forget(id)
  expect(await put(id, { sequence: 8 })).toMatchObject({ stored: false, sequence: 9 })
})
const readRows = async (id: string) => ({
  rows: await api.db.selectFrom('kept_drafts').selectAll().where('id', '=', id).execute(),
})

test('any object is kept as it is, also what no post can have', async () => {
  const id = newId()
  const content = JSON.parse(
    '{"b": "\\u0000", "a": "\\ud83c", "\\u0000\\udf83": [1.50, null, true, {"": []}], "__proto__": {"x": 1}, "🎃": "🎃"}',
  )
  await put(id, { content })
  const { body } = await read(id)
  expect(JSON.stringify(body.content)).toBe(JSON.stringify(content))
  await put(id, { content: {}, sequence: 2, excerpt: '' })
  expect((await read(id)).body).toMatchObject({ content: {}, excerpt: '' })
})

test('an object of the largest size is kept', async () => {
  const id = newId()
  const text = 'é'.repeat((262_144 - '{"text":""}'.length - 1) / 2)
  expect(Buffer.byteLength(JSON.stringify({ text: `${text}x` }))).toBe(262_144)
  await put(id, { content: { text: `${text}x` }, excerpt: text.slice(0, 1_000) })
  const { body } = await read(id)
  expect(body.content.text).toHaveLength(text.length + 1)
  expect(body.excerpt).toBe(`${'é'.repeat(119)}…`)
  expect((await list())[0]).not.toHaveProperty('content')
})

test('keeping takes one statement, however much there is', async () => {
  const cost = async (ask: () => Promise<unknown>) => {
    const before = api.queries()
    await ask()
    return api.queries() - before
  }
  const [id, set] = [newId(), await api.create()]
  await put(id)
  // What every request of a member takes.
  const member = await cost(() => author.request('GET', '/roles'))
  for (const [draft, more] of [
    [newId(), {}],
    [id, { sequence: 2, content: { text: 'x'.repeat(200_000) } }],
    [id, {}],
    [set.id, { postSetId: set.id }],
  ] as const) {
    expect(await cost(() => put(draft, more))).toBe(member + 1)
  }
})

test('that of a deleted post set is hidden, is back when the post set is restored, and goes with it', async () => {
  const [set, draft] = [await api.create(), newId()]
  await put(set.id, { postSetId: set.id })
  await put(draft)
  const editor = await signInAs(api, 'editor')
  await editor.request('DELETE', `/post-sets/${set.id}`)
  expect((await list()).map(({ id }: Body) => id)).toEqual([draft])
  expect((await read(set.id)).status).toBe(404)
  await editor.request('POST', `/post-sets/${set.id}/restore`)
  expect((await read(set.id)).status).toBe(200)
  await editor.request('DELETE', `/post-sets/${set.id}`)
  await api.db
    .updateTable('all_post_sets')
    .set({ removed_at: new Date('2020-01-01') })
    .where('id', '=', set.id)
    .execute()
  await purgeRemoved(api.db)
  expect((await readRows(set.id)).rows).toEqual([])
  expect((await readRows(draft)).rows).toHaveLength(1)
})

test('it goes with the brand, and with the member', async () => {
  const brand = await api.newSocialSet()
  const [ofBrand, ofMember, ofOther] = [newId(), newId(), newId()]
  const owner = await signInAs(api, 'owner')
  await put(ofBrand, { socialSetId: brand })
  await put(ofMember)
  await put(ofOther, {}, owner)
  await api.db.deleteFrom('social_sets').where('id', '=', brand).execute()
  expect((await readRows(ofBrand)).rows).toEqual([])
  const removed = await owner.request('DELETE', `/members/${author.userId}`, { body: { password: owner.password } })
  expect(removed.status, JSON.stringify(removed.body)).toBeLessThan(300)
  expect((await readRows(ofMember)).rows).toEqual([])
  expect((await readRows(ofOther)).rows).toHaveLength(1)
})

test('a hundred are kept, what was forgotten not among them; each of these can still change', async () => {
  const rows = Array.from({ length: 99 }, () => ({
    account_id: api.accountId,
    user_id: author.userId,
    id: newId(),
    social_set_id: api.socialSetId,
    sequence: 1,
    excerpt: '',
    content: '{}',
  }))
  await api.db.insertInto('kept_drafts').values(rows).execute()
  const [last, more] = [newId(), newId()]
  await put(last)
  const refused = await author.request('PUT', `/kept-drafts/${more}`, { body: typed() })
  expect([refused.status, refused.body.code]).toEqual([409, 'kept-draft:limit_reached'])
  expect(await put(last, { sequence: 2 })).toMatchObject({ stored: true })
  expect(await list()).toHaveLength(100)
  await forget(last)
  await put(more)
  const again = await author.request('PUT', `/kept-drafts/${last}`, { body: typed({ sequence: 9 }) })
  expect([again.status, again.body.code]).toEqual([409, 'kept-draft:limit_reached'])
  // Another member has a hundred of their own.
  await put(newId(), {}, await signInAs(api, 'author'))
})
