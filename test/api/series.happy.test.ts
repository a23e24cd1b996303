import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PostSet } from '#contract'
import { createLabel, labelPostSet } from '#operations'
import { type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const
const read = async (id: string): Promise<Body> => (await api.request('GET', `/v1/post-sets/${id}`)).body
const patch = (id: string, body: object) => api.request('PATCH', `/v1/post-sets/${id}`, { body })

/** All sets of a series, by time. */
async function membersOf({ socialSetId, seriesId }: PostSet): Promise<PostSet[]> {
  const { body } = await api.request('GET', `/v1/post-sets?socialSetId=${socialSetId}&size=100`)
  return (body.data as PostSet[]).filter((set) => set.seriesId === seriesId)
}
const timesOf = async (first: PostSet) => (await membersOf(first)).map(({ scheduledAt }) => scheduledAt)

async function createAlone(body: object, timezone = 'Europe/Berlin'): Promise<PostSet> {
  const socialSetId = await api.newSocialSet({ timezone, connected: ['BLUESKY'] })
  return api.create({ socialSetId, ...body })
}

describe('a new series', () => {
  test('service-14, resources-24, post-sets-28, series-01: keeps the wall-clock time of the social set when summer time begins and ends', async () => {
    const spring = await createAlone({
      scheduledAt: '2030-03-24T09:00:00+01:00',
      repeat: { interval: 'WEEK', occurrences: 3 },
    })
    expect(await timesOf(spring)).toEqual([
      '2030-03-24T08:00:00.000Z',
      '2030-03-31T07:00:00.000Z',
      '2030-04-07T07:00:00.000Z',
    ])
    const autumn = await createAlone({
      scheduledAt: '2030-10-26T09:00:00',
      repeat: { interval: 'DAY', occurrences: 3 },
    })
    expect(await timesOf(autumn)).toEqual([
      '2030-10-26T07:00:00.000Z',
      '2030-10-27T08:00:00.000Z',
      '2030-10-28T08:00:00.000Z',
    ])
  })

  test('series-03: moves a time that summer time skips forward by the gap, that one alone', async () => {
    const first = await createAlone({
      scheduledAt: '2030-03-30T02:30:00',
      repeat: { interval: 'DAY', occurrences: 3 },
    })
    expect(await timesOf(first)).toEqual([
      '2030-03-30T01:30:00.000Z',
      '2030-03-31T01:30:00.000Z',
      '2030-04-01T00:30:00.000Z',
    ])
  })

  test('that begins at a time that is skipped has it from then on', async () => {
    const first = await createAlone({
      scheduledAt: '2030-03-31T02:30:00',
      repeat: { interval: 'DAY', occurrences: 2 },
    })
    expect(await timesOf(first)).toEqual(['2030-03-31T01:30:00.000Z', '2030-04-01T00:30:00.000Z'])
    const { body: turned } = await patch((await createAlone({})).id, {
      scheduledAt: '2030-03-31T02:30:00',
      repeat: { interval: 'DAY', occurrences: 2 },
    })
    expect(await timesOf(turned)).toEqual(await timesOf(first))
  })

  test('service-14, resources-24, series-02: ends at the last day of a shorter month, counted from the first time', async () => {
    const months = await createAlone(
      { scheduledAt: '2031-01-31T12:00:00Z', repeat: { interval: 'MONTH', occurrences: 4 } },
      'UTC',
    )
    expect((await timesOf(months)).map((time) => time.slice(0, 10))).toEqual([
      '2031-01-31',
      '2031-02-28',
      '2031-03-31',
      '2031-04-30',
    ])
    const years = await createAlone(
      { scheduledAt: '2032-02-29T12:00:00Z', repeat: { interval: 'YEAR', occurrences: 5 } },
      'UTC',
    )
    expect((await timesOf(years)).map((time) => time.slice(0, 10))).toEqual([
      '2032-02-29',
      '2033-02-28',
      '2034-02-28',
      '2035-02-28',
      '2036-02-29',
    ])
  })

  test('resources-15, resources-16, states-22, post-sets-20, post-sets-29, series-09: is made of sets of their own that share a series; the first one is answered and has the rule', async () => {
    const mediaLibraryId = await api.newMedia()
    const repeat = { interval: 'DAY', occurrences: 3 } as const
    const first = await api.create({
      status: 'SCHEDULED',
      approval: 'PENDING',
      scheduledAt: '2041-05-01T10:00:00Z',
      repeat,
      posts: [
        { ...BLUESKY_POST, media: [{ mediaLibraryId, altText: 'a poster', tags: [{ x: 0, y: 1, text: 'me' }] }] },
      ],
    })
    const { body } = await api.request(
      'GET',
      `/v1/post-sets?socialSetId=${api.socialSetId}&filters[startDate]=2041-05-01&filters[endDate]=2041-05-10`,
    )
    const members = body.data as PostSet[]
    expect(members.map(({ seriesId }) => seriesId)).toEqual(Array(3).fill(first.seriesId))
    expect(first.repeat).toEqual(repeat)
    expect(members.map((set) => set.repeat)).toEqual([repeat, undefined, undefined])
    expect(members[0]).toEqual(await read(first.id))
    for (const set of members) {
      expect([set.status, set.approval, set.isLocked, set.version]).toEqual(['SCHEDULED', 'PENDING', false, 1])
      const [post] = set.posts
      expect([post?.caption, post?.media[0]?.mediaLibraryId, post?.media[0]?.altText, post?.media[0]?.tags]).toEqual([
        'hello',
        mediaLibraryId,
        'a poster',
        [{ x: 0, y: 1, text: 'me' }],
      ])
      expect((await api.history(set.id)).map(({ action, actor_type }) => [action, actor_type])).toEqual([
        ['created', 'API_KEY'],
      ])
    }
    const ids = members.flatMap((set) => [set.id, ...set.posts.flatMap((post) => [post.id, post.media[0]?.id])])
    expect(new Set(ids).size).toBe(9)
  })

  test('resources-26, post-sets-25, limits-08: takes as many queries for fifty sets of eleven posts as for two', async () => {
    const posts = Array.from({ length: 11 }, () => BLUESKY_POST)
    const queries = async (occurrences: number) => {
      const socialSetId = await api.newSocialSet()
      const before = api.queries()
      const first = await api.create({ socialSetId, posts, repeat: { interval: 'DAY', occurrences } })
      const made = api.queries() - before
      expect(await membersOf(first)).toHaveLength(occurrences)
      return made
    }
    await queries(2)
    expect(await queries(50)).toBe(await queries(2))
  })

  test('that is null is none', async () => {
    const set = await api.create({ repeat: null })
    expect(set).not.toHaveProperty('seriesId')
    expect(set).not.toHaveProperty('repeat')
  })
})

describe('a set that is turned into a series', () => {
  test('post-sets-40, series-06, series-07: is the first one, as the request leaves it; labels and approval go with it', async () => {
    const label = await createLabel({ db: api.db }, { accountId: api.accountId, name: 'Season two', color: null })
    const set = await createAlone({ scheduledAt: '2030-05-01T10:00:00Z', approval: 'PENDING' })
    const media = await api.newMedia({ socialSetId: set.socialSetId })
    await labelPostSet({ db: api.db }, { postSetId: set.id, label: label.id, remove: false }, OPERATOR)
    const repeat = { interval: 'WEEK', occurrences: 3 } as const
    const { status, body } = await patch(set.id, {
      repeat,
      status: 'SCHEDULED',
      scheduledAt: '2030-05-02T10:00:00Z',
      posts: [{ id: set.posts[0]?.id, ...BLUESKY_POST, caption: 'again', media: [{ mediaLibraryId: media }] }],
    })
    expect([status, body.repeat, body.status]).toEqual([200, repeat, 'SCHEDULED'])
    const members = await membersOf(body)
    expect(members.map(({ scheduledAt }) => scheduledAt.slice(0, 10))).toEqual([
      '2030-05-02',
      '2030-05-09',
      '2030-05-16',
    ])
    expect(members[0]?.id).toBe(set.id)
    for (const each of members) {
      expect([each.status, each.approval, each.labelsId, each.posts[0]?.caption]).toEqual([
        'SCHEDULED',
        'PENDING',
        [label.id],
        'again',
      ])
      expect(each.posts[0]?.media.map((item) => item.mediaLibraryId)).toEqual([media])
    }
    expect(new Set(members.map((each) => each.posts[0]?.id)).size).toBe(3)
    expect(new Set(members.map((each) => each.posts[0]?.media[0]?.id)).size).toBe(3)
    const [, , change] = await api.history(set.id)
    expect(change).toMatchObject({ action: 'scheduled', changes: { repeat: { from: null, to: repeat } } })
  })

  test('post-sets-40: by nothing but the rule', async () => {
    const set = await createAlone({})
    const { body } = await patch(set.id, { repeat: { interval: 'YEAR', occurrences: 2 } })
    expect(body.version).toBe(2)
    expect(await membersOf(body)).toHaveLength(2)
  })
})

describe('the sets of a series', () => {
  test('series-05: change one by one', async () => {
    const first = await createAlone({ repeat: { interval: 'DAY', occurrences: 3 } })
    const [, second] = await membersOf(first)
    const { status } = await patch(second?.id ?? '', { scheduledAt: '2031-01-01T00:00:00Z', approval: 'DENIED' })
    expect(status).toBe(200)
    const members = await membersOf(first)
    expect(members.map(({ approval }) => approval)).toEqual(['NONE', 'NONE', 'DENIED'])
  })

  test('shape-37: take back what was read of them, and nothing changes', async () => {
    const first = await createAlone({ repeat: { interval: 'DAY', occurrences: 2 } })
    for (const set of await membersOf(first)) {
      const { status, body } = await patch(set.id, set)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body).toEqual(set)
    }
  })

  test('stay when the one that started it is deleted', async () => {
    const first = await createAlone({ repeat: { interval: 'DAY', occurrences: 3 } })
    expect((await api.request('DELETE', `/v1/post-sets/${first.id}`)).status).toBe(204)
    const members = await membersOf(first)
    expect(members.map((set) => set.repeat)).toEqual([undefined, undefined])
    const { status, body } = await patch(members[0]?.id ?? '', { repeat: { interval: 'DAY', occurrences: 2 } })
    expect([status, body.code]).toEqual([400, 'post-set:repeat_not_updatable'])
  })
})
