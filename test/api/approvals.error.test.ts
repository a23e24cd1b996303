import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { APPROVE, CHANGES, FUTURE, reviewsOf, setRule } from '../_util/api/approvals.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
let editor: Person
let author: Person
let reviewer: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate, plans: { STARTER: { approvals: false } } })
  owner = await signInAs(api, 'owner')
  editor = await signInAs(api, 'editor')
  author = await signInAs(api, 'author')
  reviewer = await signInAs(api, 'reviewer')
})
beforeEach(() => setRule(api, { rule: 'REQUIRED' }))
afterAll(() => api.close())

const REQUIRED = [409, 'post-set:approval_required']
const scheduled = (more: object = {}) =>
  api.draft({ status: 'SCHEDULED', scheduledAt: FUTURE, posts: [BLUESKY_POST], ...more })

describe('a member who may not schedule unapproved', () => {
  test('approval-03: creates nothing that is scheduled, with any approval', async () => {
    for (const approval of ['NONE', 'PENDING', 'DENIED'] as const) {
      expect(statusAndCode(await editor.request('POST', '/post-sets', { body: scheduled({ approval }) }))).toEqual(
        REQUIRED,
      )
    }
    const checked = await done(editor.request('POST', '/post-sets/validate', { body: scheduled({ approval: 'NONE' }) }))
    expect(checked).toMatchObject({ valid: false, problems: [{ code: 'post-set:approval_required', path: 'status' }] })
    expect(
      await done(owner.request('POST', '/post-sets/validate', { body: scheduled({ approval: 'NONE' }) })),
    ).toMatchObject({ valid: true })
  })

  test('approval-03: schedules, moves, edits and repeats nothing that is not approved', async () => {
    const draft = await reviewsOf(editor).ask(api)
    expect(statusAndCode(await reviewsOf(editor).patch(draft.id, { status: 'SCHEDULED' }))).toEqual(REQUIRED)
    const set = await api.create(scheduled({ approval: 'PENDING' }))
    const move = { scheduledAt: '2090-07-01T10:00:00Z' }
    expect(statusAndCode(await reviewsOf(editor).patch(set.id, move))).toEqual(REQUIRED)
    expect(statusAndCode(await reviewsOf(editor).edit(set.id, 'Another text'))).toEqual(REQUIRED)
    const repeat = { interval: 'DAY', occurrences: 2 }
    expect(statusAndCode(await reviewsOf(editor).patch(set.id, { repeat }))).toEqual(REQUIRED)
    const moved = await editor.request('POST', `/post-sets/${set.id}/move`, { body: { ...move, scope: 'this' } })
    expect(statusAndCode(moved)).toEqual(REQUIRED)
    expect((await actionsOf(editor).bulk([set], { move: { days: 1 } })).refused).toMatchObject([
      { code: 'post-set:approval_required' },
    ])
    // What was scheduled stays so, and asking, labels and locks are free.
    expect((await reviewsOf(editor).patch(set.id, { approval: 'NONE' })).status).toBe(200)
    expect((await reviewsOf(editor).patch(set.id, { approval: 'PENDING' })).status).toBe(200)
    expect((await reviewsOf(editor).patch(set.id, { status: 'DRAFT' })).status).toBe(200)
  })

  test('approval-03: edits nothing that is approved and scheduled without making a draft of it', async () => {
    const set = await api.create(scheduled({ approval: 'APPROVED' }))
    const refused = await reviewsOf(editor).edit(set.id, 'Another text')
    expect(statusAndCode(refused)).toEqual(REQUIRED)
    expect(refused.body.detail).toContain('Move it to drafts')
    expect((await api.request('GET', `/v1/post-sets/${set.id}`)).body).toMatchObject({
      version: 1,
      approval: 'APPROVED',
    })
    expect((await reviewsOf(owner).edit(set.id, 'Another text')).body).toMatchObject({
      status: 'SCHEDULED',
      approval: 'PENDING',
    })
  })

  test('brings a set back as it was that it has deleted', async () => {
    const set = await api.create(scheduled({ approval: 'PENDING' }))
    await actionsOf(editor).remove(set.id)
    expect(await actionsOf(editor).restore(set.id)).toMatchObject({ parked: false, postSet: { status: 'SCHEDULED' } })
  })

  test('takes back what it has parked', async () => {
    const set = await api.create(scheduled({ approval: 'PENDING' }))
    const { version } = await actionsOf(editor).patch(set.id, { status: 'DRAFT' })
    expect((await actionsOf(editor).bulk([{ id: set.id, version }], { undo: true })).done).toHaveLength(1)
    expect((await api.request('GET', `/v1/post-sets/${set.id}`)).body.status).toBe('SCHEDULED')
  })
})

test('approval-10: where a rule binds, approval comes from reviews alone', async () => {
  for (const rule of ['REQUIRED', 'TEAM_THEN_CLIENT'] as const) {
    await setRule(api, { rule })
    for (const approval of ['APPROVED', 'EXTERNAL_PENDING'] as const) {
      expect(statusAndCode(await owner.request('POST', '/post-sets', { body: api.draft({ approval }) }))).toEqual(
        REQUIRED,
      )
      const { id } = await reviewsOf(author).ask(api)
      expect(statusAndCode(await reviewsOf(owner).patch(id, { approval }))).toEqual(REQUIRED)
      const approved = await api.create({ approval: 'APPROVED', posts: [BLUESKY_POST] })
      if (approval === 'EXTERNAL_PENDING') {
        expect(statusAndCode(await reviewsOf(owner).edit(approved.id, 'Another text', { approval }))).toEqual(REQUIRED)
      }
    }
  }
})

test('approval-10: a decision that was undone does not approve what was edited since', async () => {
  await setRule(api, { rule: 'REQUIRED' })
  const { id } = await reviewsOf(author).ask(api)
  const { version } = await reviewsOf(reviewer).approve(id)
  const { bulk } = actionsOf(reviewer)
  const back = (await bulk([{ id, version }], { undo: true })).done[0]
  await reviewsOf(author).edit(id, 'Another text')
  expect((await bulk([{ id, version: back?.version ?? 0 }], { undo: true })).refused).toMatchObject([
    { code: 'request:refused' },
  ])
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body.approval).toBe('PENDING')
})

test('one vote of several is not taken back when the set has gone on', async () => {
  await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
  const { id } = await reviewsOf(author).ask(api)
  const { version } = await reviewsOf(reviewer).approve(id)
  await reviewsOf(editor).approve(id)
  expect((await actionsOf(reviewer).bulk([{ id, version }], { undo: true })).refused).toMatchObject([
    { code: 'post-set:version_conflict' },
  ])
})

describe('a decision', () => {
  test('approval-07: about what they changed last is refused', async () => {
    const { id } = await reviewsOf(editor).ask(api)
    expect(await reviewsOf(editor).read(id)).toMatchObject({
      cannotApprove: 'changed-last',
      cannotRequestChanges: null,
    })
    expect(statusAndCode(await reviewsOf(editor).decide(id, APPROVE))).toEqual([403, 'post-set:changed_last'])
    expect((await actionsOf(editor).bulk([{ id, version: 1 }], { approve: true })).refused).toMatchObject([
      { code: 'post-set:changed_last' },
    ])
    expect((await reviewsOf(editor).decide(id, CHANGES)).body).toMatchObject({ approval: 'DENIED' })
  })

  test('approval-08: names the version that was seen, and another one is refused with what has changed', async () => {
    await setRule(api, {})
    const { id } = await reviewsOf(author).ask(api, { posts: [INSTAGRAM_POST, BLUESKY_POST] })
    const none = await reviewer.request('POST', `/post-sets/${id}/review`, { body: APPROVE })
    expect(statusAndCode(none)).toEqual([400, 'request:invalid_header'])
    const { posts } = await actionsOf(author).read(id)
    await actionsOf(author).patch(id, { posts: [posts[0], { ...posts[1], caption: 'Another text' }] })
    await actionsOf(author).patch(id, { scheduledAt: '2090-07-01T10:00:00Z' })
    await actionsOf(editor).lock(id)
    const stale = await reviewsOf(reviewer).decide(id, APPROVE, 1)
    expect(statusAndCode(stale)).toEqual([412, 'post-set:version_conflict'])
    expect(stale.body.errors).toMatchObject([
      { path: 'scheduledAt' },
      { path: 'posts[1].caption', accountType: 'BLUESKY' },
      { path: 'isLocked' },
    ])
    expect((await api.request('GET', `/v1/post-sets/${id}`)).body.approval).toBe('PENDING')
    expect(statusAndCode(await reviewsOf(reviewer).decide(id, APPROVE, 99))).toEqual([412, 'post-set:version_conflict'])
    expect((await reviewsOf(reviewer).decide(id, APPROVE, 4)).body.approval).toBe('APPROVED')
    // Posts that came and went are named together.
    await actionsOf(editor).lock(id, false)
    await actionsOf(author).patch(id, { posts: [{ ...posts[1], caption: 'Another text' }] })
    expect((await reviewsOf(reviewer).decide(id, APPROVE, 5)).body.errors).toMatchObject([
      { path: 'approval' },
      { path: 'posts' },
      { path: 'isLocked' },
    ])
  })

  test('approval-08: of many needs a version for each', async () => {
    const { id } = await reviewsOf(author).ask(api)
    const body = { ids: [{ id }], action: { approve: true } }
    const { status, body: problem } = await reviewer.request('POST', '/post-sets/change', { body })
    expect([status, problem.errors]).toMatchObject([400, [{ path: 'ids[0].version' }]])
  })

  test('is refused where the plan has no approvals, whose rule binds no one', async () => {
    const accountId = await api.newAccount({ plan: 'STARTER' })
    const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
    const boss = await signInAs(api, 'owner', { accountId })
    const writer = await signInAs(api, 'editor', { accountId })
    const path = `/social-sets/${socialSetId}/approval-rule`
    const body = { rule: 'REQUIRED', reviewers: 1 }
    expect(statusAndCode(await boss.request('PUT', path, { body }))).toEqual([403, 'plan:approvals_not_available'])
    await setRule(api, { rule: 'REQUIRED' }, socialSetId)
    expect(await done(boss.request('GET', path))).toMatchObject({ rule: 'REQUIRED', binding: false })
    const post = scheduled({ socialSetId, approval: 'NONE' })
    const { id } = await done(writer.request('POST', '/post-sets', { body: post }), 201)
    expect(statusAndCode(await reviewsOf(writer).decide(id, APPROVE))).toEqual([403, 'plan:approvals_not_available'])
  })
})

describe('bad input', () => {
  test.each<[object, string]>([
    [{ rule: 'SOME', reviewers: 1 }, 'rule'],
    [{ rule: 'REQUIRED', reviewers: 0 }, 'reviewers'],
    [{ rule: 'REQUIRED', reviewers: 11 }, 'reviewers'],
    [{ rule: 'REQUIRED', reviewers: 1.5 }, 'reviewers'],
    [{ rule: 'REQUIRED' }, 'reviewers'],
    [{ rule: 'REQUIRED', reviewers: 1, authorsMayApprove: true }, 'authorsMayApprove'],
    [{ rule: 'REQUIRED', reviewers: 1, more: 1 }, 'more'],
  ])('%j is no rule', async (body, path) => {
    const answer = await owner.request('PUT', `/social-sets/${api.socialSetId}/approval-rule`, { body })
    expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
    expect(answer.body.errors).toMatchObject([{ path }])
  })

  test.each<[string, string]>([
    ['', 'tab'],
    ['?tab=mine', 'tab'],
    ['?tab=waiting&size=0', 'size'],
    ['?tab=waiting&size=101', 'size'],
    ['?tab=waiting&cursor=x', 'cursor'],
    ['?tab=waiting&more=1', 'more'],
  ])('of the inbox: %s', async (query, path) => {
    const answer = await editor.request('GET', `/approvals${query}`)
    expect(statusAndCode(answer)).toEqual([400, 'request:invalid_query'])
    expect(answer.body.errors).toMatchObject([{ path }])
  })

  test('of changes: without a version, or none that can be', async () => {
    const { id } = await reviewsOf(author).ask(api)
    for (const query of ['', '?since=0', '?since=x', '?since=99999999999']) {
      expect(statusAndCode(await editor.request('GET', `/post-sets/${id}/changes${query}`))).toEqual([
        400,
        'request:invalid_query',
      ])
    }
  })

  test('of what is being published', async () => {
    const { id } = await reviewsOf(author).ask(api)
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', id).execute()
    expect(await reviewsOf(editor).read(id)).toMatchObject({ cannotApprove: 'status', cannotRequestChanges: 'status' })
    expect(statusAndCode(await reviewsOf(editor).decide(id, APPROVE))).toEqual([412, 'post-set:read_only'])
  })
})
