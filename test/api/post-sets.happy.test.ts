import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const read = async (id: string) => (await api.request('GET', `/v1/post-sets/${id}`)).body

describe('create', () => {
  test('service-04, resources-01, resources-02, resources-11, resources-13, resources-14, resources-51, post-sets-14, post-sets-19, limits-12, shape-03, shape-11, shape-12, shape-13, shape-59, shape-66: a draft is answered as it is stored, optional fields as null', async () => {
    const mediaId = await api.newMedia()
    const created = await api.create({
      posts: [
        BLUESKY_POST,
        {
          ...INSTAGRAM_POST,
          media: [{ mediaLibraryId: mediaId, altText: 'a cat', tags: [{ x: 0, y: 1, text: 'me' }] }],
          audio: null,
          richCaption: [],
          title: '',
          board: null,
        },
      ],
    })
    const url = expect.stringMatching(new RegExp(`^https://almanac.test/media/${mediaId}/original\\?e=\\d+&s=`))
    const thumbnailUrl = expect.stringMatching(new RegExp(`^https://almanac.test/media/${mediaId}/thumbnail\\?`))
    expect(created).toEqual({
      id: expect.stringMatching(ID),
      socialSetId: api.socialSetId,
      scheduledAt: '2030-06-01T10:00:00.000Z',
      status: 'DRAFT',
      posts: [
        {
          id: expect.stringMatching(ID),
          accountType: 'BLUESKY',
          caption: 'hello',
          options: null,
          fit: 'REFUSE',
          media: [],
        },
        {
          id: expect.stringMatching(ID),
          accountType: 'INSTAGRAM',
          caption: 'hello',
          type: 'IMAGE',
          collaborators: [],
          firstComment: null,
          audio: null,
          audioName: null,
          videoCoverImage: null,
          options: null,
          fit: 'REFUSE',
          media: [
            {
              id: expect.stringMatching(ID),
              mediaLibraryId: mediaId,
              altText: 'a cat',
              title: null,
              description: null,
              link: null,
              tags: [{ x: 0, y: 1, text: 'me' }],
              crop: null,
              type: 'IMAGE',
              url,
              thumbnailUrl,
              width: 1080,
              height: 1080,
              durationMs: null,
            },
          ],
        },
      ],
      labelsId: [],
      approval: 'NONE',
      isLocked: false,
      version: 1,
      createdAt: expect.stringMatching(TIME),
      updatedAt: expect.stringMatching(TIME),
    })
    expect(await read(created.id)).toEqual(created)
  })

  test('service-05, service-06, post-sets-24, limits-09, shape-61, shape-63: every account type with all of its fields', async () => {
    const richCaption = ['a', { text: 'b', mention: { id: '1', name: 'Me' } }, { text: 'c', mention: null }]
    const posts = [
      { ...INSTAGRAM_POST, firstComment: 'f', audio: 'a', audioName: 'n', videoCoverImage: 1.5, collaborators: ['x'] },
      { accountType: 'FACEBOOK', caption: 'abc', media: [], type: 'TEXT', richCaption, videoCoverImageSeconds: 0 },
      { accountType: 'TWITTER', caption: '', media: [] },
      { accountType: 'LINKEDIN_PAGE', caption: 'abc', media: [], richCaption },
      { accountType: 'LINKEDIN_PERSONAL', caption: '', media: [], richCaption: [] },
      { accountType: 'GMB', caption: '', media: [], ctaType: 'SHOP', ctaUrl: 'https://shop.example' },
      { accountType: 'PINTEREST', caption: '', media: [], title: '', website: '', board: { id: '1', name: 'B' } },
      { accountType: 'TIKTOK', caption: '', media: [] },
      { accountType: 'YOUTUBE', caption: '', media: [], title: 't', privacy: 'UNLISTED' },
      { accountType: 'THREADS', caption: '', media: [] },
      BLUESKY_POST,
    ]
    const created = await api.create({ posts })
    expect(created.posts.map(({ id: _, ...post }: Body) => post)).toEqual(
      posts.map((post) => ({ ...post, options: null, fit: 'REFUSE' })),
    )
  })

  test.each([
    ['2030-06-01T10:00:00+02:00', '2030-06-01T08:00:00.000Z'],
    ['2030-06-01T10:00:00', '2030-06-01T08:00:00.000Z'],
    ['2030-06-01', '2030-05-31T22:00:00.000Z'],
    ['2030-06-01T10:00:00.1239Z', '2030-06-01T10:00:00.123Z'],
    ['2000-01-01T00:00:00Z', '2000-01-01T00:00:00.000Z'],
    ['2100-12-31T23:59:59.999Z', '2100-12-31T23:59:59.999Z'],
  ])(
    'shape-05, shape-06, shape-09, shape-10: %s is read in the timezone of the social set',
    async (given, expected) => {
      expect((await api.create({ scheduledAt: given })).scheduledAt).toBe(expected)
    },
  )

  test('states-09, publish-01: a set may be scheduled in the past, and in the future', async () => {
    for (const scheduledAt of ['2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z']) {
      expect(await api.create({ status: 'SCHEDULED', scheduledAt })).toMatchObject({ status: 'SCHEDULED' })
    }
  })

  test('states-02, post-sets-32, shape-68: a draft may break every rule of a network', async () => {
    const posts = [
      { ...BLUESKY_POST, caption: 'x'.repeat(5_000) },
      BLUESKY_POST,
      { ...INSTAGRAM_POST, type: 'REEL' },
      { accountType: 'LINKEDIN_PAGE', caption: 'a', media: [], richCaption: ['b'] },
    ]
    expect((await api.create({ posts })).posts).toHaveLength(4)
  })

  test('resources-18, states-18, post-sets-26: repeat may be null, and every approval is taken', async () => {
    for (const approval of ['NONE', 'PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED']) {
      expect(await api.create({ approval, repeat: null })).toMatchObject({ approval, status: 'DRAFT' })
    }
  })

  test('service-23, auth-16: history names the key that created the set', async () => {
    const { id } = await api.create({ approval: 'PENDING' })
    expect(await api.history(id)).toEqual([
      {
        action: 'created',
        actor_type: 'API_KEY',
        actor_name: 'Key of 5 scopes',
        changes: {
          status: 'DRAFT',
          approval: 'PENDING',
          scheduledAt: '2030-06-01T10:00:00.000Z',
          accountTypes: ['BLUESKY'],
        },
      },
    ])
  })
})

describe('read', () => {
  test('service-21, resources-33, resources-56, resources-57, shape-13: results of the present content are answered, with what they have', async () => {
    const created = await api.create({ posts: [BLUESKY_POST, INSTAGRAM_POST] })
    const posted = { status: 'POSTED', providerId: 'p1', permalink: 'https://social.example/p1' }
    const failed = { status: 'FAILED', reason: 'UNKNOWN', message: 'It did not work.' }
    await api.db
      .insertInto('deliveries')
      .values(
        [
          { post: 0, contentVersion: 1, result: posted },
          { post: 1, contentVersion: 1, result: failed },
          { post: 0, contentVersion: 0, result: failed },
        ].map(({ post, contentVersion, result }) => ({
          id: newId(),
          post_set_id: created.id,
          post_id: created.posts[post].id,
          content_version: contentVersion,
          account_type: created.posts[post].accountType,
          state: 'DONE' as const,
          next_at: new Date(),
          gives_up_at: new Date(),
          result: JSON.stringify(result),
        })),
      )
      .execute()
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', created.id).execute()
    const { status, posts } = await read(created.id)
    expect(status).toBe('PUBLISHED')
    expect(posts.map(({ result }: Body) => result)).toEqual([posted, failed])
  })

  test('resources-17, resources-19: labels and the lock are shown; an id may be written in capitals', async () => {
    const { id } = await api.create()
    const labels = [newId(), newId()].sort()
    const rows = labels.map((label) => ({ id: label, account_id: api.accountId, name: label }))
    await api.db.insertInto('labels').values(rows).execute()
    const marks = labels.toReversed().map((label_id) => ({ post_set_id: id, label_id }))
    await api.db.insertInto('post_set_labels').values(marks).execute()
    await api.db.updateTable('post_sets').set({ locked_at: new Date() }).where('id', '=', id).execute()
    expect(await read(id.toUpperCase())).toMatchObject({ id, labelsId: labels, isLocked: true })
  })

  test('the address of an item is the one that the media library gives, without a thumbnail when there is none', async () => {
    const mediaId = await api.newMedia()
    await api.db.updateTable('media_items').set({ thumbnail_key: null }).where('id', '=', mediaId).execute()
    const { posts } = await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: mediaId }] }] })
    const item = (await api.request('GET', `/v1/media-library/${mediaId}`)).body
    expect(posts[0].media[0]).toMatchObject({ url: item.url, thumbnailUrl: null })
  })

  test('HEAD answers what GET would', async () => {
    const { id } = await api.create()
    const head = await api.request('HEAD', `/v1/post-sets/${id}`)
    expect(head.status).toBe(200)
    expect(head.body).toBe('')
    expect(Number(head.headers.get('content-length'))).toBe(JSON.stringify(await read(id)).length)
  })
})
