import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { APPROVE, idsOf, reviewsOf, setRule } from '../_util/api/approvals.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, NO_SET, NO_SOCIAL_SET, statusAndCode, WRONG_ROLE } from '../_util/browser/dashboard-api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
let owner: Person
let author: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

test('a brand that is not seen has no rule, no inbox and no reviews', async () => {
  const accountId = await api.newAccount()
  const theirs = await api.newSocialSet({ accountId })
  const hidden = await api.newSocialSet()
  const foreign = await api.create({ socialSetId: theirs, approval: 'PENDING' }, await api.newKey({ accountId }))
  const unseen = await api.create({ socialSetId: hidden, approval: 'PENDING' })
  const { id } = await api.create({ approval: 'PENDING' })
  const some = await signInAs(api, 'admin', { socialSetIds: [api.socialSetId] })
  for (const brand of [theirs, hidden, newId(), 'nonsense']) {
    const path = `/social-sets/${brand}/approval-rule`
    expect(statusAndCode(await some.request('GET', path))).toEqual(NO_SOCIAL_SET)
    const body = { rule: 'REQUIRED', reviewers: 1 }
    expect(statusAndCode(await some.request('PUT', path, { body }))).toEqual(NO_SOCIAL_SET)
    expect(statusAndCode(await some.request('GET', `/approvals?tab=waiting&socialSetId=${brand}`))).toEqual(
      NO_SOCIAL_SET,
    )
  }
  for (const set of [foreign.id, unseen.id, newId(), 'nonsense']) {
    expect(statusAndCode(await some.request('GET', `/post-sets/${set}/review`))).toEqual(NO_SET)
    expect(statusAndCode(await some.request('GET', `/post-sets/${set}/changes?since=1`))).toEqual(NO_SET)
    expect(statusAndCode(await some.request('GET', `/post-sets/${set}/changes/${newId()}?since=1`))).toEqual(NO_SET)
    expect(statusAndCode(await reviewsOf(some).decide(set, APPROVE))).toEqual(NO_SET)
  }
  const waiting = idsOf(await reviewsOf(some).list('waiting'))
  expect(waiting).toContain(id)
  expect(waiting).not.toContain(unseen.id)
  expect(waiting).not.toContain(foreign.id)
  expect((await reviewsOf(some).counts()).data.map(({ socialSetId }: { socialSetId: string }) => socialSetId)).toEqual([
    api.socialSetId,
  ])
  expect(idsOf(await reviewsOf(owner).list('waiting'))).not.toContain(foreign.id)
})

test('approval-01: only owners and admins set the rule, and schedule past it', async () => {
  const path = `/social-sets/${api.socialSetId}/approval-rule`
  const body = { rule: 'OPTIONAL', reviewers: 1 }
  for (const role of ['editor', 'author', 'reviewer'] as const) {
    const person = await signInAs(api, role)
    expect(statusAndCode(await person.request('PUT', path, { body }))).toEqual(WRONG_ROLE)
  }
  await setRule(api, { rule: 'REQUIRED' })
  for (const role of ['owner', 'admin'] as const) {
    const person = await signInAs(api, role)
    const set = api.draft({ status: 'SCHEDULED', posts: [BLUESKY_POST], approval: 'NONE' })
    expect((await person.request('POST', '/post-sets', { body: set })).status).toBe(201)
  }
})

test('approval-09: the API does what it did: no rule binds a key, and approval never changes the status', async () => {
  for (const rule of ['REQUIRED', 'TEAM_THEN_CLIENT'] as const) {
    await setRule(api, { rule, reviewers: 3 })
    const set = await api.create({ status: 'SCHEDULED', approval: 'NONE', posts: [BLUESKY_POST] })
    for (const approval of ['PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED', 'NONE'] as const) {
      const { status, body } = await api.request('PATCH', `/v1/post-sets/${set.id}`, { body: { approval } })
      expect([status, body.approval, body.status]).toEqual([200, approval, 'SCHEDULED'])
    }
    const posts = [{ ...set.posts[0], caption: 'Another text' }]
    const edited = await api.request('PATCH', `/v1/post-sets/${set.id}`, { body: { posts, approval: 'APPROVED' } })
    expect(edited.body).toMatchObject({ approval: 'APPROVED', status: 'SCHEDULED' })
    expect(
      (
        await api.request('POST', '/v1/post-sets/validate', {
          body: api.draft({ status: 'SCHEDULED', posts: [BLUESKY_POST] }),
        })
      ).body,
    ).toMatchObject({ valid: true })
  }
  const paths = Object.keys(api.openApi.paths ?? {})
  expect(paths.filter((path) => /approval|comment|review/.test(path))).toEqual([])
})

test('approval-02: two reviewers at the same moment are two approvals, and one reviewer twice is one', async () => {
  await setRule(api, { rule: 'REQUIRED', reviewers: 2 })
  const [one, two] = [await signInAs(api, 'editor'), await signInAs(api, 'reviewer')]
  for (const [pair, approval] of [
    [[one, two], 'APPROVED'],
    [[one, one], 'PENDING'],
  ] as const) {
    const { id } = await reviewsOf(author).ask(api)
    const both: Promise<unknown>[] = []
    await api.db.transaction().execute(async (trx) => {
      await trx.selectFrom('post_sets').select('id').where('id', '=', id).forUpdate().execute()
      for (const person of pair) both.push(reviewsOf(person).decide(id, APPROVE))
      await untilSomeoneWaits(api.db)
    })
    await Promise.all(both)
    expect((await api.request('GET', `/v1/post-sets/${id}`)).body.approval).toBe(approval)
  }
})

test('approval-08: a stale decision loses against the edit that came first', async () => {
  await setRule(api, { rule: 'REQUIRED' })
  const { id, version } = await reviewsOf(author).ask(api)
  const reviewer = await signInAs(api, 'reviewer')
  await reviewsOf(author).edit(id, 'Another text')
  expect(statusAndCode(await reviewsOf(reviewer).decide(id, APPROVE, version))).toEqual([
    412,
    'post-set:version_conflict',
  ])
  expect(await reviewsOf(reviewer).read(id)).toMatchObject({ approval: 'PENDING', approvals: { given: [] } })
})
