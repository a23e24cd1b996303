import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'
import { anyRate, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate, plans: { STARTER: { monthlyPosts: 3 } } })
})
afterAll(() => api.close())

const BAD = [400, 'request:invalid_body']
const bulk = (body: unknown, key?: string) =>
  api.request('POST', '/v1/post-sets/bulk', { body, ...(key === undefined ? {} : { key }) })
const count = async () =>
  Number(
    (
      await api.db
        .selectFrom('post_sets')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirst()
    )?.n,
  )
const pathsOf = ({ body }: { body: Body }) => body.errors.map(({ path }: Body) => path)

test('ATOMIC creates none when one is refused, and says of all what is wrong', async () => {
  const before = await count()
  const answer = await bulk({
    postSets: [
      api.draft(),
      api.draft({ posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(301) }], status: 'SCHEDULED' }),
      api.draft({ scheduledAt: 'tomorrow' }),
      api.draft({ socialSetId: '019a9c6e-0b1f-7c3d-9a52-3f6f0e6b8d10' }),
    ],
  })
  expect(statusAndCode(answer)).toEqual([422, 'post-set:invalid_posts'])
  expect(pathsOf(answer)).toEqual(['postSets[1].posts[0].caption', 'postSets[2].scheduledAt', 'postSets[3]'])
  expect(answer.body.message).toMatch(/^postSets\[1\]: .* Nothing was created\. 3 of 4 sets are refused/)
  expect(await count()).toBe(before)
})

test.each<[string, (draft: object) => unknown, readonly string[]]>([
  ['nothing', () => ({}), ['postSets']],
  ['no sets', () => ({ postSets: [] }), ['postSets']],
  ['too many sets', (draft) => ({ postSets: Array(101).fill(draft) }), ['postSets']],
  ['another mode', (draft) => ({ postSets: [draft], mode: 'SOME' }), ['mode']],
  ['another answer to conflicts', (draft) => ({ postSets: [draft], onConflict: 'DELETE' }), ['onConflict']],
  ['a field more', (draft) => ({ postSets: [draft], dryRun: true }), ['dryRun']],
  [
    'too many posts',
    (draft) => ({ postSets: Array(41).fill({ ...draft, posts: Array(10).fill(BLUESKY_POST) }) }),
    ['postSets'],
  ],
  [
    'a name twice',
    (draft) => ({ postSets: [{ ...draft, externalId: 'a' }, draft, { ...draft, externalId: 'a' }] }),
    ['postSets[2].externalId'],
  ],
])('%s: refused as a whole, in both modes', async (_, body, paths) => {
  const before = await count()
  for (const mode of [{}, { mode: 'EACH' }]) {
    const answer = await bulk({ ...mode, ...(body(api.draft()) as object) })
    expect([...statusAndCode(answer), pathsOf(answer)]).toEqual([...BAD, paths])
  }
  expect(await count()).toBe(before)
})

test('a body may have 8 MiB and 100,000 keys, and no more', async () => {
  const words = 'x'.repeat(5_000)
  const large = Array.from({ length: 100 }, () =>
    api.draft({ posts: Array(4).fill({ ...BLUESKY_POST, caption: words, media: [] }) }),
  )
  // Two megabytes of captions: more than any other request may have.
  expect((await bulk({ mode: 'EACH', postSets: large })).status).toBe(200)
  expect(statusAndCode(await bulk({ postSets: ['x'.repeat(8_388_608)] }))).toEqual([413, 'request:too_large'])
  const keys = await bulk({ postSets: [Array(100_001).fill(0)] })
  expect(statusAndCode(keys)).toEqual(BAD)
  expect(keys.body.errors[0].limit).toBe(100_000)
  const elsewhere = await api.request('POST', '/v1/post-sets', { body: { posts: Array(20_001).fill(0) } })
  expect(elsewhere.body.errors[0].limit).toBe(20_000)
})

test('each set needs the rights that it would need alone', async () => {
  const drafts = await api.newKey({ scopes: ['post-sets:write'] })
  const postSets = [api.draft(), api.draft({ status: 'SCHEDULED' })]
  expect(statusAndCode(await bulk({ postSets }, drafts))).toEqual([403, 'auth:insufficient_scope'])
  const each = await bulk({ postSets, mode: 'EACH' }, drafts)
  expect(each.body.data).toMatchObject([
    { status: 'CREATED' },
    { status: 'REFUSED', problem: { code: 'auth:insufficient_scope', status: 403 } },
  ])
  const reads = await api.newKey({ scopes: [] })
  expect(statusAndCode(await bulk({ postSets }, reads))).toEqual([403, 'auth:insufficient_scope'])
  const elsewhere = await api.newKey({ socialSetIds: [await api.newSocialSet()] })
  expect(statusAndCode(await bulk({ postSets }, elsewhere))).toEqual([404, 'social-set:not_found'])
})

test('over the monthly limit ATOMIC makes none, and EACH as many as there is room for', async () => {
  const accountId = await api.newAccount({ plan: 'STARTER' })
  const socialSetId = await api.newSocialSet({ accountId })
  const key = await api.newKey({ accountId })
  const sets = (many: number) => ({ postSets: Array(many).fill(api.draft({ socialSetId })) })
  const before = await count()
  expect((await bulk(sets(4), key)).body.code).toBe('post-set:monthly_posts_exceeded')
  expect(await count()).toBe(before)
  const each = await bulk({ ...sets(4), mode: 'EACH' }, key)
  expect(each.body.data.map(({ status }: Body) => status)).toEqual(['CREATED', 'CREATED', 'CREATED', 'REFUSED'])
  expect(each.body.data[3].problem.code).toBe('post-set:monthly_posts_exceeded')
})
