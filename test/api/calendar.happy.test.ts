import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CalendarCard } from '#contract'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { calendarQuery, cardsOf, done, publishAs, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
let reviewer: Person
let editor: Person
beforeAll(async () => {
  api = await startApi()
  reviewer = await signInAs(api, 'reviewer')
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const cards = (...more: [string, string][]) => cardsOf(api, reviewer, more)
const ids = async (...more: [string, string][]) => (await cards(...more)).map(({ id }) => id)

/** A social set of its own, so that nothing of other tests is in it. */
async function place(): Promise<[string, string]> {
  return ['socialSetId', await api.newSocialSet({ connected: ['BLUESKY', 'INSTAGRAM'] })]
}

test('a card says what the calendar shows of a set, and no more', async () => {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY', 'INSTAGRAM'] })
  const [first, second] = [await api.newMedia({ socialSetId }), await api.newMedia({ socialSetId })]
  const item = (mediaLibraryId: string) => ({ mediaLibraryId })
  const made = await api.create({
    socialSetId,
    scheduledAt: '2030-06-01T10:00:00Z',
    posts: [
      {
        ...INSTAGRAM_POST,
        type: 'CAROUSEL',
        caption: `One\n\ntwo ${'🐎'.repeat(130)}`,
        media: [item(second), item(first)],
      },
      { ...BLUESKY_POST, caption: 'other', media: [item(first)] },
    ],
  })
  const [card, ...others] = await cards(['socialSetId', socialSetId])
  expect(others).toEqual([])
  expect(card).toEqual({
    id: made.id,
    socialSetId,
    scheduledAt: '2030-06-01T10:00:00.000Z',
    status: 'DRAFT',
    approval: 'NONE',
    isLocked: false,
    lockedBy: null,
    version: 1,
    seriesId: null,
    startsSeries: false,
    labelsId: [],
    networks: [
      { accountType: 'INSTAGRAM', result: null },
      { accountType: 'BLUESKY', result: null },
    ],
    state: 'draft',
    excerpt: `One two ${'🐎'.repeat(111)}…`,
    thumbnailUrl: expect.stringContaining(`/media/${second}/thumbnail`),
    mediaType: 'IMAGE',
    mediaCount: 2,
    kinds: ['CAROUSEL'],
    author: { type: 'API_KEY', name: 'Key of 5 scopes' },
    mine: false,
  })
  // Even with two networks, and a caption that takes four bytes for each character.
  expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(1_200)
})

test('cards and notes of the range are there by time, in the zone of the set, in four queries', async () => {
  const where = await place()
  const [, socialSetId] = where
  const make = (scheduledAt: string) => api.create({ socialSetId, scheduledAt })
  const [late, early] = [await make('2030-06-30T21:59:59.999Z'), await make('2030-06-01T00:00:00+02:00')]
  await make('2030-05-31T21:59:59.999Z')
  await make('2030-06-30T22:00:00Z')
  const note = await done(
    editor.request('POST', '/notes', {
      body: { socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-15' },
    }),
    201,
  )
  const before = api.queries()
  const { body } = await reviewer.request(
    'GET',
    calendarQuery(api, [where, ['from', '2030-06-01'], ['to', '2030-07-01']]),
  )
  // The social set, the cards, what is held and the notes.
  expect(api.queries() - before).toBe(4)
  expect(body).toMatchObject({ timezone: 'Europe/Berlin', notes: [note], truncated: false })
  expect(body.cards.map(({ id }: CalendarCard) => id)).toEqual([early.id, late.id])
})

describe('filters', () => {
  test('are those of the list of post sets', async () => {
    const where = await place()
    const [, socialSetId] = where
    const plain = await api.create({ socialSetId })
    const planned = await api.create({ socialSetId, status: 'SCHEDULED', approval: 'PENDING' })
    const found = await api.create({ socialSetId, posts: [{ ...INSTAGRAM_POST, caption: 'Needle in the hay' }] })
    const label = newId()
    await api.db
      .insertInto('labels')
      .values({ id: label, account_id: api.accountId, name: label, color: null })
      .execute()
    await api.db.insertInto('post_set_labels').values({ post_set_id: plain.id, label_id: label }).execute()

    expect(await ids(where)).toHaveLength(3)
    expect(await ids(where, ['filters[status][]', 'SCHEDULED'])).toEqual([planned.id])
    expect(await ids(where, ['filters[approval][]', 'PENDING'])).toEqual([planned.id])
    expect(await ids(where, ['filters[socialNetworks][]', 'INSTAGRAM'])).toEqual([found.id])
    expect(await ids(where, ['filters[accountTypes][]', 'INSTAGRAM'])).toEqual([found.id])
    const both: [string, string][] = [
      ['filters[accountTypes][]', 'INSTAGRAM'],
      ['filters[accountTypes][]', 'BLUESKY'],
    ]
    expect(await ids(where, ...both)).toHaveLength(3)
    expect(
      await ids(where, ['filters[socialNetworks][]', 'BLUESKY'], ['filters[accountTypes][]', 'INSTAGRAM']),
    ).toEqual([])
    expect(await ids(where, ['filters[labelsId][]', label])).toEqual([plain.id])
    expect(await ids(where, ['filters[search]', 'NEEDLE'])).toEqual([found.id])
  })

  test('ask for a series, and its cards say which one began it', async () => {
    const where = await place()
    const first = await api.create({ socialSetId: where[1], repeat: { interval: 'DAY', occurrences: 3 } })
    await api.create({ socialSetId: where[1] })
    const found = await cards(where, ['filters[series]', first.seriesId])
    expect(found.map(({ startsSeries, seriesId }) => [startsSeries, seriesId])).toEqual([
      [true, first.seriesId],
      [false, first.seriesId],
      [false, first.seriesId],
    ])
  })

  test('count what matches before and after the range, by month of the zone', async () => {
    const where = await place()
    const [, socialSetId] = where
    const at = (scheduledAt: string, caption = 'needle') =>
      api.create({ socialSetId, scheduledAt, posts: [{ ...BLUESKY_POST, caption }] })
    await at('2030-06-12T10:00:00Z')
    await at('2030-05-01T10:00:00Z')
    // In Berlin it is the 1st of December.
    await at('2030-11-30T23:30:00Z')
    await at('2030-12-24T10:00:00Z')
    await at('2030-12-25T10:00:00Z', 'hay')
    const query = calendarQuery(api, [where, ['filters[search]', 'NEEDLE']]).replace('?', '/elsewhere?')
    const draft = { state: 'draft', status: 'DRAFT', approval: 'NONE', mine: false }
    expect(await done(reviewer.request('GET', query))).toEqual({
      groups: [
        { ...draft, month: '2030-05', count: 1, first: '2030-05-01T10:00:00.000Z' },
        { ...draft, month: '2030-12', count: 2, first: '2030-11-30T23:30:00.000Z' },
      ],
      truncated: false,
    })
  })

  test('ask for who made a set; the choices come from the sets that there are', async () => {
    const where = await place()
    const [, socialSetId] = where
    const ofKey = await api.create({ socialSetId })
    const mine = await done(editor.request('POST', '/post-sets', { body: api.draft({ socialSetId }) }), 201)
    await done(editor.request('PATCH', `/post-sets/${ofKey.id}`, { body: { approval: 'PENDING' } }))
    const { data } = await done(reviewer.request('GET', `/calendar/authors?socialSetId=${socialSetId}`))
    expect(data).toEqual([
      { id: editor.userId, type: 'USER', name: 'Ada' },
      { id: expect.any(String), type: 'API_KEY', name: 'Key of 5 scopes' },
    ])
    expect(await ids(where, ['filters[authors][]', editor.userId])).toEqual([mine.id])
    expect(await ids(where, ['filters[authors][]', data[1].id])).toEqual([ofKey.id])
    expect(await ids(where, ['filters[authors][]', editor.userId], ['filters[authors][]', data[1].id])).toHaveLength(2)
    expect(await ids(where, ['filters[authors][]', 'nobody'])).toEqual([])
  })

  test('see which sets are their own, no matter what they are called', async () => {
    const where = await place()
    const [, socialSetId] = where
    const namesake = await signInAs(api, 'editor')
    const made = (by: Person) => done(by.request('POST', '/post-sets', { body: api.draft({ socialSetId }) }), 201)
    const [own] = [await made(editor), await made(namesake), await api.create({ socialSetId })]
    await api.db.updateTable('users').set({ name: 'Somebody else' }).where('id', '=', editor.userId).execute()
    const found = (await cardsOf(api, editor, [where])).filter(({ mine }) => mine)
    expect(found.map(({ id }) => id)).toEqual([own.id])
    await api.db.updateTable('users').set({ name: 'Ada' }).where('id', '=', editor.userId).execute()
  })

  test('ask for results of posts, which cards show with each network', async () => {
    const where = await place()
    const posts = [BLUESKY_POST, INSTAGRAM_POST]
    const [good, half, bad, waiting] = await Promise.all(
      [1, 2, 3, 4].map(() => api.create({ socialSetId: where[1], posts })),
    )
    await publishAs(api, good.id, 'PUBLISHED', ['POSTED', 'POSTED'])
    await publishAs(api, half.id, 'PUBLISHED', ['POSTED', 'FAILED'])
    await publishAs(api, bad.id, 'PUBLISHED', ['FAILED', 'FAILED'])
    await publishAs(api, waiting.id, 'PUBLISHING', ['FAILED', null])
    const states = Object.fromEntries((await cards(where)).map(({ id, state }) => [id, state]))
    expect(states).toEqual({
      [good.id]: 'published',
      [half.id]: 'partly-published',
      [bad.id]: 'failed',
      [waiting.id]: 'publishing',
    })
    expect((await ids(where, ['filters[outcome][]', 'FAILED'])).sort()).toEqual([half.id, bad.id, waiting.id].sort())
    expect((await ids(where, ['filters[outcome][]', 'POSTED'])).sort()).toEqual([good.id, half.id].sort())
    const [card] = (await cards(where)).filter(({ id }) => id === waiting.id)
    expect(card?.networks).toEqual([
      { accountType: 'BLUESKY', result: 'FAILED' },
      { accountType: 'INSTAGRAM', result: null },
    ])
  })
})

test('more than 2,000 cards are cut, and it is said', async () => {
  const where = await place()
  const one = await api.create({ socialSetId: where[1] })
  await sql`insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    select gen_random_uuid(), account_id, social_set_id, scheduled_at + n * interval '1 minute', status, approval
    from post_sets, generate_series(1, 2000) as n where id = ${one.id}`.execute(api.db)
  const { cards: found, truncated } = await done(reviewer.request('GET', calendarQuery(api, [where])))
  expect([found.length, truncated, found[0].id]).toEqual([2_000, true, one.id])
})

test('more than 2,000 notes are cut, and it is said', async () => {
  const where = await place()
  await sql`insert into notes (id, account_id, social_set_id, type, source, content, hex_color, scheduled_at)
    select gen_random_uuid(), ${api.accountId}, ${where[1]}, 'ONE_TIME', 'APP', 'n', '#faf785',
      '2030-06-01'::timestamptz + n * interval '1 minute'
    from generate_series(1, 2001) as n`.execute(api.db)
  const { notes, truncated } = await done(reviewer.request('GET', calendarQuery(api, [where])))
  expect([notes.length, truncated]).toEqual([2_000, true])
  await sql`delete from notes where scheduled_at = (
    select max(scheduled_at) from notes where social_set_id = ${where[1]})`.execute(api.db)
  expect(await done(reviewer.request('GET', calendarQuery(api, [where])))).toMatchObject({ truncated: false })
})

describe('the panel of a set', () => {
  test('shows its history, newest first, page by page', async () => {
    const { id } = await api.create()
    await done(editor.request('PATCH', `/post-sets/${id}`, { body: { scheduledAt: '2030-06-02T10:00:00Z' } }))
    const path = `/post-sets/${id}/history`
    const { data, pagination } = await done(reviewer.request('GET', path))
    expect(data).toEqual([
      {
        id: expect.any(String),
        at: expect.any(String),
        actor: { type: 'USER', name: 'Ada' },
        action: 'updated',
        changes: { scheduledAt: { from: '2030-06-01T10:00:00.000Z', to: '2030-06-02T10:00:00.000Z' } },
      },
      expect.objectContaining({ action: 'created', actor: { type: 'API_KEY', name: 'Key of 5 scopes' } }),
    ])
    expect(pagination).toMatchObject({ page: 1, total: 2 })
    expect((await done(reviewer.request('GET', `${path}?size=1&page=2`))).data).toEqual([data[1]])
  })

  test('names what an entry changed, and tells it when it is opened', async () => {
    const { id, posts } = await api.create()
    const post = { ...BLUESKY_POST, id: posts[0].id, caption: 'Another text' }
    await done(editor.request('PATCH', `/post-sets/${id}`, { body: { posts: [post] } }))
    const { data } = await done(reviewer.request('GET', `/post-sets/${id}/history`))
    const changed = { id: post.id, accountType: 'BLUESKY' }
    expect(data[0].changes.posts.changed).toEqual([{ ...changed, fields: {}, names: ['caption'] }])
    const open = (entry: string) => reviewer.request('GET', `/post-sets/${id}/history/${entry}`)
    const fields = { caption: { from: 'hello', to: 'Another text', together: 1 } }
    expect(await done(open(data[0].id))).toEqual({ id: data[0].id, posts: [{ ...changed, fields }] })
    expect(await done(open(data[1].id))).toEqual({ id: data[1].id, posts: [] })
    for (const none of [newId(), 'x']) expect(statusAndCode(await open(none))).toEqual([404, 'history:not_found'])
    expect(statusAndCode(await open(`${data[0].id}?size=1`))).toEqual([400, 'request:invalid_query'])
  })

  test('shows how far each post is', async () => {
    const { id } = await api.create({ posts: [BLUESKY_POST, INSTAGRAM_POST] })
    const read = async () => (await done(reviewer.request('GET', `/post-sets/${id}/deliveries`))).data
    const nothing = {
      continuation: null,
      attempts: 0,
      nextAt: null,
      message: null,
      result: null,
      sentAt: null,
      confirmedAt: null,
    }
    expect(await read()).toMatchObject([
      { accountType: 'BLUESKY', connectionName: 'Me on BLUESKY', state: 'waiting', ...nothing },
      { accountType: 'INSTAGRAM', connectionName: 'Me on INSTAGRAM', state: 'waiting', ...nothing },
    ])
    await api.setClock('2030-06-01T10:00:02Z')
    await publishAs(api, id, 'PUBLISHING', ['POSTED', null])
    const at = '2030-06-01T10:00:01.000Z'
    const [sent, open] = await read()
    expect(sent).toMatchObject({
      state: 'done',
      result: { status: 'POSTED' },
      nextAt: null,
      confirmedAt: at,
      sentAt: at,
    })
    expect(open).toMatchObject({ state: 'preparing', nextAt: at, result: null })
    const reported = { LOOKING_UP: 'looking-up', SENDING: 'sending', CONFIRMING: 'confirming', FOLLOW_UP: 'confirming' }
    for (const [state, shown] of Object.entries(reported)) {
      await api.db
        .updateTable('deliveries')
        .set({ state: state as 'SENDING', attempts: 2, last_message: 'Slow down.' })
        .where('post_id', '=', open.postId)
        .execute()
      expect((await read())[1]).toMatchObject({ state: shown, attempts: 2, message: 'Slow down.' })
    }
    await api.setClock('2030-06-01T09:00:00Z')
    await api.db.updateTable('deliveries').set({ state: 'READY' }).where('post_id', '=', open.postId).execute()
    expect((await read())[1]).toMatchObject({ state: 'waiting', nextAt: at })
    await api.setClock(null)
  })

  test.each([
    ['PUBLISHING', ['POSTED', null], 'publishing'],
    ['PUBLISHED', ['POSTED', 'POSTED'], 'published'],
    ['PUBLISHED', ['POSTED', 'FAILED'], 'partly-published'],
    ['PUBLISHED', ['FAILED', 'FAILED'], 'failed'],
  ] as const)('says of one that is %s with %j that it is %s, as its card does', async (status, results, state) => {
    const { id } = await api.create({ posts: [BLUESKY_POST, INSTAGRAM_POST] })
    await publishAs(api, id, status, results)
    expect((await done(reviewer.request('GET', `/post-sets/${id}/deliveries`))).state).toBe(state)
    expect((await cardsOf(api, reviewer)).find((card) => card.id === id)?.state).toBe(state)
  })

  test('shows both of one moment when the set is published meanwhile', async () => {
    const { id } = await api.create({ posts: [BLUESKY_POST] })
    const { asked } = await api.db.transaction().execute(async (trx) => {
      // The query for the names of connections waits; that for the status of the set does not.
      await sql`lock table connections in access exclusive mode`.execute(trx)
      const waiting = reviewer.request('GET', `/post-sets/${id}/deliveries`)
      await untilSomeoneWaits(api.db)
      await publishAs({ ...api, db: trx }, id, 'PUBLISHED', ['POSTED'])
      return { asked: waiting }
    })
    const { state, data } = await done(asked)
    expect([state, data[0].state]).toEqual(['draft', 'waiting'])
  })
})
