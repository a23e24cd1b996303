import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let author: Person
beforeAll(async () => {
  api = await startApi()
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
async function create(socialSetId: string, name: string, tags: string[]): Promise<Body> {
  const answer = await author.request('POST', '/hashtag-groups', { body: { socialSetId, name, tags } })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const list = async (socialSetId: string) =>
  (await author.request('GET', `/hashtag-groups?socialSetId=${socialSetId}`)).body.data

test('a group is created, listed by name, renamed, changed and deleted', async () => {
  const id = await api.newSocialSet()
  expect(await list(id)).toEqual([])
  const winter = await create(id, '  Winter ', ['snow', '#Ice'])
  expect(winter).toEqual({
    id: expect.any(String),
    socialSetId: id,
    name: 'Winter',
    tags: ['#snow', '#Ice'],
    createdAt: TIME,
    updatedAt: TIME,
  })
  const autumn = await create(id, 'Autumn', ['leaves'])
  expect(await list(id)).toEqual([autumn, winter])
  expect(await list(await api.newSocialSet())).toEqual([])

  const change = async (body: object) => (await author.request('PATCH', `/hashtag-groups/${winter.id}`, { body })).body
  expect(await change({ name: 'WINTER' })).toEqual({ ...winter, name: 'WINTER', updatedAt: TIME })
  expect(await change({ tags: ['frost'] })).toMatchObject({ name: 'WINTER', tags: ['#frost'] })
  expect(await change({})).toMatchObject({ name: 'WINTER', tags: ['#frost'] })
  expect((await author.request('DELETE', `/hashtag-groups/${winter.id}`)).status).toBe(204)
  expect(await list(id)).toEqual([autumn])
})

test('hashtags are kept with their sign, in their order, each once', async () => {
  const id = await api.newSocialSet()
  const { tags } = await create(id, 'All kinds', [
    ' #b ',
    'a',
    '＃c',
    '#B',
    'Café',
    'CAFE\u0301',
    '日本',
    '🎃',
    'l·l',
    '#2026',
  ])
  expect(tags).toEqual(['#b', '#a', '#c', '#Café', '#日本', '#🎃', '#l·l', '#2026'])
})

test('brands may have groups of one name, and of the longest', async () => {
  const tags = Array.from({ length: 30 }, (_, at) => `${at}${'🎃'.repeat(98)}`)
  for (const id of [await api.newSocialSet(), await api.newSocialSet()]) {
    const created = await create(id, '🎃'.repeat(60), tags)
    expect(created).toMatchObject({ name: '🎃'.repeat(60), tags: tags.map((tag) => `#${tag}`) })
    expect(await list(id)).toEqual([created])
  }
})
