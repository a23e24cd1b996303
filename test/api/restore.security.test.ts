import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { claimDuePostSets } from '#persistence'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
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
import { setState } from '../_util/engine/set-state.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

const NOTE = { content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-15' }

test('a member who may not write brings nothing back, and no one does so unseen', async () => {
  const owner = await signInAs(api, 'owner')
  const { id } = await api.create()
  const note = await done(owner.request('POST', '/notes', { body: { ...NOTE, socialSetId: api.socialSetId } }), 201)
  await actionsOf(owner).remove(id)
  await done(owner.request('DELETE', `/notes/${note.id}`), 204)
  const reviewer = await signInAs(api, 'reviewer')
  const accountId = await api.newAccount()
  const stranger = await signInAs(api, 'owner', { accountId })
  const limited = await signInAs(api, 'owner', { socialSetIds: [newId()] })
  for (const [path, missing] of [
    [`/post-sets/${id}/restore`, NO_SET],
    [`/notes/${note.id}/restore`, [404, 'note:not_found']],
  ] as const) {
    expect(statusAndCode(await reviewer.request('POST', path))).toEqual(WRONG_ROLE)
    for (const person of [stranger, limited]) expect(statusAndCode(await person.request('POST', path))).toEqual(missing)
    const headers = { origin: 'https://almanac.test' }
    expect(statusAndCode(await api.request('POST', `/internal${path}`, { key: null, headers }))).toEqual(NOT_SIGNED_IN)
    expect(statusAndCode(await owner.request('POST', path, { headers: { origin: 'https://evil.test' } }))).toEqual(
      OTHER_SITE,
    )
    await done(owner.request('POST', path))
  }
})

test('an author brings back as a draft what others removed while it was scheduled, and drafts as they were', async () => {
  const author = actionsOf(await signInAs(api, 'author'))
  const editor = actionsOf(await signInAs(api, 'editor'))
  const { id } = await api.create({ status: 'SCHEDULED' })
  await editor.remove(id)
  expect((await editor.restore(id)).postSet.status).toBe('SCHEDULED')
  await editor.remove(id)
  expect(await author.restore(id)).toMatchObject({
    parked: true,
    postSet: { status: 'DRAFT' },
    message: { code: 'why:draft_role', message: expect.stringContaining('schedule') },
  })
  await author.remove(id)
  expect(await author.restore(id)).toMatchObject({ parked: false, postSet: { status: 'DRAFT' }, message: null })
})

test('an author takes nothing off that is scheduled, whichever way', async () => {
  const author = await signInAs(api, 'author')
  const { id } = await api.create({ status: 'SCHEDULED' })
  expect(statusAndCode(await author.request('DELETE', `/post-sets/${id}`))).toEqual(WRONG_ROLE)
  const draft = await api.create()
  const { done: gone, refused } = await actionsOf(author).bulk([{ id }, { id: draft.id }], { delete: true })
  expect(gone.map((set) => set.id)).toEqual([draft.id])
  expect(refused).toMatchObject([{ id, code: 'auth:insufficient_role' }])
  for (const preview of [true, false]) {
    const body = { scope: 'this', preview }
    expect(statusAndCode(await author.request('POST', `/post-sets/${id}/remove`, { body }))).toEqual(WRONG_ROLE)
  }
  expect(await actionsOf(author).read(id)).toMatchObject({ status: 'SCHEDULED', version: 1 })
  // What its state refuses is reported first, as to everybody.
  await actionsOf(await signInAs(api, 'editor')).lock(id)
  expect(statusAndCode(await author.request('DELETE', `/post-sets/${id}`))).toEqual([412, 'post-set:locked'])
})

describe('a scheduled set that was removed', () => {
  const set = async (more: object = {}) => {
    const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
    const { id } = await api.create({ socialSetId, status: 'SCHEDULED', posts: [BLUESKY_POST], ...more })
    return { socialSetId, id }
  }
  const close = (socialSetId: string) =>
    api.db.updateTable('connections').set({ closed_at: new Date() }).where('social_set_id', '=', socialSetId).execute()
  const open = async (socialSetId: string) => {
    const from = await api.newSocialSet({ connected: ['BLUESKY'] })
    await api.db
      .updateTable('connections')
      .set({ social_set_id: socialSetId })
      .where('social_set_id', '=', from)
      .execute()
  }

  test('is a draft when its account was disconnected meanwhile, also when another one is connected', async () => {
    const owner = actionsOf(await signInAs(api, 'owner'))
    for (const again of [false, true]) {
      const { socialSetId, id } = await set()
      await owner.remove(id)
      await close(socialSetId)
      if (again) await open(socialSetId)
      const { postSet, parked, message } = await owner.restore(id)
      expect([postSet.status, parked, message]).toEqual([
        'DRAFT',
        true,
        expect.objectContaining({ code: 'why:draft_accounts_changed' }),
      ])
      expect((await owner.history(id))[0]?.changes.status).toEqual({ from: 'SCHEDULED', to: 'DRAFT' })
    }
  })

  test('stays scheduled when an account that it does not go to was connected or disconnected', async () => {
    const owner = actionsOf(await signInAs(api, 'owner'))
    const socialSetId = await api.newSocialSet({ connected: ['BLUESKY', 'INSTAGRAM'] })
    const { id } = await set({ socialSetId })
    await owner.remove(id)
    await api.db
      .updateTable('connections')
      .set({ closed_at: new Date() })
      .where('social_set_id', '=', socialSetId)
      .where('account_type', '=', 'INSTAGRAM')
      .execute()
    expect(await owner.restore(id)).toMatchObject({ parked: false, postSet: { status: 'SCHEDULED' } })
  })

  test('is a draft when it could not be scheduled now', async () => {
    const owner = actionsOf(await signInAs(api, 'owner'))
    const { id } = await set()
    await owner.remove(id)
    await api.db
      .updateTable('posts')
      .set({ caption: 'x'.repeat(400) })
      .where('post_set_id', '=', id)
      .execute()
    expect(await owner.restore(id)).toMatchObject({
      parked: true,
      postSet: { status: 'DRAFT', version: 2 },
      message: {
        code: 'why:draft_refused',
        message: expect.stringMatching(/could not be scheduled now.*300/s),
        values: { code: expect.any(String), reason: expect.stringMatching(/300/) },
      },
    })
  })
})

describe('at the same time', () => {
  test('of several who bring a set back one does, and it is there once', async () => {
    const act = await signInAs(api, 'editor')
    const { id } = await api.create()
    const before = await setState(api.db, id)
    await actionsOf(act).remove(id)
    const answers = await Promise.all(Array.from({ length: 8 }, () => act.request('POST', `/post-sets/${id}/restore`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
    expect(await setState(api.db, id)).toEqual(before)
    expect((await actionsOf(act).history(id)).filter(({ action }) => action === 'restored')).toHaveLength(1)
  })

  test('of several who delete a set one does', async () => {
    const person = await signInAs(api, 'editor')
    const { id } = await api.create()
    const answers = await Promise.all(Array.from({ length: 8 }, () => person.request('DELETE', `/post-sets/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)])
    expect((await actionsOf(person).restore(id)).postSet.id).toBe(id)
  })

  test('a set that was claimed first is not deleted, and one that was deleted first is not claimed', async () => {
    const person = await signInAs(api, 'editor')
    const due = { late: true, besideFull: false, newestFirst: false, limit: 10, perConnection: 10, except: [] }
    const claim = { lateLimitMs: 1e12 }
    const first = await api.create({ status: 'SCHEDULED', scheduledAt: '2026-01-01T10:00:00Z' })
    const deleting = await api.db.transaction().execute(async (trx) => {
      expect((await claimDuePostSets(trx, due, claim)).map(({ id }) => id)).toEqual([first.id])
      const asked = person.request('DELETE', `/post-sets/${first.id}`)
      await untilSomeoneWaits(api.db)
      return { asked }
    })
    expect(statusAndCode(await deleting.asked)).toEqual([412, 'post-set:read_only'])
    const second = await api.create({ status: 'SCHEDULED', scheduledAt: '2026-01-01T10:00:00Z' })
    await actionsOf(person).remove(second.id)
    expect(await api.db.transaction().execute((trx) => claimDuePostSets(trx, due, claim))).toEqual([])
    // What was due meanwhile does not publish by coming back.
    expect((await actionsOf(person).restore(second.id)).parked).toBe(true)
    expect(await api.db.transaction().execute((trx) => claimDuePostSets(trx, due, claim))).toEqual([])
  })
})
