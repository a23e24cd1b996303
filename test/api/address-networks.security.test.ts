import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { createRateLimiter } from '#http'
import { type Api, SETUP_CODE, startApi } from '../_util/api/api.ts'
import { cookiesOf, EVERYTHING, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { newVisitor } from '../_util/api/visitor.ts'
import { done } from '../_util/browser/dashboard-api.ts'

/** Whatever is counted for an address of IPv6 is counted for its /64 and, with sixteen times the bound, for its /48. */

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi({ trustProxy: true, rate: createRateLimiter, addressLimit: 10 })
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

let last = 0
/** A provider that no other test has. */
const provider = () => `2001:db8:${(++last).toString(16)}`
const from = (network: string, nth: number) => ({ 'x-forwarded-for': `${network}:${nth.toString(16)}::7` })

const EMAIL = 'nobody@example.com'
const WHO = createHash('sha256').update(EMAIL).digest('base64url')
const token = 'a'.repeat(43)

/** What is done from an address, what it is counted as, and how often one client may. */
const COUNTED: Readonly<
  Record<string, { table: 'attempts' | 'rate_windows'; what: string | (() => string); limit: number; ask: Ask }>
> = {
  'a wrong password': { table: 'attempts', what: 'address', limit: 50, ask: signIn },
  'a wrong password for a person': { table: 'attempts', what: `sign-in:${WHO}`, limit: 5, ask: signIn },
  'a link that is over': {
    table: 'attempts',
    what: 'link',
    limit: 30,
    ask: internal('/password-resets/look', { token }),
  },
  'a link that is asked for': {
    table: 'attempts',
    what: 'forgotten',
    limit: 20,
    ask: internal('/password-resets', { email: EMAIL }),
  },
  'a wrong code of the first account': {
    table: 'attempts',
    what: 'setup',
    limit: 50,
    ask: internal('/setup', {
      ...{
        name: 'A',
        email: EMAIL,
        password: 'a long password',
        accountName: 'A',
        socialSetName: 'A',
        timezone: 'UTC',
      },
      code: SETUP_CODE.replace(/.$/, '0'),
    }),
  },
  'a new guest': {
    table: 'attempts',
    what: () => `shared-guests:${link.id}`,
    limit: LIMITS.guestVisits.guestsPerHour,
    ask: come,
  },
  'a wrong passcode': { table: 'attempts', what: () => `shared-calendar:${closed.id}`, limit: 10, ask: passcode },
  'a request without a key': {
    table: 'rate_windows',
    what: 'address',
    limit: 10,
    ask: (headers) => status(fetch(`${api.url}/v1/nothing`, { headers })),
  },
  'a request of a guest': {
    table: 'rate_windows',
    what: 'guests',
    limit: LIMITS.guestVisits.requestsPerSecond.address,
    ask: guest,
  },
  'a request without a session': {
    table: 'rate_windows',
    what: 'dashboard',
    limit: LIMITS.requestsPerSecondPerMember,
    ask: (headers) => status(newVisitor(api, headers, { waits: false }).request('GET', '/setup')),
  },
  'a look for a feed': {
    table: 'rate_windows',
    what: 'feeds',
    limit: 10,
    ask: (headers) => status(fetch(`${api.url}/feeds/${token}.ics`, { headers })),
  },
  'a look at a feed': {
    table: 'rate_windows',
    what: () => `feed:${feed.id}`,
    limit: LIMITS.calendarFeeds.requestsPerMinute,
    ask: (headers) => status(fetch(`${api.url}${feed.path}`, { headers })),
  },
}

type Ask = (headers: Record<string, string>) => Promise<number>
const status = async (answer: Promise<{ status: number }>) => (await answer).status

function signIn(headers: Record<string, string>): Promise<number> {
  return status(newVisitor(api, headers, { waits: false }).signIn({ email: EMAIL, password: 'wrong' }))
}

function internal(path: string, body: object): Ask {
  return (headers) => status(newVisitor(api, headers, { waits: false }).request('POST', path, { body }))
}

let link: { id: string; token: string }
let closed: { id: string; token: string }
let feed: { id: string; path: string }
beforeAll(async () => {
  const [one, two] = [await share(api, owner), await share(api, owner, { ...EVERYTHING, passcode: 'sesame' })]
  link = { id: one.sharedCalendar.id, token: one.token }
  closed = { id: two.sharedCalendar.id, token: two.token }
  const { url } = await done(owner.request('PUT', `/social-sets/${api.socialSetId}/calendar-feed`))
  const row = await api.db.selectFrom('calendar_feeds').select('id').executeTakeFirstOrThrow()
  feed = { id: row.id, path: new URL(url).pathname }
})

async function come(headers: Record<string, string>): Promise<number> {
  const entered = await fetch(`${api.url}/shared/${link.token}`, {
    redirect: 'manual',
    headers: { 'x-forwarded-for': '203.0.113.9' },
  })
  const cookie = Object.entries(cookiesOf(entered.headers))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  return status(fetch(`${api.url}${entered.headers.get('location')}`, { headers: { ...headers, cookie } }))
}

function passcode(headers: Record<string, string>): Promise<number> {
  const ours = { origin: 'null', 'sec-fetch-site': 'same-origin', ...headers }
  return status(
    fetch(`${api.url}/shared/${closed.token}`, {
      method: 'POST',
      headers: ours,
      body: new URLSearchParams({ passcode: 'wrong' }),
    }),
  )
}

function guest(headers: Record<string, string>): Promise<number> {
  return status(
    api.request('GET', `/shared/view/${link.id}/visit`, {
      key: null,
      headers: { ...headers, origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin' },
    }),
  )
}

test.each(Object.entries(COUNTED))('%s', async (_, { table, what, limit, ask }) => {
  const network = provider()
  const name = typeof what === 'string' ? what : what()
  expect(await ask(from(network, 1))).not.toBe(429)
  const subject = `${name}:${network}::/48`
  const begun = table === 'attempts' ? 'began_at' : 'started_at'
  const count = table === 'attempts' ? 'tries' : 'used'
  const { rows } = await sql<{ subject: string }>`
    select subject from ${sql.table(table)} where subject in (${`${name}:${network}:1::/64`}, ${subject}) order by 1`.execute(
    api.db,
  )
  expect(rows.map((row) => row.subject)).toEqual([`${name}:${network}:1::/64`, subject])
  // As after many others of that provider; of seconds, one that is not over yet.
  const used = (number: number) =>
    sql`update ${sql.table(table)} set ${sql.ref(count)} = ${number}, ${sql.ref(begun)} = clock_timestamp() + interval '4 seconds'
      where subject = ${subject}`.execute(api.db)
  await used(16 * limit - 1)
  expect(await ask(from(network, 2)), 'the last one').not.toBe(429)
  expect(await ask(from(network, 3)), 'one too many').toBe(429)
  expect(await ask(from(provider(), 3)), 'of another provider').not.toBe(429)
})
