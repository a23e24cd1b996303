import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFacts } from '#persistence'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ plans: { FREE: { monthlyPosts: 1, video: true } } })
})
afterAll(() => api.close())

const LONG = { ...BLUESKY_POST, caption: 'x'.repeat(301) }
const validate = (more: object = {}, key = api.key) =>
  api.request('POST', '/v1/post-sets/validate', { key, body: api.draft(more) })
const codesOf = (entries: Body[]) => entries.map(({ code, path }) => [code, path])

async function rowCounts() {
  const tables = [
    'post_sets',
    'posts',
    'post_media',
    'series',
    'history',
    'account_usage',
    'account_usage_parts',
  ] as const
  return Promise.all(tables.map(async (table) => (await api.db.selectFrom(table).selectAll().execute()).length))
}

test('a good body is valid, for a key that only reads too', async () => {
  const reads = await api.newKey({ scopes: [] })
  for (const status of ['DRAFT', 'SCHEDULED']) {
    const answer = await validate({ status, repeat: { interval: 'DAY', occurrences: 2 } }, reads)
    const count = { path: 'posts[0].caption', accountType: 'BLUESKY', actual: expect.any(Number), limit: 300 }
    const counts = [count]
    expect([answer.status, answer.body]).toEqual([200, { valid: true, problems: [], warnings: [], counts }])
  }
})

test('extension-04: what creating would refuse are problems, by the same codes and places', async () => {
  const missing = '019a9c6f-91d4-7e55-b1a0-5d6c7b8a9f01'
  const bodies = [
    { status: 'SCHEDULED', posts: [LONG, { ...INSTAGRAM_POST, type: 'IMAGE' }, BLUESKY_POST] },
    { posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: missing }] }] },
    { approval: 'MAYBE', scheduledAt: 'soon', posts: [], extra: 1 },
    { posts: [{ ...BLUESKY_POST, id: missing }] },
    { repeat: { interval: 'YEAR', occurrences: 50 }, scheduledAt: '2090-01-01T00:00:00Z' },
  ]
  for (const body of bodies) {
    const checked = await validate(body)
    const created = await api.request('POST', '/v1/post-sets', { body: api.draft(body) })
    expect(created.status).toBeGreaterThanOrEqual(400)
    expect(checked.status).toBe(200)
    expect(checked.body.valid).toBe(false)
    expect(codesOf(checked.body.problems).sort()).toEqual(codesOf(created.body.errors).sort())
  }
})

test.each([
  ['BLUESKY', 'a'.repeat(310), 300],
  ['TWITTER', '漢'.repeat(150), 140],
  ['TWITTER', `${'a '.repeat(130)}https://example.com/${'b'.repeat(90)}`, 260],
  ['BLUESKY', 'e\u0301'.repeat(301), 600],
])(
  'of a text that is too long for %s is reported how much of it fits, in whole signs and addresses',
  async (accountType, caption, fits) => {
    const { body } = await validate({ posts: [{ accountType, caption, media: [] }] })
    expect(body.counts).toMatchObject([{ accountType, fits }])
  },
)

test('shape-70: control characters are stored and answered as sent; counted is what goes out, and a warning says what that is', async () => {
  const caption = 'First\u000bsecond\u0001\r\nthird\u2028'
  const posts = [{ ...BLUESKY_POST, caption }]
  const created = await api.create({ posts })
  expect(created.posts[0].caption).toBe(caption)
  const { body } = await validate({ posts })
  expect(body).toMatchObject({ valid: true, counts: [{ actual: 'First\nsecond.third\n'.length }] })
  expect(codesOf(body.warnings)).toEqual([['post:field_invalid', 'posts[0].caption']])
  expect(body.warnings[0].message).toContain('(U+000B, U+0001, U+2028)')
  const empty = await validate({ status: 'SCHEDULED', posts: [{ ...BLUESKY_POST, caption: '\u000b\u0001' }] })
  expect(codesOf(empty.body.problems)).toEqual([['post:caption_required', 'posts[0].caption']])
})

test('what the plan does not include is a problem, the monthly limit too', async () => {
  const accountId = await api.newAccount({ plan: 'FREE' })
  const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
  const key = await api.newKey({ accountId })
  expect((await validate({ socialSetId }, key)).body.valid).toBe(true)
  await api.create({ socialSetId }, key)
  const { body } = await validate(
    {
      socialSetId,
      approval: 'PENDING',
      repeat: { interval: 'DAY', occurrences: 2 },
      status: 'SCHEDULED',
      posts: [LONG],
    },
    key,
  )
  expect(codesOf(body.problems)).toEqual([
    ['plan:approvals_not_available', 'approval'],
    ['post-set:repeats_not_available', 'repeat'],
    ['post-set:monthly_posts_exceeded', ''],
    ['post:caption_too_long', 'posts[0].caption'],
  ])
  expect(body.problems[2]).toMatchObject({ limit: 1, actual: 3 })
})

test('extension-04: what stops a draft from being scheduled is a warning', async () => {
  const { body } = await validate({ posts: [LONG] })
  expect([body.valid, codesOf(body.problems), codesOf(body.warnings)]).toEqual([
    true,
    [],
    [['post:caption_too_long', 'posts[0].caption']],
  ])
})

test('a caption is counted by what the network reports for the account', async () => {
  const socialSetId = await api.newSocialSet({ connected: ['TWITTER'] })
  const posts = [{ accountType: 'TWITTER', caption: 'x'.repeat(281), media: [] }]
  const { identity_id: identityId } = await api.db
    .selectFrom('connections')
    .select('identity_id')
    .where('social_set_id', '=', socialSetId)
    .executeTakeFirstOrThrow()
  const check = async () => {
    const { body } = await validate({ socialSetId, status: 'SCHEDULED', posts })
    return [body.valid, codesOf(body.problems), body.counts[0].limit]
  }
  const tooLong = [false, [['post:caption_too_long', 'posts[0].caption']], 280]
  expect(await check()).toEqual(tooLong)
  await storeFacts(api.db, identityId, { longPosts: true })
  expect(await check()).toEqual([true, [], 25_000])
  await storeFacts(api.db, identityId, { longPosts: false })
  expect(await check()).toEqual(tooLong)
})

test('that a time has passed is a warning when it would publish', async () => {
  const past = { scheduledAt: '2020-01-01T00:00:00Z' }
  expect(codesOf((await validate({ ...past, status: 'SCHEDULED' })).body.warnings)).toEqual([
    ['post-set:publishes_at_once', 'scheduledAt'],
  ])
  expect((await validate(past)).body.warnings).toEqual([])
})

test('extension-04: nothing is written', async () => {
  const before = await rowCounts()
  await validate({ status: 'SCHEDULED', repeat: { interval: 'DAY', occurrences: 5 } })
  expect(await rowCounts()).toEqual(before)
})

test('a social set that is not seen is not found, and what is no JSON is no JSON', async () => {
  const other = await api.newSocialSet({ accountId: await api.newAccount() })
  const { status, body } = await validate({ socialSetId: other, posts: [] })
  expect([status, body.code]).toEqual([404, 'social-set:not_found'])
  const broken = await api.request('POST', '/v1/post-sets/validate', { raw: '{' })
  expect([broken.status, broken.body.code]).toEqual([400, 'request:invalid_json'])
  const { status: none, body: problem } = await api.request('POST', '/v1/post-sets/validate', { key: null })
  expect([none, problem.code]).toEqual([401, 'auth:missing_credential'])
})
