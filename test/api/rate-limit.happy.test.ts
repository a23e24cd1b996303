import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { byWindow, standing, untilReset, windowOf } from '../_util/api/rate.ts'

const LIMIT = 5
const PATH = '/v1/social-sets'

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

describe('the requests of an account', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ plans: { SCALE: { requestsPerSecond: LIMIT }, FREE: { requestsPerSecond: 2 } } })
  })
  afterAll(() => api.close())

  /** A key of an account of its own, so that no test counts for another. */
  const ownKey = async () => api.newKey({ accountId: await api.newAccount() })
  const get = (key: string | null, path = PATH) => api.request('GET', path, { key })

  test('limits-01, rate-03: a second begins with its first request, lets as many through as the plan says, and a new one follows', async () => {
    const key = await ownKey()
    const first = await get(key)
    const reported = standing(first)
    expect(reported).toMatchObject({ status: 200, limit: LIMIT, remaining: LIMIT - 1 })
    expect(Number.isInteger(reported.reset)).toBe(true)
    await untilReset(first)

    const answers = await times(4 * LIMIT, () => get(key))
    const windows = byWindow(answers)
    for (const window of windows) expect(window).toEqual(windowOf(LIMIT, window.passed + window.refused))
    expect(answers.some(({ status }) => status === 429)).toBe(true)

    await untilReset(...answers)
    expect(standing(await get(key))).toMatchObject({ status: 200, remaining: LIMIT - 1 })
  })

  test('the next request after a second that was not used up is counted again', async () => {
    const key = await ownKey()
    const [one, two] = [await get(key), await get(key)]
    if (standing(one).reset === standing(two).reset) expect(standing(two).remaining).toBe(LIMIT - 2)
    await untilReset(two)
    expect(standing(await get(key)).remaining).toBe(LIMIT - 1)
  })

  test('limits-01: all keys of an account count together, with any scopes', async () => {
    const accountId = await api.newAccount()
    const socialSetId = await api.newSocialSet({ accountId })
    const keys = await Promise.all([
      api.newKey({ accountId }),
      api.newKey({ accountId, scopes: [] }),
      api.newKey({ accountId, socialSetIds: [socialSetId] }),
    ])
    const answers = await times(4 * LIMIT, (index) => get(keys[index % keys.length] as string))
    for (const window of byWindow(answers)) expect(window).toEqual(windowOf(LIMIT, window.passed + window.refused))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
  })

  test('rate-02: another account is not touched, and has the rate of its own plan', async () => {
    const [busy, free] = [await ownKey(), await api.newKey({ accountId: await api.newAccount({ plan: 'FREE' }) })]
    const answers = await times(4 * LIMIT, () => get(busy))
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    expect(standing(await get(await ownKey()))).toMatchObject({ status: 200, remaining: LIMIT - 1 })
    expect(standing(await get(free))).toMatchObject({ status: 200, limit: 2, remaining: 1 })
  })
})

describe('the description of the API', () => {
  test('limits-02, rate-04: has the headers of every answer, and that every operation may be refused', async () => {
    const api = await startApi()
    try {
      const everywhere = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
      const { paths, components } = api.openApi as unknown as {
        paths: Record<
          string,
          Record<string, { responses: Record<string, { headers: Record<string, { $ref: string }> }> }>
        >
        components: { headers: Record<string, object> }
      }
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
      expect(operations.length).toBeGreaterThan(8)
      for (const { responses } of operations) {
        expect(Object.keys(responses)).toContain('429')
        for (const [status, { headers }] of Object.entries(responses)) {
          expect(Object.keys(headers)).toEqual(expect.arrayContaining(everywhere))
          expect('Retry-After' in headers).toBe(['409', '429', '503'].includes(status))
          const names = Object.values(headers).flatMap(({ $ref }) => ($ref ? [$ref.split('/').at(-1)] : []))
          for (const name of names) expect(components.headers).toHaveProperty(name ?? '')
        }
      }
    } finally {
      await api.close()
    }
  })
})

test('rate-08: what is not below /v1 does not count for the rate', async () => {
  const api = await startApi({ addressLimit: 1, plans: { SCALE: { requestsPerSecond: 1 } } })
  try {
    for (const path of ['/healthz', '/docs/errors/internal:error', '/nothing', '/v1x']) {
      const answers = await times(5, () => fetch(`${api.url}${path}`))
      expect(new Set(answers.map(({ status }) => status)).size, path).toBe(1)
      for (const { status, headers } of answers) {
        expect(status, path).not.toBe(429)
        expect(
          [...headers.keys()].filter((name) => name.startsWith('x-ratelimit')),
          path,
        ).toEqual([])
      }
    }
  } finally {
    await api.close()
  }
})
