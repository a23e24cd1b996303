import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { RESULT_GROUPS, type Results } from '#contract'
import { resultPageQuery } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { endedSet, POSTED, REFUSED } from '../_util/api/results.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'
import { explaining } from '../_util/database/explain.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
beforeEach(async () => {
  await api.db.deleteFrom('post_sets').execute()
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const posted = { result: POSTED }
const refused = { result: REFUSED }
const inbox = { result: { status: 'POSTED', delivery: 'INBOX' } } as const
const unsure = { result: { status: 'FAILED', reason: 'UNKNOWN', message: 'It may be live.' }, mayBeLive: true } as const

const list = (query: Record<string, string> = {}): Promise<Results> =>
  done(person.request('GET', `/results?${new URLSearchParams({ socialSetId: api.socialSetId, ...query })}`))
const markDone = (id: string, done = true, who = person) =>
  who.request('PUT', `/post-sets/${id}/done`, { body: { done } })
const unseen = () => done(person.request('GET', '/results/unseen'))
const idsOf = (results: Results) =>
  Object.fromEntries(results.groups.map(({ group, data }) => [group, data.map(({ id }) => id)]))

describe('the list', () => {
  test('has what needs people, what is not confirmed and what is published, newest first', async () => {
    const older = await endedSet(api, [posted], { hoursAgo: 50 })
    const partly = await endedSet(api, [posted, refused], { hoursAgo: 30 })
    const newer = await endedSet(api, [posted, posted], { hoursAgo: 2 })
    const waiting = await endedSet(api, [posted, null], { hoursAgo: 3 })
    const failed = await endedSet(api, [unsure], { hoursAgo: 1 })
    const left = await endedSet(api, [posted, refused], { hoursAgo: 4 })
    await markDone(left)
    await api.create({ status: 'SCHEDULED' })
    const results = await list()
    expect(results.groups.map(({ group }) => group)).toEqual([...RESULT_GROUPS])
    expect(idsOf(results)).toEqual({
      'needs-you': [failed, partly],
      'not-confirmed': [waiting],
      published: [newer, older],
      done: [left],
      inbox: [],
    })
    expect(results.groups.map(({ total, totalIsExact }) => [total, totalIsExact])).toEqual([
      [2, true],
      [1, true],
      [2, true],
      [1, true],
      [0, true],
    ])
    expect(results.newestFailureAt).toEqual(expect.any(String))
  })

  test('says of each post what happened, what to do, and whether a retry is safe or why not', async () => {
    const partly = await endedSet(api, [posted, refused])
    const maybe = await endedSet(api, [unsure], { hoursAgo: 2 })
    const waiting = await endedSet(api, [null], { hoursAgo: 3 })
    const { groups } = await list()
    const item = (id: string) => groups.flatMap(({ data }) => data).find((each) => each.id === id)
    expect(item(partly)).toMatchObject({
      state: 'partly-published',
      unseen: true,
      timezone: 'Europe/Berlin',
      excerpt: 'hello',
      posts: [
        { accountType: 'BLUESKY', result: POSTED, failure: null, look: null, state: 'done', retries: 0 },
        {
          accountType: 'INSTAGRAM',
          connectionName: expect.any(String),
          result: REFUSED,
          failure: { cause: 'ACTION_BLOCKED', fix: 'retry', retry: { possible: true, why: null } },
        },
      ],
    })
    expect(item(maybe)?.posts[0]).toMatchObject({
      failure: {
        cause: 'MAY_BE_LIVE',
        fix: 'look',
        retry: { possible: false, why: { message: expect.stringContaining('may be live') } },
      },
      look: { possible: false, why: { message: expect.stringContaining('Look at the account') } },
    })
    // The panel of a post says the same.
    const causes = async (id: string) =>
      (await done(person.request('GET', `/post-sets/${id}/deliveries`))).data.map(
        ({ cause }: { cause: unknown }) => cause,
      )
    expect([await causes(partly), await causes(maybe), await causes(waiting)]).toEqual([
      [null, 'ACTION_BLOCKED'],
      ['MAY_BE_LIVE'],
      [null],
    ])
    expect(item(waiting)).toMatchObject({
      state: 'publishing',
      posts: [
        {
          state: 'looking-up',
          result: null,
          failure: null,
          look: { possible: true, why: null },
          nextAt: expect.any(String),
        },
      ],
    })
  })

  test('narrows by network and by days', async () => {
    const instagram = await endedSet(api, [posted, refused])
    const bluesky = await endedSet(api, [refused], { hoursAgo: 2 })
    const old = await endedSet(api, [posted], { hoursAgo: 80 })
    const both = await endedSet(api, [posted, posted], { hoursAgo: 4 })
    const on = (accountType: string) => list({ 'filters[accountTypes][]': accountType })
    expect(idsOf(await on('INSTAGRAM'))).toMatchObject({ 'needs-you': [instagram], published: [both] })
    expect(idsOf(await on('BLUESKY'))).toMatchObject({ 'needs-you': [bluesky], published: [both, old] })
    expect(idsOf(await list({ days: '3' })).published).toEqual([both])
    expect((await list({ days: '3' })).groups[2]?.total).toBe(1)
  })

  test.each(RESULT_GROUPS)('goes on behind a page, without gaps and twice: %s', async (group) => {
    const ends = { 'needs-you': refused, 'not-confirmed': null, inbox, published: posted, done: refused }[group]
    const made: string[] = []
    for (let nth = 1; nth <= 7; nth++) made.push(await endedSet(api, [ends], { hoursAgo: Math.ceil(nth / 2) }))
    if (group === 'done') for (const id of made) await markDone(id)
    const found: string[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const results: Results = await list({ group, size: '3', ...(cursor === null ? {} : { cursor }) })
      expect(results.groups.map((page) => page.group)).toEqual([group])
      expect(results.groups[0]?.total).toBe(cursor === null ? 7 : null)
      found.push(...(results.groups[0]?.data.map(({ id }) => id) ?? []))
      cursor = results.groups[0]?.next ?? null
      pages++
    } while (cursor !== null)
    expect([found.toSorted(), pages]).toEqual([made.toSorted(), 3])
  })

  test('is of all that a member sees, or of one', async () => {
    const other = await api.newSocialSet({ connected: ['BLUESKY'] })
    const [here, there] = [
      await endedSet(api, [refused]),
      await endedSet(api, [refused], { socialSetId: other, hoursAgo: 2 }),
    ]
    const all: Results = await done(person.request('GET', '/results'))
    expect(idsOf(all)['needs-you']).toEqual([here, there])
    expect(idsOf(await list())['needs-you']).toEqual([here])
    const some = await signInAs(api, 'editor', { socialSetIds: [other] })
    expect(idsOf(await done(some.request('GET', '/results')))['needs-you']).toEqual([there])
    expect((await some.request('GET', `/results?socialSetId=${api.socialSetId}`)).status).toBe(404)
  })

  test('takes as many queries for a hundred sets as for one', async () => {
    const count = async () => {
      const before = api.queries()
      await list({ size: '100' })
      return api.queries() - before
    }
    await endedSet(api, [posted, refused])
    const few = await count()
    for (let nth = 0; nth < 12; nth++) await endedSet(api, [posted, refused], { hoursAgo: nth })
    expect(await count()).toBe(few)
    expect(few).toBeLessThanOrEqual(15)
  })

  test('reads a page by an index, however many there are', async () => {
    await sql`
      insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
      select gen_random_uuid(), ${api.accountId}, ${api.socialSetId}, almanac_now() - n * interval '1 minute',
        'PUBLISHED', 'NONE' from generate_series(1, 20000) as n`.execute(api.db)
    await sql`
      insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      select gen_random_uuid(), id, social_set_id, 0, 'BLUESKY', 'hello', '{}' from post_sets`.execute(api.db)
    await sql`
      insert into deliveries (id, post_set_id, post_id, content_version, account_type, state, next_at, gives_up_at, result,
        finished_at)
      select gen_random_uuid(), post_set_id, id, 1, account_type, 'DONE', almanac_now(), almanac_now(),
        case when ascii(right(id::text, 1)) % 2 = 0 then ${JSON.stringify(REFUSED)}::jsonb
          else ${JSON.stringify(POSTED)}::jsonb end, almanac_now() from posts`.execute(api.db)
    await sql`analyze all_post_sets, posts, deliveries, post_failures`.execute(api.db)
    const { db, plan } = explaining(api.db)
    const visible = { accountId: api.accountId, socialSetIds: null }
    const filters = { socialSetId: api.socialSetId, days: null, accountTypes: null }
    const pageOf = async (group: 'needs-you' | 'published') => {
      await resultPageQuery(visible, group, filters, { after: null, limit: 26 }).execute(db)
      return plan()
    }
    expect(await pageOf('needs-you')).toContain('using post_failures_page')
    expect(await pageOf('published')).toContain('using post_sets_calendar')
    for (const group of ['needs-you', 'published'] as const)
      expect(await pageOf(group)).not.toMatch(/Seq Scan on (all_post_sets|posts|deliveries|post_failures)/)
  })
})

describe('what a member has not seen', () => {
  test('is counted by set until it was seen, for each member alone', async () => {
    expect(await unseen()).toEqual({ total: 0, data: [] })
    await endedSet(api, [refused, refused])
    await endedSet(api, [unsure])
    await endedSet(api, [posted])
    expect(await unseen()).toEqual({ total: 2, data: [{ socialSetId: api.socialSetId, unseen: 2 }] })
    const { newestFailureAt: until } = await list()
    const put = (body: object) => done(person.request('PUT', '/results/seen', { body }))
    expect(await put({ socialSetId: api.socialSetId, until })).toEqual({ total: 0, data: [] })
    expect((await list()).groups[0]?.data.map(({ unseen }) => unseen)).toEqual([false, false])
    await endedSet(api, [refused])
    expect((await unseen()).total).toBe(1)
    // A mark does not go back, and not ahead of now.
    expect((await put({ until: '2020-01-01T00:00:00Z' })).total).toBe(1)
    expect((await put({ until: '2090-01-01T00:00:00Z' })).total).toBe(0)
    await endedSet(api, [refused])
    expect((await unseen()).total).toBe(1)
  })

  test('begins when a person becomes a member, and is forgotten after 30 days', async () => {
    await endedSet(api, [refused])
    expect((await unseen()).total).toBe(1)
    const later = await signInAs(api, 'editor')
    expect(await done(later.request('GET', '/results/unseen'))).toEqual({ total: 0, data: [] })
    await sql`update memberships set created_at = '2020-01-01'`.execute(api.db)
    expect((await done(later.request('GET', '/results/unseen'))).total).toBe(1)
    await sql`update post_failures set failed_at = almanac_now() - interval '31 days'`.execute(api.db)
    expect((await done(later.request('GET', '/results/unseen'))).total).toBe(0)
  })

  test('comes as an event when a post fails, and when it is retried', async () => {
    const stream = await follow(api, person, api.socialSetId)
    try {
      await stream.until('ready')
      const id = await endedSet(api, [refused])
      await stream.until('results', [id])
      stream.events.splice(0)
      await done(person.request('POST', `/post-sets/${id}/retry`, { body: {} }))
      await stream.until('results', [id])
      expect((await unseen()).total).toBe(0)
    } finally {
      stream.close()
    }
  })
})

describe('what is marked as done', () => {
  test('waits for no member any more, until that is undone; history has who, once', async () => {
    const other = await signInAs(api, 'editor')
    const id = await endedSet(api, [posted, refused])
    expect(await done(markDone(id))).toEqual({ id, socialSetId: api.socialSetId, done: true })
    await done(markDone(id))
    const seenBy = async (who: Person) => done(who.request('GET', `/results?socialSetId=${api.socialSetId}`))
    for (const who of [person, other]) {
      const results = await seenBy(who)
      expect(idsOf(results)).toEqual({ 'needs-you': [], 'not-confirmed': [], inbox: [], published: [], done: [id] })
      expect(results.groups[3]).toMatchObject({ total: 1, data: [{ unseen: false, state: 'partly-published' }] })
      expect((await done(who.request('GET', '/results/unseen'))).total).toBe(0)
    }
    await done(markDone(id, false, other))
    expect(idsOf(await list())).toMatchObject({ 'needs-you': [id], done: [] })
    expect((await unseen()).total).toBe(1)
    const { data } = await done(person.request('GET', `/post-sets/${id}/history`))
    expect(data.slice(0, 2)).toMatchObject([
      { action: 'failure reopened', actor: { type: 'USER' }, changes: { accountTypes: ['INSTAGRAM'] } },
      { action: 'failure done', actor: { type: 'USER' }, changes: { accountTypes: ['INSTAGRAM'] } },
    ])
    expect(data[2]?.action).not.toBe('failure done')
  })

  test('is back when it fails again, or when another post of the set does', async () => {
    const id = await endedSet(api, [refused, null])
    await done(markDone(id))
    expect(idsOf(await list())).toMatchObject({ 'needs-you': [], 'not-confirmed': [id], done: [] })
    await sql`update deliveries set state = 'DONE', finished_at = almanac_now(), result = ${JSON.stringify(REFUSED)}
      where post_set_id = ${id} and state <> 'DONE'`.execute(api.db)
    expect(idsOf(await list())).toMatchObject({ 'needs-you': [id], 'not-confirmed': [], done: [] })
    await done(markDone(id))
    await done(person.request('POST', `/post-sets/${id}/retry`, { body: {} }))
    expect(idsOf(await list())).toMatchObject({ 'needs-you': [], 'not-confirmed': [id], done: [] })
    await sql`update deliveries set state = 'DONE', finished_at = almanac_now(), result = ${JSON.stringify(REFUSED)}
      where post_set_id = ${id} and state <> 'DONE'`.execute(api.db)
    expect(idsOf(await list())).toMatchObject({ 'needs-you': [id], 'not-confirmed': [], done: [] })
    expect((await unseen()).total).toBe(1)
  })

  test('is found by the account that it failed on', async () => {
    const id = await endedSet(api, [posted, refused])
    await done(markDone(id))
    const on = async (type: string) => idsOf(await list({ group: 'done', 'filters[accountTypes][]': type })).done
    expect([await on('INSTAGRAM'), await on('BLUESKY')]).toEqual([[id], []])
  })

  test('comes as an event to those who look at the brand', async () => {
    const id = await endedSet(api, [refused])
    const stream = await follow(api, person, api.socialSetId)
    try {
      await stream.until('ready')
      stream.events.splice(0)
      await done(markDone(id))
      await stream.until('results', [id])
    } finally {
      stream.close()
    }
  })
})

describe('a retry', () => {
  test('is for keys that may publish as well, and once for each Idempotency-Key', async () => {
    const id = await endedSet(api, [posted, refused])
    const headers = { 'idempotency-key': `retry ${id}` }
    const ask = (key?: string) =>
      api.request('POST', `/v1/post-sets/${id}/retry`, { headers, ...(key === undefined ? {} : { key }) })
    const drafts = await api.newKey({ scopes: ['post-sets:write'] })
    expect((await ask(drafts)).body.code).toBe('auth:insufficient_scope')
    const elsewhere = await api.newKey({ socialSetIds: [await api.newSocialSet()] })
    expect((await ask(elsewhere)).body.code).toBe('post-set:not_found')
    const first = await ask()
    expect(first).toMatchObject({
      status: 200,
      body: { id, socialSetId: api.socialSetId, retried: [{ accountType: 'INSTAGRAM' }], left: [] },
    })
    expect(await ask()).toMatchObject({ status: 200, body: first.body })
    const again = await api.request('POST', `/v1/post-sets/${id}/retry`)
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'request:refused', why: { code: 'why:sending_again', values: {} } },
    })
  })

  test('moves a set to what is not confirmed, and programs see it published with its last result meanwhile', async () => {
    const id = await endedSet(api, [posted, refused])
    const before = (await api.request('GET', `/v1/post-sets/${id}`)).body
    const answer = await done(person.request('POST', `/post-sets/${id}/retry`))
    expect(answer).toMatchObject({ id, version: before.version + 1, retried: [{ accountType: 'INSTAGRAM' }], left: [] })
    const { updatedAt: _, version, ...after } = (await api.request('GET', `/v1/post-sets/${id}`)).body
    expect(after).toMatchObject({ status: 'PUBLISHED', posts: before.posts })
    expect(version).toBe(answer.version)
    expect((await api.request('PATCH', `/v1/post-sets/${id}`, { body: { approval: 'NONE' } })).body.code).toBe(
      'post-set:read_only',
    )
    const results = await list()
    expect(idsOf(results)).toEqual({ 'needs-you': [], 'not-confirmed': [id], inbox: [], published: [], done: [] })
    expect(results.groups[1]?.data[0]).toMatchObject({
      state: 'publishing',
      posts: [{}, { retries: 1, result: REFUSED, failure: null }],
    })
    const deliveries = await done(person.request('GET', `/post-sets/${id}/deliveries`))
    expect(deliveries).toMatchObject({
      state: 'publishing',
      data: [{ state: 'done' }, { state: 'preparing', result: null }],
    })
    const history = await done(person.request('GET', `/post-sets/${id}/history`))
    expect(history.data[0]).toMatchObject({ action: 'retried', changes: { accountTypes: ['INSTAGRAM'] } })
    const filtered = async (outcome: string) =>
      (
        await done(
          person.request(
            'GET',
            `/calendar?${new URLSearchParams({
              socialSetId: api.socialSetId,
              from: new Date(Date.now() - 86_400_000).toISOString(),
              to: new Date(Date.now() + 86_400_000).toISOString(),
              'filters[outcome][]': outcome,
            })}`,
          ),
        )
      ).cards
    expect(await filtered('FAILED')).toMatchObject([{ id, state: 'publishing' }])
  })

  test('of many answers for each', async () => {
    const [good, maybe] = [await endedSet(api, [refused]), await endedSet(api, [unsure])]
    const answer = await done(person.request('POST', '/post-sets/retry', { body: { ids: [good, maybe] } }))
    expect(answer).toMatchObject({
      done: [{ id: good }],
      refused: [{ id: maybe, code: 'request:refused', message: expect.stringContaining('may be live') }],
    })
  })

  test('names what it leaves', async () => {
    const id = await endedSet(api, [refused, unsure])
    expect(await done(person.request('POST', `/post-sets/${id}/retry`, { body: {} }))).toMatchObject({
      retried: [{ accountType: 'BLUESKY' }],
      left: [{ accountType: 'INSTAGRAM', why: { message: expect.stringContaining('may be live') } }],
    })
  })
})
