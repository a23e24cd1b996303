import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GuestCalendar, GuestCard, GuestPostSet, GuestVisit } from '#contract'
import { newId } from '#domain'
import { sharedFeedScope } from '#operations'
import { insertPastResults } from '#persistence'
import { publisherActor } from '#publishing'
import { type Api, type ApiOptions, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { cookiesOf, enter, type GuestClient, open, share, VISIT } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { builtDashboard } from '../_util/security/fixture.ts'

const NO_THREAD: ApiOptions['thread'] = {
  read: async () => [],
  write: async () => {
    throw new Error('No one comments here.')
  },
}

let api: Api
let owner: Person
let dashboardDir: string

beforeAll(async () => {
  dashboardDir = await builtDashboard()
  api = await startApi({ dashboardDir, rate: anyRate, mailer: { send: async () => {} }, thread: NO_THREAD })
  owner = await signInAs(api, 'owner')
})
afterAll(async () => {
  await api.close()
  await rm(dashboardDir, { recursive: true })
})

const WAITING = { approval: 'EXTERNAL_PENDING' }
const RANGE = '?from=2030-05-25T00:00:00Z&to=2030-07-06T00:00:00Z'
const calendarOf = (guest: GuestClient): Promise<GuestCalendar> => done(guest.request('GET', `/calendar${RANGE}`))
const cardOf = async (guest: GuestClient, id: string): Promise<GuestCard | undefined> =>
  (await calendarOf(guest)).cards.find((card) => card.id === id)
const postOf = (guest: GuestClient, id: string): Promise<GuestPostSet> => done(guest.request('GET', `/posts/${id}`))

describe('a link', () => {
  test('shared-01, shared-02: is made, listed, changed, renewed and closed, and its address is reported when it is new', async () => {
    const { sharedCalendar, address, token } = await share(api, owner, { lastDay: '2031-03-31', passcode: 'tulips' })
    expect(address).toMatch(/^https:\/\/almanac\.test\/shared\/[A-Za-z0-9_-]{43}$/)
    expect(sharedCalendar).toEqual({
      id: expect.any(String),
      name: 'Spring campaign',
      socialSetIds: [api.socialSetId],
      shows: { scheduled: true, drafts: true, published: true },
      allows: { comment: true, decide: true, notes: true, files: false },
      hasPasscode: true,
      lastDay: '2031-03-31',
      state: 'open',
      createdBy: 'Ada',
      createdAt: expect.any(String),
      renewedAt: null,
      closedAt: null,
      visitors: 0,
      lastLookAt: null,
      formal: false,
      canCopy: true,
      lastCopy: null,
    })
    const path = `/shared-calendars/${sharedCalendar.id}`
    const changed = await done(owner.request('PATCH', path, { body: { name: 'Summer', passcode: null } }))
    expect(changed).toEqual({ ...sharedCalendar, name: 'Summer', hasPasscode: false })
    const renewed = await done(owner.request('POST', `${path}/renew`))
    expect(renewed.sharedCalendar).toEqual({ ...changed, renewedAt: expect.any(String) })
    expect(renewed.address).not.toBe(address)
    expect((await open(api, token)).status).toBe(404)
    await enter(api, { token: renewed.address.split('/').at(-1) })
    const closed = await done(owner.request('POST', `${path}/close`))
    expect(closed).toMatchObject({ state: 'closed', closedAt: expect.any(String) })
    expect(await done(owner.request('POST', `${path}/close`))).toEqual(closed)
    const { data } = await done(owner.request('GET', '/shared-calendars'))
    expect(data).toContainEqual(closed)
    expect(JSON.stringify(data)).not.toContain(token)
  })

  test('has an address for calendar programs, which ends with the link', async () => {
    const { sharedCalendar } = await share(api, owner)
    const path = `/shared-calendars/${sharedCalendar.id}`
    const read = async (url: string) => (await fetch(`${api.url}${new URL(url).pathname}`)).status
    expect(await done(owner.request('GET', `${path}/calendar-feed`))).toEqual({ feed: null })
    const { url } = await done(owner.request('PUT', `${path}/calendar-feed`))
    expect(await read(url)).toBe(200)
    await done(owner.request('POST', `${path}/renew`))
    expect(await read(url)).toBe(404)
    const again = await done(owner.request('PUT', `${path}/calendar-feed`))
    await done(owner.request('DELETE', `${path}/calendar-feed`), 204)
    expect(await read(again.url)).toBe(404)
    const last = await done(owner.request('PUT', `${path}/calendar-feed`))
    await done(owner.request('POST', `${path}/close`))
    expect(await read(last.url)).toBe(404)
    expect(await done(owner.request('GET', `${path}/calendar-feed`))).toEqual({ feed: null })
  })

  test('shows who looked and when, once they did', async () => {
    const link = await share(api, owner)
    const guest = await enter(api, link, { name: 'Clara' })
    const path = `/shared-calendars/${link.sharedCalendar.id}/visitors`
    expect((await done(owner.request('GET', path))).data).toEqual([])
    await calendarOf(guest)
    await calendarOf(guest)
    const { data } = await done(owner.request('GET', path))
    expect(data).toEqual([
      {
        id: expect.any(String),
        name: 'Clara',
        device: 'An unknown browser',
        hasNews: false,
        firstLookAt: expect.any(String),
        lastLookAt: expect.any(String),
        looks: 1,
      },
    ])
    const { data: links } = await done(owner.request('GET', '/shared-calendars'))
    expect(links.find(({ id }: { id: string }) => id === guest.id)).toMatchObject({
      visitors: 1,
      lastLookAt: data[0].lastLookAt,
    })
  })

  test('shared-01: works to the end of its last day where its brands are, and again with another one', async () => {
    try {
      await api.setClock('2030-01-10T12:00:00Z')
      const link = await share(api, owner, { lastDay: '2030-01-31' })
      const guest = await enter(api, link)
      // In Berlin, an hour ahead of UTC.
      await api.setClock('2030-01-31T22:59:59Z')
      await done(guest.request('GET', '/visit'))
      await api.setClock('2030-01-31T23:00:00Z')
      expect(statusAndCode(await guest.request('GET', '/visit'))).toEqual([404, 'shared-calendar:not_found'])
      expect((await open(api, link.token)).status).toBe(404)
      const path = `/shared-calendars/${guest.id}`
      const over = await owner.request('PATCH', path, { body: { name: 'Over' } })
      expect(over.body.state).toBe('expired')
      await done(owner.request('PATCH', path, { body: { lastDay: '2030-02-01' } }))
      await done(guest.request('GET', '/visit'))
    } finally {
      await api.setClock(null)
    }
  })

  test('lets a member see what guests see, without a passcode', async () => {
    const link = await share(api, owner, { passcode: 'tulips' })
    const { address } = await done(owner.request('POST', `/shared-calendars/${link.sharedCalendar.id}/look`))
    const guest = await enter(api, { token: address.split('/').at(-1) })
    expect((await done(guest.request('GET', '/visit'))).name).toBe('Spring campaign')
  })

  test('is only looked at in a preview, which counts as no visit', async () => {
    const link = await share(api, owner)
    const path = `/shared-calendars/${link.sharedCalendar.id}`
    const { address } = await done(owner.request('POST', `${path}/look`))
    const token = address.split('/').at(-1)
    const set = await api.create(WAITING)
    const preview = await enter(api, { token })
    expect(await done(preview.request('GET', '/visit'))).toMatchObject({
      allows: { comment: false, decide: false, notes: false },
      preview: { comment: true, decide: true, notes: true },
      guest: { name: null },
    })
    expect((await calendarOf(preview)).cards.map(({ id }: { id: string }) => id)).toContain(set.id)
    await done(preview.request('PUT', `/posts/${set.id}/seen`, { body: { version: 1 } }), 204)
    const note = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-09' }
    for (const [method, below, body] of [
      ['PUT', '/visit/name', { name: 'Clara' }],
      ['PUT', '/visit/email', { email: 'clara@example.com' }],
      ['POST', `/posts/${set.id}/decision`, { decision: 'approve', version: 1 }],
      ['POST', '/approvals', { posts: [{ id: set.id, version: 1 }] }],
      ['POST', `/posts/${set.id}/comments`, { text: 'Hello' }],
      ['POST', '/notes', note],
    ] as const) {
      const answer = await preview.request(method, below, { body })
      expect([below, ...statusAndCode(answer)]).toEqual([below, 403, 'shared-calendar:not_allowed'])
      expect(answer.body.detail).toContain('preview')
    }
    expect((await done(owner.request('GET', `${path}/visitors`))).data).toEqual([])
    const { data: links } = await done(owner.request('GET', '/shared-calendars'))
    expect(links.find(({ id }: { id: string }) => id === preview.id)).toMatchObject({ visitors: 0, lastLookAt: null })

    // The same browser as a guest, and back: never one in the name of the other.
    await preview.follow(link.token)
    await done(preview.request('PUT', '/visit/name', { body: { name: 'Clara' } }))
    await preview.follow(token)
    expect(statusAndCode(await preview.request('PUT', '/visit/name', { body: { name: 'Dora' } }))[0]).toBe(403)
    await done(owner.request('POST', `${path}/renew`))
    expect(statusAndCode(await preview.request('GET', '/visit'))).toEqual([404, 'shared-calendar:not_found'])
  })

  test('is looked at for an hour', async () => {
    try {
      await api.setClock('2030-01-10T12:00:00Z')
      const { sharedCalendar } = await share(api, owner)
      const { address } = await done(owner.request('POST', `/shared-calendars/${sharedCalendar.id}/look`))
      const preview = await enter(api, { token: address.split('/').at(-1) })
      await api.setClock('2030-01-10T12:59:59Z')
      await preview.load()
      await done(preview.request('GET', '/visit'))
      await api.setClock('2030-01-10T13:00:00Z')
      expect(statusAndCode(await preview.request('GET', '/visit'))).toEqual([404, 'shared-calendar:not_found'])
    } finally {
      await api.setClock(null)
    }
  })
})

test('a feed of a link hears of what it shows, and of nothing once it is closed', async () => {
  const socialSetId = await api.newSocialSet()
  const shows = { scheduled: true, drafts: false, published: false }
  const link = await share(api, owner, { shows, socialSetIds: [socialSetId] })
  const guest = await enter(api, link, { name: 'Clara' })
  const [far, near] = await Promise.all([
    api.create({ ...WAITING, socialSetId }),
    api.create({ ...WAITING, socialSetId, scheduledAt: '2030-01-01T10:00:00Z' }),
    api.create({ socialSetId }),
  ])
  const note = { socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-09' }
  const { id } = await done(guest.request('POST', '/notes', { body: note }), 201)
  await done(api.request('POST', '/v1/notes', { body: note }), 201)
  const scope = await sharedFeedScope(api.db, guest.id)
  expect(scope).toMatchObject({ name: 'Spring campaign', socialSetIds: [socialSetId] })
  expect(await scope?.shown(api.db)).toEqual({ postSets: { ids: [near.id, far.id] }, notes: [id] })
  await done(owner.request('POST', `/shared-calendars/${guest.id}/close`))
  expect(await sharedFeedScope(api.db, guest.id)).toBeNull()
})

describe('a visit', () => {
  test('begins with a cookie of that link alone, and goes on when the link is followed again', async () => {
    const link = await share(api, owner)
    const entered = await open(api, link.token)
    expect(entered.status).toBe(303)
    expect(entered.headers.get('location')).toBe(`/shared/view/${link.sharedCalendar.id}`)
    const [line] = entered.headers.getSetCookie()
    expect(line).toMatch(
      new RegExp(
        `^__Secure-almanac_entry=[A-Za-z0-9_-]{43}; Max-Age=300; Path=/shared/view/${link.sharedCalendar.id}; HttpOnly; Secure; SameSite=Lax$`,
      ),
    )
    const guest = await enter(api, link, { name: 'Clara' })
    expect(Object.keys(guest.cookies)).toEqual([VISIT])
    const before = guest.cookies[VISIT]
    await guest.follow(link.token)
    expect(guest.cookies).toEqual({ [VISIT]: before })
    const visit: GuestVisit = await done(guest.request('GET', '/visit'))
    expect(visit.guest.name).toBe('Clara')
    const page = await guest.load()
    expect(cookiesOf(page.headers)).toEqual({ [VISIT]: before })
  })

  test('shared-01: asks for a passcode and takes the right one', async () => {
    const link = await share(api, owner, { passcode: 'tülips ☂' })
    const form = await open(api, link.token)
    expect(form.status).toBe(200)
    expect(await form.text()).toContain('<input id="passcode"')
    expect((await open(api, link.token, 'tulips')).status).toBe(403)
    const guest = await enter(api, link, { passcode: 'tülips ☂' })
    await done(guest.request('GET', '/visit'))
  })

  test('hands on which post a mail leads to', async () => {
    const { token, sharedCalendar } = await share(api, owner)
    const id = newId()
    const to = async (query: string) => (await open(api, `${token}?${query}`)).headers.get('location')
    expect(await to(`post=${id}`)).toBe(`/shared/view/${sharedCalendar.id}?post=${id}`)
    expect(await to('post=%22%3E&x=y')).toBe(`/shared/view/${sharedCalendar.id}`)
  })

  test('loads the application, which runs nothing but our own files', async () => {
    const guest = await enter(api, await share(api, owner))
    const page = await guest.load()
    const policy = page.headers.get('content-security-policy') ?? ''
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? []
    expect(policy).toContain("script-src 'self';")
    const text = await page.text()
    expect([page.status, text]).toEqual([200, expect.stringContaining('src="/dashboard/assets/app.js"')])
    expect(text).toContain(`<meta name="csp-nonce" content="${nonce}">`)
    expect(text).not.toContain('Spring campaign')
  })

  test('says what there is: the link, its brands, who the guest is, and what waits', async () => {
    const second = await api.newSocialSet({ name: 'Second brand', timezone: 'America/New_York' })
    const set = await api.create({ socialSetId: second, ...WAITING })
    // Where the brand is, it is still 2030.
    const scheduledAt = '2031-01-01T03:00:00.000Z'
    await api.create({ socialSetId: second, ...WAITING, scheduledAt })
    const passed = '2020-06-12T10:00:00.000Z'
    await api.create({ socialSetId: second, ...WAITING, scheduledAt: passed })
    const atOnce = (at: string) => ({ firstAt: at, nextAt: at })
    const link = await share(api, owner, { socialSetIds: [second] })
    const guest = await enter(api, link)
    expect(await done(guest.request('GET', '/visit'))).toEqual({
      name: 'Spring campaign',
      brands: [{ id: second, name: 'Second brand', timezone: 'America/New_York' }],
      shows: { scheduled: true, drafts: true, published: true },
      allows: { comment: true, decide: true, notes: true, files: false },
      preview: null,
      lastDay: null,
      guest: { id: expect.any(String), name: null, email: null, emailToConfirm: null },
      mail: true,
      formal: false,
      waiting: {
        count: 3,
        nextAt: set.scheduledAt,
        months: [
          { socialSetId: second, month: '2020-06', count: 1, firstAt: passed, nextAt: null },
          { socialSetId: second, month: set.scheduledAt.slice(0, 7), count: 1, ...atOnce(set.scheduledAt) },
          { socialSetId: second, month: '2030-12', count: 1, ...atOnce(scheduledAt) },
        ],
      },
    })
  })
})

describe('what is shown', () => {
  test.each([
    ['nothing but what waits', {}, ['waiting']],
    ['what is scheduled', { scheduled: true }, ['waiting', 'scheduled']],
    ['drafts', { drafts: true }, ['waiting', 'draft']],
    ['what was published', { published: true }, ['waiting', 'published']],
  ])('shared-01: is %s', async (_, shows, expected) => {
    const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
    const ids: Record<string, string> = {}
    for (const [name, body] of Object.entries({
      waiting: WAITING,
      scheduled: { status: 'SCHEDULED' },
      draft: { approval: 'PENDING' },
      published: {},
    })) {
      ids[name] = (await api.create({ socialSetId, ...body })).id
    }
    await api.db
      .updateTable('post_sets')
      .set({ status: 'PUBLISHED' })
      .where('id', '=', ids.published ?? '')
      .execute()
    const link = await share(api, owner, {
      socialSetIds: [socialSetId],
      shows: { scheduled: false, drafts: false, published: false, ...shows },
    })
    const guest = await enter(api, link)
    const { cards } = await calendarOf(guest)
    expect(cards.map(({ id }) => id).sort()).toEqual(expected.map((name) => ids[name]).sort())
    for (const [name, id] of Object.entries(ids)) {
      const { status } = await guest.request('GET', `/posts/${id}`)
      expect([name, status]).toEqual([name, expected.includes(name) ? 200 : 404])
    }
  })

  test('are whole posts of each network with their files, which end with the link', async () => {
    const mediaId = await api.newMedia({ facts: { bytes: 8 } })
    const media = [{ mediaLibraryId: mediaId, altText: 'A harbor' }]
    const set = await api.create({ ...WAITING, posts: [BLUESKY_POST, { ...INSTAGRAM_POST, media }] })
    const link = await share(api, owner)
    const guest = await enter(api, link)
    const post = await postOf(guest, set.id)
    const [item] = post.posts[1]?.media ?? []
    expect(post).toMatchObject({ id: set.id, waiting: true, changed: false, changes: null, decision: null, version: 1 })
    expect(post.posts).toMatchObject([
      { accountType: 'BLUESKY', caption: 'hello', account: { name: 'Me on BLUESKY', username: 'me' }, result: null },
      { accountType: 'INSTAGRAM', collaborators: [], media: [{ altText: 'A harbor', width: 1080 }] },
    ])
    expect(item?.url).toBe(`/shared/view/${guest.id}/media/${item?.id}/original`)
    expect(JSON.stringify(post)).not.toContain(mediaId)
    expect((await cardOf(guest, set.id))?.thumbnailUrl).toBe(item?.thumbnailUrl)
  })

  test('has a result when it was published, without the reason of a failure', async () => {
    const set = await api.create()
    const result = { status: 'FAILED', reason: 'ACCOUNT_RESTRICTED', message: 'Restricted by the network' } as const
    await api.db
      .transaction()
      .execute((trx) => insertPastResults(trx, set.id, [{ postId: set.posts[0].id, result }], publisherActor))
    const guest = await enter(api, await share(api, owner))
    const { posts, outcome } = await postOf(guest, set.id)
    expect(posts[0]?.result).toEqual({ status: 'FAILED', permalink: null })
    expect([outcome, (await cardOf(guest, set.id))?.outcome]).toEqual(['failed', 'failed'])
  })

  test('say the outcome: nothing before their time, all, or a part', async () => {
    const posted = { status: 'POSTED', providerId: '1', permalink: 'https://example.com/1' } as const
    const failed = { status: 'FAILED', reason: 'UNKNOWN', message: 'Refused' } as const
    const outcomeAfter = async (results: readonly (typeof posted | typeof failed)[]) => {
      const set = await api.create({ posts: [BLUESKY_POST, BLUESKY_POST] })
      const past = results.map((result, index) => ({ postId: set.posts[index].id, result }))
      if (past.length > 0)
        await api.db.transaction().execute((trx) => insertPastResults(trx, set.id, past, publisherActor))
      const guest = await enter(api, await share(api, owner))
      return (await cardOf(guest, set.id))?.outcome
    }
    expect(await outcomeAfter([])).toBeNull()
    expect(await outcomeAfter([posted, posted])).toBe('published')
    expect(await outcomeAfter([posted, failed])).toBe('partly-published')
  })
})
