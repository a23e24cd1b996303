import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Answer, type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const post = (body: unknown) => api.request('POST', '/v1/post-sets', { body })
const patch = (id: string, body: unknown) => api.request('PATCH', `/v1/post-sets/${id}`, { body })
const reported = ({ status, body }: Answer) => [
  status,
  body.code,
  ...body.errors.map(({ code, path }: Body) => (code === body.code ? path : `${code} at ${path}`)),
]
const invalid = (...paths: string[]) => [400, 'request:invalid_body', ...paths]

describe('the shape of a new set', () => {
  test.each<[string, object, string[]]>([
    ['an unknown field', { extra: 1 }, ['extra']],
    ['a field of answers', { id: newId(), createdAt: '2026-01-01T00:00:00Z' }, ['id', 'createdAt']],
    ['a status that only the publisher gives', { status: 'PUBLISHED' }, ['status']],
    ['an approval that there is not', { approval: 'MAYBE' }, ['approval']],
    ['no posts', { posts: [] }, ['posts']],
    ['posts that are no list', { posts: {} }, ['posts']],
    ['twelve posts', { posts: Array.from({ length: 12 }, () => BLUESKY_POST) }, ['posts']],
    ['a time that is none', { scheduledAt: '2030-02-30T10:00:00Z' }, ['scheduledAt']],
    ['a time before 2000', { scheduledAt: '1999-12-31T23:59:59.999Z' }, ['scheduledAt']],
    ['a time after 2100', { scheduledAt: '2101-01-01T00:00:00Z' }, ['scheduledAt']],
    ['a number as time', { scheduledAt: 1_900_000_000 }, ['scheduledAt']],
    ['a null', { scheduledAt: null, approval: null }, ['scheduledAt', 'approval']],
    ['text with NUL', { posts: [{ ...BLUESKY_POST, caption: 'a\0' }] }, ['posts[0].caption']],
    ['half of a character', { posts: [{ ...BLUESKY_POST, caption: '\ud83d' }] }, ['posts[0].caption']],
    ['a post that is none', { posts: [null, 'x', []] }, ['posts[0]', 'posts[1]', 'posts[2]']],
    ['no account type', { posts: [{ caption: '', media: [] }] }, ['posts[0].accountType']],
    ['an unknown account type', { posts: [{ ...BLUESKY_POST, accountType: 'MYSPACE' }] }, ['posts[0].accountType']],
    ['a missing caption and media', { posts: [{ accountType: 'BLUESKY' }] }, ['posts[0].caption', 'posts[0].media']],
    ['a caption that is null', { posts: [{ ...BLUESKY_POST, caption: null }] }, ['posts[0].caption']],
    [
      'required fields of a network',
      { posts: [{ accountType: 'INSTAGRAM', caption: '', media: [] }] },
      ['posts[0].type', 'posts[0].collaborators'],
    ],
    [
      'values that a network does not have',
      { posts: [{ ...INSTAGRAM_POST, type: 'TEXT', videoCoverImage: -1, audio: 3 }] },
      ['posts[0].type', 'posts[0].videoCoverImage', 'posts[0].audio'],
    ],
    [
      'fields of another network',
      {
        posts: [{ ...BLUESKY_POST, title: 'x', richCaption: ['x'], collaborators: [], board: { id: '1', name: 'B' } }],
      },
      ['posts[0].richCaption', 'posts[0].title', 'posts[0].board'],
    ],
    ['an unknown field of a post', { posts: [{ ...BLUESKY_POST, colour: null }] }, ['posts[0].colour']],
    ['a result', { posts: [{ ...BLUESKY_POST, result: {} }] }, ['posts[0].result']],
    [
      'media without an id, with measures, with unknown fields',
      { posts: [{ ...BLUESKY_POST, media: [{}, { mediaLibraryId: newId(), width: 1, size: 2 }] }] },
      ['posts[0].media[1].width', 'posts[0].media[1].size', 'posts[0].media[0].mediaLibraryId'],
    ],
    [
      'tags outside of the image',
      { posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: newId(), tags: [{ x: 1.1, y: -0.1, text: '' }] }] }] },
      ['posts[0].media[0].tags[0].x', 'posts[0].media[0].tags[0].y', 'posts[0].media[0].tags[0].text'],
    ],
    [
      'segments of a rich caption',
      { posts: [{ accountType: 'LINKEDIN_PAGE', caption: '', media: [], richCaption: ['a', 3, { text: 4 }] }] },
      ['posts[0].richCaption[1]', 'posts[0].richCaption[2].text'],
    ],
  ])(
    'resources-18, resources-28, resources-30, resources-32, resources-33, post-sets-22, post-sets-23, post-sets-24, limits-09, limits-12, shape-08, shape-10, shape-34, shape-61, shape-66, shape-67, problem-11: %s',
    async (_, more, paths) => {
      const [status, code, ...found] = reported(await post(api.draft(more)))
      expect([status, code, ...found.toSorted()]).toEqual(invalid(...paths.toSorted()))
    },
  )

  test('post-sets-21, post-sets-22, post-sets-23, post-sets-26, problem-04, problem-06, problem-08: missing fields, and all problems at once, each with its place and account type', async () => {
    expect(reported(await post({}))).toEqual(invalid('socialSetId', 'scheduledAt', 'status', 'posts', 'approval'))
    const { body } = await post({
      socialSetId: api.socialSetId,
      scheduledAt: 'soon',
      posts: [
        { ...BLUESKY_POST, caption: 1 },
        { ...INSTAGRAM_POST, media: [{ mediaLibraryId: 2 }] },
      ],
    })
    expect(body.errors.map(({ path, pointer, accountType }: Body) => [path, pointer, accountType])).toEqual([
      ['status', '#/status', undefined],
      ['approval', '#/approval', undefined],
      ['posts[0].caption', '#/posts/0/caption', 'BLUESKY'],
      ['posts[1].media[0].mediaLibraryId', '#/posts/1/media/0/mediaLibraryId', 'INSTAGRAM'],
      ['scheduledAt', '#/scheduledAt', undefined],
    ])
    expect(body.detail).toBe(body.message)
  })

  test.each([null, 'text', 3, [], true].map((body) => [JSON.stringify(body), body]))(
    'a body that is %s',
    async (_, body) => {
      expect(reported(await post(body))).toEqual(invalid(''))
    },
  )

  test('a social set that is no string is a matter of shape', async () => {
    for (const socialSetId of [3, null, ['x'], { id: 1 }]) {
      expect(reported(await post(api.draft({ socialSetId })))).toEqual(invalid('socialSetId'))
    }
  })

  test('problem-17: references to what only an update can keep', async () => {
    const media = [{ id: newId() }, { id: newId(), mediaLibraryId: newId() }]
    expect(reported(await post(api.draft({ posts: [{ ...BLUESKY_POST, id: newId(), media }] })))).toEqual([
      400,
      'post-set:unknown_reference',
      'posts[0].id',
      'posts[0].media[0].id',
      'posts[0].media[1].id',
    ])
    const created = await api.create({ posts: [{ ...BLUESKY_POST, id: null, media: [] }] })
    expect(created.posts).toHaveLength(1)
  })
})

describe('what is not there', () => {
  test('post-sets-15, post-sets-52, errors-10, shape-04, problem-26: a set, with any form of id', async () => {
    for (const id of [newId(), 'x', '1', '..%2f', '%00', 'a'.repeat(2_000), `${newId()}0`]) {
      expect(reported(await api.request('GET', `/v1/post-sets/${id}`))).toEqual([404, 'post-set:not_found'])
      expect(reported(await patch(id, {}))).toEqual([404, 'post-set:not_found'])
    }
  })

  test('shape-04, problem-27: a social set, with any form of id', async () => {
    for (const id of [newId(), 'x', '', '\0']) {
      expect(reported(await post(api.draft({ socialSetId: id })))).toEqual([404, 'social-set:not_found'])
    }
    for (const id of [newId(), 'x', '']) {
      const answer = await api.request('GET', `/v1/post-sets?socialSetId=${id}`)
      expect(reported(answer)).toEqual([404, 'social-set:not_found'])
    }
  })
})

describe('the query of a list', () => {
  test.each([
    ['', ['socialSetId']],
    ['page=0', ['page']],
    ['page=1.5', ['page']],
    ['page=', ['page']],
    ['page=-1&size=0', ['page', 'size']],
    ['size=101', ['size']],
    ['page=101&size=100', ['page']],
    ['page=1&page=2', ['page']],
    ['colour=red&filters[colour]=red&sort[status]=ASC', ['colour', 'filters[colour]', 'sort[status]']],
    ['filters[status][]=GONE&filters[approval][]=MAYBE', ['filters[status][]', 'filters[approval][]']],
    ['filters[status][][x]=DRAFT', ['filters[status][][x]']],
    ['filters[socialNetworks]=LINKEDIN_PAGE', ['filters[socialNetworks]']],
    ['filters[search]=ab', ['filters[search]']],
    ['filters[search]=%F0%9F%98%80%F0%9F%98%80', ['filters[search]']],
    ['filters[startDate]=soon&filters[endDate]=2030-02-30', ['filters[startDate]', 'filters[endDate]']],
    ['filters[startDate]=2030-01-01T00:00:00+01:00', ['filters[startDate]']],
    ['filters[startDate]=2030-01-02&filters[endDate]=2030-01-01', ['filters[startDate]']],
    ['sort[scheduledAt]=asc', ['sort[scheduledAt]']],
    ['sort[scheduledAt]=ASC&sort[scheduledAt]=DESC', ['sort[scheduledAt]']],
  ])(
    'post-sets-01, post-sets-05, post-sets-10, post-sets-11, limits-10, shape-15, shape-16, shape-30, shape-31, shape-35, problem-12: %s',
    async (query, paths) => {
      const given = query === '' ? '' : `socialSetId=${api.socialSetId}&${query}`
      const answer = await api.request('GET', `/v1/post-sets?${given}`)
      expect(reported(answer)).toEqual([400, 'request:invalid_query', ...paths])
    },
  )

  test.each(['%zz', 'filters[search]=%ff', `${'a=1&'.repeat(501)}`, 'filters[search]=a%00bc'])(
    'not well written: %s',
    async (query) => {
      const answer = await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}&${query}`)
      expect(reported(answer)).toEqual([400, 'request:invalid_query'])
    },
  )
})

describe('a change', () => {
  test('shape-39: of what is read-only', async () => {
    const { id } = await api.create()
    const body = { id: newId(), socialSetId: newId(), labelsId: [newId()], isLocked: true, seriesId: newId() }
    expect(reported(await patch(id, body))).toEqual(invalid('id', 'socialSetId', 'labelsId', 'isLocked', 'seriesId'))
  })

  test('post-sets-39: of another shape', async () => {
    const { id } = await api.create()
    expect(reported(await patch(id, { status: 'PUBLISHING' }))).toEqual(invalid('status'))
    expect(reported(await patch(id, { posts: [], scheduledAt: 'soon', x: 1 }))).toEqual(
      invalid('x', 'posts', 'scheduledAt'),
    )
    expect(reported(await patch(id, []))).toEqual(invalid(''))
  })

  test('resources-29, post-sets-44, post-sets-50, errors-14, shape-60, problem-16, problem-17, problem-18: of references', async () => {
    const mediaId = await api.newMedia()
    const created = await api.create({
      posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: mediaId }] }, INSTAGRAM_POST],
    })
    const other = await api.create({ posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: mediaId }] }] })
    const [bluesky, instagram] = created.posts
    const [item] = bluesky.media
    const change = async (...posts: object[]) => reported(await patch(created.id, { posts }))
    const code = (name: string) => `post-set:${name}`

    expect(await change({ ...BLUESKY_POST, id: bluesky.id }, { ...BLUESKY_POST, id: bluesky.id })).toEqual([
      400,
      code('duplicate_references'),
      'posts[1].id',
    ])
    expect(await change({ ...BLUESKY_POST, media: [{ id: item.id }, { id: item.id.toUpperCase() }] })).toEqual([
      400,
      code('duplicate_references'),
      'posts[0].media[1].id',
    ])
    expect(
      await change({ ...BLUESKY_POST, id: other.posts[0].id, media: [{ id: other.posts[0].media[0].id }] }),
    ).toEqual([400, code('unknown_reference'), 'posts[0].id', 'posts[0].media[0].id'])
    expect(await change({ ...BLUESKY_POST, id: instagram.id })).toEqual([
      400,
      code('account_type_not_updatable'),
      'posts[0].accountType',
    ])
    expect(await change({ ...BLUESKY_POST, media: [{ id: item.id, mediaLibraryId: newId() }] })).toEqual(
      invalid('posts[0].media[0].mediaLibraryId'),
    )
    const nothing = (await api.request('GET', `/v1/post-sets/${created.id}`)).body
    expect(nothing).toEqual(created)
  })
})

describe('posts that cannot be published', () => {
  const problems = ({ status, body }: Answer) => [
    status,
    body.code,
    ...body.errors.map(({ code, path, accountType }: Body) => `${code} at ${path} (${accountType})`),
  ]

  test('resources-31, resources-32, states-04, states-09, post-sets-33, errors-02, errors-13, shape-62, problem-07, problem-08, problem-37, problem-40, problem-41: all problems of all posts, with the numbers at stake', async () => {
    const posts = [
      { ...BLUESKY_POST, caption: 'x'.repeat(301) },
      BLUESKY_POST,
      { accountType: 'LINKEDIN_PAGE', caption: 'ab', media: [], richCaption: ['a'] },
      INSTAGRAM_POST,
    ]
    const answer = await post(api.draft({ status: 'SCHEDULED', posts }))
    expect(problems(answer)).toEqual([
      422,
      'post-set:invalid_posts',
      'post:caption_too_long at posts[0].caption (BLUESKY)',
      'post:duplicate_account_type at posts[1].accountType (BLUESKY)',
      'post:account_not_connected at posts[2].accountType (LINKEDIN_PAGE)',
      'post:rich_caption_mismatch at posts[2].richCaption (LINKEDIN_PAGE)',
      expect.stringMatching(/^post:media_(required|count) at posts\[3\]\.media \(INSTAGRAM\)$/),
    ])
    expect(answer.body.errors[0]).toMatchObject({ limit: 300, actual: 301, pointer: '#/posts/0/caption' })
    expect(
      (await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}&filters[status]=SCHEDULED`)).body.data,
    ).toEqual([])
  })

  test('problem-42: an account that must be reconnected', async () => {
    const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
    const update = api.db.updateTable('connections').where('social_set_id', '=', socialSetId)
    await update.set({ status: 'RECONNECT_REQUIRED' }).execute()
    const body = api.draft({ socialSetId, status: 'SCHEDULED' })
    expect(problems(await post(body))).toEqual([
      422,
      'post-set:invalid_posts',
      'post:account_reconnect_required at posts[0].accountType (BLUESKY)',
    ])
    await update.set({ closed_at: new Date() }).execute()
    expect(problems(await post(body))[2]).toBe('post:account_not_connected at posts[0].accountType (BLUESKY)')
  })

  test('resources-48, post-sets-34, problem-43: library items that are not of the social set, at any status, all as one', async () => {
    const elsewhere = await api.newMedia({ socialSetId: await api.newSocialSet() })
    const account = await api.newAccount()
    const theirs = await api.newMedia({
      accountId: account,
      socialSetId: await api.newSocialSet({ accountId: account }),
    })
    const closed = await api.newMedia()
    await api.db.updateTable('media_items').set({ closed_at: new Date() }).where('id', '=', closed).execute()
    const ids = [newId(), 'not-an-id', '', elsewhere, theirs, closed]
    const posts = [{ ...BLUESKY_POST, media: ids.map((mediaLibraryId) => ({ mediaLibraryId })) }]
    const { id } = await api.create()
    const answers = [
      await post(api.draft({ posts })),
      await post(api.draft({ posts, status: 'SCHEDULED' })),
      await patch(id, { posts }),
    ]
    for (const answer of answers) {
      const expected = ids.map((_, at) => `post:media_not_found at posts[0].media[${at}].mediaLibraryId (BLUESKY)`)
      expect(problems(answer)).toEqual([422, 'post-set:invalid_posts', ...expected])
      expect(new Set(answer.body.errors.map(({ message }: Body) => message)).size).toBe(1)
    }
  })

  test('of the media of a post, nothing else is said while an item is missing', async () => {
    const posts = [
      { ...INSTAGRAM_POST, media: [{ mediaLibraryId: newId() }] },
      { ...BLUESKY_POST, caption: 'x'.repeat(301) },
    ]
    expect(problems(await post(api.draft({ posts, status: 'SCHEDULED' })))).toEqual([
      422,
      'post-set:invalid_posts',
      'post:media_not_found at posts[0].media[0].mediaLibraryId (INSTAGRAM)',
      'post:caption_too_long at posts[1].caption (BLUESKY)',
    ])
  })

  test('states-10, shape-68, publish-06, publish-08: when a change schedules, moves or changes a set', async () => {
    const long = { ...BLUESKY_POST, caption: 'x'.repeat(301) }
    const draft = await api.create({ posts: [long] })
    const refused = [422, 'post-set:invalid_posts', 'post:caption_too_long at posts[0].caption (BLUESKY)']
    expect(problems(await patch(draft.id, { status: 'SCHEDULED' }))).toEqual(refused)

    const scheduled = await api.create({ status: 'SCHEDULED' })
    expect(problems(await patch(scheduled.id, { posts: [long] }))).toEqual(refused)
    expect((await patch(scheduled.id, { posts: [long], status: 'DRAFT' })).status).toBe(200)

    const moved = await api.create({ status: 'SCHEDULED' })
    await api.db.updateTable('posts').set({ caption: long.caption }).where('post_set_id', '=', moved.id).execute()
    expect(problems(await patch(moved.id, { scheduledAt: '2031-01-01T00:00:00Z' }))).toEqual(refused)
    expect((await patch(moved.id, { approval: 'PENDING' })).status).toBe(200)
  })
})

describe('sets that cannot be changed', () => {
  test('states-06, states-07, states-14, post-sets-51, errors-11: publishing and published ones, with any body', async () => {
    for (const status of ['PUBLISHING', 'PUBLISHED'] as const) {
      const { id } = await api.create()
      await api.db.updateTable('post_sets').set({ status }).where('id', '=', id).execute()
      for (const body of [{}, { approval: 'NONE' }, { nonsense: 1 }, [], { status: 'DRAFT' }]) {
        expect(reported(await patch(id, body))).toEqual([412, 'post-set:read_only'])
      }
    }
  })

  test('problem-35, publish-20: locked ones, but for parking alone', async () => {
    const { id } = await api.create({ status: 'SCHEDULED' })
    await api.db.updateTable('post_sets').set({ locked_at: new Date() }).where('id', '=', id).execute()
    for (const body of [{}, { status: 'SCHEDULED' }, { status: 'DRAFT', approval: 'NONE' }, { nonsense: 1 }]) {
      expect(reported(await patch(id, body))).toEqual([412, 'post-set:locked'])
    }
  })
})
