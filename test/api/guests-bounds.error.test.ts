import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { BLUESKY_POST } from '../_util/api/api.ts'
import { type GuestFixture, openGuestFixture, WAITING } from '../_util/api/guest-fixture.ts'
import { cookiesOf, enter, open, type Shared, share, VISIT } from '../_util/api/guests.ts'
import { done, statusAndCode } from '../_util/browser/dashboard-api.ts'

const { guests, guestsPerHour } = LIMITS.guestVisits

let fixture: GuestFixture
beforeAll(async () => {
  fixture = await openGuestFixture()
})
afterAll(() => fixture?.api.close())

/** A browser that nothing is known of follows a link. Answers the page that it comes to. */
async function come({ token }: Pick<Shared, 'token'>): Promise<Response> {
  const entered = await open(fixture.api, token)
  expect(entered.status).toBe(303)
  const cookies = Object.entries(cookiesOf(entered.headers)).map(([name, value]) => `${name}=${value}`)
  return fetch(`${fixture.api.url}${entered.headers.get('location')}`, { headers: { cookie: cookies.join('; ') } })
}

const letsIn = ({ headers }: Response) => headers.getSetCookie().some((line) => line.startsWith(`${VISIT}=`))

const guestsOf = async (link: Shared): Promise<number> => {
  const { rows } = await sql`select from shared_guests where shared_calendar_id = ${link.sharedCalendar.id}`.execute(
    fixture.api.db,
  )
  return rows.length
}

/** No more guests come from this address of the network within the hour. */
const exhaust = (link: Shared) =>
  fixture.api.db
    .updateTable('attempts')
    .set({ tries: guestsPerHour })
    .where('subject', 'like', `shared-guests:${link.sharedCalendar.id}:%`)
    .execute()

/** So many guests of a link came a moment ago. */
const crowd = (link: string, count: number, name: string | null) =>
  sql`
  with come as (
    insert into shared_guests (id, shared_calendar_id, device, name)
    select gen_random_uuid(), ${link}::uuid, 'A browser', ${name} from generate_series(1, ${count}) returning id
  )
  insert into shared_visits (token_hash, guest_id, expires_at)
  select sha256(id::text::bytea), id, almanac_now() + interval '1 day' from come`.execute(fixture.api.db)

describe('guests who come', () => {
  test('are so many within an hour from an address of the network', async () => {
    const link = await share(fixture.api, fixture.owner)
    expect(letsIn(await come(link))).toBe(true)
    await exhaust(link)
    const refused = await come(link)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 3_000]).toEqual([429, true])
    expect(await refused.text()).toContain('Many people open this calendar')
    // Another link is no part of it.
    expect(letsIn(await come(await share(fixture.api, fixture.owner)))).toBe(true)
  })

  test('push out nobody who looks, however many they are', async () => {
    const link = await share(fixture.api, fixture.owner)
    const quiet = await enter(fixture.api, link)
    await done(quiet.request('GET', '/calendar?from=2030-05-25&to=2030-07-06'))
    const named = await enter(fixture.api, link, { name: 'Clara' })
    await crowd(link.sharedCalendar.id, guests, null)
    for (let nth = 0; nth < 3; nth++) expect(letsIn(await come(link))).toBe(true)
    expect((await quiet.request('GET', '/visit')).status).toBe(200)
    expect((await named.request('GET', '/visit')).status).toBe(200)
    expect(await guestsOf(link)).toBe(guests)
  })

  test('are refused where all have a name and may come back', async () => {
    const link = await share(fixture.api, fixture.owner)
    await crowd(link.sharedCalendar.id, guests, 'Clara')
    const refused = await come(link)
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('as many guests')])
    await sql`
      delete from shared_visits where guest_id = (
        select id from shared_guests where shared_calendar_id = ${link.sharedCalendar.id} limit 1)`.execute(
      fixture.api.db,
    )
    expect(letsIn(await come(link))).toBe(true)
  })

  test('are none when they come again: they push out no one, and neither a full nor a crowded link refuses them', async () => {
    const link = await share(fixture.api, fixture.owner)
    const quiet = await enter(fixture.api, link)
    await done(quiet.request('GET', '/calendar?from=2030-05-25&to=2030-07-06'))
    const named = await enter(fixture.api, link, { name: 'Clara' })
    await crowd(link.sharedCalendar.id, guests - 2, 'Otto')
    for (const client of [named, quiet]) {
      const before = client.cookies[VISIT]
      await client.follow(link.token)
      expect(client.cookies).toEqual({ [VISIT]: before })
      expect((await client.request('GET', '/visit')).status).toBe(200)
    }
    expect(await guestsOf(link)).toBe(guests)
    await exhaust(link)
    expect((await come(link)).status).toBe(429)
    await named.follow(link.token)
    expect((await named.request('GET', '/visit')).body.guest.name).toBe('Clara')
  })

  test('are one, however often the page that they are sent to is loaded', async () => {
    const link = await share(fixture.api, fixture.owner)
    const entered = await open(fixture.api, link.token)
    expect(await guestsOf(link)).toBe(0)
    const cookie = entered.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const load = () => fetch(`${fixture.api.url}${entered.headers.get('location')}`, { headers: { cookie } })
    const pages = await Promise.all([load(), load(), load()])
    expect(pages.map(letsIn)).toEqual([true, true, true])
    expect(new Set(pages.map(({ headers }) => headers.getSetCookie()[0])).size).toBe(1)
    expect(await guestsOf(link)).toBe(1)
  })

  test('come by a passcode that was right, and by none that has ended since', async () => {
    const link = await share(fixture.api, fixture.owner, { passcode: 'tulips' })
    const entered = await open(fixture.api, link.token, 'tulips')
    const cookie = entered.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const load = () => fetch(`${fixture.api.url}${entered.headers.get('location')}`, { headers: { cookie } })
    const body = { passcode: 'daisies' }
    await done(fixture.owner.request('PATCH', `/shared-calendars/${link.sharedCalendar.id}`, { body }))
    expect((await load()).status).toBe(404)
    // What the cookie holds is no address.
    expect((await open(fixture.api, cookie.split('=')[1] ?? '')).status).toBe(404)
  })
})

test('a guest who names a version that they never saw learns nothing of what was before', async () => {
  const { api, guest } = fixture
  const { id, posts } = await api.create({ ...WAITING, posts: [{ ...BLUESKY_POST, caption: 'An inner joke' }] })
  const rewrite = (caption: string, more: object = {}) =>
    done(api.request('PATCH', `/v1/post-sets/${id}`, { body: { posts: [{ ...posts[0], caption }], ...more } }))
  await rewrite('A text', { scheduledAt: '2030-06-13T10:00:00Z' })
  const { version } = await rewrite('A text', WAITING)
  const ask = (named: number) =>
    guest.request('POST', `/posts/${id}/decision`, { body: { decision: 'approve', version: named } })
  const stranger = await ask(1)
  expect(statusAndCode(stranger)).toEqual([412, 'post-set:version_conflict'])
  expect([stranger.body.errors ?? [], stranger.body.detail]).toEqual([
    [],
    'The post has changed since you saw it. Look at it again, then decide.',
  ])
  await done(guest.request('PUT', `/posts/${id}/seen`, { body: { version } }), 204)
  await rewrite('Another text', WAITING)
  for (const named of [1, version]) {
    const { body } = await ask(named)
    expect(body.detail).toContain('The caption for BLUESKY is another.')
    expect(body.detail).not.toContain('another time')
  }
})
