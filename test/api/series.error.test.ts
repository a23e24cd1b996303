import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ plans: { PRO: { monthlyPosts: 10 } } })
})
afterAll(() => api.close())

const reported = ({ status, body }: Answer) => [status, body.code, body.errors.map(({ path }: Body) => path)]
const post = (more: object) => api.request('POST', '/v1/post-sets', { body: api.draft(more) })
const patch = (id: string, body: object) => api.request('PATCH', `/v1/post-sets/${id}`, { body })
const INVALID = 'request:invalid_body'
const UNCHANGEABLE = [400, 'post-set:repeat_not_updatable', ['repeat']]

const counts = async () => {
  const tables = ['post_sets', 'posts', 'series', 'history', 'account_usage', 'account_usage_parts'] as const
  return Promise.all(tables.map((table) => api.db.selectFrom(table).selectAll().execute())).then((all) =>
    all.map((rows) => rows.length),
  )
}

describe('a repeat rule', () => {
  test.each([
    [{ interval: 'DAY', occurrences: 1 }, 'repeat.occurrences'],
    [{ interval: 'DAY', occurrences: 51 }, 'repeat.occurrences'],
    [{ interval: 'DAY', occurrences: 2.5 }, 'repeat.occurrences'],
    [{ interval: 'DAY', occurrences: '3' }, 'repeat.occurrences'],
    [{ interval: 'HOUR', occurrences: 3 }, 'repeat.interval'],
    [{ occurrences: 3 }, 'repeat.interval'],
    [{ interval: 'DAY' }, 'repeat.occurrences'],
    [{ interval: 'DAY', occurrences: 3, until: '2030-01-01' }, 'repeat.until'],
    ['DAY', 'repeat'],
    // Reaches the year 2110.
    [{ interval: 'YEAR', occurrences: 50 }, 'repeat.occurrences'],
  ])(
    'resources-24, resources-26, post-sets-25, limits-08, shape-10: %j is refused at create and at update, and makes nothing',
    async (repeat, path) => {
      const { id } = await api.create()
      const before = await counts()
      expect(reported(await post({ repeat, scheduledAt: '2061-06-01T10:00:00Z' }))).toEqual([400, INVALID, [path]])
      expect(reported(await patch(id, { repeat, scheduledAt: '2061-06-01T10:00:00Z' }))).toEqual([400, INVALID, [path]])
      expect(await counts()).toEqual(before)
    },
  )

  test('states-23, post-sets-41, errors-04, shape-39, problem-15: of a set that belongs to a series cannot change', async () => {
    const repeat = { interval: 'MONTH', occurrences: 3 }
    const first = await api.create({ repeat, scheduledAt: '2050-01-01T00:00:00Z' })
    const { body } = await api.request(
      'GET',
      `/v1/post-sets?socialSetId=${api.socialSetId}&filters[startDate]=2050-02-01&filters[endDate]=2050-02-02`,
    )
    const [{ id: second }] = body.data
    for (const [id, given] of [
      [first.id, { interval: 'MONTH', occurrences: 4 }],
      [first.id, { interval: 'WEEK', occurrences: 3 }],
      [first.id, null],
      [second, repeat],
    ]) {
      expect(reported(await patch(id, { repeat: given })), JSON.stringify(given)).toEqual(UNCHANGEABLE)
    }
    expect(reported(await patch(second, { seriesId: first.id }))).toEqual([400, INVALID, ['seriesId']])
    expect(reported(await patch(second, { seriesId: null }))).toEqual([400, INVALID, ['seriesId']])
    const { id: alone } = await api.create()
    expect(reported(await patch(alone, { seriesId: first.seriesId }))).toEqual([400, INVALID, ['seriesId']])
  })
})

describe('a series is made whole or not at all', () => {
  test('series-04: when posts break the rules', async () => {
    const before = await counts()
    const answer = await post({
      status: 'SCHEDULED',
      repeat: { interval: 'DAY', occurrences: 5 },
      posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(400) }],
    })
    expect(reported(answer)).toEqual([422, 'post-set:invalid_posts', ['posts[0].caption']])
    expect(await counts()).toEqual(before)
  })

  test('post-sets-30, errors-05, limits-13, plan-09: when it would pass the monthly limit', async () => {
    const accountId = await api.newAccount({ plan: 'PRO' })
    const socialSetId = await api.newSocialSet({ accountId })
    const key = await api.newKey({ accountId })
    const make = (occurrences: number) =>
      api.request('POST', '/v1/post-sets', {
        key,
        body: api.draft({ socialSetId, repeat: { interval: 'DAY', occurrences } }),
      })
    expect((await make(4)).status).toBe(201)
    const before = await counts()
    const refused = await make(7)
    expect([refused.status, refused.body.code, refused.body.errors[0].limit, refused.body.errors[0].actual]).toEqual([
      403,
      'post-set:monthly_posts_exceeded',
      10,
      11,
    ])
    expect(await counts()).toEqual(before)
    expect((await make(6)).status).toBe(201)
  })
})
