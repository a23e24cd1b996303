import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, cardsOf, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
})
afterAll(() => api.close())

/** Four sets, a day apart, in a social set of their own. */
async function series() {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  await api.create({ socialSetId, scheduledAt: '2030-06-03T08:00:00Z', repeat: { interval: 'DAY', occurrences: 4 } })
  const there = async () => (await cardsOf(api, person, [['socialSetId', socialSetId]])).map(({ id }) => id)
  const ids = await there()
  return { ids, there, id: (index: number) => ids[index] ?? '' }
}
const remove = (id: string, body: object, headers: Record<string, string> = {}) =>
  done(person.request('POST', `/post-sets/${id}/remove`, { body, headers }))

test.each([
  ['this', [1]],
  ['following', [1, 2, 3]],
  ['all', [0, 1, 2, 3]],
] as const)('the scope %s is taken off, by time, and comes back with one undo', async (scope, gone) => {
  const { ids, there, id } = await series()
  const { removed, left } = await remove(id(1), { scope })
  expect(removed.map((set: { id: string }) => set.id)).toEqual(gone.map((index) => id(index)))
  expect(removed).toContainEqual({ id: id(1), at: '2030-06-04T08:00:00.000Z', version: 1 })
  expect(left).toEqual([])
  expect(await there()).toEqual(ids.filter((_, index) => !(gone as readonly number[]).includes(index)))
  const back = await act.bulk(removed, { restore: true })
  expect(back.refused).toEqual([])
  expect(await there()).toEqual(ids)
})

test('a preview shows the same and takes nothing off', async () => {
  const { ids, there, id } = await series()
  const reported = await remove(id(1), { scope: 'following', preview: true })
  expect(await there()).toEqual(ids)
  expect(await remove(id(1), { scope: 'following' })).toEqual(reported)
})

test('what is locked or sent stays, and is reported', async () => {
  const { there, id } = await series()
  await act.lock(id(1))
  await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id(2)).execute()
  const { removed, left } = await remove(id(0), { scope: 'all' })
  expect(removed).toHaveLength(2)
  expect(left).toEqual([
    { id: id(1), why: expect.objectContaining({ message: expect.stringMatching(/^It was locked by /) }) },
    { id: id(2), why: expect.objectContaining({ message: 'It has been published.' }) },
  ])
  expect(await there()).toEqual([id(1), id(2)])
})

test('each has its entry in the history', async () => {
  const { id } = await series()
  await remove(id(0), { scope: 'all' })
  expect((await api.history(id(3))).at(-1)).toMatchObject({ action: 'deleted', actor_name: 'Ada' })
})

test('a set of no series is taken off alone, with any scope', async () => {
  const { id } = await api.create()
  const { removed } = await remove(id, { scope: 'all' })
  expect(removed.map((set: { id: string }) => set.id)).toEqual([id])
})
