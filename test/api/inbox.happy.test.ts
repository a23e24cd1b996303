import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CalendarCard, GuestCalendar, GuestPostSet, PostDeliveries, Results } from '#contract'
import { addHistory, endInbox } from '#persistence'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { eventsBehind, newestPosition } from '../_util/api/event-log.ts'
import { enter, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { endedSet, POSTED, REFUSED } from '../_util/api/results.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'
import { states, webhookBy } from '../_util/webhooks/webhooks.ts'

/** Posts in the inbox of their account: what is asked of them, and what each reader is told. */

let api: Api
let person: Person
let owner: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
  owner = await signInAs(api, 'owner')
})
beforeEach(() => api.db.deleteFrom('post_sets').execute())
afterAll(() => api.close())

const PUBLISHER = { type: 'PUBLISHER', id: null, name: 'Publisher' } as const
const posted = { result: POSTED }
const refused = { result: REFUSED }
const waits = { result: { status: 'POSTED', delivery: 'INBOX' } } as const
const warnings = [{ code: 'post:not_finished', message: 'Not finished within a day.' }]
const left = { result: { status: 'POSTED', delivery: 'INBOX_ENDED', warnings } } as const

describe('what is asked', () => {
  const options = { mode: 'INBOX' }
  const validate = async (socialSetId: string, more: object) => {
    const media = [{ mediaLibraryId: await api.newMedia({ socialSetId }) }]
    const posts = [{ accountType: 'TIKTOK', caption: '', media, ...more }]
    const body = { ...api.draft({ posts, status: 'SCHEDULED' }), socialSetId }
    return (await api.request('POST', '/v1/post-sets/validate', { body })).body
  }
  const codes = (problems: Body[]) => problems.map(({ path, code }: Body) => [path, code])

  test('an audience is required of what is published directly, and of nothing for the inbox', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['TIKTOK'] })
    const choose = (defaults: object) =>
      api.db
        .updateTable('connections')
        .set({ defaults: JSON.stringify(defaults) })
        .where('social_set_id', '=', socialSetId)
        .execute()
    await choose({})
    expect(codes((await validate(socialSetId, {})).problems)).toEqual([['posts[0].accountType', 'post:field_required']])
    expect((await validate(socialSetId, { options })).problems).toEqual([])
    await choose({ mode: 'INBOX' })
    expect((await validate(socialSetId, {})).problems).toEqual([])
    const direct = await validate(socialSetId, { options: { mode: 'DIRECT' } })
    expect(codes(direct.problems)).toEqual([['posts[0].accountType', 'post:field_required']])
  })

  test('what the creator chooses in the app is a warning; a mode, a number or a title of another kind is refused', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['TIKTOK'] })
    const { problems, warnings } = await validate(socialSetId, { options: { ...options, privacy: 'SELF_ONLY' } })
    expect([problems, codes(warnings)]).toEqual([[], [['posts[0].options.privacy', 'post:field_invalid']]])
    for (const odd of [{ mode: 'LATER' }, { coverIndex: 1.5 }, { coverIndex: -1 }, { title: 'x'.repeat(91) }]) {
      const [[name] = ['']] = Object.entries(odd)
      const refusal = await validate(socialSetId, { options: odd })
      expect(codes(refusal.problems)).toContainEqual([`posts[0].options.${name}`, 'post:field_invalid'])
    }
    const made = await api.request('POST', '/v1/post-sets', {
      body: api.draft({
        posts: [{ accountType: 'TIKTOK', caption: '', media: [], options: { ...options, coverIndex: 2 } }],
      }),
    })
    expect([made.status, made.body.posts[0].options]).toEqual([201, { mode: 'INBOX', coverIndex: 2 }])
  })
})

describe('what is told', () => {
  const list = (): Promise<Results> => done(person.request('GET', `/results?socialSetId=${api.socialSetId}`))

  test('the results have it apart, and never as published', async () => {
    const alone = await endedSet(api, [waits], { hoursAgo: 5 })
    const beside = await endedSet(api, [posted, waits], { hoursAgo: 6 })
    const ended = await endedSet(api, [left], { hoursAgo: 7 })
    const failed = await endedSet(api, [refused, waits], { hoursAgo: 8 })
    const { groups } = await list()
    const ids = Object.fromEntries(groups.map(({ group, data }) => [group, data.map(({ id }) => id)]))
    expect(ids).toMatchObject({ inbox: [alone, beside, ended], 'needs-you': [failed], published: [] })
    const states = groups.flatMap(({ data }) => data.map(({ id, state }) => [id, state]))
    expect(Object.fromEntries(states)).toEqual({
      [alone]: 'in-inbox',
      [beside]: 'in-inbox',
      [ended]: 'not-finished',
      [failed]: 'failed',
    })
  })

  test.each([
    [waits, 'INBOX', 'in-inbox'],
    [left, 'INBOX_ENDED', 'not-finished'],
  ] as const)('a program, the calendar, the panel and guests read of $result.delivery', async (end, outcome, state) => {
    const id = await endedSet(api, [end], { hoursAgo: 1 })
    const { posts } = (await api.request('GET', `/v1/post-sets/${id}`)).body
    expect(posts[0].result).toEqual(end.result)
    const around = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())
    const range = `from=${around[0]}&to=${around[1]}`
    const { cards } = await done(person.request('GET', `/calendar?socialSetId=${api.socialSetId}&${range}`))
    expect(cards.find((card: CalendarCard) => card.id === id)).toMatchObject({
      state,
      networks: [{ accountType: 'BLUESKY', result: outcome }],
    })
    const panel: PostDeliveries = await done(person.request('GET', `/post-sets/${id}/deliveries`))
    expect(panel).toMatchObject({ state, data: [{ result: end.result }] })
    const guest = await enter(api, await share(api, owner), { name: 'Ada' })
    const calendar: GuestCalendar = await done(guest.request('GET', `/calendar?${range}`))
    expect(calendar.cards.find((card) => card.id === id)?.outcome).toBe(state)
    const shown: GuestPostSet = await done(guest.request('GET', `/posts/${id}`))
    expect(shown.posts[0]?.result).toEqual({ status: outcome, permalink: null })
  })

  test('a retry is never offered, and a copy of what was not finished is', async () => {
    const [waiting, ended] = [await endedSet(api, [waits]), await endedSet(api, [posted, left], { hoursAgo: 2 })]
    for (const id of [waiting, ended]) {
      const again = await person.request('POST', `/post-sets/${id}/retry`, { body: {} })
      expect([again.status, again.body.code]).toEqual([409, 'request:refused'])
    }
    const copy = (id: string) => person.request('POST', `/post-sets/${id}/duplicate`, { body: { only: 'failed' } })
    expect((await copy(waiting)).body.code).toBe('request:refused')
    const { posts } = await done(copy(ended), 201)
    expect(posts.map(({ accountType }: Body) => accountType)).toEqual(['INSTAGRAM'])
  })

  test('events and webhooks say that it is delivered, and then that it is posted or not finished', async () => {
    const from = await newestPosition(api)
    const { id: webhookId } = await webhookBy(owner, { types: ['post.delivered', 'post.delivery_ended'] })
    const ids = [await endedSet(api, [waits]), await endedSet(api, [waits], { hoursAgo: 2 })]
    const types = ['post.delivered', 'post.posted', 'post.delivery_ended']
    const query = types.map((type) => `&types[]=${type}`).join('')
    for (const postSetId of ids) {
      const { posts } = (await api.request('GET', `/v1/post-sets/${postSetId}`)).body
      const changes = { postId: posts[0].id, accountType: 'BLUESKY', result: waits.result } as const
      const { accountId } = api
      await addHistory(api.db, [{ accountId, postSetId, actor: PUBLISHER, action: 'post delivered', changes }])
    }
    const ends = [
      { kind: 'published', providerId: 'p-9', permalink: 'https://example.test/p-9' },
      { kind: 'ended', warning: warnings[0] as (typeof warnings)[number] },
    ] as const
    for (const [at, postSetId] of ids.entries()) {
      await api.db
        .updateTable('deliveries')
        .set({ inbox_id: 'try', inbox_looks: 1 })
        .where('post_set_id', '=', postSetId)
        .execute()
      const [row] = await api.db.selectFrom('deliveries').select('id').where('post_set_id', '=', postSetId).execute()
      expect(await endInbox(api.db, { id: row?.id ?? '', postSetId, end: ends[at] ?? ends[0] }, PUBLISHER)).toBe(true)
    }
    const { data } = await eventsBehind(api, from, query)
    expect(data.map(({ type, data: { result, delivery } }) => [type, result, delivery])).toEqual([
      ['post.delivered', 'POSTED', 'INBOX'],
      ['post.delivered', 'POSTED', 'INBOX'],
      ['post.posted', 'POSTED', undefined],
      ['post.delivery_ended', 'POSTED', 'INBOX_ENDED'],
    ])
    // The endpoint gets those that it wants, and the others not.
    const wanted = data
      .filter(({ type }) => type !== 'post.posted')
      .map(({ position }) => [String(position), 'WAITING'])
    expect(await states(api, webhookId)).toEqual(Object.fromEntries(wanted))
    expect(data.map(({ data: { posts } }) => posts?.[0]?.delivery)).toEqual([
      'INBOX',
      'INBOX',
      undefined,
      'INBOX_ENDED',
    ])
  })
})
