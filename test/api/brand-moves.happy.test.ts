import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done } from '../_util/browser/dashboard-api.ts'

/** What a move to another brand counts, and what both histories say of it. */

const LIMIT = 3

let api: Api
let bakery: string
let person: Person
let act: ReturnType<typeof actionsOf>
beforeAll(async () => {
  api = await startApi({ rate: anyRate, plans: { SCALE: { monthlyPosts: LIMIT } } })
  bakery = await api.newSocialSet({ name: 'Bakery', connected: ['BLUESKY'] })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
})
afterAll(() => api.close())

type Version = { id: string; version: number }
const EXCEEDED = 'post-set:monthly_posts_exceeded'

/** Done, or the code of the refusal. */
async function change(sets: Version, action: object): Promise<Version | string> {
  const { done: changed, refused } = await act.bulk([sets], action)
  return changed[0] ?? refused[0]?.code ?? 'nothing'
}
const made = async (answer: Promise<Version | string>): Promise<Version> => {
  const set = await answer
  if (typeof set === 'string') throw new Error(set)
  return set
}
const moveTo = (set: Version, socialSetId = bakery) => change(set, { copyTo: { socialSetId, move: true } })
const copyTo = (set: Version, socialSetId = bakery) => change(set, { copyTo: { socialSetId, move: false } })
const undo = (set: Version) => change(set, { undo: true })
const restore = (set: Version) => person.request('POST', `/post-sets/${set.id}/restore`)
const used = async () => (await done(person.request('GET', '/usage'))).postSets.used
/** From now on nothing was made this month. */
const newMonth = () => api.db.deleteFrom('account_usage').execute()
const remove = async (set: Version) => act.remove(set.id)

describe('the posts of the month', () => {
  test('are no more by a move, nor by its undo; a full month holds no move back', async () => {
    await newMonth()
    const [first, second] = [await api.create(), await api.create()]
    await api.create()
    expect(await used()).toBe(LIMIT)
    const moved = await made(moveTo(first))
    expect(await used()).toBe(LIMIT)
    const back = await made(undo(moved))
    expect([back.id, await used()]).toEqual([first.id, LIMIT])
    expect(await copyTo(second)).toBe(EXCEEDED)
    // Moved, and back by another move.
    const there = await made(moveTo(second))
    const again = await made(moveTo(there, api.socialSetId))
    expect(await undo(again)).toMatchObject({ id: there.id })
    expect(await used()).toBe(LIMIT)
  })

  test('are one more by a copy, which stays counted when it is undone, as all that is deleted', async () => {
    await newMonth()
    const set = await api.create()
    const copy = await made(copyTo(set))
    expect(await used()).toBe(2)
    await made(undo(copy))
    expect(await used()).toBe(2)
    expect((await restore(copy)).status).toBe(200)
    expect(await used()).toBe(2)
  })

  test('are one more where the original comes back beside the copy, and not where it comes back instead', async () => {
    await newMonth()
    const [first, second] = [await api.create(), await api.create()]
    const copy = await made(moveTo(first))
    expect((await restore(first)).status).toBe(200)
    expect(await used()).toBe(3)
    // Deleted and restored it is no further one.
    await remove(first)
    expect((await restore(first)).status).toBe(200)
    await remove(copy)
    expect((await restore(copy)).status).toBe(200)
    expect(await used()).toBe(3)
    // In a full month there is no room beside the copy.
    const other = await made(moveTo(second))
    const refused = await restore(second)
    expect([refused.status, refused.body.code]).toEqual([403, EXCEEDED])
    expect((await person.request('GET', `/post-sets/${second.id}`)).status).toBe(404)
    expect(await change(second, { restore: true })).toBe(EXCEEDED)
    // Undone first, it is the copy that would be one more.
    await made(undo(other))
    const late = await restore(other)
    expect([late.status, late.body.code]).toEqual([403, EXCEEDED])
    expect(await used()).toBe(3)
  })
})

describe('history', () => {
  const historyOf = async (of: Person, id: string): Promise<Body[]> =>
    (await done(of.request('GET', `/post-sets/${id}/history`))).data
  const changesOf = async (of: Person, id: string, action: string) =>
    (await historyOf(of, id)).find((item) => item.action === action)?.changes

  test('names the other brand on both sides, to who sees it alone', async () => {
    await newMonth()
    const original = await api.create()
    const copy = await made(moveTo(original))
    const own = { id: api.socialSetId, name: expect.any(String) }
    expect(await changesOf(person, original.id, 'deleted')).toMatchObject({ movedTo: { id: bakery, name: 'Bakery' } })
    expect(await changesOf(person, copy.id, 'created')).toMatchObject({ movedFrom: own, copyOf: original.id })
    const here = await signInAs(api, 'owner', { socialSetIds: [api.socialSetId] })
    const there = await signInAs(api, 'owner', { socialSetIds: [bakery] })
    expect((await changesOf(here, original.id, 'deleted')).movedTo).toEqual({})
    expect((await changesOf(there, copy.id, 'created')).movedFrom).toEqual({})
    for (const [reader, id, hidden] of [
      [here, original.id, bakery],
      [there, copy.id, api.socialSetId],
    ] as const) {
      expect(JSON.stringify(await historyOf(reader, id))).not.toContain(hidden)
    }
    // The name is that of now.
    await done(
      (await signInAs(api, 'owner')).request('PATCH', `/social-sets/${bakery}`, { body: { name: 'Bread & more' } }),
    )
    expect((await changesOf(person, original.id, 'deleted')).movedTo.name).toBe('Bread & more')
  })

  test('of an undone move says where it went, and of a copy nothing of a move', async () => {
    await newMonth()
    const original = await api.create()
    const moved = await made(moveTo(original))
    await made(undo(moved))
    expect((await changesOf(person, moved.id, 'deleted')).movedTo.id).toBe(api.socialSetId)
    const back = await act.read(original.id)
    const copy = await made(copyTo({ id: back.id, version: back.version }))
    expect(await changesOf(person, copy.id, 'created')).not.toHaveProperty('movedFrom')
    await made(undo(copy))
    expect(await changesOf(person, copy.id, 'deleted')).not.toHaveProperty('movedTo')
  })
})
