import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { openFeedProcesses } from '#icalendar'
import { networksOf } from '#networks'
import { issueFeedAddress, openFeed } from '#operations'
import { type FeedContent, openDatabase, removeOldRows } from '#persistence'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { endedSet, POSTED } from '../_util/api/results.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let editor: Person
const shared = new Map<string, { name: string; socialSetIds: string[] } & Pick<FeedContent, 'postSets' | 'notes'>>()
/** Calendars that were written. */
let written = 0
/** Done once, before one may be written. */
let meanwhile: (() => Promise<unknown>) | undefined
/** Why none can be written now. */
let broken: Error | null = null
beforeAll(async () => {
  const processes = openFeedProcesses()
  api = await startApi({
    rate: anyRate,
    async sharedFeedScope(_, id) {
      const found = shared.get(id)
      return found ? { ...found, shown: async () => found } : null
    },
    feedWriter: {
      inTurn: (work) =>
        processes.inTurn(async (write) => {
          const first = meanwhile
          meanwhile = undefined
          await first?.()
          return work((task) => {
            written += 1
            if (broken) throw broken
            return write(task)
          })
        }),
    },
  })
  await api.setClock('2026-11-23T09:00:00Z')
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const open = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${api.url}${new URL(url).pathname}`, { method, headers })
const issue = async (socialSetId: string) =>
  (await done(editor.request('PUT', `/social-sets/${socialSetId}/calendar-feed`))) as { url: string }
/** What is kept was compared with what there is a minute before. */
const passMinute = () =>
  sql`update kept_calendar_feeds set checked_at = checked_at - interval '1 minute'`.execute(api.db)
/** The text of a feed as it is a minute later, with its lines put together. */
async function textOf(url: string): Promise<string> {
  await passMinute()
  return (await (await open(url)).text()).replaceAll('\r\n ', '')
}
/** The lines of the component with that id. */
const componentOf = (text: string, id: string) =>
  text
    .split('BEGIN:VEVENT')
    .find((part) => part.includes(`UID:${id}@almanac`))
    ?.split('\r\n') ?? []

test('calendars-10: a social set has an address at which calendar programs read its posts and notes', async () => {
  const socialSetId = await api.newSocialSet({ name: 'Bakery, Inc.; Berlin' })
  const path = `/social-sets/${socialSetId}/calendar-feed`
  expect(await done(editor.request('GET', path))).toEqual({ feed: null })
  const { feed, url } = await done(editor.request('PUT', path))
  expect(feed).toEqual({ createdAt: '2026-11-23T09:00:00.000Z', renewedAt: null, lastReadAt: null })
  expect(url).toMatch(/^https:\/\/almanac\.test\/feeds\/[\w-]{43}\.ics$/)

  const caption = `Fresh bread, warm; "crisp" \\ and a very long line ${'ü'.repeat(80)}\nSecond line`
  const posts = [
    { ...BLUESKY_POST, caption },
    { ...INSTAGRAM_POST, caption: 'On Instagram' },
  ]
  const { id } = await api.create({ socialSetId, scheduledAt: '2026-12-01T10:00:00Z', posts })
  const note = await done(
    api.request('POST', '/v1/notes', {
      body: { socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2026-12-01T23:30:00Z' },
    }),
    201,
  )
  const answer = await open(url)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  const bytes = await answer.text()
  const lines = bytes.split('\r\n')
  expect(bytes.endsWith('END:VCALENDAR\r\n')).toBe(true)
  expect(bytes.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)

  const text = bytes.replaceAll('\r\n ', '')
  expect(text).toContain('X-WR-CALNAME:Bakery\\, Inc.\\; Berlin\r\n')
  const post = componentOf(text, id)
  expect(post).toContain('DTSTART:20261201T100000Z')
  expect(post).toContain('DTEND:20261201T101500Z')
  expect(post).toContain('STATUS:TENTATIVE')
  expect(post.find((line) => line.startsWith('SUMMARY:'))).toMatch(
    /^SUMMARY:Bluesky\\, Instagram: Fresh bread\\, warm\\; "crisp" \\\\ and/,
  )
  const description = post.find((line) => line.startsWith('DESCRIPTION:'))
  expect(description).toContain('Status: Draft\\n\\nBluesky\\nFresh bread\\, warm\\;')
  expect(description).toContain('\\nSecond line\\n\\nInstagram\\nOn Instagram')
  expect(post.find((line) => line.startsWith('URL'))).toContain(
    `https://almanac.test/dashboard/scheduling/calendar/month?set=${socialSetId}&post=${id}`,
  )
  // By the clock of the social set it is the next day.
  const ofNote = componentOf(text, note.id)
  expect(ofNote).toContain('DTSTART;VALUE=DATE:20261202')
  expect(ofNote).toContain('DTEND;VALUE=DATE:20261203')
  expect(ofNote).toContain('SUMMARY:Fair')
  expect((await done(editor.request('GET', path))).feed).toMatchObject({ lastReadAt: '2026-11-23T09:00:00.000Z' })
})

test('status and links follow the outcome of a post', async () => {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  const { url } = await issue(socialSetId)
  const { id } = await api.create({
    socialSetId,
    status: 'SCHEDULED',
    approval: 'PENDING',
    scheduledAt: '2026-12-01T10:00:00Z',
  })
  const before = componentOf(await textOf(url), id)
  expect(before).toContain('STATUS:CONFIRMED')
  expect(before.join()).toContain('Status: Scheduled\\, waiting for approval')
  await api.request('PATCH', `/v1/post-sets/${id}`, { body: { approval: 'APPROVED' } })
  expect(componentOf(await textOf(url), id).join()).toContain('Status: Scheduled\\n')
})

test('what has not changed has the same ETag, and is not sent again', async () => {
  const socialSetId = await api.newSocialSet()
  const { url } = await issue(socialSetId)
  await api.create({ socialSetId, scheduledAt: '2026-12-01T10:00:00Z' })
  const first = await open(url)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]+"$/)
  await api.setClock('2026-11-23T10:00:00Z')
  const again = await open(url, { 'if-none-match': etag })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  const head = await open(url, {}, 'HEAD')
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
  await api.create({ socialSetId, scheduledAt: '2026-12-02T10:00:00Z' })
  await passMinute()
  const changed = await open(url, { 'if-none-match': etag })
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(etag)
  await api.setClock('2026-11-23T09:00:00Z')
})

test('calendars-10: an address that is renewed or closed ends at once', async () => {
  const socialSetId = await api.newSocialSet()
  const path = `/social-sets/${socialSetId}/calendar-feed`
  const old = await issue(socialSetId)
  const renewed = await done(editor.request('PUT', path))
  expect(renewed.feed).toMatchObject({ renewedAt: '2026-11-23T09:00:00.000Z', lastReadAt: null })
  expect((await open(old.url)).status).toBe(404)
  expect((await open(renewed.url)).status).toBe(200)
  expect((await editor.request('DELETE', path)).status).toBe(204)
  expect((await open(renewed.url)).status).toBe(404)
  expect(await done(editor.request('GET', path))).toEqual({ feed: null })
  expect((await editor.request('DELETE', path)).status).toBe(204)
})

test('calendars-10: the feed of a shared calendar shows what that shows, without links of members', async () => {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  const at = { socialSetId, scheduledAt: '2026-12-01T10:00:00Z' }
  const draft = await api.create({ ...at })
  const waiting = await api.create({ ...at, approval: 'EXTERNAL_PENDING' })
  const scheduled = await api.create({ ...at, status: 'SCHEDULED' })
  const note = { socialSetId, content: 'Ours', hexColor: '#faf785', scheduledAt: '2026-12-01T10:00:00Z' }
  await done(api.request('POST', '/v1/notes', { body: note }), 201)
  const theirs = await done(api.request('POST', '/v1/notes', { body: { ...note, content: 'Theirs' } }), 201)
  const sharedCalendarId = newId()
  const of = { accountId: api.accountId, publicUrl: 'https://almanac.test', of: { sharedCalendarId }, createdBy: null }
  const { url } = await issueFeedAddress(api.db, of)
  const shownIn = async () => {
    const text = await textOf(url)
    expect(text).not.toContain('dashboard')
    return [draft, waiting, scheduled].map(({ id }) => text.includes(id))
  }
  const scope = { name: 'For the client', socialSetIds: [socialSetId], notes: [theirs.id] }
  shared.set(sharedCalendarId, { ...scope, postSets: { statuses: [], waitingForClient: true } })
  expect(await shownIn()).toEqual([false, true, false])
  shared.set(sharedCalendarId, { ...scope, postSets: { statuses: ['SCHEDULED'], waitingForClient: true } })
  expect(await shownIn()).toEqual([false, true, true])
  shared.set(sharedCalendarId, { ...scope, postSets: { ids: [draft.id] } })
  expect(await shownIn()).toEqual([true, false, false])
  const text = await textOf(url)
  expect([text.includes('Ours'), text.includes('Theirs'), text.includes('For the client')]).toEqual([false, true, true])
  shared.delete(sharedCalendarId)
  expect((await open(url)).status).toBe(404)
})

test('a calendar is written once for all who ask, again when it has changed, and at most once a minute', async () => {
  const socialSetId = await api.newSocialSet()
  const { url } = await issue(socialSetId)
  const first = await api.create({ socialSetId, scheduledAt: '2026-12-01T10:00:00Z' })
  const before = written
  const together = await Promise.all(Array.from({ length: 12 }, () => open(url)))
  const etags = new Set(together.map(({ headers }) => headers.get('etag')))
  expect([written - before, etags.size]).toEqual([1, 1])
  const texts = new Set(await Promise.all(together.map((each) => each.text())))
  expect(texts.size).toBe(1)
  const [etag = ''] = etags
  const queries = api.queries()
  expect((await open(url, { 'if-none-match': etag ?? '' })).status).toBe(304)
  expect(api.queries() - queries).toBeLessThanOrEqual(3)
  // Nothing has changed.
  await passMinute()
  expect((await open(url, { 'if-none-match': etag ?? '' })).status).toBe(304)
  expect(written - before).toBe(1)
  // It is there within a minute.
  const second = await api.create({ socialSetId, scheduledAt: '2026-12-02T10:00:00Z' })
  expect(await (await open(url)).text()).not.toContain(second.id)
  expect(written - before).toBe(1)
  const text = await textOf(url)
  expect([text.includes(first.id), text.includes(second.id), written - before]).toEqual([true, true, 2])
})

test('whatever a calendar shows of a post or a note makes it another one', async () => {
  const socialSetId = await api.newSocialSet({ name: 'Before', connected: ['BLUESKY'] })
  const { url } = await issue(socialSetId)
  const { id } = await api.create({ socialSetId, scheduledAt: '2026-12-01T10:00:00Z' })
  const note = await done(
    api.request('POST', '/v1/notes', {
      body: { socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2026-12-01T10:00:00Z' },
    }),
    201,
  )
  let last = await textOf(url)
  for (const [path, body] of [
    [`/v1/post-sets/${id}`, { posts: [{ ...BLUESKY_POST, caption: 'Other words' }] }],
    [`/v1/post-sets/${id}`, { scheduledAt: '2026-12-03T10:00:00Z' }],
    [`/v1/post-sets/${id}`, { status: 'SCHEDULED' }],
    [`/v1/post-sets/${id}`, { approval: 'PENDING' }],
    [`/v1/notes/${note.id}`, { content: 'Market' }],
    [`/v1/notes/${note.id}`, { scheduledAt: '2026-12-04T12:00:00Z' }],
  ] as const) {
    await done(api.request('PATCH', path, { body }))
    const next = await textOf(url)
    expect(next, JSON.stringify(body)).not.toBe(last)
    last = next
  }
  const sent = await endedSet(api, [null], { socialSetId })
  expect(componentOf(await textOf(url), sent).join()).toContain('Status: Publishing\\n')
  // As a lookup finds it: the set itself stays as it is.
  const { permalink } = POSTED as { permalink: string }
  await api.db
    .updateTable('deliveries')
    .set({ state: 'DONE', result: JSON.stringify(POSTED), finished_at: sql`almanac_now()` })
    .where('post_set_id', '=', sent)
    .execute()
  expect(componentOf(await textOf(url), sent).join()).toContain(permalink)
  await api.db.updateTable('social_sets').set({ timezone: 'Pacific/Auckland' }).where('id', '=', socialSetId).execute()
  expect(componentOf(await textOf(url), note.id)).toContain('DTSTART;VALUE=DATE:20261205')
  await api.db.updateTable('social_sets').set({ name: 'After' }).where('id', '=', socialSetId).execute()
  expect(await textOf(url)).toContain('X-WR-CALNAME:After\r\n')
  await api.request('DELETE', `/v1/notes/${note.id}`)
  expect(await textOf(url)).not.toContain(note.id)
  await api.request('DELETE', `/v1/post-sets/${id}`)
  expect(await textOf(url)).not.toContain(id)
})

test('while a calendar cannot be written, what was written before is answered', async () => {
  const socialSetId = await api.newSocialSet()
  const { url } = await issue(socialSetId)
  const before = await textOf(url)
  await api.create({ socialSetId, scheduledAt: '2026-12-01T10:00:00Z' })
  broken = new Error('There is no process.')
  expect(await textOf(url)).toBe(before)
  expect(api.logged()).toContain('A calendar could not be written again')
  broken = null
  expect(await textOf(url)).not.toBe(before)
})

test('of several processes one writes, and the others wait for it', async () => {
  const socialSetId = await api.newSocialSet()
  const { url } = await issue(socialSetId)
  const token = new URL(url).pathname.slice('/feeds/'.length, -'.ics'.length)
  const processes = openFeedProcesses()
  const databases = [1, 2, 3].map(() => openDatabase(api.databaseUrl, { poolSize: 2 }))
  let writes = 0
  const deps = {
    publicUrl: 'https://almanac.test',
    networks: networksOf([]),
    sharedFeedScope: async () => null,
    log: { info() {}, warn() {}, error() {} },
    feedWriter: {
      inTurn: <T>(work: Parameters<typeof processes.inTurn<T>>[0]) =>
        processes.inTurn((write) =>
          work((task) => {
            writes += 1
            return write(task)
          }),
        ),
    },
  }
  const feeds = await Promise.all(databases.map((db) => openFeed({ ...deps, db }, token, async () => {})))
  expect([writes, new Set(feeds.map(({ etag }) => etag)).size]).toEqual([1, 1])
  await Promise.all(databases.map((db) => db.destroy()))
})

test('what was kept and nobody has asked for in a week is written again for who asks', async () => {
  const socialSetId = await api.newSocialSet()
  const { url } = await issue(socialSetId)
  const etag = (await open(url)).headers.get('etag') ?? ''
  const count = async () => (await api.db.selectFrom('kept_calendar_feeds').select('feed_id').execute()).length
  const all = await count()
  await sql`update kept_calendar_feeds set checked_at = checked_at - interval '8 days'
    where feed_id = (select id from calendar_feeds where social_set_id = ${socialSetId})`.execute(api.db)
  // It goes while one asks.
  meanwhile = () => removeOldRows(api.db, 'kept_calendar_feeds')
  expect((await open(url, { 'if-none-match': etag })).status).toBe(304)
  expect(await count()).toBe(all)
})

test('an address that is closed while its calendar is looked at opens nothing', async () => {
  const socialSetId = await api.newSocialSet()
  const { url } = await issue(socialSetId)
  meanwhile = () => editor.request('DELETE', `/social-sets/${socialSetId}/calendar-feed`)
  expect((await open(url)).status).toBe(404)
})
