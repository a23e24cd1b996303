import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { createRateLimiter } from '#http'
import { readRateWindow } from '#persistence'
import { type Api, type ApiOptions, startApi } from '../_util/api/api.ts'
import { byWindow, windowOf } from '../_util/api/rate.ts'

const PATH = '/v1/social-sets'

let api: Api
afterEach(() => api.close())

/** A server that keeps for whom it counts. */
async function start(options: ApiOptions): Promise<string[]> {
  const subjects: string[] = []
  api = await startApi({
    rate: (parts) => {
      const limiter = createRateLimiter(parts)
      return {
        ...limiter,
        take(subject, limit) {
          subjects.push(subject)
          return limiter.take(subject, limit)
        },
      }
    },
    ...options,
  })
  return subjects
}
const asked = (forwarded: string, key: string | null = null) =>
  api.request('GET', PATH, { key, headers: { 'x-forwarded-for': forwarded } })

describe('whose requests are counted', () => {
  test('rate-07: forwarded addresses of a client that is no proxy say nothing', async () => {
    const subjects = await start({ addressLimit: 3 })
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        api.request('GET', PATH, {
          key: null,
          headers: {
            'x-forwarded-for': `203.0.113.${index}`,
            forwarded: `for=203.0.113.${index}`,
            'x-real-ip': `203.0.113.${index}`,
          },
        }),
      ),
    )
    expect(new Set(subjects)).toEqual(new Set(['address:127.0.0.1']))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    for (const window of byWindow(answers)) expect(window).toEqual(windowOf(3, window.passed + window.refused))
  })

  test('rate-07: behind a trusted proxy it is the address that the proxy has seen, not what the client has written', async () => {
    const subjects = await start({ trustProxy: 1 })
    await asked('203.0.113.1')
    await asked('198.51.100.7, 203.0.113.2')
    expect(subjects).toEqual(['address:203.0.113.1', 'address:203.0.113.2'])
  })

  test('an address of IPv6 counts for its /64 and its /48, and one of IPv4 is the same in both spellings', async () => {
    const subjects = await start({ trustProxy: true })
    for (const [address, ...counted] of [
      ['2001:db8:1:2::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
      ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64', '2001:db8:1::/48'],
      ['2001:DB8:1:3::1', '2001:db8:1:3::/64', '2001:db8:1::/48'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['203.0.113.9', '203.0.113.9'],
    ] as const) {
      subjects.length = 0
      await asked(address)
      expect(subjects, address).toEqual(counted.map((subject) => `address:${subject}`))
    }
  })

  test('a /48 has sixteen times the rate, of which one /64 uses up no more than its own', async () => {
    await start({ trustProxy: true, addressLimit: 2 })
    const remaining = async (address: string) => {
      const { status, headers } = await fetch(`${api.url}${PATH}`, { headers: { 'x-forwarded-for': address } })
      return [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
    }
    // Seconds that are not over while the test runs.
    const used = (subject: string, count: number) =>
      sql`insert into rate_windows (subject, started_at, used)
        values (${`address:${subject}`}, clock_timestamp() + interval '4 seconds', ${count})
        on conflict (subject) do update set started_at = excluded.started_at, used = excluded.used`.execute(api.db)
    await used('2001:db8:1::/48', 30)
    expect(await remaining('2001:db8:1:1::1')).toEqual([401, '2', '1'])
    expect(await remaining('2001:db8:1:2::1')).toEqual([401, '32', '0'])
    expect(await remaining('2001:db8:1:3::1')).toEqual([429, '32', '0'])
    expect(await remaining('2001:db8:2:1::1')).toEqual([401, '2', '1'])
    await used('2001:db8:4:1::/64', 2)
    await used('2001:db8:4::/48', 0)
    for (let nth = 0; nth < 3; nth++) expect(await remaining('2001:db8:4:1::1')).toEqual([429, '2', '0'])
    expect((await readRateWindow(api.db, 'address:2001:db8:4::/48'))?.used).toBe(0)
  })

  test('an address that is forwarded with a port is counted without it', async () => {
    const subjects = await start({ trustProxy: 1 })
    for (const [address, subject] of [
      ['203.0.113.9:1234', '203.0.113.9'],
      ['[2001:db8:1:2::1]:5', '2001:db8:1:2::/64'],
      ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
      ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
    ] as const) {
      subjects.length = 0
      await asked(address)
      expect(subjects[0], address).toBe(`address:${subject}`)
    }
  })

  test('what is forwarded and is no address makes no subject of its own', async () => {
    const subjects = await start({ trustProxy: true })
    const texts = [
      'unknown',
      '',
      '_hidden',
      'x'.repeat(5_000),
      "'; drop table rate_windows; --",
      '1',
      '0x7f.1',
      '999.1.1.1',
      '203.0.113.9:',
      '203.0.113.9:x',
      '[203.0.113.9]:1',
      '[2001:db8::1',
      '2001:db8::1]:1',
    ]
    for (const text of texts) expect((await asked(text)).status, text).toBe(401)
    expect(subjects).toEqual(texts.map(() => 'address:127.0.0.1'))
  })

  test('a valid key counts for its account alone, an invalid one for the address alone, and no secret is kept', async () => {
    const subjects = await start({})
    const unknown = `alm_${'A'.repeat(43)}`
    await api.request('GET', PATH)
    await api.request('GET', '/v1/nothing')
    await api.request('GET', PATH, { key: unknown })
    // Accounts are counted with the lookup of their keys.
    expect(subjects).toEqual(['address:127.0.0.1'])
    const windows = await api.db.selectFrom('rate_windows').select('subject').orderBy('subject').execute()
    expect(windows.map(({ subject }) => subject)).toEqual([`account:${api.accountId}`, 'address:127.0.0.1'])
    expect(api.logged()).not.toContain(unknown)
  })
})

test('guessing keys is limited, and a stranger who guesses does not shut out who has a key', async () => {
  await start({ addressLimit: 2 })
  const guesses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      api.request('GET', PATH, { key: `alm_${String(index).padStart(43, 'A')}` }),
    ),
  )
  for (const { passed } of byWindow(guesses)) expect(passed).toBeLessThanOrEqual(2)
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  expect((await api.request('GET', PATH)).status).toBe(200)
})

test('key and rate cost one query together, and a refused request costs no more', async () => {
  api = await startApi({ rate: createRateLimiter, plans: { SCALE: { requestsPerSecond: 1 } } })
  const queriesOf = async (key: string | null) => {
    const before = api.queries()
    const { status } = await api.request('GET', '/v1/nothing', { key })
    return { status, queries: api.queries() - before }
  }
  // The first use of a key is noted.
  await api.request('GET', '/v1/nothing')
  await expect.poll(() => api.queries()).toBeGreaterThanOrEqual(2)
  const seen = new Map<number, number>()
  for (const deadline = Date.now() + 10_000; seen.size < 2 && Date.now() < deadline; ) {
    const { status, queries } = await queriesOf(api.key)
    seen.set(status, queries)
  }
  expect(Object.fromEntries(seen)).toEqual({ 404: 1, 429: 1 })
  expect(await queriesOf(null)).toEqual({ status: 401, queries: 1 })
  expect(await queriesOf('nonsense')).toEqual({ status: 401, queries: 1 })
  expect(await queriesOf(`alm_${'A'.repeat(43)}`)).toEqual({ status: 401, queries: 2 })
})

test('a piece of an upload is refused by the query that finds its key, and over the rate by the one that finds no upload', async () => {
  api = await startApi({ rate: createRateLimiter })
  await api.request('GET', '/v1/nothing')
  await expect.poll(() => api.queries()).toBeGreaterThanOrEqual(2)
  const limit = LIMITS.piecesPerSecond
  const headers = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const queriesOf = async (subject: string, used: number) => {
    // A window that is not over when the answer comes.
    await sql`insert into rate_windows (subject, started_at, used) values (${subject}, clock_timestamp() + interval '4 seconds', ${used})
      on conflict (subject) do update set started_at = excluded.started_at, used = excluded.used`.execute(api.db)
    const before = api.queries()
    const { status, headers: reported } = await fetch(`${api.url}/v1/media-upload/files/${newId()}`, {
      method: 'HEAD',
      headers: { ...headers, authorization: `Bearer ${api.key}` },
    })
    await api.db.deleteFrom('rate_windows').execute()
    return [status, api.queries() - before, reported.get('x-ratelimit-remaining')]
  }
  expect(await queriesOf(`pieces:${api.accountId}`, limit)).toEqual([429, 1, expect.any(String)])
  expect(await queriesOf(`account:${api.accountId}`, 1_000_001)).toEqual([429, 2, '0'])
  expect(await queriesOf(`account:${api.accountId}`, 10)).toEqual([404, 3, expect.any(String)])
})
