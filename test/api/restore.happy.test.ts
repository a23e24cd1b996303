import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { usageOf } from '#persistence'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, cardsOf, done } from '../_util/browser/dashboard-api.ts'
import { setState } from '../_util/engine/set-state.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
})
afterAll(() => api.close())

/** A set with everything that a set can have. */
async function fullSet(more: object = {}) {
  const mediaLibraryId = await api.newMedia()
  const tags = [{ x: 0.5, y: 0.25, text: 'somebody' }]
  const set = await api.create({
    status: 'SCHEDULED',
    approval: 'PENDING',
    posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId, altText: 'Ünï "quoted"', tags }] }, BLUESKY_POST],
    repeat: { interval: 'DAY', occurrences: 2 },
    ...more,
  })
  const label = newId()
  await api.db.insertInto('labels').values({ id: label, account_id: api.accountId, name: label, color: null }).execute()
  await act.label(set.id, [label])
  return { id: set.id, label }
}

describe('a set that a member deletes', () => {
  test('is gone everywhere, and comes back row by row as it was, with its version raised', async () => {
    const { id } = await fullSet()
    const [before, shown] = [await setState(api.db, id), await act.read(id)]
    await act.remove(id)
    expect(await setState(api.db, id)).toBeNull()
    expect((await person.request('GET', `/post-sets/${id}`)).status).toBe(404)
    expect(await cardsOf(api, person)).not.toContainEqual(expect.objectContaining({ id }))
    const { postSet, parked, message } = await act.restore(id)
    expect([parked, message]).toEqual([false, null])
    expect(postSet).toEqual({ ...shown, version: shown.version + 1, updatedAt: expect.any(String) })
    expect(await setState(api.db, id)).toEqual(before)
    const reported = (await act.history(id)).map(({ action, actor }) => [action, actor.name])
    expect(reported.slice(0, 2)).toEqual([
      ['restored', 'Ada'],
      ['deleted', 'Ada'],
    ])
    // And it is found again by what it says.
    expect(await cardsOf(api, person, [['filters[search]', 'hello']])).toContainEqual(expect.objectContaining({ id }))
  })

  test('can be deleted and brought back again', async () => {
    const { id } = await api.create()
    for (const version of [2, 3, 4]) {
      await act.remove(id)
      expect((await act.restore(id)).postSet.version).toBe(version)
    }
  })

  test('comes back as a draft, in words, when its time has passed meanwhile', async () => {
    const { id } = await api.create({ status: 'SCHEDULED', approval: 'APPROVED' })
    await api.setClock('2030-05-31T10:00:00Z')
    await act.remove(id)
    await api.setClock('2030-06-01T10:00:00Z')
    const { postSet, parked, message } = await act.restore(id)
    await api.setClock(null)
    expect(postSet).toMatchObject({ status: 'DRAFT', approval: 'APPROVED', scheduledAt: '2030-06-01T10:00:00.000Z' })
    expect([parked, message]).toEqual([
      true,
      { code: 'why:draft_time_passed', message: expect.stringContaining('has passed'), values: {} },
    ])
    expect((await act.history(id))[0]?.changes.status).toEqual({ from: 'SCHEDULED', to: 'DRAFT' })
  })

  test('comes back without a label that is gone', async () => {
    const { id, label } = await fullSet()
    await act.remove(id)
    await api.db.deleteFrom('labels').where('id', '=', label).execute()
    expect((await act.restore(id)).postSet.labelsId).toEqual([])
  })

  test('does not change what is counted in the month', async () => {
    const count = async () => (await usageOf(api.db, api.accountId)).postSets
    const { id } = await api.create()
    const before = await count()
    expect(before).toBeGreaterThan(0)
    await act.remove(id)
    await act.restore(id)
    expect(await count()).toEqual(before)
  })

  test('comes back for 30 days and not longer, whenever it is purged', async () => {
    const sets = [await api.create(), await api.create()] as const
    await api.setClock('2030-01-01T00:00:00Z')
    for (const { id } of sets) await act.remove(id)
    await api.setClock('2030-01-31T00:00:00Z')
    expect((await person.request('POST', `/post-sets/${sets[0].id}/restore`)).status).toBe(200)
    await api.setClock('2030-01-31T00:00:00.001Z')
    expect((await person.request('POST', `/post-sets/${sets[1].id}/restore`)).status).toBe(404)
    expect((await person.request('GET', `/post-sets/${sets[1].id}/history`)).status).toBe(404)
    await api.setClock(null)
  })
})

test('a set that a key deletes is gone for good', async () => {
  const { id } = await api.create()
  await api.request('DELETE', `/v1/post-sets/${id}`)
  expect((await person.request('POST', `/post-sets/${id}/restore`)).status).toBe(404)
})

test('a note that a member deletes comes back as it was; one that a key deletes does not', async () => {
  const body = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-15' }
  const repeat = { interval: 'DAY', occurrences: 2 }
  for (const given of [body, { ...body, repeat }]) {
    const note = await done(person.request('POST', '/notes', { body: given }), 201)
    await done(person.request('DELETE', `/notes/${note.id}`), 204)
    expect((await person.request('GET', `/notes/${note.id}`)).status).toBe(404)
    expect(await done(person.request('POST', `/notes/${note.id}/restore`))).toEqual(note)
    expect(await done(person.request('GET', `/notes/${note.id}`))).toEqual(note)
    expect((await person.request('POST', `/notes/${note.id}/restore`)).status).toBe(404)
    await api.request('DELETE', `/v1/notes/${note.id}`)
    expect((await person.request('POST', `/notes/${note.id}/restore`)).status).toBe(404)
  }
})
