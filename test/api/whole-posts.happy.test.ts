import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calendar, Results } from '#contract'
import { openFeedProcesses } from '#icalendar'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { reviewsOf, setRule } from '../_util/api/approvals.ts'
import { eventsBehind, newestPosition } from '../_util/api/event-log.ts'
import { enter, type GuestClient, share } from '../_util/api/guests.ts'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { happenings, reader } from '../_util/api/news.ts'
import { type StartedNewsroom, startNewsroom } from '../_util/api/newsroom.ts'
import { endedSet, POSTED } from '../_util/api/results.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/**
 * Wherever the caption of a post is shown, searched, compared or sent, its further parts, its first comment and its options are too: a place
 * each.
 */

let api: Api
let mail: MailServer
let newsroom: StartedNewsroom
let owner: Person
let socialSetId: string
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ rate: anyRate, mailer: { send: async () => {} }, feedWriter: openFeedProcesses() })
  newsroom = startNewsroom(api, {
    smtpUrl: mail.url,
    settings: { foldMs: 0, mailPauseMs: 0 },
    networks: [scriptedNetwork({ name: 'threads', accountType: 'THREADS' })],
  })
  owner = await signInAs(api, 'owner')
})
beforeEach(async () => {
  socialSetId = await api.newSocialSet({ connected: ['THREADS', 'BLUESKY'] })
})
afterAll(async () => {
  await newsroom.stop({ graceMs: 0 })
  await api.close()
  await mail.close()
})

const PART = 'Rye needs a day'
const COMMENT = 'The recipe is in the bio'
/** As cards have it, in one line. */
const WHOLE = `Bread ${PART} ${COMMENT}`
const THREADS_POST = {
  ...{ accountType: 'THREADS', caption: 'Bread', media: [] },
  thread: [{ caption: PART, media: [] }],
  options: { firstComment: COMMENT },
}
const BLUESKY_POST = { accountType: 'BLUESKY', caption: 'Bread', media: [], options: { allowQuotes: false } }
const BLUESKY_THREAD = { ...BLUESKY_POST, thread: THREADS_POST.thread }
const FUTURE = '2090-06-01T10:00:00Z'
const create = (more: object = {}): Promise<Body> =>
  api.create({ socialSetId, scheduledAt: FUTURE, posts: [THREADS_POST, BLUESKY_POST], ...more })

/** The posts of a set with one thing changed, by what that is. */
const CHANGES: Readonly<Record<string, (posts: Body[], mediaLibraryId: string) => object[]>> = {
  'a further part': ([post, ...rest]) => [{ ...post, thread: [{ ...post.thread[0], caption: 'Spelt' }] }, ...rest],
  'a part that comes': ([post, ...rest]) => [
    { ...post, thread: [...post.thread, { caption: 'More', media: [] }] },
    ...rest,
  ],
  'a part that goes': ([post, ...rest]) => [{ ...post, thread: [] }, ...rest],
  'a file of a part': ([post, ...rest], mediaLibraryId) => [
    { ...post, thread: [{ ...post.thread[0], media: [{ mediaLibraryId }] }] },
    ...rest,
  ],
  'the first comment': ([post, ...rest]) => [{ ...post, options: { firstComment: 'Elsewhere' } }, ...rest],
  'an option': ([first, post]) => [first, { ...post, options: { allowQuotes: true } }],
}
const FIELDS: Readonly<Record<string, string>> = { 'the first comment': 'options', 'an option': 'options' }
/** What the post says then; nothing: the same. */
const TEXTS: Readonly<Record<string, string>> = {
  'a further part': `Bread\n\nSpelt\n\n${COMMENT}`,
  'a part that comes': `Bread\n\n${PART}\n\nMore\n\n${COMMENT}`,
  'a part that goes': `Bread\n\n${COMMENT}`,
  'the first comment': `Bread\n\n${PART}\n\nElsewhere`,
}
const changes = Object.entries(CHANGES).map(([what, changed]) => ({ what, changed, field: FIELDS[what] ?? 'thread' }))

async function change(set: Body, changed: (typeof changes)[number]['changed'], as: Person = owner): Promise<void> {
  const posts = changed(set.posts, await api.newMedia({ socialSetId }))
  const { version } = await done(as.request('GET', `/post-sets/${set.id}`))
  const headers = { 'if-match': `"${version}"` }
  await done(as.request('PATCH', `/post-sets/${set.id}`, { body: { posts }, headers }))
}

describe('an approval', () => {
  test.each(changes)('does not hold any more when $what changes', async ({ changed }) => {
    await setRule(api, { rule: 'REQUIRED' }, socialSetId)
    const [author, reviewer] = [await signInAs(api, 'admin'), await signInAs(api, 'admin')]
    const set = await create({ approval: 'PENDING' })
    await done(reviewsOf(reviewer).decide(set.id, { decision: 'approve' }))
    const approvalOf = async () => (await done(api.request('GET', `/v1/post-sets/${set.id}`))).approval
    expect(await approvalOf()).toBe('APPROVED')
    await change(set, changed, author)
    expect(await approvalOf()).toBe('PENDING')
  })

  test.each(changes)('that a guest has given is one of what they saw: $what makes it another', async (each) => {
    const guest = await enter(api, await share({ ...api, socialSetId }, owner), { name: 'Clara' })
    const set = await create({ approval: 'EXTERNAL_PENDING' })
    const post = async () => done(guest.request('GET', `/posts/${set.id}`))
    await done(guest.request('PUT', `/posts/${set.id}/seen`, { body: { version: 1 } }), 204)
    await change(set, each.changed)
    const seen = await post()
    expect(seen).toMatchObject({ waiting: true, changed: true, changes: { posts: [{ fields: [each.field] }] } })
    const [{ id }] = seen.changes.posts
    const path = `/posts/${set.id}/changes/${id}?since=${seen.changes.since}`
    const texts = TEXTS[each.what]
    const before = `Bread\n\n${PART}\n\n${COMMENT}`
    expect(await done(guest.request('GET', path))).toEqual({ caption: texts ? { from: before, to: texts } : null })
    // Of the version that was seen no decision is taken.
    const decision = { body: { decision: 'approve', version: 1 } }
    expect((await guest.request('POST', `/posts/${set.id}/decision`, decision)).status).toBe(412)
  })
})

test('guests see all that they decide on: parts with their files, comment and options', async () => {
  const mediaLibraryId = await api.newMedia({ socialSetId, facts: { bytes: 8 } })
  const thread = [{ caption: PART, media: [{ mediaLibraryId, altText: 'A loaf' }] }]
  const set = await create({ approval: 'EXTERNAL_PENDING', posts: [{ ...THREADS_POST, thread }, BLUESKY_POST] })
  const guest = await enter(api, await share({ ...api, socialSetId }, owner), { name: 'Clara' })
  const { posts } = await done(guest.request('GET', `/posts/${set.id}`))
  expect(posts).toMatchObject([
    {
      caption: 'Bread',
      thread: [{ caption: PART, media: [{ altText: 'A loaf' }] }],
      options: { firstComment: COMMENT },
    },
    { options: { allowQuotes: false } },
  ])
  const { cards } = await calendarOf(guest)
  expect(cards[0]?.excerpt).toBe(WHOLE)
})

const calendarOf = async (guest: GuestClient): Promise<{ cards: { excerpt: string }[] }> =>
  done(guest.request('GET', '/calendar?from=2090-05-25&to=2090-07-06'))

test('history says what became of parts, comment and options', async () => {
  for (const { changed, field } of changes) {
    const set = await create()
    await change(set, changed)
    const fields = (await api.history(set.id)).at(-1)?.changes.posts.changed[0].fields
    expect(Object.keys(fields)).toEqual([field])
  }
})

test('a copy, the sets of a series and one that is moved to another time have all of it, with ids of their own', async () => {
  const set = await create()
  const { id } = set.posts[0].thread[0]
  const copy = await done(owner.request('POST', `/post-sets/${set.id}/duplicate`, {}), 201)
  await done(api.request('PATCH', `/v1/post-sets/${set.id}`, { body: { scheduledAt: '2090-06-02T10:00:00Z' } }))
  const moved = await done(api.request('GET', `/v1/post-sets/${set.id}`))
  const series = await create({ repeat: { interval: 'DAY', occurrences: 2 } })
  const query = `socialSetId=${socialSetId}&filters[search]=${encodeURIComponent(PART)}`
  const { data } = await done(api.request('GET', `/v1/post-sets?${query}`))
  expect(data.map((each: Body) => each.id)).toEqual(expect.arrayContaining([set.id, copy.id, series.id]))
  expect(data).toHaveLength(4)
  for (const { posts } of [copy, moved, ...data]) {
    expect(posts).toMatchObject([
      { thread: [{ caption: PART }], options: { firstComment: COMMENT } },
      { options: { allowQuotes: false } },
    ])
  }
  expect(moved.posts[0].thread[0].id).toBe(id)
  expect(copy.posts[0].thread[0].id).not.toBe(id)
})

test.each([PART, COMMENT])('search finds a set by %j, by API and on the calendar', async (words) => {
  const { id } = await create()
  const found = await done(
    api.request('GET', `/v1/post-sets?socialSetId=${socialSetId}&filters[search]=${encodeURIComponent(words)}`),
  )
  expect(found.data.map((set: Body) => set.id)).toEqual([id])
  const query = `from=2090-05-25&to=2090-07-06&filters[search]=${encodeURIComponent(words)}`
  const page: Calendar = await done(owner.request('GET', `/calendar?socialSetId=${socialSetId}&${query}`))
  expect(page.cards.map((card) => card.id)).toEqual([id])
})

test('cards of the calendar begin with all the words; for paper and tables the list reads the sets to their ends', async () => {
  const thread = [{ caption: `${PART}. ${'It rests. '.repeat(40).trim()}`, media: [] }]
  const long = await create({ scheduledAt: '2090-06-03T10:00:00Z', posts: [{ ...THREADS_POST, thread }] })
  const range = { 'filters[startDate]': long.scheduledAt, 'filters[endDate]': '2090-06-03T10:00:01Z' }
  const { data } = await done(
    owner.request('GET', `/post-sets?${new URLSearchParams({ socialSetId, ...range, size: '100' })}`),
  )
  // `web/src/calendar/whole-posts.ts` writes them below each other.
  expect(data.map(({ posts }: Body) => posts)).toMatchObject([
    [{ caption: 'Bread', thread: [{ caption: thread[0]?.caption }], options: { firstComment: COMMENT } }],
  ])
  await done(api.request('DELETE', `/v1/post-sets/${long.id}`), 204)
  await create()
  const path = `/calendar?socialSetId=${socialSetId}&from=2090-05-25&to=2090-07-06`
  const page: Calendar = await done(owner.request('GET', path))
  expect(page.cards.map(({ excerpt }) => excerpt)).toEqual([WHOLE])
})

test('so have the list of results and the inbox of approvals', async () => {
  const { id } = await create({ approval: 'PENDING' })
  const { data } = await reviewsOf(owner).list('waiting')
  expect(data.find((item) => item.id === id)?.excerpt).toBe(WHOLE)
  await endedSet(api, [{ result: POSTED }], { socialSetId, body: { posts: [THREADS_POST] } })
  const results: Results = await done(owner.request('GET', `/results?socialSetId=${socialSetId}`))
  expect(results.groups.flatMap(({ data: items }) => items.map(({ excerpt }) => excerpt))).toEqual([WHOLE])
})

test('a set that begins with a story is named by the text of the post behind it', async () => {
  socialSetId = await api.newSocialSet({ connected: ['INSTAGRAM', 'THREADS'] })
  const media = [{ mediaLibraryId: await api.newMedia({ socialSetId }) }]
  const story = { accountType: 'INSTAGRAM', type: 'STORY', caption: '', collaborators: [], media }
  const posts = [story, THREADS_POST]
  await create({ approval: 'EXTERNAL_PENDING', posts })
  const { id } = await create({ approval: 'PENDING', posts })
  await endedSet(api, [{ result: POSTED }, { result: POSTED }], { socialSetId, body: { posts } })
  const query = `socialSetId=${socialSetId}`
  const calendar: Calendar = await done(owner.request('GET', `/calendar?${query}&from=2090-05-25&to=2090-07-06`))
  const results: Results = await done(owner.request('GET', `/results?${query}`))
  const guests = await calendarOf(await enter(api, await share({ ...api, socialSetId }, owner), { name: 'Clara' }))
  const waiting = await reviewsOf(owner).list('waiting')
  const uses = await done(owner.request('GET', `/media-library/${media[0]?.mediaLibraryId}/uses`))
  const named = {
    ...{ calendar: calendar.cards, guests: guests.cards, results: results.groups.flatMap(({ data }) => data) },
    ...{ approvals: waiting.data.filter((item) => item.id === id), uses: uses.data },
  }
  for (const [place, items] of Object.entries(named)) {
    expect([...new Set(items.map(({ excerpt }: { excerpt: string }) => excerpt))], place).toEqual([WHOLE])
  }
})

test('calendars of others read all the words', async () => {
  await create({ scheduledAt: '2030-06-01T10:00:00Z' })
  await api.setClock('2030-05-20T10:00:00Z')
  const { url } = await done(owner.request('PUT', `/social-sets/${socialSetId}/calendar-feed`))
  const answer = await fetch(`${api.url}${new URL(url).pathname}`)
  const text = (await answer.text()).replaceAll('\r\n ', '')
  await api.setClock(null)
  for (const words of ['Bread', PART, COMMENT]) expect(text).toContain(words)
})

test('mails quote it as the calendar does', async () => {
  const person = await reader(api, 'editor')
  const choices = { socialSetId: null, choices: { COMMENTED: 'MAIL' } }
  await done(person.request('PUT', '/news/choices', { body: choices }))
  const { id } = await create({ socialSetId: api.socialSetId, posts: [BLUESKY_THREAD] })
  await happenings(api).comment(id, { actor: { type: 'USER', id: owner.userId, name: 'Ada' }, words: 'Which flour?' })
  await newsroom.lookNow()
  const sent = await mail.next(person.mail)
  expect(sent.text.replace(/\s+/g, ' ')).toContain(`Bread ${PART}`)
})

test('events say of which posts they are and that posts changed, and bodies have no text of either', async () => {
  const before = await newestPosition(api)
  const set = await create()
  await change(set, CHANGES['a further part'] ?? (() => []))
  const { data } = await eventsBehind(api, before)
  expect(data.at(-1)).toMatchObject({ type: 'post_set.updated', data: { changed: ['posts'], version: 2 } })
  expect(JSON.stringify(data)).not.toMatch(/Rye|recipe|Spelt/)
})
