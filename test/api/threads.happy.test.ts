import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanName } from '#contract'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

/** Posts with further parts: what is stored, answered, kept by its id, copied, searched and counted. */

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const part = (caption: string, more: object = {}) => ({ caption, media: [], ...more })
const threaded = (...thread: object[]) => ({ ...BLUESKY_POST, caption: 'One', thread })

async function patch(id: string, body: object): Promise<Body> {
  const answer = await api.request('PATCH', `/v1/post-sets/${id}`, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body).toEqual(answer.body)
  return answer.body
}
const codesOf = ({ body }: { body: Body }) => body.errors.map(({ code, path }: Body) => [code, path])

test('extension-10: further parts are answered with ids, in their order, and may be sent back', async () => {
  const [first, second] = [await api.newMedia(), await api.newMedia()]
  const media = (mediaLibraryId: string) => ({ media: [{ mediaLibraryId, altText: 'A loaf' }] })
  const posts = [threaded(part('Two', media(first)), part('', media(second)), part('Four')), INSTAGRAM_POST]
  const created = await api.create({ posts: [{ ...posts[0], ...media(second) }] })
  expect(created.posts[0]).toMatchObject({
    caption: 'One',
    media: [{ mediaLibraryId: second }],
    thread: [
      { id: expect.any(String), caption: 'Two', media: [{ mediaLibraryId: first, altText: 'A loaf', type: 'IMAGE' }] },
      { id: expect.any(String), caption: '', media: [{ mediaLibraryId: second }] },
      { id: expect.any(String), caption: 'Four', media: [] },
    ],
  })
  expect(await patch(created.id, { posts: created.posts })).toEqual(created)
  // Without parts there are none.
  expect((await api.create({ posts: [BLUESKY_POST] })).posts[0]).not.toHaveProperty('thread')
  expect((await api.create({ posts: [INSTAGRAM_POST] })).posts[0]).not.toHaveProperty('thread')
})

test('extension-11: parts stay when they are left out, are kept by their ids, and go when there are none', async () => {
  const mediaLibraryId = await api.newMedia()
  const created = await api.create({ posts: [threaded(part('Two', { media: [{ mediaLibraryId }] }), part('Three'))] })
  const [post] = created.posts
  const [two, three] = post?.thread ?? []
  const { thread: _, ...without } = { ...post, caption: 'Other' }
  expect((await patch(created.id, { posts: [without] })).posts[0]).toEqual({ ...post, caption: 'Other' })
  // The picture goes from the second part to the third, which comes first now.
  const moved = [
    { ...three, media: two?.media },
    { ...two, media: [] },
  ]
  const changed = await patch(created.id, { posts: [{ ...post, thread: moved }] })
  expect(changed.posts[0].thread).toEqual(moved)
  const history = await api.history(created.id)
  expect(
    history.flatMap(
      ({ changes }) => changes.posts?.changed?.map(({ fields }: Body) => Object.keys(fields).sort()) ?? [],
    ),
  ).toEqual(expect.arrayContaining([['caption'], ['caption', 'thread']]))
  expect((await patch(created.id, { posts: [{ ...post, thread: [] }] })).posts[0]).not.toHaveProperty('thread')
  expect(await api.db.selectFrom('post_media').select('id').where('post_id', '=', String(post?.id)).execute()).toEqual(
    [],
  )
})

test('extension-12: a thread is refused where there is none, is too long, or breaks a rule of its network', async () => {
  const refused = async (post: object, more: object = {}) =>
    codesOf(await api.request('POST', '/v1/post-sets', { body: api.draft({ posts: [post], ...more }) }))
  const BODY = 'request:invalid_body'
  expect(await refused({ ...INSTAGRAM_POST, thread: [part('Two')] })).toEqual([[BODY, 'posts[0].thread']])
  expect((await api.create({ posts: [{ ...INSTAGRAM_POST, thread: [] }] })).posts[0]).not.toHaveProperty('thread')
  expect(await refused(threaded(...Array(25).fill(part('a'))))).toEqual([[BODY, 'posts[0].thread']])
  expect(await refused(threaded({ caption: 'Two' }))).toEqual([[BODY, 'posts[0].thread[0].media']])
  expect(await refused(threaded(part('Two', { media: [{}] })))).toEqual([
    [BODY, 'posts[0].thread[0].media[0].mediaLibraryId'],
  ])
  const items = Array(26).fill({ mediaLibraryId: 'x' })
  expect(await refused(threaded(part('', { media: items }), part('', { media: items })))).toEqual([
    [BODY, 'posts[0].thread'],
  ])
  const long = Array(3).fill(part('a'.repeat(40_000)))
  expect(await refused(threaded(...long))).toEqual([[BODY, 'posts']])
  expect(await refused(threaded(part('', { media: [{ mediaLibraryId: 'x' }] })))).toEqual([
    ['post:media_not_found', 'posts[0].thread[0].media[0].mediaLibraryId'],
  ])
  const scheduled = { status: 'SCHEDULED', scheduledAt: '2031-01-01T00:00:00Z' }
  expect(await refused(threaded(part('Two'), part(''), part('a'.repeat(301))), scheduled)).toEqual([
    ['post:caption_required', 'posts[0].thread[1].caption'],
    ['post:caption_too_long', 'posts[0].thread[2].caption'],
  ])
  // A lost answer is looked for by its text.
  expect(await refused(threaded(part('Two'), part(' one'), part(' One\n')), scheduled)).toEqual([
    ['post:field_invalid', 'posts[0].thread[2].caption'],
  ])
  const checked = await api.request('POST', '/v1/post-sets/validate', {
    body: api.draft({ posts: [threaded(part('Two'))] }),
  })
  expect(checked.body.counts).toEqual([
    { path: 'posts[0].caption', accountType: 'BLUESKY', actual: 3, limit: 300 },
    { path: 'posts[0].thread[0].caption', accountType: 'BLUESKY', actual: 3, limit: 300 },
  ])
})

test('extension-13: copies and the sets of a series have the parts, with ids of their own', async () => {
  const mediaLibraryId = await api.newMedia()
  const posts = [threaded(part('Two', { media: [{ mediaLibraryId }] }), part('Three'))]
  const repeat = { interval: 'DAY', occurrences: 2 }
  const { id, seriesId } = await api.create({ posts, repeat })
  const rows = await api.db.selectFrom('post_sets').select('id').where('series_id', '=', String(seriesId)).execute()
  const sets = await Promise.all(rows.map((row) => api.request('GET', `/v1/post-sets/${row.id}`)))
  const threads = sets.map(({ body }) => body.posts[0].thread)
  expect(threads).toHaveLength(2)
  for (const thread of threads) {
    expect(thread).toMatchObject([
      { caption: 'Two', media: [{ mediaLibraryId }] },
      { caption: 'Three', media: [] },
    ])
  }
  expect(new Set(threads.flat().map((each: Body) => each.id)).size).toBe(4)
  expect(sets.map(({ body }) => body.id)).toContain(id)
})

test('extension-14: search finds what stands in a part, and plans look into parts', async () => {
  const { id } = await api.create({ posts: [threaded(part('A word like quincunx'))] })
  const query = `socialSetId=${api.socialSetId}&filters[search]=quincunx`
  const { body } = await api.request('GET', `/v1/post-sets?${query}`)
  expect(body.data.map((set: Body) => set.id)).toEqual([id])

  const accountId = await api.newAccount({ plan: 'FREE' satisfies PlanName })
  const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
  const facts = { type: 'VIDEO', mimeType: 'video/mp4', durationMs: 5_000 } as const
  const mediaLibraryId = await api.newMedia({ accountId, socialSetId, facts })
  const posts = [threaded(part('Two', { media: [{ mediaLibraryId }] }))]
  const key = await api.newKey({ accountId })
  const answer = await api.request('POST', '/v1/post-sets', { key, body: api.draft({ socialSetId, posts }) })
  expect([answer.status, answer.body.code]).toEqual([403, 'post-set:videos_not_available'])
})

test('extension-10: the description of networks says who takes a thread', async () => {
  const { body } = await api.request('GET', '/v1/networks')
  const taking = body.data.flatMap(({ accountType, thread }: Body) => (thread ? [[accountType, thread.parts]] : []))
  expect(taking).toEqual([
    ['BLUESKY', 24],
    ['THREADS', 24],
    ['TWITTER', 24],
  ])
})
