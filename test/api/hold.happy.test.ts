import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AccountType } from '#contract'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, cardsOf, done, publishAs } from '../_util/browser/dashboard-api.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const hold = (body: object): Promise<Body> =>
  done(editor.request('POST', '/holds', { body: { reason: 'Wrong campaign', ...body } }), 201)
const holdSet = (id: string) => hold({ scope: 'SOCIAL_SET', id })
const release = (id: string, late = 'PUBLISH'): Promise<Body> =>
  done(editor.request('POST', `/holds/${id}/release`, { body: { late } }))
const brand = () => api.newSocialSet({ connected: ['BLUESKY', 'THREADS'] })
const post = (accountType: AccountType) => ({ accountType, caption: 'hello', media: [] })
const scheduled = (socialSetId: string, types: AccountType[], scheduledAt = '2030-06-01T10:00:00Z') =>
  api.create({ socialSetId, scheduledAt, status: 'SCHEDULED', posts: types.map(post) })
const connectionOf = async (socialSetId: string, accountType: AccountType) =>
  (
    await api.db
      .selectFrom('connections')
      .select('id')
      .where('social_set_id', '=', socialSetId)
      .where('account_type', '=', accountType)
      .executeTakeFirstOrThrow()
  ).id
async function socialSet(id: string): Promise<Body> {
  const [theirs, ours] = [
    await done(api.request('GET', '/v1/social-sets?size=100')),
    await done(editor.request('GET', '/social-sets?size=100')),
  ]
  const [a, b] = [theirs, ours].map(({ data }) => data.find((set: Body) => set.id === id))
  expect(a).toEqual(b)
  return a
}
const shown = {
  since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  by: 'Ada',
  reason: 'Wrong campaign',
}

test('hold-01: a held social set says so, to programs and members, until it is released', async () => {
  const id = await brand()
  expect((await socialSet(id)).hold).toBeNull()
  const placed = await holdSet(id)
  expect(placed).toEqual({
    hold: {
      id: expect.any(String),
      scope: 'SOCIAL_SET',
      socialSetId: id,
      connectionId: null,
      accountType: null,
      name: 'Brand',
      ...shown,
    },
    withNetworks: 0,
  })
  const held = await socialSet(id)
  expect(held.hold).toEqual(shown)
  expect(held.accounts.map((account: Body) => account.hold)).toEqual([null, null])
  const { data } = await done(editor.request('GET', '/holds'))
  expect(data).toContainEqual(placed.hold)
  expect(await release(placed.hold.id)).toEqual({ publishing: 0, parked: 0, failed: 0 })
  expect((await socialSet(id)).hold).toBeNull()
  const row = await api.db.selectFrom('holds').selectAll().where('id', '=', placed.hold.id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    held_by_type: 'USER',
    held_by_id: editor.userId,
    reason: 'Wrong campaign',
    released_by_name: 'Ada',
    late: 'PUBLISH',
  })
})

test('hold-01: a held connection says so itself', async () => {
  const id = await brand()
  const connection = await connectionOf(id, 'THREADS')
  const placed = await hold({ scope: 'CONNECTION', id: connection })
  expect(placed.hold).toMatchObject({ scope: 'CONNECTION', accountType: 'THREADS', name: 'Me on THREADS' })
  const held = await socialSet(id)
  expect(held.hold).toBeNull()
  const holds = held.accounts.map((account: Body) => [account.type, account.hold])
  expect(holds).toEqual([
    ['BLUESKY', null],
    ['THREADS', shown],
  ])
  const { connections } = await done(editor.request('GET', `/connections?socialSetId=${id}`))
  const ofType = Object.fromEntries(connections.map((each: Body) => [each.accountType, each.hold]))
  expect(ofType).toEqual({ BLUESKY: null, THREADS: shown })
  await release(placed.hold.id)
})

test('hold-01: the hold of the account is that of all its social sets, unless they have one of their own', async () => {
  const [one, other] = [await brand(), await brand()]
  const account = await hold({ scope: 'ACCOUNT', reason: 'Everything' })
  expect(account.hold).toMatchObject({ scope: 'ACCOUNT', name: 'Account', socialSetId: null })
  const own = await holdSet(one)
  expect((await socialSet(one)).hold.reason).toBe('Wrong campaign')
  expect((await socialSet(other)).hold.reason).toBe('Everything')
  await release(own.hold.id)
  expect((await socialSet(one)).hold.reason).toBe('Everything')
  await release(account.hold.id)
  expect((await socialSet(one)).hold).toBeNull()
})

test('cards and posts that wait say why', async () => {
  const id = await brand()
  const both = await scheduled(id, ['BLUESKY', 'THREADS'])
  const threads = await scheduled(id, ['THREADS'], '2030-06-02T10:00:00Z')
  const draft = await api.create({ socialSetId: id, scheduledAt: '2030-06-03T10:00:00Z' })
  const begun = await scheduled(id, ['THREADS', 'BLUESKY'], '2030-06-04T10:00:00Z')
  await publishAs(api, begun.id, 'PUBLISHING', [null, 'POSTED'])
  const connection = await connectionOf(id, 'THREADS')
  await api.db
    .updateTable('deliveries')
    .set({ connection_id: connection })
    .where('post_set_id', '=', begun.id)
    .execute()
  const states = async () => {
    const cards = await cardsOf(api, editor, [['socialSetId', id]])
    return [both, threads, draft, begun].map((set) => cards.find((card) => card.id === set.id)?.state)
  }
  const sent = async (set: Body) => done(editor.request('GET', `/post-sets/${set.id}/deliveries`))
  expect(await states()).toEqual(['scheduled', 'scheduled', 'draft', 'publishing'])
  const ofConnection = await hold({ scope: 'CONNECTION', id: connection })
  expect(await states()).toEqual(['scheduled', 'held', 'draft', 'held'])
  expect(await sent(both)).toMatchObject({ state: 'scheduled', data: [{ hold: null }, { hold: shown, nextAt: null }] })
  expect(await sent(begun)).toMatchObject({
    state: 'held',
    data: [
      { state: 'waiting', hold: shown, nextAt: null },
      { state: 'done', hold: null },
    ],
  })
  const ofSet = await holdSet(id)
  expect(await states()).toEqual(['held', 'held', 'draft', 'held'])
  expect(await sent(draft)).toMatchObject({ state: 'draft', data: [{ hold: null }] })
  await release(ofSet.hold.id)
  await release(ofConnection.hold.id)
  expect(await states()).toEqual(['scheduled', 'scheduled', 'draft', 'publishing'])
})

test('hold-03: holding says how many posts are already with a network', async () => {
  const id = await brand()
  const set = await scheduled(id, ['BLUESKY', 'THREADS'])
  await publishAs(api, set.id, 'PUBLISHING', [null, null])
  const sending = await api.db
    .updateTable('deliveries')
    .set({ state: 'SENDING', connection_id: await connectionOf(id, 'BLUESKY') })
    .where('post_set_id', '=', set.id)
    .where('account_type', '=', 'BLUESKY')
    .executeTakeFirst()
  expect(sending.numUpdatedRows).toBe(1n)
  const whole = await holdSet(id)
  expect(whole.withNetworks).toBe(1)
  const count = async (type: AccountType) => {
    const { withNetworks, hold: placed } = await hold({ scope: 'CONNECTION', id: await connectionOf(id, type) })
    await release(placed.id)
    return withNetworks
  }
  expect([await count('BLUESKY'), await count('THREADS')]).toEqual([1, 0])
  await release(whole.hold.id)
})

test('hold-06: what is held can be changed as before, and a release is asked about what is late alone', async () => {
  const id = await brand()
  const { hold: placed } = await holdSet(id)
  const [late, moved, later] = [
    await scheduled(id, ['BLUESKY'], '2026-01-01T09:00:00Z'),
    await scheduled(id, ['BLUESKY'], '2026-01-01T09:00:00Z'),
    await scheduled(id, ['BLUESKY']),
  ]
  const waiting = () => done(editor.request('GET', `/holds/${placed.id}/waiting`))
  expect(await waiting()).toEqual({ postSets: 2, mayHaveGoneOut: 0, withNetworks: 0 })
  await actionsOf(editor).patch(moved.id, { scheduledAt: '2030-06-05T10:00:00Z' })
  expect(await waiting()).toEqual({ postSets: 1, mayHaveGoneOut: 0, withNetworks: 0 })
  expect(await release(placed.id, 'PARK')).toEqual({ publishing: 0, parked: 1, failed: 0 })
  const { read, history } = actionsOf(editor)
  const statuses = await Promise.all([late, moved, later].map(async (set) => (await read(set.id)).status))
  expect(statuses).toEqual(['DRAFT', 'SCHEDULED', 'SCHEDULED'])
  expect((await history(late.id))[0]).toMatchObject({
    actor: { type: 'USER', name: 'Ada' },
    action: 'moved to drafts',
    changes: { status: { from: 'SCHEDULED', to: 'DRAFT' }, held: shown },
  })
})

test('hold-06: a release that publishes is reported in the history of what was late', async () => {
  const id = await brand()
  const { hold: placed } = await holdSet(id)
  const late = await scheduled(id, ['BLUESKY'], '2026-01-01T09:00:00Z')
  expect(await release(placed.id)).toEqual({ publishing: 1, parked: 0, failed: 0 })
  expect((await actionsOf(editor).history(late.id))[0]).toMatchObject({ action: 'released', changes: { held: shown } })
  expect((await actionsOf(editor).read(late.id)).version).toBe(late.version)
})

test('screens of a social set hear of its holds, and of those of the account', async () => {
  const id = await brand()
  const stream = await follow(api, editor, id)
  await stream.until('ready')
  const own = await holdSet(id)
  await stream.until('social-sets', [id])
  const seen = stream.events.length
  await release(own.hold.id)
  const account = await hold({ scope: 'ACCOUNT' })
  await stream.until('social-sets', [id])
  await release(account.hold.id)
  await expect
    .poll(() => stream.events.slice(seen).filter(([event]) => event === 'social-sets').length)
    .toBeGreaterThan(0)
  stream.close()
})

test('after a release the same can be held again, and each time is kept', async () => {
  const id = await brand()
  for (const late of ['PUBLISH', 'PARK']) await release((await holdSet(id)).hold.id, late)
  const rows = await api.db
    .selectFrom('holds')
    .select('late')
    .where('social_set_id', '=', id)
    .orderBy('held_at')
    .execute()
  expect(rows).toEqual([{ late: 'PUBLISH' }, { late: 'PARK' }])
})
