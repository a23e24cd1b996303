import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Answer, type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let author: Person
beforeAll(async () => {
  api = await startApi()
})
// One each: no one asks more often than one person may.
beforeEach(async () => {
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

const codeOf = ({ status, body }: Answer) => [status, body.code]
const pathsOf = ({ body }: Answer) => body.errors.map(({ path }: Body) => path)
const post = (body: object, query = '') => author.request('POST', `/hashtag-groups${query}`, { body })
const patch = (id: string, body: object) => author.request('PATCH', `/hashtag-groups/${id}`, { body })
const create = async (socialSetId: string, name: string) => (await post({ socialSetId, name, tags: ['a'] })).body
const groups = () => api.db.selectFrom('hashtag_groups').selectAll().orderBy('id').execute()

test('bodies that cannot be used, each problem at its place', async () => {
  const socialSetId = await api.newSocialSet()
  const { id } = await create(socialSetId, 'Autumn')
  const before = await groups()
  const tags = ['good']
  const bad = ['two words', '', '#', ' ', 'a#b', '##a', 'a\nb', 'a\u202eb', 'x'.repeat(101)]
  const both: [object, string[]][] = [
    [{ name: 1, tags: 'x' }, ['name', 'tags']],
    [{ name: 'A', tags: [] }, ['tags']],
    [{ name: 'A', tags: Array.from({ length: 31 }, (_, at) => `t${at}`) }, ['tags']],
    [{ name: 'A', tags: ['good', 5] }, ['tags[1]']],
    [{ name: 'A', tags: ['good', ...bad] }, bad.map((_, at) => `tags[${at + 1}]`)],
    [{ name: ' ', tags }, ['name']],
    [{ name: 'x'.repeat(61), tags }, ['name']],
    [{ name: 'two\nlines', tags: ['a b'] }, ['name', 'tags[0]']],
    [{ name: 'A', tags: ['a\0b'] }, ['tags[0]']],
    [{ name: 'A', tags, color: null }, ['color']],
  ]
  const created: [object, string[]][] = [
    [{ name: 'A' }, ['tags']],
    [{ tags }, ['name']],
  ]
  const expectRefused = (answer: Answer, body: object, paths: string[]) =>
    expect([...codeOf(answer), pathsOf(answer)], JSON.stringify(body)).toEqual([400, 'request:invalid_body', paths])
  for (const [body, paths] of [...both, ...created]) expectRefused(await post({ socialSetId, ...body }), body, paths)
  for (const [body, paths] of both) expectRefused(await patch(id, body), body, paths)
  const answer = await post({ socialSetId, name: 'A', tags: ['two words'] })
  expect(answer.body.errors[0].message).toBe(
    'tags[0] must be one hashtag, without spaces and with # at its beginning alone.',
  )
  expect(await groups()).toEqual(before)
})

test('a name is the only one of its brand, ignoring case, also for many who take it at once', async () => {
  const socialSetId = await api.newSocialSet()
  const cafe = await create(socialSetId, 'Café')
  const other = await create(socialSetId, 'Other')
  for (const name of ['Café', 'CAFÉ', ' café ', 'Cafe\u0301']) {
    for (const answer of [await post({ socialSetId, name, tags: ['a'] }), await patch(other.id, { name })]) {
      expect(codeOf(answer)).toEqual([409, 'hashtag-group:name_taken'])
      expect(answer.body.message).toBe('A hashtag group named “Café” already exists.')
    }
  }
  expect((await patch(cafe.id, { name: 'CAFÉ' })).status).toBe(200)
  const many = Array.from({ length: 10 }, (_, at) => post({ socialSetId, name: at % 2 ? 'Same' : 'SAME', tags: ['a'] }))
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, ...Array(9).fill(409)])
})

test('a brand has fifty groups at most, also when several are created at once', async () => {
  const socialSetId = await api.newSocialSet()
  const rows = Array.from({ length: 48 }, (_, at) => ({
    id: newId(),
    account_id: api.accountId,
    social_set_id: socialSetId,
    name: `Group ${at}`,
    tags: ['#a'],
  }))
  await api.db.insertInto('hashtag_groups').values(rows).execute()
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => post({ socialSetId, name: `New ${at}`, tags: ['a'] })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409])
  expect(codeOf(await post({ socialSetId, name: 'Group 0', tags: ['a'] }))).toEqual([
    409,
    'hashtag-group:limit_reached',
  ])
  await author.request('DELETE', `/hashtag-groups/${rows[0]?.id}`)
  expect((await post({ socialSetId, name: 'Group 0', tags: ['a'] })).status).toBe(201)
})

test('what is not there, before all other problems', async () => {
  for (const id of [newId(), 'x', '%20']) {
    for (const answer of [await patch(id, { name: '' }), await author.request('DELETE', `/hashtag-groups/${id}?x=1`)]) {
      expect(codeOf(answer)).toEqual([404, 'hashtag-group:not_found'])
    }
  }
  for (const socialSetId of [newId(), 'x']) {
    expect(codeOf(await post({ socialSetId, name: '' }))).toEqual([404, 'social-set:not_found'])
    const listed = await author.request('GET', `/hashtag-groups?x=1&socialSetId=${socialSetId}`)
    expect(codeOf(listed)).toEqual([404, 'social-set:not_found'])
  }
  const { id } = await create(await api.newSocialSet(), 'Twice')
  const twice = await Promise.all([1, 2].map(() => author.request('DELETE', `/hashtag-groups/${id}`)))
  expect(twice.map(({ status }) => status).toSorted()).toEqual([204, 404])
})

test('queries that cannot be used', async () => {
  for (const answer of [
    await author.request('GET', '/hashtag-groups'),
    await author.request('GET', `/hashtag-groups?socialSetId=${api.socialSetId}&page=1`),
    await post({ socialSetId: api.socialSetId, name: 'A', tags: ['a'] }, '?x=1'),
  ]) {
    expect(codeOf(answer)).toEqual([400, 'request:invalid_query'])
  }
})
