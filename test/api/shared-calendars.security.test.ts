import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, newLinkToken } from '#domain'
import { startApi } from '../_util/api/api.ts'
import { NOT_SHARED, openGuestFixture, send } from '../_util/api/guest-fixture.ts'
import { cookiesOf, enter, type GuestClient, OURS, open, share, VISIT } from '../_util/api/guests.ts'
import { signInAs } from '../_util/api/members.ts'
import { anyRate, done, OTHER_SITE, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { dumpOf } from '../_util/database/dump.ts'

const fixture = await openGuestFixture()
const { api, owner, link, guest, set, names, given, at } = fixture
afterAll(() => api.close())

const call = async (name: string, as: Pick<GuestClient, 'request'>) => send(await given(name), as)

const plain = ({ status, body, headers }: { status: number; body: Record<string, unknown>; headers: Headers }) => {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name))
  return { status, headers: Object.fromEntries(kept), body: { ...body, requestId: null } }
}

test('every route below /shared is tried here', () => {
  const below = api.routes.filter(({ url, method }) => url.startsWith('/shared/') && method !== 'HEAD')
  const data = below.filter(({ url }) => url.startsWith('/shared/view/:link/'))
  expect(data.map(({ method, url }) => `${method} ${url.slice('/shared/view/:link'.length)}`).sort()).toEqual(
    names.toSorted(),
  )
  const pages = below.filter((route) => !data.includes(route)).map(({ method, url }) => `${method} ${url}`)
  expect(pages.sort()).toEqual([
    'GET /shared/:token',
    'GET /shared/confirm/:token',
    'GET /shared/view/:link',
    'POST /shared/:token',
    'POST /shared/confirm/:token',
  ])
})

describe('a caller who has no visit of that link', () => {
  let strangers: Record<string, Pick<GuestClient, 'request'>>
  beforeAll(async () => {
    const other = await enter(api, await share(api, owner, { name: 'Another' }), { name: 'Otto' })
    const closed = await enter(api, await share(api, owner), { name: 'Clara' })
    await done(owner.request('POST', `/shared-calendars/${closed.id}/close`))
    const expired = await enter(api, await share(api, owner), { name: 'Clara' })
    await done(owner.request('PATCH', `/shared-calendars/${expired.id}`, { body: { lastDay: '2020-01-01' } }))
    const withCookie = (value: string) => at(guest.id, { ...guest, cookies: { [VISIT]: value } })
    strangers = {
      'another link': at(guest.id, other),
      'an unknown link': at(newId(), guest),
      'no id': at('nonsense', guest),
      closed,
      expired,
      'no cookie': at(guest.id, { ...guest, cookies: {} }),
      'a made-up cookie': withCookie(newLinkToken().token),
      'the secret of the address': withCookie(link.token),
      'a cookie of rubbish': withCookie('%00"'),
    }
  })

  test.each(names)('shared-04: gets one answer, for as many queries, for every reason: %s', async (name) => {
    const asked = await given(name)
    expect((await send(asked, guest)).status).toBeLessThan(300)
    const answers: Record<string, unknown> = {}
    for (const [why, client] of Object.entries(strangers)) {
      const before = api.queries()
      const answer = await send(asked, client)
      expect([why, ...statusAndCode(answer), api.queries() - before]).toEqual([why, ...NOT_SHARED, 1])
      answers[why] = plain(answer)
    }
    expect(new Set(Object.values(answers).map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('shared-04: gets one page at an address that opens nothing, for as many queries', async () => {
    const closed = await share(api, owner)
    await done(owner.request('POST', `/shared-calendars/${closed.sharedCalendar.id}/close`))
    const expired = await share(api, owner, { lastDay: '2020-01-01' })
    const renewed = await share(api, owner)
    await done(owner.request('POST', `/shared-calendars/${renewed.sharedCalendar.id}/renew`))
    const texts = new Set<string>()
    const counts = new Set<number>()
    const tokens = [closed.token, expired.token, renewed.token, newLinkToken().token, 'short', 'view', '%00', '…']
    for (const token of tokens) {
      const before = api.queries()
      const page = await open(api, token)
      expect([token, page.status]).toEqual([token, 404])
      counts.add(api.queries() - before)
      texts.add(await page.text())
      const post = await open(api, token, 'tulips')
      expect([post.status, texts.has(await post.text())]).toEqual([404, true])
    }
    expect([texts.size, [...counts]]).toEqual([1, [1]])
    const page = await fetch(`${api.url}/shared/view/${link.sharedCalendar.id}`)
    expect([page.status, texts.has(await page.text())]).toEqual([404, true])
  })
})

describe('from another site', () => {
  test.each(names)('nothing is answered: %s', async (name) => {
    const asked = await given(name)
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect(statusAndCode(await send(asked, guest, headers))).toEqual(OTHER_SITE)
    }
  })

  test('no form is sent', async () => {
    const { token } = await share(api, owner, { passcode: 'tulips' })
    for (const headers of [
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      {},
    ]) {
      for (const path of [token, `confirm/${token}`]) {
        const answer = await fetch(`${api.url}/shared/${path}`, {
          method: 'POST',
          redirect: 'manual',
          headers: headers as Record<string, string>,
          body: new URLSearchParams({ passcode: 'tulips' }),
        })
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
      }
    }
  })

  test('a link is followed, for mails and chats are other sites', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    const entered = await fetch(`${api.url}/shared/${link.token}`, { headers, redirect: 'manual' })
    expect(entered.status).toBe(303)
  })
})

test('pages and answers are neither cached nor listed, reveal their address to no one, and are in no frame', async () => {
  const { token } = await share(api, owner, { passcode: 'tulips' })
  const cookie = `${VISIT}=${guest.cookies[VISIT]}`
  for (const path of [
    `/shared/${link.token}`,
    `/shared/${token}`,
    '/shared/nonsense',
    `/shared/confirm/${token}`,
    `/shared/view/${guest.id}`,
    `/shared/view/${guest.id}/visit`,
    `/shared/view/${guest.id}/nonsense`,
    `/shared/view/${guest.id}/media/${set.media}/original`,
  ]) {
    const { headers, status } = await fetch(`${api.url}${path}`, { headers: { cookie, ...OURS }, redirect: 'manual' })
    const reported = ['cache-control', 'referrer-policy', 'x-robots-tag', 'x-frame-options'].map((name) =>
      headers.get(name),
    )
    expect([path, ...reported]).toEqual([path, 'no-store', 'no-referrer', 'noindex, nofollow, noarchive', 'DENY'])
    const policy = headers.get('content-security-policy') ?? ''
    expect([path, status, policy]).toEqual([path, status, expect.stringContaining("default-src 'none'")])
    expect(policy).not.toMatch(/unsafe|\*|https:/)
  }
})

test('wrong passcodes are stopped by a page that says to people and programs how long to wait', async () => {
  const { token } = await share(api, owner, { passcode: 'tulips' })
  for (let tries = 0; tries < 10; tries++) expect((await open(api, token, 'daisies')).status).toBe(403)
  // The right one as well: no one learns it by trying on.
  for (const passcode of ['daisies', 'tulips']) {
    const stopped = await open(api, token, passcode)
    const seconds = Number(stopped.headers.get('retry-after'))
    expect([stopped.status, stopped.headers.getSetCookie()]).toEqual([429, []])
    expect(seconds).toBeGreaterThan(14 * 60)
    expect(seconds).toBeLessThanOrEqual(15 * 60)
    expect(await stopped.text()).toContain(`Try again in ${Math.ceil(seconds / 60)} minutes`)
  }
})

describe('the secret of an address', () => {
  test('is in no line of the log, however it is written', async () => {
    const { token } = await share(api, owner)
    const escaped = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`
    const paths = [
      `/shared/${token}`,
      `/shared/${token}?post=${newId()}`,
      `/shared/${token}/`,
      `/shared/${token}/calendar`,
      `//shared/${token}`,
      `/SHARED/${token}`,
      `/%73hared/${token}`,
      `/shared/${escaped}`,
      `/shared/${token}%`,
      `/shared/${token}%zz`,
      `/shared%2f${token}`,
      `/shared/view/${token}`,
      `/shared/view/${token}/visit`,
      `/shared/confirm/${token}`,
      `/dashboard/${token}`,
      `/nonsense/${token}.ics`,
      // Cut off by a chat, or with a full stop behind it.
      `/shared/${token.slice(0, 30)}`,
      `/shared/${token}.`,
    ]
    const before = api.logged().length
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
      for (const path of paths)
        await fetch(`${api.url}${path}`, { method, redirect: 'manual', headers: { 'x-path': 'a' } })
    }
    const lines = api.logged().slice(before)
    expect(lines.match(/"msg":"Request"/g)?.length).toBeGreaterThanOrEqual(paths.length * 4)
    for (const part of [token, token.slice(1), token.slice(0, 30), escaped]) expect(lines).not.toContain(part)
    expect(lines).toContain('/shared/…')
  })

  test('shared-02: is in no row, answer, error or page', async () => {
    const shared = await share(api, owner)
    const client = await enter(api, shared, { name: 'Clara' })
    for (const name of names) await call(name, client)
    const cookie = client.cookies[VISIT] ?? ''
    const dump = await dumpOf(api.db)
    expect(dump).toContain('Clara')
    for (const secret of [shared.token, cookie]) {
      expect(dump).not.toContain(secret)
      expect(api.logged()).not.toContain(secret)
    }
    const wrong = await open(api, `${shared.token}x`)
    expect(await wrong.text()).not.toContain(shared.token)
    const unknown = await fetch(`${api.url}/shared/${shared.token}/nonsense`)
    expect(await unknown.text()).not.toContain(shared.token)
    const page = await client.load()
    expect(await page.text()).not.toContain(shared.token)
  })
})

test('requests are counted by address, by visit and by link before they cost', async () => {
  const counted: [string, number][] = []
  const limited = await startApi({
    rate: () => ({
      ...anyRate({} as never),
      async take(subject, limit) {
        counted.push([subject, limit])
        return { allowed: !subject.startsWith('shared-calendar:'), limit, remaining: 0, resetAt: new Date() }
      },
    }),
  })
  try {
    const member = await signInAs(limited, 'owner')
    const client = await enter(limited, await share(limited, member))
    counted.length = 0
    expect(statusAndCode(await client.request('GET', '/visit'))).toEqual([429, 'rate-limit:exceeded'])
    expect(counted).toEqual([
      ['guests:127.0.0.1', 200],
      [expect.stringMatching(/^visit:/), 10],
      [`shared-calendar:${client.id}`, 500],
    ])
    counted.length = 0
    await open(limited, 'nonsense')
    expect(counted).toEqual([['shared-pages:127.0.0.1', 30]])
  } finally {
    await limited.close()
  }
})

test('a visit that began before cookies had the prefix of https goes on, with one that has it', async () => {
  const link = await share(api, owner)
  const { cookies } = await enter(api, link, { name: 'Clara' })
  const page = await fetch(`${api.url}/shared/view/${link.sharedCalendar.id}`, {
    headers: { cookie: `almanac_visit=${cookies[VISIT]}` },
  })
  expect(cookiesOf(page.headers)).toEqual(cookies)
})
