import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RIGHTS, type Right, ROLES } from '#contract'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import {
  actionsOf,
  anyRate,
  done,
  NO_SET,
  NOT_SIGNED_IN,
  OTHER_SITE,
  statusAndCode,
  WRONG_ROLE,
} from '../_util/browser/dashboard-api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const ONE: [string, string, object | undefined, Right][] = [
  ['PUT', 'lock', { locked: true }, 'post-sets:lock'],
  ['PUT', 'labels', { labelsId: [] }, 'labels:apply'],
  ['POST', 'review', { decision: 'approve' }, 'post-sets:review'],
  ['POST', 'duplicate', {}, 'post-sets:write'],
  ['POST', 'move', { scheduledAt: '2030-07-01T10:00:00Z', scope: 'all' }, 'post-sets:write'],
  ['POST', 'restore', undefined, 'post-sets:write'],
]
const MANY: [object, Right][] = [
  [{ lock: true }, 'post-sets:lock'],
  [{ addLabel: newId() }, 'labels:apply'],
  [{ removeLabel: newId() }, 'labels:apply'],
  [{ move: { days: 1 } }, 'post-sets:write'],
  [{ requestApproval: true }, 'post-sets:write'],
  [{ delete: true }, 'post-sets:write'],
  [{ restore: true }, 'post-sets:write'],
]
const allows = (right: Right, role: string) => (RIGHTS[right].roles as readonly string[]).includes(role)

test('every role is refused exactly what its rights do not include', async () => {
  for (const role of ROLES) {
    const person = await signInAs(api, role)
    for (const [method, action, body, right] of ONE) {
      const { id } = await api.create()
      const headers = { 'if-match': '*' }
      const answer = await person.request(method, `/post-sets/${id}/${action}`, body ? { body, headers } : {})
      // There is nothing to restore; that is found out behind the right.
      const expected = allows(right, role) ? (action === 'restore' ? NO_SET : [answer.status, undefined]) : WRONG_ROLE
      expect([role, action, statusAndCode(answer)]).toEqual([role, action, expected])
      expect(answer.status < 300 || answer.status === 404).toBe(allows(right, role))
    }
    for (const [action, right] of MANY) {
      const { id } = await api.create()
      const answer = await person.request('POST', '/post-sets/change', { body: { ids: [{ id }], action } })
      expect([role, action, answer.status]).toEqual([role, action, allows(right, role) ? 200 : 403])
    }
  }
})

test('no one is let in without a session, with a key, or from another site', async () => {
  const { id } = await api.create()
  const person = await signInAs(api, 'owner')
  const all = [
    ...ONE.map(([method, action, body]) => [method, `/post-sets/${id}/${action}`, body] as const),
    ['POST', '/post-sets/change', { ids: [{ id }], action: { delete: true } }] as const,
  ]
  for (const [method, path, body] of all) {
    const sent = body ? { body } : {}
    const headers = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' }
    expect(statusAndCode(await api.request(method, `/internal${path}`, { key: null, ...sent, headers }))).toEqual(
      NOT_SIGNED_IN,
    )
    expect(statusAndCode(await api.request(method, `/internal${path}`, { ...sent, headers }))).toEqual(NOT_SIGNED_IN)
    for (const other of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect(statusAndCode(await person.request(method, path, { ...sent, headers: other }))).toEqual(OTHER_SITE)
    }
  }
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body.version).toBe(1)
})

test('sets of another account and of social sets that a member does not see are not there', async () => {
  const accountId = await api.newAccount()
  const theirs = await api.newKey({ accountId })
  const foreign = await api.create({ socialSetId: await api.newSocialSet({ accountId }) }, theirs)
  const hidden = await api.create({ socialSetId: await api.newSocialSet() })
  const person = await signInAs(api, 'owner', { socialSetIds: [api.socialSetId] })
  for (const { id } of [foreign, hidden]) {
    for (const [method, action, body] of ONE) {
      const answer = await person.request(method, `/post-sets/${id}/${action}`, body ? { body } : {})
      expect([action, statusAndCode(answer)]).toEqual([action, NO_SET])
    }
    for (const [action] of MANY) {
      const { refused } = await actionsOf(person).bulk([{ id }], action)
      expect(refused).toMatchObject([{ code: 'post-set:not_found' }])
    }
    expect((await actionsOf(person).bulk([{ id, version: 1 }], { undo: true })).refused).toMatchObject([
      { code: 'post-set:not_found' },
    ])
  }
})

describe('an author', () => {
  test('writes drafts and never leaves a set scheduled', async () => {
    const author = await signInAs(api, 'author')
    const scheduling = await author.request('POST', '/post-sets', { body: api.draft({ status: 'SCHEDULED' }) })
    expect(statusAndCode(scheduling)).toEqual(WRONG_ROLE)
    const { id } = await done(author.request('POST', '/post-sets', { body: api.draft() }), 201)
    expect(statusAndCode(await author.request('PATCH', `/post-sets/${id}`, { body: { status: 'SCHEDULED' } }))).toEqual(
      WRONG_ROLE,
    )
    const scheduled = await api.create({ status: 'SCHEDULED' })
    const move = { scheduledAt: '2030-07-01T10:00:00Z', scope: 'this' }
    for (const [method, path, body] of [
      ['PATCH', '', { scheduledAt: '2030-07-01' }],
      ['POST', '/move', move],
    ] as const) {
      expect(statusAndCode(await author.request(method, `/post-sets/${scheduled.id}${path}`, { body }))).toEqual(
        WRONG_ROLE,
      )
    }
    expect((await actionsOf(author).bulk([scheduled], { move: { days: 1 } })).refused).toMatchObject([
      { code: 'auth:insufficient_role' },
    ])
  })

  test('parks a scheduled set and takes that back, but not after changing it', async () => {
    const author = actionsOf(await signInAs(api, 'author'))
    const { id, posts } = await api.create({ status: 'SCHEDULED' })
    await author.patch(id, { status: 'DRAFT' })
    expect((await author.bulk([{ id, version: 2 }], { undo: true })).done).toHaveLength(1)
    expect((await author.read(id)).status).toBe('SCHEDULED')
    await author.patch(id, { status: 'DRAFT' })
    await author.patch(id, { posts: [{ ...posts[0], caption: 'Something else' }] })
    expect((await author.bulk([{ id, version: 4 }], { undo: true })).refused).toMatchObject([
      { code: 'auth:insufficient_role' },
    ])
    expect((await author.read(id)).status).toBe('DRAFT')
  })

  test('approves nothing, whichever way it is tried', async () => {
    const author = await signInAs(api, 'author')
    for (const approval of ['APPROVED', 'DENIED']) {
      expect(statusAndCode(await author.request('POST', '/post-sets', { body: api.draft({ approval }) }))).toEqual(
        WRONG_ROLE,
      )
      const { id } = await api.create({ approval: 'PENDING' })
      expect(statusAndCode(await author.request('PATCH', `/post-sets/${id}`, { body: { approval } }))).toEqual(
        WRONG_ROLE,
      )
      expect(
        statusAndCode(await author.request('POST', `/post-sets/${id}/review`, { body: { decision: 'approve' } })),
      ).toEqual(WRONG_ROLE)
      // What an approved set says of itself may be sent back.
      const done = await api.create({ approval })
      await actionsOf(author).patch(done.id, { approval, scheduledAt: '2030-06-04T10:00:00Z' })
    }
  })

  test('takes nothing out of review that was approved or sent back, but what was only asked for', async () => {
    const author = await signInAs(api, 'author')
    for (const approval of ['APPROVED', 'DENIED']) {
      const { id, posts } = await api.create({ approval })
      const edited = [{ ...posts[0], caption: 'Other words' }]
      const path = `/post-sets/${id}`
      for (const body of [{ approval: 'NONE' }, { approval: 'NONE', posts: edited }]) {
        expect(statusAndCode(await author.request('PATCH', path, { body }))).toEqual(WRONG_ROLE)
      }
      // Nor by asking in between.
      await actionsOf(author).patch(id, { approval: 'PENDING', posts: edited })
      expect(statusAndCode(await author.request('PATCH', path, { body: { approval: 'NONE' } }))).toEqual(WRONG_ROLE)
      expect((await actionsOf(await signInAs(api, 'editor')).patch(id, { approval: 'NONE' })).approval).toBe('NONE')
    }
    const asked = await api.create()
    await actionsOf(author).patch(asked.id, { approval: 'PENDING' })
    expect((await actionsOf(author).patch(asked.id, { approval: 'NONE' })).approval).toBe('NONE')
  })

  test('makes a series of an approved set, which has yet to be approved, as its copies have', async () => {
    for (const role of ['author', 'editor'] as const) {
      const { id } = await api.create({ approval: 'APPROVED' })
      const repeat = { interval: 'DAY', occurrences: 3 }
      const first = await actionsOf(await signInAs(api, role)).patch(id, { repeat })
      const copies = await api.db
        .selectFrom('post_sets')
        .select(['id', 'approval'])
        .where('series_id', '=', first.seriesId ?? null)
        .where('id', '!=', id)
        .execute()
      expect([role, first.approval, ...copies.map((copy) => copy.approval)]).toEqual([
        role,
        'PENDING',
        'PENDING',
        'PENDING',
      ])
      expect((await api.history(copies[0]?.id ?? ''))[0]?.changes.approval).toBe('PENDING')
    }
  })
})

describe('taking back lends no rights', () => {
  const at = '2030-06-01T10:00:00.000Z'
  const people = async () => {
    const [author, editor, reviewer] = await Promise.all(
      (['author', 'editor', 'reviewer'] as const).map((role) => signInAs(api, role)),
    )
    if (!author || !editor || !reviewer) throw new Error('Somebody is missing.')
    return { author: actionsOf(author), editor: actionsOf(editor), reviewer: actionsOf(reviewer) }
  }
  const undo = async (who: ReturnType<typeof actionsOf>, id: string, version: number) =>
    (await who.bulk([{ id, version }], { undo: true })).refused.map(({ code }) => code)
  const NO = { decision: 'request-changes', message: 'No.' }

  test('when somebody has asked for changes since', async () => {
    const { author, reviewer } = await people()
    const { id } = await api.create({ status: 'SCHEDULED', approval: 'PENDING' })
    await author.patch(id, { status: 'DRAFT' })
    await reviewer.review(id, NO)
    expect(await undo(author, id, 2)).toEqual(['auth:insufficient_role'])
    expect(await author.read(id)).toMatchObject({ status: 'DRAFT', approval: 'DENIED' })
    // Also when the reviewer has taken it back.
    await undo(reviewer, id, 3)
    expect(await undo(author, id, 2)).toEqual(['auth:insufficient_role'])
  })

  test('when an approval was denied since, though it was asked for again', async () => {
    const { author, reviewer } = await people()
    const { id } = await api.create({ approval: 'APPROVED' })
    await author.patch(id, { approval: 'PENDING' })
    await reviewer.review(id, NO)
    await author.patch(id, { approval: 'PENDING' })
    expect(await undo(author, id, 2)).toEqual(['post-set:version_conflict'])
    expect((await author.read(id)).approval).toBe('PENDING')
  })

  test('when the set was scheduled since', async () => {
    const { author, editor } = await people()
    const { id } = await api.create({ scheduledAt: at })
    await author.patch(id, { scheduledAt: '2030-06-20T10:00:00Z' })
    await editor.patch(id, { status: 'SCHEDULED' })
    expect(await undo(author, id, 2)).toEqual(['auth:insufficient_role'])
    expect(await author.read(id)).toMatchObject({ status: 'SCHEDULED', scheduledAt: '2030-06-20T10:00:00.000Z' })
  })

  test('when it was scheduled and parked again, neither to the one who parked it first nor to one who may schedule', async () => {
    const { author, editor, reviewer } = await people()
    const other = actionsOf(await signInAs(api, 'editor'))
    for (const [who, park] of [
      [author, () => author.patch],
      [other, () => other.patch],
      [reviewer, () => (id: string) => reviewer.review(id, NO)],
    ] as const) {
      const { id } = await api.create({ status: 'SCHEDULED' })
      await park()(id, { status: 'DRAFT' })
      await editor.patch(id, { status: 'SCHEDULED' })
      await editor.patch(id, { status: 'DRAFT' })
      expect(await undo(who, id, 2)).toEqual(['post-set:version_conflict'])
      expect((await editor.read(id)).status).toBe('DRAFT')
    }
  })

  test('past a lock that is newer than what is taken back; past one that was there it is what it was', async () => {
    const { author, editor, reviewer } = await people()
    for (const [who, park] of [
      [author, (id: string) => author.patch(id, { status: 'DRAFT' })],
      [reviewer, (id: string) => reviewer.review(id, NO)],
    ] as const) {
      const parked = await api.create({ status: 'SCHEDULED' })
      await park(parked.id)
      await editor.lock(parked.id)
      expect(await undo(who, parked.id, 2)).toEqual(['post-set:locked'])
      const locked = await api.create({ status: 'SCHEDULED' })
      await editor.lock(locked.id)
      await park(locked.id)
      expect(await undo(who, locked.id, 3)).toEqual([])
      expect(await editor.read(locked.id)).toMatchObject({ status: 'SCHEDULED', isLocked: true })
      // One that was taken away and set again is another one.
      await editor.lock(locked.id, false)
      await park(locked.id)
      await editor.lock(locked.id)
      expect(await undo(who, locked.id, 6)).toEqual(['post-set:locked'])
    }
  })

  test('labels and moves of others beside it are in no one’s way', async () => {
    const { author, editor } = await people()
    const { id } = await api.create({ status: 'SCHEDULED', scheduledAt: at })
    await author.patch(id, { status: 'DRAFT' })
    const label = newId()
    await api.db.insertInto('labels').values({ id: label, account_id: api.accountId, name: label }).execute()
    await editor.label(id, [label])
    await editor.patch(id, { scheduledAt: '2030-06-20T10:00:00Z' })
    expect(await undo(author, id, 2)).toEqual(['auth:insufficient_role'])
    await editor.patch(id, { scheduledAt: at })
    expect(await undo(author, id, 2)).toEqual([])
    expect((await author.read(id)).status).toBe('SCHEDULED')
  })
})

test('a lock is taken back by the one who set it, no matter what they and others are called', async () => {
  const [one, other] = [await signInAs(api, 'editor'), await signInAs(api, 'editor')]
  const undo = (who: typeof one, id: string, version: number) => actionsOf(who).bulk([{ id, version }], { undo: true })
  const { id } = await api.create()
  await actionsOf(one).lock(id)
  await actionsOf(one).lock(id, false)
  await actionsOf(other).lock(id)
  expect(new Set((await api.history(id)).slice(1).map((row) => row.actor_name)).size).toBe(1)
  expect((await undo(one, id, 2)).refused).toMatchObject([{ code: 'post-set:version_conflict' }])
  await api.db.updateTable('users').set({ name: 'Another name' }).where('id', '=', other.userId).execute()
  expect((await undo(other, id, 4)).refused).toEqual([])
  expect((await actionsOf(one).read(id)).isLocked).toBe(false)
})

test('a reviewer takes back the request for changes that parked a set', async () => {
  const reviewer = actionsOf(await signInAs(api, 'reviewer'))
  const { id } = await api.create({ status: 'SCHEDULED', approval: 'PENDING' })
  await reviewer.review(id, { decision: 'request-changes', message: 'Wrong set, sorry.' })
  expect((await reviewer.bulk([{ id, version: 2 }], { undo: true })).refused).toEqual([])
  expect(await reviewer.read(id)).toMatchObject({ status: 'SCHEDULED', approval: 'PENDING', version: 3 })
})

describe('at the same time', () => {
  test('of two locks one is written, and of two undos one', async () => {
    const person = await signInAs(api, 'editor')
    const act = actionsOf(person)
    const { id } = await api.create()
    await Promise.all([act.lock(id), act.lock(id), act.lock(id)])
    expect((await act.read(id)).version).toBe(2)
    const undos = await Promise.all([1, 2, 3].map(() => act.bulk([{ id, version: 2 }], { undo: true })))
    expect(undos.flatMap((each) => each.done)).toHaveLength(1)
    expect((await act.read(id)).version).toBe(3)
  })

  test('a set that begins to publish while it is moved or deleted stays as it was', async () => {
    const person = await signInAs(api, 'editor')
    const { id } = await api.create({ status: 'SCHEDULED' })
    const ways: [string, string, object?][] = [
      ['POST', `/post-sets/${id}/move`, { scheduledAt: '2031-01-01', scope: 'this' }],
      ['PATCH', `/post-sets/${id}`, { scheduledAt: '2031-01-01' }],
      ['DELETE', `/post-sets/${id}`],
      ['POST', `/post-sets/${id}/review`, { decision: 'request-changes', message: 'Wait.' }],
    ]
    const answers = await api.db.transaction().execute(async (trx) => {
      await trx.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', id).execute()
      const asked = ways.map(([method, path, body]) => person.request(method, path, body ? { body } : {}))
      await untilSomeoneWaits(api.db)
      return { asked }
    })
    for (const answer of await Promise.all(answers.asked)) {
      expect(statusAndCode(answer)).toEqual([412, 'post-set:read_only'])
    }
    expect((await person.request('GET', `/post-sets/${id}`)).body.scheduledAt).toBe('2030-06-01T10:00:00.000Z')
  })
})
