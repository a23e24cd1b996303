import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { APPROVE, CHANGES, FUTURE, reviewsOf, setRule } from '../_util/api/approvals.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
let editor: Person
let author: Person
let reviewer: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  editor = await signInAs(api, 'editor')
  author = await signInAs(api, 'author')
  reviewer = await signInAs(api, 'reviewer')
})
beforeEach(async () => {
  await api.db.deleteFrom('post_sets').execute()
  await setRule(api, {})
})
afterAll(() => api.close())

const approvalOf = async (id: string) => (await api.request('GET', `/v1/post-sets/${id}`)).body.approval
const reported = async (id: string) =>
  (await api.history(id)).map(({ action, changes }) => ({ action, ...changes.approval, given: changes.given }))

describe('the rule of a brand', () => {
  test('approval-01: is optional until an owner or admin sets it, and says how many may approve', async () => {
    const id = await api.newSocialSet()
    const path = `/social-sets/${id}/approval-rule`
    const before = await done(author.request('GET', path))
    expect(before).toEqual({
      rule: 'OPTIONAL',
      reviewers: 1,
      binding: false,
      eligible: expect.any(Number),
    })
    await signInAs(api, 'reviewer')
    await signInAs(api, 'reviewer', { socialSetIds: [api.socialSetId] })
    await signInAs(api, 'author')
    const body = { rule: 'REQUIRED', reviewers: 2 }
    const after = await done(owner.request('PUT', path, { body }))
    expect(after).toEqual({ ...body, binding: true, eligible: before.eligible + 1 })
    expect(await done(editor.request('GET', path))).toEqual(after)
  })

  test('resources-74, approval-01: optional: one approval is enough', async () => {
    const { id } = await reviewsOf(author).ask(api)
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED', status: 'DRAFT' })
    expect((await reported(id)).slice(1)).toEqual([{ action: 'approved', from: 'PENDING', to: 'APPROVED' }])
  })

  test('approval-02: required: a set stays pending until so many different reviewers have approved, each a row of history', async () => {
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
    const { id } = await reviewsOf(author).ask(api)
    expect(await reviewsOf(reviewer).read(id)).toMatchObject({
      rule: 'REQUIRED',
      approvals: { needed: 2, given: [] },
      cannotApprove: null,
      asked: { byYou: false },
    })
    const first = await reviewsOf(reviewer).approve(id)
    expect(first).toMatchObject({ approval: 'PENDING', version: 2 })
    // The same one again is no second one.
    expect(await reviewsOf(reviewer).approve(id)).toMatchObject({ approval: 'PENDING', version: 2 })
    expect(await reviewsOf(reviewer).read(id)).toMatchObject({
      cannotApprove: 'given',
      approvals: { given: [{ byYou: true }] },
      yourDecision: { decision: 'approve', step: 'TEAM', version: 2, changedSince: false },
    })
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED', status: 'DRAFT', version: 3 })
    expect((await reported(id)).slice(1)).toEqual([
      { action: 'approved', given: { count: 1, needed: 2 } },
      { action: 'approved', from: 'PENDING', to: 'APPROVED', given: { count: 2, needed: 2 } },
    ])
  })

  test('resources-75, approval-04, approval-05: team, then client: the approval of the team asks the client, for whom a member may decide, and history says so', async () => {
    await setRule(api, { rule: 'TEAM_THEN_CLIENT' })
    const { id } = await reviewsOf(author).ask(api)
    expect(await reviewsOf(reviewer).approve(id)).toMatchObject({ approval: 'EXTERNAL_PENDING', status: 'DRAFT' })
    expect(await reviewsOf(reviewer).read(id)).toMatchObject({ step: 'CLIENT', cannotApprove: null })
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
    const history = await api.history(id)
    expect(history.at(-1)).toMatchObject({
      action: 'approved',
      actor_type: 'USER',
      changes: { approval: { from: 'EXTERNAL_PENDING', to: 'APPROVED' }, forClient: true },
    })
    expect(history.at(-2)?.changes).not.toHaveProperty('forClient')

    const other = await reviewsOf(author).ask(api, { status: 'DRAFT' })
    await reviewsOf(reviewer).approve(other.id)
    expect((await reviewsOf(editor).decide(other.id, CHANGES)).body).toMatchObject({
      approval: 'DENIED',
      status: 'DRAFT',
    })
    expect((await api.history(other.id)).at(-1)?.changes).toMatchObject({
      forClient: true,
      message: 'Shorter, please.',
    })
  })

  test.each([
    ['REQUIRED', 'APPROVED', 'PENDING'],
    ['TEAM_THEN_CLIENT', 'APPROVED', 'PENDING'],
    ['TEAM_THEN_CLIENT', 'EXTERNAL_PENDING', 'PENDING'],
    ['OPTIONAL', 'APPROVED', 'PENDING'],
    ['OPTIONAL', 'EXTERNAL_PENDING', 'EXTERNAL_PENDING'],
    ['REQUIRED', 'DENIED', 'DENIED'],
    ['REQUIRED', 'NONE', 'NONE'],
  ] as const)('approval-06: %s: an edit of what is %s leaves it %s', async (rule, approval, after) => {
    await setRule(api, { rule })
    const { id } = await api.create({ approval, posts: [BLUESKY_POST] })
    expect((await reviewsOf(author).edit(id, 'Another text')).body).toMatchObject({ approval: after })
    // A key's edit leaves it.
    const key = await api.create({ approval, posts: [BLUESKY_POST] })
    const body = { posts: [{ ...key.posts[0], caption: 'Another text' }] }
    expect((await api.request('PATCH', `/v1/post-sets/${key.id}`, { body })).body).toMatchObject({ approval })
  })

  test('approval-06: an approval is of the posts that were seen: an edit voids it, by a member or a key', async () => {
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(reviewer).approve(id)
    await reviewsOf(author).edit(id, 'Another text')
    expect(await reviewsOf(reviewer).read(id)).toMatchObject({
      approvals: { given: [] },
      cannotApprove: null,
      yourDecision: { changedSince: true },
    })
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'PENDING' })
    const { posts } = await api.request('GET', `/v1/post-sets/${id}`).then(({ body }) => body)
    await api.request('PATCH', `/v1/post-sets/${id}`, { body: { posts: [{ ...posts[0], caption: 'By a program' }] } })
    expect(await reviewsOf(reviewer).approve(id)).toMatchObject({ approval: 'PENDING' })
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
  })

  test('approval-02: asking again, or requesting changes, begins again', async () => {
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(reviewer).approve(id)
    await reviewsOf(editor).decide(id, CHANGES)
    expect((await reviewsOf(author).patch(id, { approval: 'PENDING' })).status).toBe(200)
    expect(await reviewsOf(reviewer).read(id)).toMatchObject({ approvals: { given: [] }, cannotApprove: null })
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'PENDING' })

    const { id: denied } = await reviewsOf(author).ask(api)
    await reviewsOf(reviewer).approve(denied)
    const { version } = (await reviewsOf(reviewer).decide(denied, CHANGES)).body
    expect(await reviewsOf(editor).approve(denied)).toMatchObject({ approval: 'PENDING', version: version + 1 })
    expect(await reviewsOf(reviewer).approve(denied)).toMatchObject({ approval: 'APPROVED' })
    // So does a request that was withdrawn.
    const { id: withdrawn } = await reviewsOf(author).ask(api)
    await reviewsOf(reviewer).approve(withdrawn)
    await reviewsOf(author).patch(withdrawn, { approval: 'NONE' })
    expect(await reviewsOf(editor).read(withdrawn)).toMatchObject({ approvals: { given: [] } })
    expect(await reviewsOf(editor).approve(withdrawn)).toMatchObject({ approval: 'PENDING' })
    // A request for changes that is taken back has voided nothing.
    const { id: third } = await reviewsOf(author).ask(api)
    await reviewsOf(reviewer).approve(third)
    const refused = (await reviewsOf(editor).decide(third, CHANGES)).body
    await actionsOf(editor).bulk([{ id: third, version: refused.version }], { undo: true })
    expect(await reviewsOf(editor).approve(third)).toMatchObject({ approval: 'APPROVED' })
  })

  test('a vote is taken back, and the others count on', async () => {
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
    const { id } = await reviewsOf(author).ask(api)
    const { version } = await reviewsOf(reviewer).approve(id)
    const undo = (person: Person, of: number) => actionsOf(person).bulk([{ id, version: of }], { undo: true })
    expect((await undo(reviewer, version)).done).toMatchObject([{ id }])
    expect(await reviewsOf(reviewer).read(id)).toMatchObject({ approvals: { given: [] }, decision: null })
    await reviewsOf(reviewer).approve(id)
    const last = await reviewsOf(editor).approve(id)
    expect(last.approval).toBe('APPROVED')
    expect((await undo(editor, last.version)).done).toMatchObject([{ id }])
    expect(await reviewsOf(editor).read(id)).toMatchObject({
      approval: 'PENDING',
      approvals: { given: [{ byYou: false }] },
      decision: { byYou: false },
    })
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
  })

  test('approval-03: who may schedule unapproved is not bound, nor is a key; approved, an editor schedules', async () => {
    await setRule(api, { rule: 'REQUIRED' })
    const scheduled = { status: 'SCHEDULED', scheduledAt: FUTURE, posts: [BLUESKY_POST] }
    await done(owner.request('POST', '/post-sets', { body: api.draft({ ...scheduled, approval: 'NONE' }) }), 201)
    expect(await api.create({ ...scheduled, approval: 'PENDING' })).toMatchObject({ status: 'SCHEDULED' })
    expect(await api.create({ ...scheduled, approval: 'APPROVED' })).toMatchObject({ approval: 'APPROVED' })
    const { id } = await reviewsOf(editor).ask(api)
    await reviewsOf(reviewer).approve(id)
    expect((await reviewsOf(editor).patch(id, { status: 'SCHEDULED' })).body).toMatchObject({ status: 'SCHEDULED' })
    // It is moved as it is; an edit makes a draft of it.
    expect((await reviewsOf(editor).patch(id, { scheduledAt: '2090-07-01T10:00:00Z' })).status).toBe(200)
    const edited = await reviewsOf(editor).edit(id, 'Another text', { status: 'DRAFT' })
    expect(edited.body).toMatchObject({ status: 'DRAFT', approval: 'PENDING' })
  })

  test('the client is asked again about what is approved', async () => {
    await setRule(api, { rule: 'REQUIRED' })
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(reviewer).approve(id)
    expect((await reviewsOf(editor).patch(id, { approval: 'EXTERNAL_PENDING' })).body).toMatchObject({
      approval: 'EXTERNAL_PENDING',
    })
    expect(await reviewsOf(editor).read(id)).toMatchObject({ asked: { byYou: true }, step: 'CLIENT' })
  })

  test('approval-07: what a key created is no one’s own', async () => {
    await setRule(api, { rule: 'REQUIRED' })
    const { id } = await api.create({ approval: 'PENDING' })
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
  })

  test('approving many is one request with an answer for each', async () => {
    await setRule(api, { rule: 'REQUIRED' })
    const sets = await Promise.all([1, 2, 3].map(() => reviewsOf(author).ask(api)))
    const [first, second, third] = sets.map(({ id, version }) => ({ id, version }))
    if (!first || !second || !third) throw new Error('Three sets were not created.')
    const own = await reviewsOf(editor).ask(api)
    await reviewsOf(author).edit(second.id, 'Another text')
    const answer = await actionsOf(editor).bulk([first, second, third, { id: own.id, version: 1 }], { approve: true })
    expect(answer.done.map(({ id }) => id)).toEqual([first.id, third.id])
    expect(answer.refused).toMatchObject([
      { id: second.id, code: 'post-set:version_conflict', message: expect.stringContaining('posts[0].caption') },
      { id: own.id, code: 'post-set:changed_last' },
    ])
    expect(await approvalOf(first.id)).toBe('APPROVED')
    const back = answer.done.map(({ id, version }) => ({ id, version }))
    expect((await actionsOf(editor).bulk(back, { undo: true })).done).toHaveLength(2)
    expect(await approvalOf(first.id)).toBe('PENDING')
  })

  test('what changed since a version was seen: what it was then, and what it is now', async () => {
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(author).edit(id, 'Second text')
    await reviewsOf(author).patch(id, { scheduledAt: '2090-07-01T10:00:00Z' })
    await reviewsOf(author).edit(id, 'Third text')
    const read = (since: number) => done(reviewer.request('GET', `/post-sets/${id}/changes?since=${since}`))
    expect(await read(1)).toMatchObject({
      since: 1,
      version: 4,
      changes: {
        scheduledAt: { from: '2090-06-01T10:00:00.000Z', to: '2090-07-01T10:00:00.000Z' },
        posts: { changed: [{ accountType: 'BLUESKY', fields: {}, names: ['caption'] }] },
      },
    })
    const { changes } = await read(1)
    const path = `/post-sets/${id}/changes/${changes.posts.changed[0].id}?since=`
    const caption = { from: 'hello', to: 'Third text', fromKept: true }
    expect(await done(reviewer.request('GET', `${path}1`))).toEqual({ since: 1, fields: { caption } })
    expect(await done(reviewer.request('GET', `${path}4`))).toEqual({ since: 4, fields: {} })
    expect(await read(4)).toEqual({ since: 4, version: 4, changes: {}, earlier: 0 })
  })
})

test('a locked set is decided like any other', async () => {
  const { id } = await reviewsOf(author).ask(api)
  await actionsOf(editor).lock(id)
  expect((await reviewsOf(reviewer).decide(id, APPROVE)).body).toMatchObject({ approval: 'APPROVED', isLocked: true })
})
