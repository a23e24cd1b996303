import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Answer, type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done, NO_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
let person: Person
let act: ReturnType<typeof actionsOf>
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  act = actionsOf(person)
})
afterAll(() => api.close())

const BAD_BODY = [400, 'request:invalid_body']
/** Decisions name the version that was seen; others may. */
const headers = { 'if-match': '*' }
const paths = ({ body }: Answer) => body.errors.map(({ path }: { path: string }) => path)

/** Everything that is done to one set, with a body that would do. */
const ALL = [
  ['PUT', 'lock', { locked: true }],
  ['PUT', 'labels', { labelsId: [] }],
  ['POST', 'review', { decision: 'approve' }],
  ['POST', 'duplicate', {}],
  ['POST', 'move', { scheduledAt: '2030-07-01T10:00:00Z', scope: 'all' }],
] as const

test.each(ALL)('%s …/%s of a set that is not there is 404, with any body', async (method, action) => {
  for (const id of [newId(), 'nonsense']) {
    expect(statusAndCode(await person.request(method, `/post-sets/${id}/${action}`, { body: { no: 1 } }))).toEqual(
      NO_SET,
    )
  }
})

test.each(ALL)('%s …/%s takes neither unknown fields nor a query', async (method, action, body) => {
  const { id } = await api.create()
  const path = `/post-sets/${id}/${action}`
  const more = await person.request(method, path, { body: { ...body, more: 1 }, headers })
  expect([statusAndCode(more), paths(more)]).toEqual([BAD_BODY, ['more']])
  expect(statusAndCode(await person.request(method, path, { body: [], headers }))).toEqual(BAD_BODY)
  expect(statusAndCode(await person.request(method, `${path}?x=1`, { body, headers }))).toEqual([
    400,
    'request:invalid_query',
  ])
  expect((await act.read(id)).version).toBe(1)
})

test.each(ALL.filter(([, action]) => action !== 'duplicate'))(
  '%s …/%s of another version than the one that was read is refused, and before its body is looked at',
  async (method, action, body) => {
    const { id } = await api.create()
    const request = (tag: string, sent: object) =>
      person.request(method, `/post-sets/${id}/${action}`, { body: sent, headers: { 'if-match': tag } })
    expect(statusAndCode(await request('"2"', { no: 1 }))).toEqual([412, 'post-set:version_conflict'])
    expect((await request('"1"', body)).status).toBe(200)
  },
)

test.each([
  ['lock', {}, ['locked']],
  ['lock', { locked: 'yes' }, ['locked']],
  ['lock', { locked: true, reason: 'x'.repeat(201) }, ['reason']],
  ['labels', { labelsId: 'all' }, ['labelsId']],
  ['labels', { labelsId: [1] }, ['labelsId[0]']],
  ['review', { decision: 'deny' }, ['decision']],
  ['review', { decision: 'request-changes' }, ['message']],
  ['review', { decision: 'request-changes', message: ' \n ' }, ['message']],
  ['review', { decision: 'approve', message: 'a\u0007b' }, ['message']],
  ['review', { decision: 'approve', message: 'x'.repeat(5_001) }, ['message']],
  ['duplicate', { scheduledAt: 'soon' }, ['scheduledAt']],
  ['duplicate', { scheduledAt: '1999-12-31' }, ['scheduledAt']],
  ['move', { scope: 'all' }, ['scheduledAt']],
  ['move', { scheduledAt: '2030-02-30', scope: 'all' }, ['scheduledAt']],
  ['move', { scheduledAt: '2030-02-03', scope: 'some' }, ['scope']],
])('…/%s of %j is refused at its place', async (action, body, where) => {
  const { id } = await api.create()
  const method = ALL.find(([, name]) => name === action)?.[0] ?? ''
  const answer = await person.request(method, `/post-sets/${id}/${action}`, { body, headers })
  expect([statusAndCode(answer), paths(answer)]).toEqual([BAD_BODY, where])
  expect((await act.read(id)).version).toBe(1)
})

test('a label that the account does not have is 404, and nothing is put on', async () => {
  const { id } = await api.create()
  const accountId = await api.newAccount()
  const theirs = newId()
  await api.db.insertInto('labels').values({ id: theirs, account_id: accountId, name: 'Theirs', color: null }).execute()
  for (const label of [theirs, newId(), 'nonsense']) {
    const body = { labelsId: [label] }
    expect(statusAndCode(await person.request('PUT', `/post-sets/${id}/labels`, { body }))).toEqual([
      404,
      'label:not_found',
    ])
  }
  expect((await act.bulk([{ id }], { addLabel: theirs })).refused).toMatchObject([{ code: 'label:not_found' }])
  expect((await act.read(id)).version).toBe(1)
})

test.each(['PUBLISHING', 'PUBLISHED'] as const)(
  'a %s set is neither reviewed nor moved nor deleted',
  async (status) => {
    const { id } = await api.create()
    await api.db.updateTable('post_sets').set({ status }).where('id', '=', id).execute()
    const READ_ONLY = [412, 'post-set:read_only']
    for (const [method, action, body] of ALL.filter(([, name]) => name === 'review' || name === 'move')) {
      expect(statusAndCode(await person.request(method, `/post-sets/${id}/${action}`, { body }))).toEqual(READ_ONLY)
    }
    expect(statusAndCode(await person.request('DELETE', `/post-sets/${id}`))).toEqual(READ_ONLY)
  },
)

describe('the plan', () => {
  test('without approvals refuses reviews, and asking for one', async () => {
    const accountId = await api.newAccount({ plan: 'STARTER' })
    const socialSetId = await api.newSocialSet({ accountId })
    const owner = await signInAs(api, 'owner', { accountId })
    const { id } = await done(owner.request('POST', '/post-sets', { body: api.draft({ socialSetId }) }), 201)
    const NO_APPROVALS = [403, 'plan:approvals_not_available']
    const review = await owner.request('POST', `/post-sets/${id}/review`, { body: { decision: 'approve' }, headers })
    expect(statusAndCode(review)).toEqual(NO_APPROVALS)
    expect((await actionsOf(owner).bulk([{ id }], { requestApproval: true })).refused).toMatchObject([
      { code: 'plan:approvals_not_available' },
    ])
  })

  test('counts a copy in the month and refuses the one that is too many', async () => {
    const accountId = await api.newAccount({ plan: 'FREE' })
    const socialSetId = await api.newSocialSet({ accountId })
    const owner = await signInAs(api, 'owner', { accountId })
    const { id } = await done(owner.request('POST', '/post-sets', { body: api.draft({ socialSetId }) }), 201)
    for (let made = 1; made < 10; made++) await done(owner.request('POST', `/post-sets/${id}/duplicate`), 201)
    const last = await owner.request('POST', `/post-sets/${id}/duplicate`)
    expect(statusAndCode(last)).toEqual([403, 'post-set:monthly_posts_exceeded'])
    // Deleting and bringing back change nothing about it.
    await actionsOf(owner).remove(id)
    expect(statusAndCode(await owner.request('POST', '/post-sets', { body: api.draft({ socialSetId }) }))).toEqual(
      statusAndCode(last),
    )
    await actionsOf(owner).restore(id)
    const { post_sets } = await api.db
      .selectFrom('account_usage')
      .select('post_sets')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    expect(post_sets).toBe(10)
  })
})

describe('the body of a bulk action', () => {
  const id = newId()
  test.each([
    [{ ids: [], action: { lock: true } }, ['ids']],
    [{ ids: Array(101).fill({ id }), action: { lock: true } }, ['ids']],
    [{ ids: [{ id }, { id: id.toUpperCase() }], action: { lock: true } }, ['ids[1].id']],
    [{ ids: [{ id, version: 0 }], action: { lock: true } }, ['ids[0].version']],
    [{ ids: [{ id, version: 2_147_483_648 }], action: { undo: true } }, ['ids[0].version']],
    [{ ids: [{ id, version: 1e300 }], action: { lock: true } }, ['ids[0].version']],
    [{ ids: [{ id }], action: { undo: true } }, ['ids[0].version']],
    [{ ids: [{ id }], action: { undo: false } }, null],
    [{ ids: [{ id }], action: {} }, null],
    [{ ids: [{ id }], action: { lock: true, delete: true } }, null],
    [{ ids: [{ id }], action: { move: { days: 1.5 } } }, null],
    [{ ids: [{ id }] }, ['action']],
  ])('%j is refused', async (body, where) => {
    const answer = await person.request('POST', '/post-sets/change', { body })
    expect(statusAndCode(answer)).toEqual(BAD_BODY)
    expect(paths(answer)).toSatisfy((found: string[]) => (where ? found.join() === where.join() : found.length > 0))
  })
})

test('a bulk action of which one fails by an error of ours reports what was done', async () => {
  const sets = [await api.create(), await api.create(), await api.create()]
  const broken = sets[1]?.id ?? ''
  await sql`create function break_one() returns trigger language plpgsql as
    $$ begin raise 'broken on purpose'; end $$`.execute(api.db)
  await sql`create trigger break_one before update on all_post_sets
    for each row when (new.id = ${sql.lit(broken)}) execute function break_one()`.execute(api.db)
  const { done: locked, refused } = await act.bulk(
    sets.map(({ id }) => ({ id })),
    { lock: true },
  )
  await sql`drop function break_one cascade`.execute(api.db)
  expect(locked.map(({ id }) => id)).toEqual([sets[0]?.id, sets[2]?.id])
  expect(refused).toEqual([{ id: broken, code: 'internal:error', message: expect.not.stringContaining('purpose') }])
  expect(api.logged()).toContain('broken on purpose')
})

describe('a label that somebody removes at the same time', () => {
  /** Asks while the label is being removed; the answer comes when it is gone. */
  async function whileRemoved(label: string, ask: () => Promise<Answer>): Promise<Answer> {
    const { asked } = await api.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('labels').where('id', '=', label).execute()
      const asked = ask()
      await untilSomeoneWaits(api.db)
      return { asked }
    })
    return asked
  }
  const newLabel = async () => {
    const id = newId()
    await api.db.insertInto('labels').values({ id, account_id: api.accountId, name: id }).execute()
    return id
  }

  test('is not there for a set that it would be put on', async () => {
    const { id } = await api.create()
    const label = await newLabel()
    const body = { labelsId: [label] }
    const put = await whileRemoved(label, () => person.request('PUT', `/post-sets/${id}/labels`, { body }))
    expect(statusAndCode(put)).toEqual([404, 'label:not_found'])
    const other = await newLabel()
    const many = { ids: [{ id }], action: { addLabel: other } }
    const bulk = await whileRemoved(other, () => person.request('POST', '/post-sets/change', { body: many }))
    expect(bulk.body.refused).toMatchObject([{ id, code: 'label:not_found' }])
    expect((await act.read(id)).version).toBe(1)
  })

  test('is not on a copy', async () => {
    const { id } = await api.create()
    const [label, other] = [await newLabel(), await newLabel()]
    await act.label(id, [label, other])
    const copy = await whileRemoved(label, () => person.request('POST', `/post-sets/${id}/duplicate`))
    expect([copy.status, copy.body.labelsId]).toEqual([201, [other]])
  })

  test('is not on a set that comes back meanwhile', async () => {
    const { id } = await api.create()
    const label = await newLabel()
    await act.label(id, [label])
    await act.remove(id)
    await api.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('labels').where('id', '=', label).execute()
      await act.restore(id)
    })
    expect((await act.read(id)).labelsId).toEqual([])
  })
})

describe('taking back', () => {
  test('is for one’s own changes, as long as no one has changed the same since', async () => {
    const other = actionsOf(await signInAs(api, 'editor'))
    const { id } = await api.create()
    const refusals = async (version: number) => (await act.bulk([{ id, version }], { undo: true })).refused
    expect(await refusals(1)).toMatchObject([{ code: 'request:refused' }])
    await act.patch(id, { scheduledAt: '2030-06-02T10:00:00Z' })
    expect((await other.bulk([{ id, version: 2 }], { undo: true })).refused).toMatchObject([
      { code: 'request:refused' },
    ])
    await other.patch(id, { scheduledAt: '2030-06-03T10:00:00Z' })
    expect(await refusals(2)).toMatchObject([{ code: 'post-set:version_conflict' }])
    expect((await act.read(id)).scheduledAt).toBe('2030-06-03T10:00:00.000Z')
    // What somebody else has changed beside it stays.
    await act.lock(id)
    await other.label(id, [])
    expect((await act.bulk([{ id, version: 4 }], { undo: true })).done).toMatchObject([{ version: 5 }])
    expect(await refusals(99)).toMatchObject([{ code: 'request:refused' }])
  })

  test('does not make a set publish at once whose old time has passed', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    await act.patch(id, { scheduledAt: '2030-06-02T10:00:00Z' })
    await act.patch(id, { status: 'DRAFT' })
    await api.setClock('2030-06-02T11:00:00Z')
    const answers = [
      await act.bulk([{ id, version: 3 }], { undo: true }),
      await act.bulk([{ id, version: 2 }], { undo: true }),
    ]
    await api.setClock(null)
    expect(answers[0]?.refused).toMatchObject([{ code: 'request:refused' }])
    // A draft goes back to any time.
    expect(answers[1]?.done).toHaveLength(1)
  })

  test('is not for what is written', async () => {
    const { id, posts } = await api.create()
    await act.patch(id, { posts: [{ ...posts[0], caption: 'Other words' }] })
    expect((await act.bulk([{ id, version: 2 }], { undo: true })).refused).toMatchObject([{ code: 'request:refused' }])
  })
})
