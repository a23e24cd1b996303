import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { FULL_RANGE, type FullAccount, fillAccount } from '../_util/api/full-account.ts'
import { OURS } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'

/** What a full account costs the thread that all requests share, and how often one reader may have it. */

let api: Api
let full: FullAccount
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  full = await fillAccount(api)
}, 120_000)
afterAll(() => api.close())

function headersFor(path: string): Record<string, string> {
  if (path.startsWith('/v1/')) return { authorization: `Bearer ${api.key}` }
  if (path.startsWith('/internal/')) return { ...OURS, cookie: full.owner.cookie }
  const cookie = Object.entries(full.guest.cookies).map(([name, value]) => `${name}=${value}`)
  return { ...OURS, cookie: cookie.join('; ') }
}

/** Reads an answer without looking into it: this thread is the server's, too. */
function ask(path: string, headers = headersFor(path)): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${api.url}${path}`, { headers }, (answer) => {
      answer.on('error', reject).on('end', () => {
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] })
      })
      answer.resume()
    })
    sent.on('error', reject).end()
  })
}

/** Processor time of this thread, the least of several times: what else happens meanwhile is not of it. */
async function costOf(work: () => unknown, times = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time++) {
    const since = process.threadCpuUsage()
    await work()
    const { user, system } = process.threadCpuUsage(since)
    least = Math.min(least, user + system)
  }
  return least
}

/**
 * The same work on every machine, of the kind that answers are: about a twentieth of a second on that where the figures of
 * bench/README.md were taken. Of arithmetic alone a machine whose memory others use as well does as much as ever.
 */
const yardstick = () => expect(JSON.parse(JSON.stringify(ROWS))).toHaveLength(ROWS.length)
const ROWS = Array.from({ length: 36_000 }, (_, at) => ({
  ...{ id: `row ${at}`, at, day: new Date(at * 86_400_000).toISOString(), words: ['warm', 'bread', `${at}`] },
}))

const calendarPath = () =>
  `/internal/calendar?socialSetId=${api.socialSetId}&from=${FULL_RANGE.from}&to=${FULL_RANGE.to}`

/** Every list and every answer that grows with an account, by yardsticks: what is over one is bounded for one reader. */
const ANSWERS: readonly [path: (place: string) => string, most: number][] = [
  [calendarPath, 2.4],
  [(place) => `/internal/calendar/elsewhere?${place}&from=2032-01-01&to=2032-02-01`, 1],
  [() => '/internal/approvals?tab=requested&size=100', 1],
  [() => '/internal/results?size=100', 1],
  [(place) => `/v1/post-sets?${place}&size=100`, 1],
  [(place) => `/v1/post-sets?${place}&size=100&filters[search]=warm`, 1],
  [(place) => `/v1/notes?${place}&filters[startDate]=${FULL_RANGE.from}&filters[endDate]=${FULL_RANGE.to}`, 1],
  [() => '/internal/labels/usage', 1],
  [(place) => `/internal/kept-drafts?${place}`, 1],
  [(place) => `/v1/media-library?${place}&size=100`, 1],
  [() => `/v1/post-sets/${full.richest}`, 1],
  [() => `/internal/post-sets/${full.postSetId}/comments`, 1],
  [() => `/internal/post-sets/${full.postSetId}/history`, 1],
  [() => `/internal/social-sets/${api.socialSetId}/timezone-change?timezone=America/New_York`, 1],
  [() => `/shared/view/${full.guest.id}/visit`, 1],
  [() => `/shared/view/${full.guest.id}/calendar?from=${FULL_RANGE.from}&to=${FULL_RANGE.to}`, 1],
  [() => `/shared/view/${full.guest.id}/posts/${full.postSetId}/comments`, 1],
  [() => '/v1/networks', 1],
]

test('no answer takes a tenth of a second of the thread, and what takes half of that is bounded', async () => {
  for (const [of, most] of ANSWERS) {
    const path = of(`socialSetId=${api.socialSetId}`)
    const read = async () => expect([path, (await answered(path)).status]).toEqual([path, 200])
    let units = Number.POSITIVE_INFINITY
    // A machine that others use too is slower for a while: both are measured again, right after each other.
    for (let time = 0; time < 5 && units >= most; time++) units = (await costOf(read)) / (await costOf(yardstick))
    expect.soft(units, path).toBeLessThan(most)
  }
})

/** The answer, once the reader may have it. */
const answered = (path: string) =>
  vi.waitFor(async () => {
    const answer = await ask(path)
    expect(answer.status).not.toBe(429)
    return answer
  }, 10_000)

describe('who reads much again and again', () => {
  afterEach(() => vi.restoreAllMocks())

  test('has to wait, and nobody else', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const [reader, other] = [await signInAs(api, 'editor'), await signInAs(api, 'editor')]
    const read = ({ cookie }: Person, path = calendarPath()) => ask(path, { ...OURS, cookie })
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await read(reader)).status)
    // Some months at once are no matter; they have 4 MB each.
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await read(reader, '/internal/profile')).toMatchObject({ status: 429, retryAfter: '1' })
    expect((await read(other)).status).toBe(200)
    expect((await ask(`/v1/post-sets?socialSetId=${api.socialSetId}`)).status).toBe(200)
    clock.mockReturnValue(performance.now() + 1_000)
    expect((await read(reader)).status).toBe(200)
  })
})
