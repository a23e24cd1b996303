import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** Creates a draft with one post and gives the post as it is read afterwards. */
async function kept(post: object): Promise<Body> {
  const { id, posts } = await api.create({ posts: [{ caption: '', media: [], ...post }] })
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body.posts).toEqual(posts)
  const [{ id: _, accountType, caption, media, ...fields }] = posts
  return fields
}

/** What each account type demands, with empty texts, and what else there is. */
const FIELDS: [accountType: string, required: object, optional: object][] = [
  ['FACEBOOK', { type: 'TEXT', richCaption: [] }, { videoCoverImageSeconds: null }],
  [
    'INSTAGRAM',
    { type: 'IMAGE', collaborators: [] },
    { firstComment: null, audio: null, audioName: null, videoCoverImage: null },
  ],
  ['LINKEDIN_PAGE', { richCaption: [] }, {}],
  ['LINKEDIN_PERSONAL', { richCaption: [] }, {}],
  ['GMB', { ctaType: 'NONE' }, { ctaUrl: null }],
  ['PINTEREST', { title: '', website: '' }, { board: null }],
  ['YOUTUBE', { title: '', privacy: 'PUBLIC' }, {}],
  ['TWITTER', {}, {}],
  ['TIKTOK', {}, {}],
  ['THREADS', {}, {}],
  ['BLUESKY', {}, {}],
]

describe('the fields of a post', () => {
  test.each(FIELDS)(
    'resources-35, resources-36, resources-38, resources-39, resources-40, resources-42, resources-43, resources-44, resources-46, shape-64, shape-65: %s: what is required is enough, what is optional is null then',
    async (accountType, required, optional) => {
      const all = { ...required, ...optional, options: null, fit: 'REFUSE' }
      expect(await kept({ accountType, ...required })).toEqual(all)
      expect(await kept({ accountType, ...all })).toEqual(all)
    },
  )

  test.each([
    ['FACEBOOK', 'type', ['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL', 'MULTI_IMAGE', 'REEL', 'STORY']],
    ['INSTAGRAM', 'type', ['IMAGE', 'CAROUSEL', 'REEL', 'STORY']],
    ['GMB', 'ctaType', ['NONE', 'SIGN_UP', 'CALL', 'SHOP', 'LEARN_MORE', 'ORDER', 'BOOK']],
    ['YOUTUBE', 'privacy', ['PUBLIC', 'PRIVATE', 'UNLISTED']],
  ])('resources-34, resources-37, resources-41, resources-45: %s: every %s', async (accountType, field, values) => {
    const [, required] = FIELDS.find(([name]) => name === accountType) ?? []
    for (const value of values) {
      expect(await kept({ accountType, ...required, [field]: value })).toMatchObject({ [field]: value })
    }
  })

  test.each<[string, object]>([
    ['FACEBOOK', { videoCoverImageSeconds: 0 }],
    ['FACEBOOK', { videoCoverImageSeconds: 12.75 }],
    ['INSTAGRAM', { collaborators: ['ann', 'bo'] }],
    ['INSTAGRAM', { firstComment: 'First!' }],
    ['INSTAGRAM', { audio: '258421' }],
    ['INSTAGRAM', { audioName: 'Oven' }],
    ['INSTAGRAM', { videoCoverImage: 0 }],
    ['INSTAGRAM', { videoCoverImage: 1.5 }],
    ['GMB', { ctaUrl: 'https://shop.example' }],
    ['PINTEREST', { board: { id: '1', name: 'Bread' } }],
  ])(
    'resources-36, resources-39, resources-42, resources-44, shape-64: %s takes %j alone',
    async (accountType, optional) => {
      const [, required] = FIELDS.find(([name]) => name === accountType) ?? []
      expect(await kept({ accountType, ...required, ...optional })).toMatchObject(optional)
    },
  )

  test('resources-47: a rich caption of one segment that holds the caption can be scheduled', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['LINKEDIN_PAGE', 'FACEBOOK'] })
    const caption = 'Fresh bread, every day'
    const posts = [
      { accountType: 'LINKEDIN_PAGE', caption, media: [], richCaption: [caption] },
      { accountType: 'FACEBOOK', type: 'TEXT', caption, media: [], richCaption: [{ text: caption }] },
    ]
    expect(await api.create({ socialSetId, status: 'SCHEDULED', posts })).toMatchObject({ status: 'SCHEDULED', posts })
  })
})

test('resources-50, resources-52, resources-53, limits-12, publish-13: what is said of a media item is kept, tags at the edges of the image included', async () => {
  const mediaLibraryId = await api.newMedia()
  const said = {
    altText: 'a loaf',
    title: 'Bread',
    description: 'Rye',
    link: 'https://bread.example',
    tags: [
      { x: 0, y: 0, text: 'ann' },
      { x: 1, y: 1, text: 'bo' },
      { x: 0.333, y: 0.5, text: 'kai' },
    ],
  }
  const { posts } = await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId, ...said }] }] })
  expect(posts[0].media[0]).toMatchObject(said)
})
