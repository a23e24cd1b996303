import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

async function patch(id: string, body: object): Promise<Body> {
  const answer = await api.request('PATCH', `/v1/post-sets/${id}`, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  expect((await api.request('GET', `/v1/post-sets/${id}`)).body).toEqual(answer.body)
  return answer.body
}
const versions = (id: string) =>
  api.db
    .selectFrom('post_sets')
    .select(['version', 'content_version', 'schedule_requested_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('the fields of a set', () => {
  test('states-19, post-sets-37, post-sets-38: omitted fields keep their values', async () => {
    const created = await api.create({ approval: 'PENDING' })
    const moved = await patch(created.id, { scheduledAt: '2031-01-01T12:00:00' })
    expect(moved).toEqual({
      ...created,
      scheduledAt: '2031-01-01T11:00:00.000Z',
      version: 2,
      updatedAt: moved.updatedAt,
    })
    const approved = await patch(created.id, { approval: 'APPROVED' })
    expect(approved).toEqual({ ...moved, approval: 'APPROVED', version: 3, updatedAt: approved.updatedAt })
  })

  test('service-04, service-08, service-09, resources-22, states-05, post-sets-39, publish-09: a draft is scheduled and parked again; approval never schedules', async () => {
    const { id } = await api.create()
    expect(await patch(id, { approval: 'APPROVED' })).toMatchObject({ status: 'DRAFT' })
    expect(await patch(id, { status: 'SCHEDULED' })).toMatchObject({ status: 'SCHEDULED' })
    expect(await patch(id, { approval: 'DENIED' })).toMatchObject({ status: 'SCHEDULED' })
    expect(await patch(id, { status: 'DRAFT' })).toMatchObject({ status: 'DRAFT', approval: 'DENIED' })
  })

  test('shape-36: what was read may be sent back, and writes nothing', async () => {
    const mediaId = await api.newMedia()
    const posts = [
      { ...BLUESKY_POST, media: [{ mediaLibraryId: mediaId, altText: 'a', tags: [{ x: 0.5, y: 0, text: 'me' }] }] },
      { ...INSTAGRAM_POST, media: [{ mediaLibraryId: mediaId }], videoCoverImage: 0.1 },
      { accountType: 'FACEBOOK', caption: 'ab', media: [], type: 'TEXT', richCaption: ['a', { text: 'b' }] },
    ]
    const { id } = await api.create({ posts })
    const read = (await api.request('GET', `/v1/post-sets/${id}`)).body
    const before = await versions(id)
    const sent = {
      ...read,
      posts: read.posts.map((post: Body) => ({ ...post, result: { status: 'POSTED' } })),
      repeat: null,
      seriesId: null,
      version: 9,
    }
    expect(await patch(id, sent)).toEqual(read)
    expect(await patch(id, {})).toEqual(read)
    expect(await versions(id)).toEqual(before)
    expect(await api.history(id)).toHaveLength(1)
  })

  test('shape-36: labels that were read may be sent back in any order', async () => {
    const { id } = await api.create()
    const labels = ['0192a000-0000-7000-8000-000000000001', '0192a000-0000-7000-8000-000000000002']
    const rows = labels.map((label) => ({ id: label, account_id: api.accountId, name: label }))
    await api.db.insertInto('labels').values(rows).execute()
    const marks = labels.map((label_id) => ({ post_set_id: id, label_id }))
    await api.db.insertInto('post_set_labels').values(marks).execute()
    await patch(id, { labelsId: labels.toReversed(), isLocked: false, socialSetId: api.socialSetId.toUpperCase() })
  })
})

describe('posts, the complete new list', () => {
  test('resources-27, post-sets-43, post-sets-44, post-sets-45, post-sets-46: a post with an id is kept, one without is new, one that is not named goes', async () => {
    const created = await api.create({ posts: [BLUESKY_POST, INSTAGRAM_POST] })
    const [bluesky, instagram] = created.posts
    const updated = await patch(created.id, {
      posts: [
        { ...INSTAGRAM_POST, id: instagram.id, caption: 'new' },
        { accountType: 'THREADS', caption: '', media: [] },
      ],
    })
    expect(updated.posts.map(({ accountType, caption }: Body) => [accountType, caption])).toEqual([
      ['INSTAGRAM', 'new'],
      ['THREADS', ''],
    ])
    expect(updated.posts[0].id).toBe(instagram.id)
    expect(updated.posts.map(({ id }: Body) => id)).not.toContain(bluesky.id)
  })

  test('a network field that a kept post leaves out is unset', async () => {
    const created = await api.create({ posts: [{ ...INSTAGRAM_POST, firstComment: 'first!' }] })
    const updated = await patch(created.id, { posts: [{ ...INSTAGRAM_POST, id: created.posts[0].id }] })
    expect(updated.posts[0]).toEqual({ ...created.posts[0], firstComment: null })
  })

  test('resources-49, post-sets-47, post-sets-48, post-sets-49: a media item is kept by its id with what is said of it, also when it moves; others go', async () => {
    const [one, two, three] = [await api.newMedia(), await api.newMedia(), await api.newMedia()]
    const created = await api.create({
      posts: [
        { ...BLUESKY_POST, media: [{ mediaLibraryId: one, altText: 'one' }, { mediaLibraryId: two }] },
        INSTAGRAM_POST,
      ],
    })
    const [bluesky, instagram] = created.posts
    const [first, second] = bluesky.media
    const updated = await patch(created.id, {
      posts: [
        { ...INSTAGRAM_POST, id: instagram.id, media: [{ mediaLibraryId: three }, { id: first.id.toUpperCase() }] },
        { ...BLUESKY_POST, id: bluesky.id, media: [] },
      ],
    })
    expect(updated.posts[0].media).toEqual([expect.objectContaining({ mediaLibraryId: three }), first])
    expect(updated.posts[1].media).toEqual([])
    const left = await api.db.selectFrom('post_media').select('id').where('id', '=', second.id).execute()
    expect(left).toEqual([])
  })

  test('post-sets-47: a media item survives when its post goes and it moves', async () => {
    const mediaId = await api.newMedia()
    const media = [{ mediaLibraryId: mediaId, title: 'kept' }]
    const created = await api.create({ posts: [{ ...BLUESKY_POST, media }] })
    const [item] = created.posts[0].media
    const updated = await patch(created.id, { posts: [{ ...INSTAGRAM_POST, media: [{ id: item.id }] }] })
    expect(updated.posts).toHaveLength(1)
    expect(updated.posts[0].media).toEqual([item])
  })

  test('resources-50: metadata of a kept item changes by name, null takes it away', async () => {
    const mediaId = await api.newMedia()
    const media = [{ mediaLibraryId: mediaId, altText: 'a', title: 't', tags: [{ x: 0, y: 0, text: 'me' }] }]
    const created = await api.create({ posts: [{ ...BLUESKY_POST, media }] })
    const [post] = created.posts
    const [item] = post.media
    const updated = await patch(created.id, {
      posts: [{ ...BLUESKY_POST, id: post.id, media: [{ id: item.id, altText: null, link: 'l', tags: null }] }],
    })
    expect(updated.posts[0].media).toEqual([{ ...item, altText: null, link: 'l', tags: [] }])
  })

  test('posts change places', async () => {
    const created = await api.create({ posts: [BLUESKY_POST, INSTAGRAM_POST] })
    const posts = created.posts.toReversed()
    expect((await patch(created.id, { posts })).posts).toEqual(posts)
  })

  test('publish-17: an item that is closed in the library stays in the set that has it', async () => {
    const mediaId = await api.newMedia()
    const created = await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: mediaId }] }] })
    await api.db.updateTable('media_items').set({ closed_at: new Date() }).where('id', '=', mediaId).execute()
    const [post] = created.posts
    const updated = await patch(created.id, { posts: [{ ...post, caption: 'changed' }] })
    expect(updated.posts).toEqual([{ ...post, caption: 'changed' }])
  })
})

describe('versions, times and history', () => {
  test('every change raises the version, a change of posts that of the content', async () => {
    const { id, posts } = await api.create()
    const version = async () => {
      const row = await versions(id)
      return [row.version, row.content_version]
    }
    expect(await version()).toEqual([1, 1])
    await patch(id, { approval: 'PENDING' })
    expect(await version()).toEqual([2, 1])
    await patch(id, { scheduledAt: '2031-01-01T00:00:00Z' })
    expect(await version()).toEqual([3, 1])
    await patch(id, { posts: [{ ...posts[0], caption: 'changed' }], status: 'SCHEDULED' })
    expect(await version()).toEqual([4, 2])
  })

  test('resources-20, publish-03: lateness counts from the request that scheduled the set or moved it', async () => {
    await api.setClock('2029-01-01T00:00:00Z')
    const { id } = await api.create()
    const at = async (time: string, body: object) => {
      await api.setClock(time)
      await patch(id, body)
      const row = await versions(id)
      return [row.schedule_requested_at.toISOString(), row.updated_at.toISOString()].map((text) => text.slice(0, 10))
    }
    expect(await at('2029-01-02T00:00:00Z', { scheduledAt: '2031-01-01T00:00:00Z' })).toEqual([
      '2029-01-01',
      '2029-01-02',
    ])
    expect(await at('2029-01-03T00:00:00Z', { status: 'SCHEDULED' })).toEqual(['2029-01-03', '2029-01-03'])
    expect(await at('2029-01-04T00:00:00Z', { approval: 'PENDING' })).toEqual(['2029-01-03', '2029-01-04'])
    expect(await at('2029-01-05T00:00:00Z', { scheduledAt: '2032-01-01T00:00:00Z' })).toEqual([
      '2029-01-05',
      '2029-01-05',
    ])
    expect(await at('2029-01-06T00:00:00Z', { status: 'DRAFT' })).toEqual(['2029-01-05', '2029-01-06'])
    await api.setClock(null)
  })

  test('service-24, states-10, auth-16, publish-22: history records what changed, and by which key', async () => {
    const { id, posts } = await api.create()
    const key = await api.newKey({ scopes: ['post-sets:write', 'post-sets:publish'] })
    const body = { status: 'SCHEDULED', posts: [{ ...posts[0], caption: 'two' }] }
    await api.request('PATCH', `/v1/post-sets/${id}`, { key, body })
    await patch(id, { status: 'DRAFT' })
    await patch(id, { approval: 'DENIED' })
    const [, ...rest] = await api.history(id)
    expect(rest).toEqual([
      {
        action: 'scheduled',
        actor_type: 'API_KEY',
        actor_name: 'Key of 2 scopes',
        changes: {
          status: { from: 'DRAFT', to: 'SCHEDULED' },
          posts: {
            changed: [{ id: posts[0].id, accountType: 'BLUESKY', fields: { caption: { from: 'hello', to: 'two' } } }],
          },
        },
      },
      {
        action: 'moved to drafts',
        actor_type: 'API_KEY',
        actor_name: 'Key of 5 scopes',
        changes: { status: { from: 'SCHEDULED', to: 'DRAFT' } },
      },
      {
        action: 'updated',
        actor_type: 'API_KEY',
        actor_name: 'Key of 5 scopes',
        changes: { approval: { from: 'NONE', to: 'DENIED' } },
      },
    ])
  })
})

describe('a locked set', () => {
  test('publish-20: may be parked, by a request that says nothing else', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    await api.db.updateTable('post_sets').set({ locked_at: new Date() }).where('id', '=', id).execute()
    expect(await patch(id, { status: 'DRAFT' })).toMatchObject({ status: 'DRAFT', isLocked: true })
  })
})

describe('rules of scheduled posts', () => {
  test('publish-08: are not asked again for what does not change', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    const set = { status: 'RECONNECT_REQUIRED' as const }
    await api.db.updateTable('connections').set(set).where('social_set_id', '=', api.socialSetId).execute()
    try {
      await patch(id, { approval: 'PENDING' })
      await patch(id, { status: 'SCHEDULED', scheduledAt: '2030-06-01T10:00:00Z' })
      await patch(id, { status: 'DRAFT' })
    } finally {
      await api.db.updateTable('connections').set({ status: 'CONNECTED' }).execute()
    }
  })
})
