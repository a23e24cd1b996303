import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { unreadHistory } from '../_util/api/unread-history.ts'
import { actionsOf, anyRate, cardsOf, done, publishAs, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
let labels: string[]
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
  // By name, and by id too.
  labels = [newId(), newId(), newId()].sort()
  const names = ['Autumn', 'Launch', 'Team']
  const rows = labels.map((id, index) => ({ id, account_id: api.accountId, name: names[index] ?? '', color: null }))
  await api.db.insertInto('labels').values(rows).execute()
})
afterAll(() => api.close())

const actions = async (id: string) => (await api.history(id)).map(({ action }) => action)

describe('a lock', () => {
  test('is set with a reason and taken away; twice is once', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    const path = `/post-sets/${id}/lock`
    const locked = await person.request('PUT', path, { body: { locked: true, reason: ' Legal has seen it. ' } })
    expect([locked.body.isLocked, locked.body.version, locked.headers.get('etag')]).toEqual([true, 2, '"2"'])
    expect((await act.lock(id)).version).toBe(2)
    const [card] = (await cardsOf(api, person)).filter((each) => each.id === id)
    expect([card?.isLocked, card?.lockedBy, card?.state]).toEqual([true, 'Ada', 'scheduled'])
    expect((await api.history(id)).at(-1)).toMatchObject({
      action: 'locked',
      actor_name: 'Ada',
      changes: { reason: 'Legal has seen it.' },
    })
    expect(await act.lock(id, false)).toMatchObject({ isLocked: false, version: 3 })
    expect(await actions(id)).toEqual(['created', 'locked', 'unlocked'])
  })

  test('keeps members from editing and deleting too, and names who holds it; labels and reviews go on', async () => {
    const { id } = await api.create({ approval: 'PENDING' })
    await act.lock(id)
    for (const [method, path, body] of [
      ['PATCH', `/post-sets/${id}`, { scheduledAt: '2031-01-01' }],
      ['DELETE', `/post-sets/${id}`, undefined],
      ['POST', `/post-sets/${id}/move`, { scheduledAt: '2031-01-01', scope: 'this' }],
    ] as const) {
      const answer = await person.request(method, path, body ? { body } : {})
      expect([answer.status, answer.body.code]).toEqual([412, 'post-set:locked'])
      expect(answer.body.message).toContain('locked by Ada')
    }
    await act.label(id, labels.slice(0, 1))
    expect(await act.review(id, { decision: 'approve' })).toMatchObject({ approval: 'APPROVED', isLocked: true })
  })
})

describe('labels', () => {
  test('are the ones of the list and no others, also of a published set', async () => {
    const { id } = await api.create()
    const [a = '', b = '', c = ''] = labels
    expect((await act.label(id, [b, a, b])).labelsId).toEqual([a, b])
    expect(await act.label(id, [c, a.toUpperCase()])).toMatchObject({ labelsId: [a, c], version: 3 })
    expect((await act.label(id, [a, c])).version).toBe(3)
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id).execute()
    expect((await act.label(id, [a])).labelsId).toEqual([a])
    expect((await api.history(id)).slice(1)).toMatchObject([
      { action: 'labels changed', changes: { added: [{ id: a }, { id: b }], removed: [] } },
      { action: 'labels changed', changes: { added: [{ id: c }], removed: [{ id: b }] } },
      { action: 'label removed', changes: { label: { id: c } } },
    ])
  })
})

describe('a review', () => {
  test('approves and leaves the status', async () => {
    const { id } = await api.create({ approval: 'PENDING' })
    const after = await act.review(id, { decision: 'approve', message: 'Good.' })
    expect(after).toMatchObject({ approval: 'APPROVED', status: 'DRAFT', version: 2 })
    expect((await api.history(id)).at(-1)).toMatchObject({ action: 'approved', changes: { message: 'Good.' } })
  })

  test('asks for changes and parks a scheduled set', async () => {
    const { id } = await api.create({ status: 'SCHEDULED', approval: 'PENDING' })
    const reviewer = actionsOf(await signInAs(api, 'reviewer'))
    const after = await reviewer.review(id, { decision: 'request-changes', message: 'Another\r\npicture.' })
    expect(after).toMatchObject({ approval: 'DENIED', status: 'DRAFT' })
    expect((await api.history(id)).at(-1)).toMatchObject({
      action: 'changes requested',
      changes: { message: 'Another\npicture.', status: { from: 'SCHEDULED', to: 'DRAFT' } },
    })
  })

  test('is asked for by approval PENDING, of several sets at once', async () => {
    const sets = [await api.create(), await api.create({ approval: 'DENIED' })]
    const { done: asked, refused } = await act.bulk(sets, { requestApproval: true })
    expect([asked.map(({ id }) => id), refused]).toEqual([sets.map(({ id }) => id), []])
    expect((await act.read(sets[1]?.id ?? '')).approval).toBe('PENDING')
  })
})

describe('what a member edits of an approved set', () => {
  test('states-26: puts it back to pending, whether the answer is sent back whole or not', async () => {
    for (const whole of [true, false]) {
      const set = await api.create({ status: 'SCHEDULED', approval: 'APPROVED' })
      const [post] = set.posts
      const posts = [{ ...post, caption: 'Other words' }]
      const after = await act.patch(set.id, whole ? { ...set, posts } : { posts })
      expect(after).toMatchObject({ approval: 'PENDING', status: 'SCHEDULED', version: 2 })
      expect((await api.history(set.id)).at(-1)?.changes.approval).toEqual({ from: 'APPROVED', to: 'PENDING' })
    }
  })

  test('states-26: moving, labels, a lock and a set sent back unchanged leave it approved, and so does a key', async () => {
    const set = await api.create({ approval: 'APPROVED' })
    await act.patch(set.id, { scheduledAt: '2030-06-02T10:00:00Z' })
    await act.patch(set.id, { status: 'SCHEDULED' })
    await act.label(set.id, labels)
    await act.lock(set.id)
    const now = await act.lock(set.id, false)
    expect(await act.patch(set.id, now)).toMatchObject({ approval: 'APPROVED', version: now.version })
    const body = { posts: [{ ...set.posts[0], caption: 'By a program' }] }
    const { body: after } = await api.request('PATCH', `/v1/post-sets/${set.id}`, { body })
    expect(after.approval).toBe('APPROVED')
  })

  test('does so too where the plan has no approvals any more', async () => {
    const set = await api.create({ approval: 'APPROVED' })
    await api.db.updateTable('accounts').set({ plan: 'STARTER' }).where('id', '=', api.accountId).execute()
    const after = await act.patch(set.id, { posts: [{ ...set.posts[0], caption: 'Other words' }] })
    expect(after.approval).toBe('PENDING')
    await api.db.updateTable('accounts').set({ plan: 'SCALE' }).where('id', '=', api.accountId).execute()
  })
})

describe('a copy', () => {
  test('is a draft with ids of its own, the labels, and nothing that was said or came of the original', async () => {
    const mediaLibraryId = await api.newMedia()
    const set = await api.create({
      status: 'SCHEDULED',
      approval: 'APPROVED',
      posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId, altText: 'A cat' }] }, BLUESKY_POST],
      repeat: { interval: 'DAY', occurrences: 2 },
    })
    await act.label(set.id, labels)
    await act.lock(set.id)
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', set.id).execute()
    const { body: copy } = await person.request('POST', `/post-sets/${set.id}/duplicate`, {})
    const original = await act.read(set.id)
    expect(copy).toEqual({
      ...original,
      id: expect.any(String),
      status: 'DRAFT',
      approval: 'NONE',
      isLocked: false,
      version: expect.any(Number),
      seriesId: undefined,
      repeat: undefined,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      posts: original.posts.map((post: Body) => ({
        ...post,
        id: expect.any(String),
        media: post.media.map((item: Body) => ({ ...item, id: expect.any(String) })),
      })),
    })
    const ids = [original, copy].flatMap(({ id, posts }) => [
      id,
      ...posts.flatMap((post: { id: string; media: { id: string }[] }) => [
        post.id,
        ...post.media.map((item) => item.id),
      ]),
    ])
    expect(new Set(ids).size).toBe(8)
    expect(await api.history(copy.id)).toMatchObject([{ action: 'created', changes: { copyOf: set.id } }])
    const body = { scheduledAt: '2030-06-09T09:30' }
    const later = await done(person.request('POST', `/post-sets/${set.id}/duplicate`, { body }), 201)
    expect(later.scheduledAt).toBe('2030-06-09T07:30:00.000Z')
  })

  test('of what failed alone leaves out what is out already', async () => {
    const set = await api.create({ posts: [BLUESKY_POST, INSTAGRAM_POST] })
    await publishAs(api, set.id, 'PUBLISHED', ['POSTED', 'FAILED'])
    const request = (only: string) => person.request('POST', `/post-sets/${set.id}/duplicate`, { body: { only } })
    const copy = await done(request('failed'), 201)
    expect(copy).toMatchObject({
      status: 'DRAFT',
      posts: [{ accountType: 'INSTAGRAM', caption: INSTAGRAM_POST.caption }],
    })
    expect(copy.posts).toHaveLength(1)
    expect((await request('posted')).body.code).toBe('request:invalid_body')
    await api.db.deleteFrom('deliveries').where('post_set_id', '=', set.id).execute()
    await publishAs(api, set.id, 'PUBLISHED', ['POSTED', 'POSTED'])
    expect(statusAndCode(await request('failed'))).toEqual([409, 'request:refused'])
  })
})

describe('several sets at once', () => {
  test('each is checked as if it were alone, and what it was is reported', async () => {
    const free = await api.create({ scheduledAt: '2031-03-29T09:00:00Z' })
    const locked = await api.create()
    const published = await api.create()
    await act.lock(locked.id)
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', published.id).execute()
    const gone = newId()
    const sets = [{ id: free.id, version: 1 }, { id: locked.id }, { id: published.id }, { id: gone }]
    const { done: moved, refused } = await act.bulk(sets, { move: { days: 1 } })
    expect(moved).toEqual([
      {
        id: free.id,
        version: 2,
        before: {
          scheduledAt: '2031-03-29T09:00:00.000Z',
          status: 'DRAFT',
          approval: 'NONE',
          isLocked: false,
          lockedBy: null,
          labelsId: [],
        },
        message: null,
      },
    ])
    // Summer time has begun.
    expect((await act.read(free.id)).scheduledAt).toBe('2031-03-30T08:00:00.000Z')
    expect(refused.map(({ id, code }) => [id, code])).toEqual([
      [locked.id, 'post-set:locked'],
      [published.id, 'post-set:read_only'],
      [gone, 'post-set:not_found'],
    ])
    expect((await act.bulk([{ id: free.id, version: 1 }], { move: { days: 1 } })).refused).toMatchObject([
      { code: 'post-set:version_conflict' },
    ])
  })

  test('what is so already is in neither list', async () => {
    const [a, b] = [await api.create(), await api.create()]
    await act.lock(a.id)
    const answer = await act.bulk(
      [a, { id: b.id }].map(({ id }) => ({ id })),
      { lock: true },
    )
    expect([answer.done.map(({ id }) => id), answer.refused]).toEqual([[b.id], []])
    expect((await act.bulk([{ id: b.id }], { move: { days: 0 } })).done).toEqual([])
    expect((await act.bulk([{ id: b.id }], { removeLabel: labels[0] })).done).toEqual([])
  })

  test('are not moved to where they would be published at once', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    expect((await act.bulk([{ id }], { move: { days: -3_000 } })).refused).toMatchObject([{ code: 'request:refused' }])
    expect((await act.read(id)).scheduledAt).toBe('2030-06-01T10:00:00.000Z')
  })

  test('are labelled, locked, deleted and brought back, each with one call that takes it back', async () => {
    const sets = [await api.create(), await api.create()].map(({ id }) => ({ id }))
    const state = () => Promise.all(sets.map(({ id }) => act.read(id)))
    const plain = async () => (await state()).map(({ version, updatedAt, ...set }) => set)
    const before = await plain()
    for (const action of [{ addLabel: labels[0] }, { lock: true }, { move: { days: 7 } }]) {
      const answer = await act.bulk(sets, action)
      expect(answer.done).toHaveLength(2)
      expect(await plain()).not.toEqual(before)
      expect((await act.bulk(answer.done, { undo: true })).refused).toEqual([])
      expect(await plain()).toEqual(before)
    }
    expect((await act.bulk(sets, { delete: true })).done).toHaveLength(2)
    expect(await cardsOf(api, person)).not.toContainEqual(expect.objectContaining(sets[0]))
    expect((await act.bulk(sets, { restore: true })).done).toMatchObject([{ before: null, message: null }, {}])
    expect(await plain()).toEqual(before)
  })
})

describe('history', () => {
  test('has every action of these tests as what it is', async () => {
    expect(await unreadHistory(api.db)).toEqual([])
  })

  test('shows an action that this version does not know by its name, and does not undo it', async () => {
    const { id } = await api.create()
    await act.lock(id)
    await api.db
      .updateTable('history')
      .set({ action: 'lokced', changes: JSON.stringify({ secret: 'of another version' }) })
      .where('post_set_id', '=', id)
      .where('version', '=', 2)
      .execute()
    expect((await act.history(id))[0]).toMatchObject({ action: 'other', changes: { name: 'lokced' } })
    expect((await act.bulk([{ id, version: 2 }], { undo: true })).refused).toMatchObject([{ code: 'request:refused' }])
    expect((await act.read(id)).isLocked).toBe(true)
    await api.db.deleteFrom('history').where('post_set_id', '=', id).execute()
  })
})
