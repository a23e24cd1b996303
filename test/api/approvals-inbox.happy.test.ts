import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { approvalCountsQuery, approvalsPageQuery } from '#persistence'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { CHANGES, idsOf, reviewsOf, setRule } from '../_util/api/approvals.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate } from '../_util/browser/dashboard-api.ts'
import { explaining } from '../_util/database/explain.ts'

let api: Api
let editor: Person
let author: Person
let reviewer: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'editor')
  author = await signInAs(api, 'author')
  reviewer = await signInAs(api, 'reviewer')
})
beforeEach(async () => {
  await api.db.deleteFrom('post_sets').execute()
  await setRule(api, {})
})
afterAll(() => api.close())

describe('the inbox', () => {
  test('resources-74, resources-75: waiting: what the member may approve and has not, the oldest publish time first', async () => {
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
    const later = await reviewsOf(author).ask(api, { scheduledAt: '2090-06-03T10:00:00Z' })
    const sooner = await reviewsOf(author).ask(api, { scheduledAt: '2090-06-02T10:00:00Z' })
    const own = await reviewsOf(editor).ask(api)
    const given = await reviewsOf(author).ask(api)
    await reviewsOf(editor).approve(given.id)
    await api.create({ approval: 'EXTERNAL_PENDING' })
    await api.create({ approval: 'APPROVED' })
    const removed = await reviewsOf(author).ask(api)
    await actionsOf(author).remove(removed.id)
    expect(idsOf(await reviewsOf(editor).list('waiting'))).toEqual([sooner.id, later.id])
    expect(idsOf(await reviewsOf(reviewer).list('waiting')).slice(2)).toEqual([sooner.id, later.id])
    expect(idsOf(await reviewsOf(reviewer).list('waiting')).toSorted()).toEqual(
      [own.id, given.id, sooner.id, later.id].toSorted(),
    )
    expect(idsOf(await reviewsOf(author).list('waiting'))).toEqual([])
    // An edit has to be approved again.
    await reviewsOf(author).edit(given.id, 'Another text')
    expect(idsOf(await reviewsOf(editor).list('waiting'))).toContain(given.id)
  })

  test('resources-73: requested: what the member asked for and still waits, for the team or the client', async () => {
    await setRule(api, { rule: 'TEAM_THEN_CLIENT' })
    const { id } = await reviewsOf(author).ask(api)
    const drafted = await reviewsOf(editor).ask(api, { approval: 'NONE' })
    await reviewsOf(author).patch(drafted.id, { approval: 'PENDING' })
    expect(idsOf(await reviewsOf(author).list('requested')).toSorted()).toEqual([id, drafted.id].toSorted())
    expect(idsOf(await reviewsOf(editor).list('requested'))).toEqual([])
    await reviewsOf(reviewer).approve(id)
    expect(idsOf(await reviewsOf(author).list('requested'))).toContain(id)
    await reviewsOf(reviewer).approve(id)
    expect(idsOf(await reviewsOf(author).list('requested'))).toEqual([drafted.id])
  })

  test('decided: each set by its newest decision, the newest first, with who decided and what was said', async () => {
    await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
    const one = await reviewsOf(author).ask(api)
    const two = await reviewsOf(author).ask(api)
    await reviewsOf(reviewer).approve(one.id)
    await reviewsOf(reviewer).decide(two.id, CHANGES)
    await reviewsOf(editor).approve(one.id)
    const { data } = await reviewsOf(author).list('decided')
    expect(data).toMatchObject([
      { id: one.id, approval: 'APPROVED', decision: { decision: 'approve', byYou: false, message: null } },
      {
        id: two.id,
        approval: 'DENIED',
        decision: { decision: 'request-changes', message: 'Shorter, please.', by: { type: 'USER' } },
      },
    ])
    const first = await reviewsOf(author).list('decided', { size: '1' })
    expect(idsOf(first)).toEqual([one.id])
    expect(idsOf(await reviewsOf(author).list('decided', { size: '1', cursor: first.next ?? '' }))).toEqual([two.id])
  })

  test('counts what waits, marks what has less than a day left, and goes on behind a page', async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const made: string[] = []
    for (const hours of [2, 20, 30, 50, 70])
      made.push((await reviewsOf(author).ask(api, { scheduledAt: at(hours) })).id)
    const other = await api.newSocialSet()
    const there = await api.create({
      approval: 'PENDING',
      socialSetId: other,
      posts: [BLUESKY_POST],
      scheduledAt: at(1),
    })
    expect(await reviewsOf(editor).counts()).toMatchObject({ waiting: 6, urgent: 3, requested: 0 })
    expect(await reviewsOf(author).counts()).toEqual({
      waiting: 0,
      urgent: 0,
      requested: 5,
      data: [{ socialSetId: api.socialSetId, waiting: 0, urgent: 0, requested: 5 }],
    })
    const found: string[] = []
    let next: string | null = null
    do {
      const page = await reviewsOf(editor).list('waiting', { size: '4', ...(next === null ? {} : { cursor: next }) })
      found.push(...idsOf(page))
      next = page.next
    } while (next !== null)
    expect(found).toEqual([there.id, ...made])
    const { data } = await reviewsOf(editor).list('waiting', { socialSetId: api.socialSetId })
    expect(data.map(({ urgent }) => urgent)).toEqual([true, true, false, false, false])
  })

  test('takes as many queries for a hundred sets as for one', async () => {
    const count = async () => {
      const before = api.queries()
      await reviewsOf(editor).list('waiting', { size: '100' })
      return api.queries() - before
    }
    await reviewsOf(author).ask(api)
    const few = await count()
    for (let nth = 0; nth < 12; nth++) await reviewsOf(author).ask(api)
    expect(await count()).toBe(few)
  })

  test('reads a page by an index in a brand of many sets', async () => {
    const other = await api.newSocialSet()
    await sql`
      insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
      select gen_random_uuid(), ${api.accountId}, brand, almanac_now() + n * interval '1 minute', 'SCHEDULED',
        case when n % 10 = 0 then 'PENDING' else 'NONE' end
      from generate_series(1, 5000) as n, unnest(array[${api.socialSetId}, ${other}]::uuid[]) as brand`.execute(api.db)
    await sql`
      insert into history (id, account_id, post_set_id, actor_type, actor_id, actor_name, action, version, changes)
      select gen_random_uuid(), account_id, id, 'USER', ${author.userId}, 'Ada', 'created', 1,
        jsonb_build_object('approval', approval, 'status', status, 'scheduledAt', '2030-06-01T00:00:00.000Z')
      from post_sets`.execute(api.db)
    await sql`
      insert into review_decisions (post_set_id, sequence, social_set_id, decision, step, actor_type, actor_id,
        content_version, decided_at, latest)
      select post_set_id, sequence, social_set_id, 'APPROVED', 'TEAM', 'USER', ${reviewer.userId}, 1, at, true
      from history join post_sets on post_sets.id = post_set_id`.execute(api.db)
    await sql`analyze all_post_sets, history, review_requests, review_decisions`.execute(api.db)
    const { db, plan } = explaining(api.db)
    const visible = { accountId: api.accountId, socialSetIds: null }
    const wanted = { userId: editor.userId, reviews: true, alone: true, socialSetId: api.socialSetId }
    for (const [tab, index] of [
      ['waiting', 'post_sets_awaiting'],
      ['requested', 'review_requests_person'],
      ['decided', 'review_decisions_page'],
    ] as const) {
      await approvalsPageQuery(visible, tab, wanted, { after: null, limit: 26 }).execute(db)
      expect(plan()).toContain(index)
      expect(plan()).not.toMatch(/Seq Scan on (all_post_sets|history|review_decisions)/)
    }
    await approvalCountsQuery(visible, wanted).execute(db)
    expect(plan()).not.toMatch(/Seq Scan on (all_post_sets|history|review_decisions)/)
    expect((await reviewsOf(editor).list('waiting', { size: '100' })).data).toHaveLength(100)
  })
})
