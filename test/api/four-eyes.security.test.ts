import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GuestCalendar, GuestPostSet } from '#contract'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { APPROVE, CHANGES, FUTURE, idsOf, reviewsOf, setRule } from '../_util/api/approvals.ts'
import { enter, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
let editor: Person
let other: Person
let author: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  editor = await signInAs(api, 'editor')
  other = await signInAs(api, 'editor')
  author = await signInAs(api, 'author')
})
beforeEach(() => setRule(api, { rule: 'REQUIRED' }))
afterAll(() => api.close())

const CHANGED_LAST = [403, 'post-set:changed_last']
const APPROVED_BY_REVIEW = [409, 'post-set:approval_required']
const REFUSED = [409, 'request:refused']
const approvalOf = async (id: string) => (await api.request('GET', `/v1/post-sets/${id}`)).body.approval
const undo = async (person: Person, id: string, version: number) =>
  (await actionsOf(person).bulk([{ id, version }], { undo: true })).refused.map(({ code }) => code)

describe('no one’s approval counts for what they changed last', () => {
  test('approval-07: an editor rewrites another’s draft and neither approves nor schedules it', async () => {
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(editor).edit(id, 'Rewritten')
    expect(await reviewsOf(editor).read(id)).toMatchObject({ mine: false, cannotApprove: 'changed-last' })
    expect(statusAndCode(await reviewsOf(editor).decide(id, APPROVE))).toEqual(CHANGED_LAST)
    expect((await actionsOf(editor).bulk([{ id, version: 2 }], { approve: true })).refused).toMatchObject([
      { code: 'post-set:changed_last' },
    ])
    expect(statusAndCode(await reviewsOf(editor).patch(id, { status: 'SCHEDULED' }))).toEqual(APPROVED_BY_REVIEW)
    expect(idsOf(await reviewsOf(editor).list('waiting'))).not.toContain(id)
    expect(await approvalOf(id)).toBe('PENDING')
  })

  test('who wrote it approves it once another has changed it, and sees what the other changed', async () => {
    const { id } = await reviewsOf(editor).ask(api)
    expect(statusAndCode(await reviewsOf(editor).decide(id, APPROVE))).toEqual(CHANGED_LAST)
    expect(await reviewsOf(editor).read(id)).toMatchObject({ yourChange: null })
    await reviewsOf(other).edit(id, 'Rewritten')
    const item = await reviewsOf(editor).read(id)
    expect(item).toMatchObject({ mine: true, cannotApprove: null, yourChange: { changedBy: { type: 'USER' } } })
    const since = item.yourChange?.version
    expect((await done(editor.request('GET', `/post-sets/${id}/changes?since=${since}`))).changes).toMatchObject({
      posts: { changed: [{ names: ['caption'] }] },
    })
    expect(idsOf(await reviewsOf(editor).list('waiting'))).toContain(id)
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
  })

  test.each(['OPTIONAL', 'REQUIRED', 'TEAM_THEN_CLIENT'] as const)(
    'approval-07: %s: whichever way it is tried',
    async (rule) => {
      await setRule(api, { rule })
      const body = api.draft({ approval: 'APPROVED' })
      expect(statusAndCode(await editor.request('POST', '/post-sets', { body }))).toEqual(APPROVED_BY_REVIEW)
      const { id, version } = await reviewsOf(editor).ask(api)
      expect(statusAndCode(await reviewsOf(editor).patch(id, { approval: 'APPROVED' }))).toEqual(APPROVED_BY_REVIEW)
      const edit = await reviewsOf(editor).edit(id, 'Edited with it', { approval: 'APPROVED' })
      expect(statusAndCode(edit)).toEqual(APPROVED_BY_REVIEW)
      expect(statusAndCode(await reviewsOf(editor).decide(id, APPROVE))).toEqual(CHANGED_LAST)
      expect((await actionsOf(editor).bulk([{ id, version }], { approve: true })).refused).toMatchObject([
        { code: 'post-set:changed_last' },
      ])
      expect(await approvalOf(id)).toBe('PENDING')
    },
  )

  test('for the client neither', async () => {
    await setRule(api, { rule: 'TEAM_THEN_CLIENT' })
    const { id } = await reviewsOf(owner).ask(api)
    await reviewsOf(editor).approve(id)
    expect(await reviewsOf(owner).read(id)).toMatchObject({ step: 'CLIENT', cannotApprove: 'changed-last' })
    expect(statusAndCode(await reviewsOf(owner).decide(id, APPROVE))).toEqual(CHANGED_LAST)
    expect(statusAndCode(await reviewsOf(owner).approveAlone(id))).toEqual(REFUSED)
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
  })

  test('undo does not approve what was changed since', async () => {
    await setRule(api, {})
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(editor).approve(id)
    const { version } = (await reviewsOf(editor).decide(id, CHANGES)).body
    await reviewsOf(editor).edit(id, 'Rewritten after the approval')
    expect(await undo(editor, id, version)).toEqual(['post-set:approval_required'])
    expect(await approvalOf(id)).toBe('DENIED')
    // Nor by taking back that it was asked about again.
    const again = await reviewsOf(author).ask(api)
    await reviewsOf(editor).approve(again.id)
    const asked = (await reviewsOf(editor).patch(again.id, { approval: 'PENDING' })).body
    await reviewsOf(editor).edit(again.id, 'Rewritten after the approval')
    expect(await undo(editor, again.id, asked.version)).toEqual(['post-set:approval_required'])
    expect(await approvalOf(again.id)).toBe('PENDING')
  })

  test('approval-07: what a key changed last is no one’s own', async () => {
    const { id, posts } = await reviewsOf(editor).ask(api)
    await done(
      api.request('PATCH', `/v1/post-sets/${id}`, { body: { posts: [{ ...posts[0], caption: 'By a program' }] } }),
    )
    expect(await reviewsOf(editor).read(id)).toMatchObject({
      cannotApprove: null,
      yourChange: { changedBy: { type: 'API_KEY' } },
    })
    expect(idsOf(await reviewsOf(editor).list('waiting'))).toContain(id)
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
  })
})

test('a request for approval is news for those who can give it, and for admins where no one can', async () => {
  const accountId = await api.newAccount()
  const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
  const boss = await signInAs(api, 'owner', { accountId })
  const second = await signInAs(api, 'editor', { accountId })
  const writer = await signInAs(api, 'author', { accountId })
  const asked = async (id: string) => {
    const { facts } = await api.db
      .selectFrom('news')
      .select('facts')
      .where('post_set_id', '=', id)
      .where('kind', '=', 'REVIEW_REQUESTED')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    return facts
  }
  const { id } = await reviewsOf(second).ask(api, { socialSetId, approval: 'NONE' })
  await reviewsOf(writer).patch(id, { approval: 'PENDING' })
  expect(await asked(id)).toMatchObject({ asked: null, reviewers: [boss.userId] })
  const other = await reviewsOf(writer).ask(api, { socialSetId })
  expect((await asked(other.id)).reviewers?.toSorted()).toEqual([boss.userId, second.userId].toSorted())
  await sql`update memberships set role = 'author' where user_id = ${second.userId}`.execute(api.db)
  const own = await reviewsOf(boss).ask(api, { socialSetId })
  expect(await asked(own.id)).toMatchObject({ reviewers: [boss.userId] })
})

describe('content', () => {
  test('approval-07: is that it repeats: it sets an approval back, voids approvals given before, and names who did it', async () => {
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(other).approve(id)
    await reviewsOf(owner).patch(id, { repeat: { interval: 'DAY', occurrences: 2 } })
    expect(await reviewsOf(other).read(id)).toMatchObject({ approvals: { given: [] }, cannotApprove: null })
    expect(statusAndCode(await reviewsOf(owner).decide(id, APPROVE))).toEqual(CHANGED_LAST)

    await setRule(api, { rule: 'REQUIRED' })
    for (const rule of ['REQUIRED', 'OPTIONAL'] as const) {
      await setRule(api, { rule })
      const approved = await reviewsOf(author).ask(api)
      await reviewsOf(editor).approve(approved.id)
      const repeat = { interval: 'DAY', occurrences: 3 }
      const first = (await reviewsOf(editor).patch(approved.id, { repeat })).body
      expect(first.approval).toBe('PENDING')
      const all = await api.db
        .selectFrom('post_sets')
        .select('approval')
        .where('series_id', '=', first.seriesId)
        .execute()
      expect(all.map(({ approval }) => approval)).toEqual(['PENDING', 'PENDING', 'PENDING'])
      expect(statusAndCode(await reviewsOf(editor).decide(approved.id, APPROVE))).toEqual(CHANGED_LAST)
    }
  })

  test('is neither labels nor lock nor time', async () => {
    const label = newId()
    await api.db
      .insertInto('labels')
      .values({ id: label, account_id: api.accountId, name: label, color: null })
      .execute()
    const { id } = await reviewsOf(author).ask(api)
    await reviewsOf(editor).patch(id, { scheduledAt: '2090-07-01T10:00:00Z' })
    await actionsOf(editor).label(id, [label])
    await actionsOf(editor).lock(id)
    expect(await reviewsOf(editor).approve(id)).toMatchObject({ approval: 'APPROVED' })
  })
})

describe('when no reviewer is left', () => {
  interface Team {
    socialSetId: string
    people: Person[]
    ask: (person: Person, more?: object) => Promise<{ id: string; version: number }>
  }
  /** An account of its own, whose members have these roles. */
  async function team(...roles: Parameters<typeof signInAs>[1][]): Promise<Team> {
    const accountId = await api.newAccount()
    const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
    const people: Person[] = []
    for (const role of roles) people.push(await signInAs(api, role, { accountId }))
    const ask: Team['ask'] = (person, more = {}) => reviewsOf(person).ask(api, { socialSetId, ...more })
    return { socialSetId, people, ask }
  }
  const two = (people: Person[]): [Person, Person] => people as [Person, Person]

  test('approval-07: the screen says so, and an admin approves with a reason that history keeps', async () => {
    const { socialSetId, people, ask } = await team('owner', 'author')
    const [boss, writer] = two(people)
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 }, socialSetId)
    const { id } = await ask(writer)
    expect(await reviewsOf(writer).read(id)).toMatchObject({ reviewersLeft: 1, needsReason: false })
    await reviewsOf(boss).edit(id, 'Rewritten')
    expect(await reviewsOf(writer).read(id)).toMatchObject({ reviewersLeft: 0, needsReason: false })
    expect(await reviewsOf(boss).read(id)).toMatchObject({
      reviewersLeft: 0,
      needsReason: true,
      cannotApprove: 'changed-last',
    })
    expect(idsOf(await reviewsOf(boss).list('waiting'))).toEqual([id])
    expect(await reviewsOf(boss).counts()).toMatchObject({ waiting: 1 })
    expect(statusAndCode(await reviewsOf(boss).decide(id, APPROVE))).toEqual(CHANGED_LAST)
    expect((await reviewsOf(boss).approveAlone(id, 'Ada is away.')).body).toMatchObject({ approval: 'APPROVED' })
    expect((await api.history(id)).at(-1)).toMatchObject({
      action: 'approved',
      changes: { approval: { from: 'PENDING', to: 'APPROVED' }, reason: 'Ada is away.' },
    })
    expect(await reviewsOf(writer).read(id)).toMatchObject({ decision: { reason: 'Ada is away.', message: null } })
    // What was approved that way is taken back, and given again with a reason alone.
    const { version } = await actionsOf(boss).read(id)
    const [back] = (await actionsOf(boss).bulk([{ id, version }], { undo: true })).done
    expect((await actionsOf(boss).read(id)).approval).toBe('PENDING')
    expect(await undo(boss, id, back?.version ?? 0)).toEqual(['request:refused'])
    expect((await reviewsOf(boss).approveAlone(id)).body).toMatchObject({ approval: 'APPROVED' })
  })

  test('because they have approved it: the reason counts for as many as the rule wants', async () => {
    const { socialSetId, people, ask } = await team('owner', 'editor')
    const [boss, second] = two(people)
    await setRule(api, { rule: 'REQUIRED', reviewers: 3 }, socialSetId)
    const { id } = await ask(second)
    expect(statusAndCode(await reviewsOf(boss).approveAlone(id))).toEqual(REFUSED)
    await reviewsOf(boss).approve(id)
    expect(await reviewsOf(boss).read(id)).toMatchObject({ cannotApprove: 'given', needsReason: true })
    expect((await reviewsOf(boss).approveAlone(id)).body).toMatchObject({ approval: 'APPROVED' })
    const twice = await reviewsOf(boss).approveAlone(id)
    expect([...statusAndCode(twice), twice.body.detail]).toEqual([
      ...REFUSED,
      expect.stringContaining('already approved'),
    ])
  })

  test('approval-07: only then, only an admin, only of the team, and only with words', async () => {
    const { socialSetId, people, ask } = await team('owner', 'editor')
    const [boss, second] = two(people)
    await setRule(api, { rule: 'TEAM_THEN_CLIENT' }, socialSetId)
    const { id } = await ask(boss)
    expect(statusAndCode(await reviewsOf(boss).approveAlone(id))).toEqual(REFUSED)
    expect(statusAndCode(await reviewsOf(second).approveAlone(id))).toEqual([403, 'auth:insufficient_role'])
    for (const body of [
      { decision: 'request-changes', message: 'No.', reason: 'Why not' },
      { decision: 'approve', reason: 'a\u0000b' },
    ]) {
      const answer = await reviewsOf(boss).decide(id, body)
      expect([statusAndCode(answer), answer.body.errors]).toMatchObject([
        [400, 'request:invalid_body'],
        [{ path: 'reason' }],
      ])
    }
    expect(statusAndCode(await reviewsOf(boss).decide(id, { decision: 'approve', reason: '  ' }))).toEqual(CHANGED_LAST)
    // Who may review and sees other brands alone is none who is left.
    await sql`update memberships set social_set_ids = array[gen_random_uuid()] where user_id = ${second.userId}`.execute(
      api.db,
    )
    expect((await reviewsOf(boss).approveAlone(id)).body).toMatchObject({ approval: 'EXTERNAL_PENDING' })
    expect(await reviewsOf(boss).read(id)).toMatchObject({ step: 'CLIENT', needsReason: false })
    expect(statusAndCode(await reviewsOf(boss).approveAlone(id))).toEqual(REFUSED)
  })

  test('guests see that the team approved it so, until it is another', async () => {
    const { socialSetId, people, ask } = await team('owner', 'author')
    const [boss, writer] = two(people)
    await setRule(api, { rule: 'TEAM_THEN_CLIENT' }, socialSetId)
    const usual = await ask(writer)
    await reviewsOf(boss).approve(usual.id)
    const { id } = await ask(boss)
    await reviewsOf(boss).approveAlone(id)
    const guest = await enter(api, await share({ socialSetId }, boss), { name: 'Clara' })
    const shown = async (of: string): Promise<GuestPostSet> => done(guest.request('GET', `/posts/${of}`))
    expect(await shown(usual.id)).toMatchObject({ waiting: true, approvedAlone: false })
    expect(await shown(id)).toMatchObject({ waiting: true, approvedAlone: true })
    expect(JSON.stringify(await shown(id))).not.toContain('The others are away.')
    const range = '?from=2090-05-25T00:00:00Z&to=2090-07-06T00:00:00Z'
    const { cards }: GuestCalendar = await done(guest.request('GET', `/calendar${range}`))
    expect(cards.map((card) => [card.id, card.approvedAlone]).toSorted()).toEqual(
      [
        [usual.id, false],
        [id, true],
      ].toSorted(),
    )
    const decision = { decision: 'approve', version: (await shown(id)).version }
    expect(await done(guest.request('POST', `/posts/${id}/decision`, { body: decision }))).toMatchObject({
      approvedAlone: true,
    })
    await reviewsOf(writer).edit(id, 'Another text', { approval: 'PENDING', status: 'DRAFT' })
    await reviewsOf(boss).approve(id)
    expect(await shown(id)).toMatchObject({ waiting: true, approvedAlone: false })
  })
})

test('what waits since before this version has its last change from history', async () => {
  const { id } = await reviewsOf(author).ask(api, { posts: [BLUESKY_POST], scheduledAt: FUTURE })
  await reviewsOf(editor).edit(id, 'Rewritten')
  await actionsOf(other).patch(id, { scheduledAt: '2090-07-01T10:00:00Z' })
  const { rows } = await sql`select user_id from almanac_content_changed(${id})`.execute(api.db)
  expect(rows).toEqual([{ user_id: editor.userId }])
  const kept = await api.db.selectFrom('review_requests').selectAll().where('post_set_id', '=', id).executeTakeFirst()
  expect(kept).toMatchObject({ content_by: editor.userId, author_id: author.userId })
})
