import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done, publishAs } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
let other: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
  other = await api.newSocialSet({ connected: ['BLUESKY'] })
})
afterAll(() => api.close())

type Set = { id: string; version: number }
const copyTo = (set: Set, move = false, socialSetId = other) => act.bulk([set], { copyTo: { socialSetId, move } })
const refusedAs = async (answer: Promise<Body>) => {
  const { done: sets, refused } = await answer
  expect(sets).toEqual([])
  return [refused[0].code, refused[0].why?.code]
}
const status = async (id: string) => (await person.request('GET', `/post-sets/${id}`)).status
const setsOf = async (socialSetId: string): Promise<Body[]> =>
  (await done(person.request('GET', `/post-sets?${new URLSearchParams({ socialSetId, page: '1', size: '100' })}`))).data
const moved = async (body: object = {}) => {
  const original = await api.create(body)
  const { done: sets } = await copyTo(original, true)
  return { original, copy: sets[0] ?? { id: '', version: 0 } }
}

test('what is publishing or published is not moved, and can be copied', async () => {
  for (const state of ['PUBLISHING', 'PUBLISHED'] as const) {
    const { id } = await api.create({ status: 'SCHEDULED' })
    await publishAs(api, id, state, [state === 'PUBLISHED' ? 'POSTED' : null])
    const set = await act.read(id)
    const before = await setsOf(other)
    expect(await refusedAs(copyTo(set, true))).toEqual(['post-set:read_only', undefined])
    expect(await setsOf(other)).toHaveLength(before.length)
    expect((await copyTo(set)).done).toHaveLength(1)
    expect(await status(id)).toBe(200)
  }
})

test('a brand is not copied to itself, and a version that others changed is not moved', async () => {
  const set = await api.create()
  expect(await refusedAs(copyTo(set, false, api.socialSetId))).toEqual(['request:refused', 'why:same_brand'])
  await act.lock(set.id)
  await act.lock(set.id, false)
  expect(await refusedAs(copyTo(set, true))).toEqual(['post-set:version_conflict', undefined])
  expect(await status(set.id)).toBe(200)
})

test('wrong bodies are named', async () => {
  const set = await api.create()
  for (const copy of [
    {},
    { socialSetId: other },
    { socialSetId: 1, move: true },
    { socialSetId: other, move: true, x: 1 },
  ]) {
    const { status: found, body } = await person.request('POST', '/post-sets/change', {
      body: { ids: [{ id: set.id }], action: { copyTo: copy } },
    })
    expect([found, body.code]).toEqual([400, 'request:invalid_body'])
  }
  expect(await refusedAs(copyTo(set, false, 'no id'))).toEqual(['social-set:not_found', undefined])
})

test('a file that is gone is named, and nothing is copied', async () => {
  const photo = await api.newMedia()
  const set = await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: photo }] }] })
  await api.db.updateTable('media_items').set({ closed_at: new Date() }).where('id', '=', photo).execute()
  const before = await setsOf(other)
  expect(await refusedAs(copyTo(set, true))).toEqual(['post-set:invalid_posts', undefined])
  expect([await status(set.id), (await setsOf(other)).length]).toEqual([200, before.length])
})

test('the limits of the plan hold: storage, and posts of the month', async () => {
  const small = await startApi({
    rate: anyRate,
    plans: { SCALE: { storageBytes: 120_000, monthlyPosts: 2 } },
  })
  try {
    const of = actionsOf(await signInAs(small, 'editor'))
    const to = { socialSetId: await small.newSocialSet({ connected: ['BLUESKY'] }), move: true }
    const posts = [{ ...BLUESKY_POST, media: [{ mediaLibraryId: await small.newMedia() }] }]
    const large = [{ ...BLUESKY_POST, media: [{ mediaLibraryId: await small.newMedia({ facts: { bytes: 60_000 } }) }] }]
    const [first, second] = [await small.create({ posts: large }), await small.create({ posts })]
    expect(await refusedAs(of.bulk([first], { copyTo: to }))).toEqual(['plan:storage_exceeded', undefined])
    expect(await of.read(first.id)).toMatchObject({ status: 'DRAFT' })
    await small.db.updateTable('media_items').set({ bytes: 1 }).where('social_set_id', '=', small.socialSetId).execute()
    expect((await of.bulk([second], { copyTo: to })).done).toHaveLength(1)
    const copy = { copyTo: { ...to, move: false } }
    expect(await refusedAs(of.bulk([first], copy))).toEqual(['post-set:monthly_posts_exceeded', undefined])
  } finally {
    await small.close()
  }
})

describe('undo is refused', () => {
  const undo = (copy: Set) => act.bulk([{ id: copy.id, version: copy.version }], { undo: true })

  test.each([
    ['changed', (id: string) => act.patch(id, { scheduledAt: '2030-07-01T10:00:00Z' })],
    ['scheduled', (id: string) => act.patch(id, { status: 'SCHEDULED' })],
    ['locked', (id: string) => act.lock(id)],
    [
      'decided',
      async (id: string) => {
        await act.patch(id, { approval: 'PENDING' })
        await act.review(id, { decision: 'request-changes', message: 'No.' })
      },
    ],
    [
      'published',
      (id: string) => act.patch(id, { status: 'SCHEDULED' }).then(() => publishAs(api, id, 'PUBLISHED', ['POSTED'])),
    ],
  ])('once the copy was %s; both stay', async (_, change) => {
    const { original, copy } = await moved()
    await change(copy.id)
    expect(await refusedAs(undo(copy))).toEqual(['post-set:version_conflict', undefined])
    expect([await status(original.id), await status(copy.id)]).toEqual([404, 200])
  })

  test('of what others copied, of what was not copied, and twice', async () => {
    const { copy } = await moved()
    const colleague = actionsOf(await signInAs(api, 'editor'))
    expect(await refusedAs(colleague.bulk([copy], { undo: true }))).toEqual(['request:refused', 'why:nothing_to_undo'])
    const { body: own } = await person.request('POST', '/post-sets', { body: api.draft() })
    expect(await refusedAs(undo(own))).toEqual(['request:refused', 'why:not_undoable'])
    expect((await undo(copy)).done).toHaveLength(1)
    expect(await refusedAs(undo(copy))).toEqual(['post-set:not_found', undefined])
  })

  test('once the original is back, or gone for good', async () => {
    const { original, copy } = await moved({ externalId: newId() })
    await act.restore(original.id)
    expect(await refusedAs(undo(copy))).toEqual(['request:refused', 'why:original_not_deleted'])
    expect([await status(original.id), await status(copy.id)]).toEqual([200, 200])
    const gone = await moved()
    await api.db.deleteFrom('all_post_sets').where('id', '=', gone.original.id).execute()
    expect(await refusedAs(undo(gone.copy))).toEqual(['request:refused', 'why:original_not_deleted'])
    expect(await status(gone.copy.id)).toBe(200)
  })
})
