import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { NEWS_CAUSES, NEWS_CHOICES, NEWS_DAYS, type NewsChoices, type NewsPage } from '#contract'
import { newId } from '#domain'
import { forgetNewsWords, purgeNews } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { enter, share } from '../_util/api/guests.ts'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import type { Person } from '../_util/api/members.ts'
import { happenings, reader } from '../_util/api/news.ts'
import { type StartedNewsroom, startNewsroom } from '../_util/api/newsroom.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

let api: Api
let mail: MailServer
let newsroom: StartedNewsroom
let happens: ReturnType<typeof happenings>
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ rate: anyRate, mailer: { send: async () => {} } })
  newsroom = startNewsroom(api, {
    smtpUrl: mail.url,
    settings: { foldMs: 0, mailPauseMs: 0 },
    networks: [scriptedNetwork({ name: 'bluesky' })],
  })
  happens = happenings(api)
})
beforeEach(async () => {
  for (const table of ['news', 'memberships', 'post_sets'] as const) await api.db.deleteFrom(table).execute()
  await api.setClock(null)
  mail.mails.splice(0)
})
afterAll(async () => {
  await newsroom.stop({ graceMs: 0 })
  await api.close()
  await mail.close()
})

const bell = (person: Person, query = ''): Promise<NewsPage> => done(person.request('GET', `/news${query}`))
const unread = async (person: Person) => (await done(person.request('GET', '/news/unread'))).unread as number
const choose = (person: Person, choices: object, socialSetId: string | null = null): Promise<NewsChoices> =>
  done(person.request('PUT', '/news/choices', { body: { socialSetId, choices } }))
const link = (postSetId: string) => `/dashboard/scheduling/calendar/month?set=${api.socialSetId}&post=${postSetId}`

describe('the bell', () => {
  test('shows what happened, with names and a link, and counts what was not read', async () => {
    const editor = await reader(api, 'editor')
    const { id } = await api.create()
    const actor = { type: 'USER', id: newId(), name: 'Ada' } as const
    await happens.comment(id, { actor, words: 'Which logo?' })
    expect(await unread(editor)).toBe(0)
    await newsroom.lookNow()
    const { data, next } = await bell(editor)
    expect(data).toEqual([
      {
        id: expect.any(String),
        cause: 'COMMENTED',
        kind: 'COMMENTED',
        at: expect.stringMatching(/Z$/),
        read: false,
        count: 1,
        actor: { name: 'Ada', type: 'USER' },
        socialSet: { id: api.socialSetId, name: 'Brand' },
        postSet: { id, scheduledAt: '2030-06-01T10:00:00.000Z', excerpt: 'hello' },
        note: null,
        takenBack: false,
        accountType: null,
        connection: null,
        calendar: null,
        webhook: null,
        key: null,
        plan: null,
        hours: null,
        endsAt: null,
        words: 'Which logo?',
        message: null,
        reason: null,
        link: link(id),
      },
    ])
    expect(next).toBeNull()
    expect(await unread(editor)).toBe(1)
    const read = await done(editor.request('PUT', `/news/${data[0]?.id}/read`))
    expect(read).toEqual({ unread: 0 })
    expect((await bell(editor)).data[0]).toMatchObject({ read: true })
    expect((await bell(editor, '?unread=true')).data).toEqual([])
  })

  test('keeps an item unread when the request is refused', async () => {
    const editor = await reader(api, 'editor')
    await happens.comment((await api.create()).id)
    await newsroom.lookNow()
    const [item] = (await bell(editor)).data
    expect((await editor.request('PUT', `/news/${item?.id}/read?now=1`)).body.code).toBe('request:invalid_query')
    expect(await unread(editor)).toBe(1)
  })

  test('shows the notes that guests of a shared calendar add, folded for each brand', async () => {
    const [owner, editor, elsewhere] = [
      await reader(api, 'owner'),
      await reader(api, 'editor'),
      await reader(api, 'editor', { socialSetIds: [await api.newSocialSet()] }),
    ]
    await choose(editor, { COMMENTED: 'MAIL' })
    const guest = await enter(api, await share(api, owner), { name: 'Clara' })
    const note = { socialSetId: api.socialSetId, hexColor: '#faf785', scheduledAt: '2030-06-30T23:30:00Z' }
    const add = async (content: string) => done(guest.request('POST', '/notes', { body: { ...note, content } }), 201)
    const { id } = await add('We are closed.')
    await newsroom.lookNow()
    const place = `/dashboard/scheduling/calendar/month?set=${api.socialSetId}&date=2030-07-01`
    expect((await bell(editor)).data).toMatchObject([
      {
        ...{ cause: 'COMMENTED', kind: 'COMMENTED', count: 1, note: id, postSet: null, words: 'We are closed.' },
        actor: { name: 'Clara', type: 'REVIEWER' },
        link: `${place}&note=${id}`,
      },
    ])
    const { id: second } = await add('The fair begins.')
    await newsroom.lookNow()
    expect((await bell(owner)).data).toMatchObject([{ count: 2, words: 'The fair begins.', link: place }])
    expect((await bell(elsewhere)).data).toEqual([])
    await newsroom.lookNow()
    const [sent] = mail.mails.filter(({ to }) => to.includes(editor.mail))
    expect(sent?.subject).toBe('Brand: a new note in the calendar')
    expect(sent?.text).toContain('Clara added a note to the calendar of Brand:')
    expect(sent?.text).toContain('> We are closed.')
    expect(sent?.text).toContain(`note=${id}`)
    // What the team changed or took away is not quoted.
    await done(owner.request('PATCH', `/notes/${second}`, { body: { content: 'Closed' } }))
    expect((await bell(owner)).data).toMatchObject([{ count: 2, words: null }])
    await add('And closed again.')
    await newsroom.lookNow()
    const third = (await bell(owner)).data[0]?.note
    await done(owner.request('DELETE', `/notes/${third}`), 204)
    expect((await bell(owner)).data).toMatchObject([{ count: 3, words: null }])
  })

  test('folds what is about the same until it is read', async () => {
    const editor = await reader(api, 'editor')
    const [one, other] = [(await api.create()).id, (await api.create()).id]
    for (const id of [one, one, other]) await happens.comment(id)
    await newsroom.lookNow()
    await happens.comment(one, { words: 'The latest.' })
    await newsroom.lookNow()
    const { data } = await bell(editor)
    expect(data.map(({ count, postSet, words }) => [postSet?.id, count, words])).toEqual([
      [one, 3, 'The latest.'],
      [other, 1, 'Nice.'],
    ])
    await done(editor.request('PUT', '/news/read', { body: { until: data[0]?.at } }))
    expect(await unread(editor)).toBe(0)
    await happens.comment(one)
    await newsroom.lookNow()
    expect((await bell(editor)).data.map(({ count, read }) => [count, read])).toEqual([
      [1, false],
      [3, true],
      [1, true],
    ])
  })

  test('comes in pages, newest first, and reading up to a time leaves what came after it', async () => {
    const editor = await reader(api, 'editor')
    const ids: string[] = []
    for (let minute = 10; minute < 15; minute++) {
      await api.setClock(`2030-01-01T10:${minute}:00Z`)
      ids.unshift((await api.create()).id)
      await happens.comment(ids[0] ?? '')
    }
    await newsroom.lookNow()
    const seen: (string | undefined)[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await bell(editor, `?size=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
      expect(page.data.length).toBeLessThanOrEqual(2)
      seen.push(...page.data.map(({ postSet }) => postSet?.id))
      cursor = page.next
    }
    expect(seen).toEqual(ids)
    const body = { until: '2030-01-01T10:12:00Z' }
    expect(await done(editor.request('PUT', '/news/read', { body }))).toEqual({ unread: 2 })
  })

  test('is announced to the open pages of its member, for every social set that they follow', async () => {
    const [editor, other] = [await reader(api, 'editor'), await reader(api, 'editor')]
    const elsewhere = await api.newSocialSet()
    const [stream, others] = [await follow(api, editor, elsewhere), await follow(api, other, elsewhere)]
    try {
      for (const each of [stream, others]) await each.until('ready')
      await watched([editor.userId, other.userId])
      const { id } = await api.create()
      await happens.comment(id, { actor: { type: 'USER', id: other.userId, name: 'Bo' } })
      await newsroom.lookNow()
      const [item] = (await bell(editor)).data
      await stream.until('news', [item?.id ?? ''])
      expect(others.events.flatMap(([name, ids]) => (name === 'news' ? (ids ?? []) : []))).toEqual([])
      await done(editor.request('PUT', `/news/${item?.id}/read`))
      const reported = () => stream.events.filter(([name, ids]) => name === 'news' && ids?.includes(item?.id ?? ''))
      await vi.waitUntil(() => reported().length === 2)
    } finally {
      stream.close()
      others.close()
    }
  })

  test('keeps news for 90 days', async () => {
    const editor = await reader(api, 'editor')
    await api.setClock('2030-01-01T10:00:00Z')
    await happens.calendar()
    await newsroom.lookNow()
    await api.setClock(new Date(Date.parse('2030-01-01T09:59:59Z') + NEWS_DAYS * 86_400_000).toISOString())
    expect(await purgeNews(api.db)).toBe(0)
    expect(await unread(editor)).toBe(1)
    await api.setClock(new Date(Date.parse('2030-01-01T10:00:01Z') + NEWS_DAYS * 86_400_000).toISOString())
    expect(await purgeNews(api.db)).toBe(1)
    expect(await unread(editor)).toBe(0)
  })

  test('no longer has the words of a comment that is gone, nor a post set that was deleted', async () => {
    const editor = await reader(api, 'editor')
    const { id } = await api.create()
    const commentId = newId()
    await happens.comment(id, { commentId })
    await newsroom.lookNow()
    await forgetNewsWords(api.db, commentId)
    expect((await bell(editor)).data[0]).toMatchObject({ words: null, postSet: { id } })
    await done(api.request('DELETE', `/v1/post-sets/${id}`), 204)
    expect((await bell(editor)).data[0]).toMatchObject({ postSet: null })
  })
})

describe('choices', () => {
  test('without one it is by role, and by whether it concerns the person', async () => {
    const [author, reviewer] = [await reader(api, 'author'), await reader(api, 'reviewer')]
    const { defaults, account, socialSets, mail, timezone } = await done(reviewer.request('GET', '/news/choices'))
    expect(defaults.map(({ cause }: { cause: string }) => cause)).toEqual([...NEWS_CAUSES])
    expect(defaults).toContainEqual({ cause: 'REVIEW_REQUESTED', choice: 'MAIL', concerned: 'MAIL' })
    expect(defaults).toContainEqual({ cause: 'COMMENTED', choice: 'NONE', concerned: 'MAIL' })
    expect([mail, timezone]).toEqual([true, 'Europe/Berlin'])
    expect(account).toEqual(NEWS_CAUSES.map((cause) => ({ cause, choice: null })))
    expect(socialSets[0].choices).toHaveLength(NEWS_CAUSES.length - 1)
    const set = await done(author.request('POST', '/post-sets', { body: api.draft() }), 201)
    await happens.comment(set.id)
    await newsroom.lookNow()
    expect([await unread(author), await unread(reviewer)]).toEqual([1, 0])
    expect(mailsTo(author)).toHaveLength(1)
  })

  test('one for a social set wins over that for all, which wins over the default', async () => {
    const editor = await reader(api, 'editor')
    const other = await api.newSocialSet({ name: 'Other' })
    await choose(editor, { COMMENTED: 'NONE' })
    const { account, socialSets } = await choose(editor, { COMMENTED: 'MAIL', DECIDED: 'DAILY' }, other)
    expect(account).toContainEqual({ cause: 'COMMENTED', choice: 'NONE' })
    const named = socialSets.find(({ socialSetId }) => socialSetId === other)
    expect(named?.choices).toContainEqual({ cause: 'COMMENTED', choice: 'MAIL' })
    const { id } = await api.create()
    const inOther = await api.create({ socialSetId: other })
    await happens.comment(id)
    await happens.comment(inOther.id, { socialSetId: other })
    await newsroom.lookNow()
    expect((await bell(editor)).data.map(({ socialSet }) => socialSet?.name)).toEqual(['Other'])
    expect(mailsTo(editor)).toHaveLength(1)
    const back = await choose(editor, { COMMENTED: null }, other)
    expect(back.socialSets.flatMap(({ choices }) => choices).filter(({ choice }) => choice !== null)).toEqual([
      { cause: 'DECIDED', choice: 'DAILY' },
    ])
  })

  test.each(NEWS_CHOICES)('%s does what it says', async (choice) => {
    const editor = await reader(api, 'editor', { preferences: { timezone: 'Europe/Berlin' } })
    await choose(editor, { COMMENTED: choice })
    await api.setClock('2030-06-01T12:00:00Z')
    const { id } = await api.create()
    await happens.comment(id)
    await newsroom.lookNow()
    expect(await unread(editor)).toBe(choice === 'NONE' ? 0 : 1)
    expect(mailsTo(editor)).toHaveLength(choice === 'MAIL' ? 1 : 0)
    await api.setClock('2030-06-02T05:59:59Z')
    await newsroom.lookNow()
    expect(mailsTo(editor)).toHaveLength(choice === 'MAIL' ? 1 : 0)
    await api.setClock('2030-06-02T06:00:00Z')
    await newsroom.lookNow()
    expect(mailsTo(editor)).toHaveLength(choice === 'MAIL' || choice === 'DAILY' ? 1 : 0)
  })

  test('who is mentioned gets it as that, and who is not asked by name gets nothing', async () => {
    const [asked, other] = [await reader(api, 'reviewer'), await reader(api, 'reviewer')]
    const { id } = await api.create()
    await happens.comment(id, { mentioned: [other.userId] })
    await happens.requested(id, { asked: [asked.userId] })
    await newsroom.lookNow()
    expect((await bell(other)).data.map(({ cause }) => cause)).toEqual(['MENTIONED'])
    expect((await bell(asked)).data.map(({ cause }) => cause)).toEqual(['REVIEW_REQUESTED'])
  })
})

describe('what is recorded by itself', () => {
  test('a plan at 80 % and at 100 %, once each', async () => {
    const accountId = await api.newAccount({ plan: 'FREE' })
    const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
    const key = await api.newKey({ accountId })
    const owner = await reader(api, 'owner', { accountId })
    const create = () => api.create({ socialSetId }, key)
    for (let post = 0; post < 7; post++) await create()
    await newsroom.lookNow()
    expect(await unread(owner)).toBe(0)
    await create()
    await newsroom.lookNow()
    expect((await bell(owner)).data).toMatchObject([
      { kind: 'PLAN_USED', cause: 'PLAN', plan: { resource: 'POSTS', percent: 80 }, socialSet: null },
    ])
    await create()
    await create()
    await newsroom.lookNow()
    expect((await bell(owner)).data).toMatchObject([
      { plan: { resource: 'POSTS', percent: 100 }, count: 2, link: '/dashboard/settings/plan' },
    ])
    expect(mailsTo(owner).map(({ subject }) => subject)).toEqual([
      'The plan of Account is 80% used',
      'The plan of Account is 100% used',
    ])
  })

  test('a scheduled set that still waits a day before its time, once, to who scheduled it', async () => {
    const editor = await reader(api, 'editor')
    await api.setClock('2030-05-30T08:00:00Z')
    const body = api.draft({ status: 'SCHEDULED', approval: 'PENDING', scheduledAt: '2030-06-01T10:00:00Z' })
    const { id } = await done(editor.request('POST', '/post-sets', { body }), 201)
    await api.create({ ...body, approval: 'APPROVED' })
    for (const clock of ['2030-05-31T09:59:59Z', '2030-05-31T10:00:00Z', '2030-05-31T10:05:00Z']) {
      await api.setClock(clock)
      await newsroom.watchNow()
      await newsroom.lookNow()
      expect(await unread(editor)).toBe(clock < '2030-05-31T10:00:00Z' ? 0 : 1)
    }
    expect((await bell(editor)).data).toMatchObject([{ kind: 'STILL_WAITING', postSet: { id }, count: 1 }])
    expect(mailsTo(editor).map(({ text }) => text)).toEqual([expect.stringContaining('publish even if')])
  })
})

/** Until the database reports what comes for these members. */
async function watched(userIds: readonly string[]): Promise<void> {
  await vi.waitUntil(async () => {
    const { rows } = await sql`
      select from watched_social_sets where social_set_id = any(${userIds}::uuid[])`.execute(api.db)
    return rows.length === userIds.length
  })
}

const mailsTo = ({ mail: address }: { mail: string }) => mail.mails.filter(({ to }) => to.includes(address))
