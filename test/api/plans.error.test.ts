import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanName } from '#contract'
import { setPlan } from '#operations'
import { type Api, BLUESKY_POST, type Body, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

let api: Api
/** A brand of an account on a plan without any feature. */
let bare: { accountId: string; socialSetId: string; key: string }
beforeAll(async () => {
  api = await startApi({
    plans: { FREE: { monthlyPosts: null }, STARTER: { monthlyPosts: 3 }, PRO: { apiAccess: false } },
  })
  bare = await brandOf('FREE')
})
afterAll(() => api.close())

async function brandOf(plan: PlanName) {
  const accountId = await api.newAccount({ plan })
  const socialSetId = await api.newSocialSet({ accountId, connected: ['BLUESKY', 'INSTAGRAM'] })
  return { accountId, socialSetId, key: await api.newKey({ accountId }) }
}

const post = (more: object, brand = bare) =>
  api.request('POST', '/v1/post-sets', {
    key: brand.key,
    body: api.draft({ socialSetId: brand.socialSetId, ...more }),
  })
const patch = (id: string, body: object, brand = bare) =>
  api.request('PATCH', `/v1/post-sets/${id}`, { key: brand.key, body })
const media = (type: 'IMAGE' | 'VIDEO') =>
  api.newMedia({
    accountId: bare.accountId,
    socialSetId: bare.socialSetId,
    facts: type === 'VIDEO' ? { type, mimeType: 'video/mp4', durationMs: 5_000 } : { type },
  })
const codesOf = (body: Body) => body.errors.map(({ code, path }: Body) => [code, path])

const APPROVALS = 'plan:approvals_not_available'
const REPEATS = 'post-set:repeats_not_available'
const VIDEOS = 'post-set:videos_not_available'
const CAROUSELS = 'post-set:carousels_not_available'

describe('without approvals', () => {
  test('post-sets-27, post-sets-42, errors-09, limits-14, problem-23: a set is made without one, and none is changed', async () => {
    for (const approval of ['PENDING', 'EXTERNAL_PENDING', 'APPROVED', 'DENIED']) {
      const { status, body } = await post({ approval })
      expect([status, body.code, codesOf(body)]).toEqual([403, APPROVALS, [[APPROVALS, 'approval']]])
    }
    const { body } = await post({})
    expect((await patch(body.id, { approval: 'APPROVED' })).body.code).toBe(APPROVALS)
    expect((await patch(body.id, { approval: 'NONE' })).status).toBe(200)
  })

  test('a set that has one from before keeps it, and is changed in other things', async () => {
    const brand = await brandOf('SCALE')
    const { body } = await post({ approval: 'PENDING' }, brand)
    await setPlan({ db: api.db }, { accountId: brand.accountId, plan: 'FREE' })
    expect((await patch(body.id, { approval: 'NONE' }, brand)).body.code).toBe(APPROVALS)
    const moved = await patch(body.id, { approval: 'PENDING', scheduledAt: '2031-01-01T00:00:00Z' }, brand)
    expect([moved.status, moved.body.approval]).toEqual([200, 'PENDING'])
  })
})

test('post-sets-31, errors-08, limits-14: without repeats nothing is repeated', async () => {
  const repeat = { interval: 'DAY', occurrences: 2 }
  const { status, body } = await post({ repeat })
  expect([status, body.code, codesOf(body)]).toEqual([403, REPEATS, [[REPEATS, 'repeat']]])
  const { body: set } = await post({})
  expect((await patch(set.id, { repeat })).body.code).toBe(REPEATS)
  expect((await post({ repeat: null })).status).toBe(201)
})

describe('without video', () => {
  const video = [
    ['a video item', async () => ({ ...BLUESKY_POST, media: [{ mediaLibraryId: await media('VIDEO') }] })],
    ['a reel', async () => ({ ...INSTAGRAM_POST, type: 'REEL' })],
    [
      'a reel elsewhere',
      async () => ({ accountType: 'FACEBOOK', caption: '', media: [], type: 'REEL', richCaption: [] }),
    ],
    ['a video post', async () => ({ accountType: 'FACEBOOK', caption: '', media: [], type: 'VIDEO', richCaption: [] })],
    [
      'any post where all is video',
      async () => ({ accountType: 'YOUTUBE', caption: '', media: [], title: '', privacy: 'PUBLIC' }),
    ],
    [
      'a video where there may be photos',
      async () => ({ accountType: 'TIKTOK', caption: '', media: [{ mediaLibraryId: await media('VIDEO') }] }),
    ],
  ] as const
  test.each(video)(
    'errors-07, limits-14, plan-11: %s is refused in drafts too, at create and at update',
    async (_, make) => {
      const posts = [BLUESKY_POST, await make()]
      const { status, body } = await post({ posts })
      expect([status, body.code, codesOf(body)]).toEqual([403, VIDEOS, [[VIDEOS, 'posts[1]']]])
      const { body: set } = await post({})
      expect((await patch(set.id, { posts })).body.code).toBe(VIDEOS)
    },
  )

  test('plan-11: photos are taken', async () => {
    const item = { mediaLibraryId: await media('IMAGE') }
    const posts = [
      { ...BLUESKY_POST, media: [item] },
      { accountType: 'TIKTOK', caption: '', media: [item] },
      { accountType: 'FACEBOOK', caption: '', media: [item], type: 'IMAGE', richCaption: [] },
    ]
    expect((await post({ posts })).status).toBe(201)
  })
})

describe('without carousels', () => {
  test.each([
    ['of that type', () => ({ ...INSTAGRAM_POST, type: 'CAROUSEL' })],
    [
      'of that type elsewhere',
      () => ({ accountType: 'FACEBOOK', caption: '', media: [], type: 'CAROUSEL', richCaption: [] }),
    ],
  ])('errors-06, limits-14, plan-12: a post %s is refused', async (_, make) => {
    const { status, body } = await post({ posts: [make()] })
    expect([status, body.code, codesOf(body)]).toEqual([403, CAROUSELS, [[CAROUSELS, 'posts[0]']]])
  })

  test('plan-12: several items are one on Instagram and not elsewhere', async () => {
    const items = [{ mediaLibraryId: await media('IMAGE') }, { mediaLibraryId: await media('IMAGE') }]
    expect((await post({ posts: [{ ...INSTAGRAM_POST, media: items }] })).body.code).toBe(CAROUSELS)
    expect((await post({ posts: [{ ...BLUESKY_POST, media: items }] })).status).toBe(201)
    expect((await post({ posts: [{ ...INSTAGRAM_POST, media: items.slice(1) }] })).status).toBe(201)
  })
})

test('service-25, auth-17: everything that the plan lacks is reported at once', async () => {
  const { body } = await post({
    approval: 'PENDING',
    repeat: { interval: 'DAY', occurrences: 2 },
    posts: [
      { ...INSTAGRAM_POST, type: 'CAROUSEL', media: [{ mediaLibraryId: await media('VIDEO') }] },
      { ...INSTAGRAM_POST, type: 'REEL' },
    ],
  })
  expect([body.code, codesOf(body)]).toEqual([
    APPROVALS,
    [
      [APPROVALS, 'approval'],
      [REPEATS, 'repeat'],
      [VIDEOS, 'posts[0]'],
      [CAROUSELS, 'posts[0]'],
      [VIDEOS, 'posts[1]'],
    ],
  ])
})

describe('a plan that became smaller', () => {
  const scheduledVideo = async () => {
    const brand = await brandOf('SCALE')
    const item = await api.newMedia({
      ...brand,
      facts: { type: 'VIDEO', mimeType: 'video/mp4', durationMs: 5_000, videoCodec: 'avc', frameRate: 30 },
    })
    const { body } = await post(
      { status: 'SCHEDULED', posts: [{ ...BLUESKY_POST, media: [{ mediaLibraryId: item }] }] },
      brand,
    )
    expect(body.status, JSON.stringify(body)).toBe('SCHEDULED')
    await setPlan({ db: api.db }, { accountId: brand.accountId, plan: 'FREE' })
    return { id: body.id as string, brand }
  }

  test('plan-10: leaves what is scheduled, and lets it be parked', async () => {
    const { id, brand } = await scheduledVideo()
    expect((await api.request('GET', `/v1/post-sets/${id}`, { key: brand.key })).body.status).toBe('SCHEDULED')
    expect((await patch(id, { status: 'DRAFT' }, brand)).status).toBe(200)
    expect((await patch(id, { status: 'SCHEDULED' }, brand)).body.code).toBe(VIDEOS)
  })

  test('refuses to move it, and lets it be written again without', async () => {
    const { id, brand } = await scheduledVideo()
    expect((await patch(id, { scheduledAt: '2032-01-01T00:00:00Z' }, brand)).body.code).toBe(VIDEOS)
    expect((await patch(id, { posts: [{ ...BLUESKY_POST, caption: 'other' }] }, brand)).status).toBe(200)
  })
})

describe('the monthly post limit', () => {
  test('service-25, post-sets-30, errors-05, limits-13, plan-06, series-08: counts drafts, scheduled sets and every set of a series; says limit and count', async () => {
    const brand = await brandOf('STARTER')
    expect((await post({}, brand)).status).toBe(201)
    const { status, body } = await post({ repeat: { interval: 'DAY', occurrences: 3 } }, brand)
    expect([status, body.code, body.errors]).toEqual([
      403,
      'post-set:monthly_posts_exceeded',
      [expect.objectContaining({ code: 'post-set:monthly_posts_exceeded', limit: 3, actual: 4 })],
    ])
    const { body: set } = await post({ status: 'SCHEDULED' }, brand)
    expect((await patch(set.id, { repeat: { interval: 'DAY', occurrences: 3 } }, brand)).body.code).toBe(
      'post-set:monthly_posts_exceeded',
    )
    expect((await patch(set.id, { repeat: { interval: 'DAY', occurrences: 2 } }, brand)).status).toBe(200)
    expect((await post({}, brand)).body.code).toBe('post-set:monthly_posts_exceeded')
    expect((await patch(set.id, { status: 'DRAFT' }, brand)).status).toBe(200)
  })

  test('plan-06, plan-08: is not lowered when sets are deleted, and begins again with the month (UTC)', async () => {
    const brand = await brandOf('STARTER')
    await api.setClock('2030-01-31T23:59:59.999Z')
    try {
      const ids = []
      for (let made = 0; made < 3; made++) ids.push((await post({}, brand)).body.id)
      expect((await api.request('DELETE', `/v1/post-sets/${ids[0]}`, { key: brand.key })).status).toBe(204)
      expect((await post({}, brand)).status).toBe(403)
      await api.setClock('2030-02-01T00:00:00Z')
      expect((await post({}, brand)).status).toBe(201)
    } finally {
      await api.setClock(null)
    }
  })

  test('a request that fails counts nothing', async () => {
    const brand = await brandOf('STARTER')
    for (let times = 0; times < 3; times++) {
      const broken = await post({ status: 'SCHEDULED', posts: [{ ...BLUESKY_POST, caption: 'x'.repeat(301) }] }, brand)
      expect(broken.status).toBe(422)
    }
    expect((await post({ repeat: { interval: 'DAY', occurrences: 3 } }, brand)).status).toBe(201)
  })

  test('plan-07: a hundred creates at once never pass it', async () => {
    const brand = await brandOf('STARTER')
    const answers = await Promise.all(Array.from({ length: 100 }, () => post({}, brand)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(statuses.filter((status) => status === 403)).toHaveLength(97)
    const { body } = await api.request('GET', `/v1/post-sets?socialSetId=${brand.socialSetId}`, { key: brand.key })
    expect(body.pagination.total).toBe(3)
  })
})

test('problem-22, plan-04: a plan without the API opens nothing', async () => {
  const brand = await brandOf('PRO')
  for (const [method, path] of [
    ['GET', '/v1/social-sets'],
    ['GET', `/v1/post-sets?socialSetId=${brand.socialSetId}`],
    ['POST', '/v1/post-sets'],
  ] as const) {
    const { status, body } = await api.request(method, path, { key: brand.key })
    expect([status, body.code], path).toEqual([403, 'plan:api_access_not_available'])
  }
})
