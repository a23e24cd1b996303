import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GuestCard, NewsItem } from '#contract'
import { newId } from '#domain'
import { addressNews } from '#news'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { enter, type GuestClient, type Shared, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, NO_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
let link: Shared
let guest: GuestClient
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  link = await share(api, owner)
  guest = await enter(api, link, { name: 'Clara' })
})
afterAll(() => api.close())

const WAITING = { approval: 'EXTERNAL_PENDING' }
const CONFLICT = [412, 'post-set:version_conflict']
const REFUSED = [409, 'request:refused']
const read = (id: string) => done(api.request('GET', `/v1/post-sets/${id}`))
const patch = (id: string, body: object) => done(api.request('PATCH', `/v1/post-sets/${id}`, { body }))
const approve = (id: string, version = 1, by = guest) =>
  done(by.request('POST', `/posts/${id}/decision`, { body: { decision: 'approve', version } }))
const approveAsMember = (id: string, version: number, message: string | null = null) =>
  done(
    owner.request('POST', `/post-sets/${id}/review`, {
      body: { decision: 'approve', message },
      headers: { 'if-match': `"${version}"` },
    }),
  )
const undo = (id: string, body: object, by = guest) => by.request('POST', `/posts/${id}/decision/undo`, { body })
const undoableOf = async (id: string, by = guest) => {
  const { cards } = await done(by.request('GET', '/calendar?from=2030-05-25T00:00:00Z&to=2030-07-06T00:00:00Z'))
  return cards.find((card: GuestCard) => card.id === id)?.decision?.undoable
}

describe('a guest takes an approval back', () => {
  test.each(['DRAFT', 'SCHEDULED'])(
    'shared-10, shared-11: and the post waits again, with the status that it had: %s',
    async (status) => {
      const { id } = await api.create({ ...WAITING, status })
      const approved = await approve(id)
      expect(approved).toMatchObject({ status, waiting: false, version: 2, decision: { mine: true, undoable: true } })
      expect(await undoableOf(id)).toBe(true)
      const answer = await done(undo(id, { version: 2 }))
      expect(answer).toMatchObject({ status, waiting: true, decision: null, version: 3, changed: false })
      expect(await read(id)).toMatchObject({ status, ...WAITING, version: 3 })
      expect((await api.history(id)).at(-1)).toEqual({
        action: 'review taken back',
        actor_name: 'Clara',
        actor_type: 'REVIEWER',
        changes: {
          approval: { from: 'APPROVED', to: 'EXTERNAL_PENDING' },
          link: { id: guest.id, name: 'Spring campaign' },
        },
      })
      // It is decided again like any other, and that can be taken back, too.
      await approve(id, 3)
      await done(undo(id, { version: 4 }))
      expect(await read(id)).toMatchObject({ ...WAITING, version: 5 })
    },
  )

  test('and the review does not count any more, and is not asked for by the guest', async () => {
    const { id } = await done(
      owner.request('POST', '/post-sets', {
        body: {
          ...{ socialSetId: api.socialSetId, scheduledAt: '2030-06-01T10:00:00Z', status: 'DRAFT' },
          ...{ ...WAITING, posts: [BLUESKY_POST] },
        },
      }),
      201,
    )
    await approve(id)
    await done(undo(id, { version: 2 }))
    const review = await done(owner.request('GET', `/post-sets/${id}/review`))
    expect(review).toMatchObject({ approval: 'EXTERNAL_PENDING', decision: null, asked: { byYou: true } })
  })

  test('shared-10: although somebody labeled and locked the post meanwhile', async () => {
    const { id } = await api.create(WAITING)
    await approve(id)
    const label = await done(owner.request('POST', '/labels', { body: { name: 'Soon' } }), 201)
    await done(owner.request('PUT', `/post-sets/${id}/labels`, { body: { labelsId: [label.id] } }))
    await done(owner.request('PUT', `/post-sets/${id}/lock`, { body: { locked: true } }))
    expect(await undoableOf(id)).toBe(true)
    await done(undo(id, { version: 4 }))
    expect(await read(id)).toMatchObject({ ...WAITING, isLocked: true })
  })

  test('and the team hears of it', async () => {
    const { id } = await api.create(WAITING)
    await approve(id)
    await done(undo(id, { version: 2 }))
    await addressNews(api.db, { receiver: false, mail: null, guests: false })
    const { data } = await done(owner.request('GET', '/news'))
    const lines = data.filter(({ postSet, kind }: NewsItem) => postSet?.id === id && kind === 'APPROVED')
    expect(lines.map(({ takenBack }: NewsItem) => takenBack)).toEqual([true, false])
    expect(lines[0].actor).toEqual({ name: 'Clara', type: 'REVIEWER' })
  })
})

describe('an approval stays', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['scheduled', (id) => patch(id, { status: 'SCHEDULED' })],
    ['moved', (id) => patch(id, { scheduledAt: '2030-06-02T10:00:00Z' })],
    ['decided by the team', (id) => patch(id, { approval: 'DENIED' }).then(() => patch(id, { approval: 'APPROVED' }))],
    [
      'scheduled and parked again',
      (id) => patch(id, { status: 'SCHEDULED' }).then(() => patch(id, { status: 'DRAFT' })),
    ],
    ['approved again by a member in words', (id) => approveAsMember(id, 2, 'Good')],
  ])('shared-10: once the post was %s', async (_, meanwhile) => {
    const { id } = await api.create({ ...WAITING, status: 'DRAFT' })
    await approve(id)
    await meanwhile(id)
    const { version, approval } = await read(id)
    expect(approval).toBe('APPROVED')
    if (version > 2) expect(statusAndCode(await undo(id, { version: 2 }))).toEqual(CONFLICT)
    expect(statusAndCode(await undo(id, { version }))).toEqual(REFUSED)
    expect(await undoableOf(id)).not.toBe(true)
    expect(await read(id)).toMatchObject({ approval: 'APPROVED', version })
  })

  test('shared-10: once it was parked', async () => {
    const { id } = await api.create({ ...WAITING, status: 'SCHEDULED' })
    await approve(id)
    await patch(id, { status: 'DRAFT' })
    expect(statusAndCode(await undo(id, { version: 3 }))).toEqual(REFUSED)
    expect(await undoableOf(id)).not.toBe(true)
  })

  test('shared-10: once the post says something else', async () => {
    const set = await api.create(WAITING)
    await approve(set.id)
    await patch(set.id, { posts: [{ ...BLUESKY_POST, id: set.posts[0].id, caption: 'Other words' }] })
    expect(statusAndCode(await undo(set.id, { version: 3 }))).toEqual(REFUSED)
  })

  test('shared-10: once it is being published', async () => {
    const { id } = await api.create({ ...WAITING, status: 'SCHEDULED' })
    await approve(id)
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', id).execute()
    expect(statusAndCode(await undo(id, { version: 2 }))).toEqual(REFUSED)
    expect(await undoableOf(id)).toBe(false)
  })

  test('shared-10: when it is another guest’s, a member’s, or none', async () => {
    const other = await enter(api, link, { name: 'Carl' })
    const { id } = await api.create(WAITING)
    await approve(id)
    expect(await undoableOf(id, other)).toBe(false)
    expect(statusAndCode(await undo(id, { version: 2 }, other))).toEqual(REFUSED)
    const ofMember = await api.create(WAITING)
    await approveAsMember(ofMember.id, 1)
    expect(statusAndCode(await undo(ofMember.id, { version: 2 }))).toEqual(REFUSED)
    for (const approval of ['EXTERNAL_PENDING', 'APPROVED']) {
      const set = await api.create({ approval })
      expect(statusAndCode(await undo(set.id, { version: 1 }))).toEqual(REFUSED)
    }
    const denied = await api.create(WAITING)
    const body = { decision: 'request-changes', version: 1, message: 'The logo' }
    await done(guest.request('POST', `/posts/${denied.id}/decision`, { body }))
    expect(statusAndCode(await undo(denied.id, { version: 2 }))).toEqual(REFUSED)
  })

  test('shared-11: when two undo it at once, it is undone once', async () => {
    const { id } = await api.create(WAITING)
    await approve(id)
    const answers = await Promise.all([undo(id, { version: 2 }), undo(id, { version: 2 })])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    expect((await api.history(id)).filter(({ action }) => action === 'review taken back')).toHaveLength(1)
  })

  test.each([[{}], [{ version: '2' }], [{ version: 0 }], [{ version: 2, decision: 'approve' }]])(
    'when the body is %j',
    async (body) => {
      const { id } = await api.create(WAITING)
      await approve(id)
      expect(statusAndCode(await undo(id, body))).toEqual([400, 'request:invalid_body'])
    },
  )

  test('when the link does not allow it any more, when there is no such post, and in a preview', async () => {
    const { id } = await api.create(WAITING)
    const own = await share(api, owner)
    const client = await enter(api, own, { name: 'Clara' })
    await approve(id, 1, client)
    for (const gone of [newId(), 'nonsense']) expect(statusAndCode(await undo(gone, { version: 1 }))).toEqual(NO_SET)
    const allows = { comment: true, decide: false, notes: true }
    await done(owner.request('PATCH', `/shared-calendars/${own.sharedCalendar.id}`, { body: { allows } }))
    expect(await undoableOf(id, client)).toBe(false)
    const refused = [403, 'shared-calendar:not_allowed']
    expect(statusAndCode(await undo(id, { version: 2 }, client))).toEqual(refused)
    expect((await read(id)).approval).toBe('APPROVED')
  })
})
