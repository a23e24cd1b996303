import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

/** The part of a picture that a post shows. */

let api: Api
let mediaId: string
beforeAll(async () => {
  api = await startApi()
  mediaId = await api.newMedia()
})
afterAll(() => api.close())

const CROP = { x: 0.1, y: 0, width: 0.5, height: 0.75 }
const posts = (crop: unknown, more: object = {}) => [
  { accountType: 'BLUESKY', caption: '', media: [{ mediaLibraryId: mediaId, crop, ...more }] },
]
const create = (given: object[], more: object = {}) =>
  api.request('POST', '/v1/post-sets', { body: { ...api.draft({ posts: given, ...more }) } })
const cropOf = ({ posts: [post] }: Body) => post.media[0].crop

describe('stored and answered', () => {
  test('null without one; else as sent, and what was read can be sent back', async () => {
    expect(cropOf((await create(posts(undefined))).body)).toBeNull()
    const { body } = await create(posts(CROP))
    expect(cropOf(body)).toEqual(CROP)
    const path = `/v1/post-sets/${body.id}`
    expect((await api.request('GET', path)).body).toEqual(body)
    const back = await api.request('PATCH', path, { body: { posts: body.posts } })
    expect([back.status, back.body]).toEqual([200, body])
  })

  test('an item that is kept keeps it until it is null, and history has both', async () => {
    const { body } = await create(posts(CROP))
    const path = `/v1/post-sets/${body.id}`
    const [post] = body.posts
    const [{ id }] = post.media
    const change = (media: object) =>
      api.request('PATCH', path, {
        body: { posts: [{ id: post.id, accountType: 'BLUESKY', caption: '', media: [media] }] },
      })
    expect(cropOf((await change({ id })).body)).toEqual(CROP)
    expect(cropOf((await change({ id, crop: null })).body)).toBeNull()
    const { changes } = await api.db
      .selectFrom('history')
      .select('changes')
      .where('post_set_id', '=', body.id)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow()
    expect(changes).toMatchObject({
      posts: { changed: [{ fields: { media: { from: [{ crop: CROP }], to: [{ crop: null }] } } }] },
    })
  })

  test('every set of a series has it', async () => {
    const { body } = await create(posts(CROP), { repeat: { interval: 'DAY', occurrences: 3 } })
    const rows = await api.db
      .selectFrom('post_media')
      .innerJoin('posts', 'posts.id', 'post_media.post_id')
      .innerJoin('post_sets', 'post_sets.id', 'posts.post_set_id')
      .select('post_media.crop')
      .where('post_sets.series_id', '=', body.seriesId)
      .execute()
    expect(rows).toEqual([{ crop: CROP }, { crop: CROP }, { crop: CROP }])
  })
})

test.each<[string, unknown, string]>([
  ['no width', { x: 0, y: 0, height: 1 }, '.width'],
  ['no area', { x: 0, y: 0, width: 0, height: 1 }, '.width'],
  ['over the right edge', { x: 0.6, y: 0, width: 0.5, height: 1 }, ''],
  ['over the lower edge', { x: 0, y: 0.01, width: 1, height: 1 }, ''],
  ['pixels', { x: 0, y: 0, width: 1080, height: 1080 }, '.width'],
  ['an unknown field', { ...CROP, angle: 3 }, '.angle'],
  ['a text', 'square', ''],
])('%s is refused', async (_what, crop, path) => {
  const { status, body } = await create(posts(crop))
  expect(status).toBe(400)
  expect(body.errors[0]).toMatchObject({ code: 'request:invalid_body', path: `posts[0].media[0].crop${path}` })
})

test('parts that a computer rounds to a little more than 1 are taken', async () => {
  expect((await create(posts({ x: 0.1 + 0.2, y: 0, width: 0.7, height: 1 }))).status).toBe(201)
})

describe('when it is scheduled', () => {
  const validate = async (id: string, post: object) => {
    const socialSetId = await api.newSocialSet({ connected: ['INSTAGRAM'] })
    const media = [{ mediaLibraryId: id, ...post }]
    const instagram = { accountType: 'INSTAGRAM', type: 'IMAGE', collaborators: [], caption: '', media }
    const of = await api.db.selectFrom('media_items').select('facts').where('id', '=', id).executeTakeFirstOrThrow()
    const own = await api.newMedia({ socialSetId, facts: of.facts })
    const body = {
      ...api.draft({ posts: [{ ...instagram, media: [{ mediaLibraryId: own, ...post }] }], status: 'SCHEDULED' }),
      socialSetId,
    }
    return (await api.request('POST', '/v1/post-sets/validate', { body })).body.problems
  }

  test('rules go by the part: a picture too wide for Instagram fits when it is cropped', async () => {
    const wide = await api.newMedia({ facts: { width: 3000, height: 1000 } })
    expect(await validate(wide, {})).toMatchObject([{ code: 'post:media_ratio' }])
    expect(await validate(wide, { crop: { x: 0.25, y: 0, width: 0.5, height: 1 } })).toEqual([])
    const square = await api.newMedia()
    expect(await validate(square, { crop: { x: 0, y: 0, width: 1, height: 0.3 } })).toMatchObject([
      { code: 'post:media_ratio' },
    ])
  })

  test.each([
    ['a video', { type: 'VIDEO', mimeType: 'video/mp4', durationMs: 5000, videoCodec: 'avc', frameRate: 30 } as const],
    ['an animated picture', { mimeType: 'image/gif', animated: true }],
  ])('%s cannot be cropped', async (_what, facts) => {
    expect(await validate(await api.newMedia({ facts }), { crop: CROP })).toContainEqual(
      expect.objectContaining({ code: 'post:field_invalid', path: 'posts[0].media[0].crop' }),
    )
  })
})
