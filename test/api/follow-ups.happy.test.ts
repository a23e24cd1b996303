import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

/** First comments, stories of several items and options that are lists: what is stored, answered, searched, copied and refused. */

let api: Api
let socialSetId: string
beforeAll(async () => {
  api = await startApi()
  socialSetId = await api.newSocialSet({
    connected: ['BLUESKY', 'INSTAGRAM', 'FACEBOOK', 'LINKEDIN_PERSONAL', 'THREADS', 'YOUTUBE'],
  })
})
afterAll(() => api.close())

const FACEBOOK_POST = { accountType: 'FACEBOOK', type: 'TEXT', caption: 'Bread', richCaption: ['Bread'], media: [] }
const scheduled = { status: 'SCHEDULED', scheduledAt: '2099-01-01T10:00:00.000Z' }
const problemsOf = async (posts: object[], more: object = {}) => {
  const body = api.draft({ ...scheduled, socialSetId, ...more, posts })
  const answer = await api.request('POST', '/v1/post-sets/validate', { body })
  return (answer.body.errors ?? answer.body.problems ?? []).map(({ code, path }: Body) => [code, path])
}

test('extension-15: a first comment is an option, answered as it was sent, and found by search', async () => {
  const posts = [{ ...FACEBOOK_POST, options: { firstComment: 'More words, such as quincunx.' } }]
  const created = await api.create({ socialSetId, posts })
  expect(created.posts[0].options).toEqual({ firstComment: 'More words, such as quincunx.' })
  const other = await api.create({ socialSetId, posts: [{ ...INSTAGRAM_POST, firstComment: 'a Quincunx' }] })
  const query = `socialSetId=${socialSetId}&filters[search]=quincunx`
  const { body } = await api.request('GET', `/v1/post-sets?${query}`)
  expect(body.data.map(({ id }: Body) => id).sort()).toEqual([created.id, other.id].sort())
  const without = { posts: [{ ...created.posts[0], options: null }] }
  const patched = await api.request('PATCH', `/v1/post-sets/${created.id}`, { body: without })
  expect(patched.body.posts[0].options).toBeNull()
  const again = await api.request('GET', `/v1/post-sets?${query}`)
  expect(again.body.data.map(({ id }: Body) => id)).toEqual([other.id])
})

test('extension-15: no account has a default for what posts alone have', async () => {
  const { body } = await api.request('GET', '/v1/networks')
  const facebook = body.data.find(({ accountType }: Body) => accountType === 'FACEBOOK')
  expect(facebook.options.map(({ name }: Body) => name)).toContain('firstComment')
  expect(facebook.defaults.map(({ name }: Body) => name)).not.toContain('firstComment')
})

test('extension-16: an option may be a list, whose values are those of its network', async () => {
  const gated = (replyAudience: unknown) => [{ ...BLUESKY_POST, options: { replyAudience } }]
  const created = await api.create({ socialSetId, posts: gated(['MENTIONED', 'FOLLOWERS']) })
  expect(created.posts[0].options).toEqual({ replyAudience: ['MENTIONED', 'FOLLOWERS'] })
  expect((await api.create({ socialSetId, posts: gated([]) })).posts[0].options).toEqual({ replyAudience: [] })
  for (const wrong of [['FRIENDS'], ['MENTIONED', 'MENTIONED'], 'MENTIONED']) {
    const body = api.draft({ ...scheduled, socialSetId, posts: gated(wrong) })
    const answer = await api.request('POST', '/v1/post-sets', { body })
    expect([answer.status, answer.body.errors[0]?.code, answer.body.errors[0]?.path]).toEqual([
      422,
      'post:field_invalid',
      'posts[0].options.replyAudience',
    ])
  }
  const body = api.draft({ socialSetId, posts: gated([1]) })
  expect((await api.request('POST', '/v1/post-sets', { body })).status).toBe(400)
})

test('extension-17: a story has up to ten items', async () => {
  const media = await Promise.all(
    Array.from({ length: 11 }, async () => ({ mediaLibraryId: await api.newMedia({ socialSetId }) })),
  )
  const story = (items: number) => [{ ...INSTAGRAM_POST, type: 'STORY', caption: '', media: media.slice(0, items) }]
  const create = async (items: number) => {
    const answer = await api.request('POST', '/v1/post-sets', {
      body: api.draft({ ...scheduled, socialSetId, posts: story(items) }),
    })
    return [answer.status, ...(answer.body.errors ?? []).map(({ code }: Body) => code)]
  }
  expect(await create(10)).toEqual([201])
  expect(await create(11)).toEqual([422, 'post:media_count'])
})

test('the thread of the documentation is one that can be scheduled', async () => {
  const { body } = await api.request('GET', '/docs/resources.md', { key: null })
  const [, example = ''] = /```json\n([^`]*How we bake rye[^`]*)```/.exec(body) ?? []
  const mediaLibraryId = await api.newMedia({ socialSetId })
  const post = JSON.parse(example.replaceAll(/"mediaLibraryId": "[^"]*"/g, `"mediaLibraryId": "${mediaLibraryId}"`))
  expect(post.thread).toHaveLength(2)
  expect(await problemsOf([post])).toEqual([])
  const created = await api.create({ ...scheduled, socialSetId, posts: [post] })
  expect(created).toMatchObject({ status: 'SCHEDULED', posts: [{ thread: [{ media: [{ mediaLibraryId }] }, {}] }] })
})
