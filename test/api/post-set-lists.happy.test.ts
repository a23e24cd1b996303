import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'

/** Five sets, called by their captions. Each was created a day before the one above it. */
const SETS = [
  { scheduledAt: '2030-06-01T10:00:00Z', posts: [{ ...BLUESKY_POST, caption: 'apple' }] },
  {
    scheduledAt: '2030-06-02T10:00:00Z',
    status: 'SCHEDULED',
    approval: 'PENDING',
    posts: [{ ...BLUESKY_POST, caption: 'Banana 100% ÄPFEL' }],
  },
  {
    scheduledAt: '2030-06-03T10:00:00Z',
    approval: 'APPROVED',
    posts: [
      { ...INSTAGRAM_POST, caption: 'cherry' },
      { ...BLUESKY_POST, caption: 'under_score \\ back' },
    ],
  },
  {
    scheduledAt: '2030-06-03T10:00:00Z',
    approval: 'DENIED',
    posts: [{ accountType: 'LINKEDIN_PAGE', caption: 'date', media: [], richCaption: [] }],
  },
  {
    scheduledAt: '2030-06-05T10:00:00Z',
    approval: 'EXTERNAL_PENDING',
    posts: [{ accountType: 'LINKEDIN_PERSONAL', caption: 'elder', media: [], richCaption: [] }],
  },
]
const ALL = ['apple', 'Banana 100% ÄPFEL', 'cherry', 'date', 'elder']

let api: Api
const labels = [newId(), newId()]
beforeAll(async () => {
  api = await startApi()
  await api.db
    .insertInto('labels')
    .values(labels.map((id) => ({ id, account_id: api.accountId, name: id })))
    .execute()
  for (const [index, body] of SETS.entries()) {
    await api.setClock(`2029-01-0${9 - index}T00:00:00Z`)
    const { id } = await api.create(body)
    const label_id = labels[index]
    if (label_id) await api.db.insertInto('post_set_labels').values({ post_set_id: id, label_id }).execute()
  }
  await api.setClock(null)
  await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('approval', '=', 'DENIED').execute()
  await api.create({ socialSetId: await api.newSocialSet(), posts: [{ ...BLUESKY_POST, caption: 'elsewhere' }] })
})
afterAll(() => api.close())

async function list(query = ''): Promise<string[]> {
  const { status, body } = await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map(({ posts }: { posts: { caption: string }[] }) => posts[0]?.caption)
}

describe('filters', () => {
  test.each([
    ['', ALL],
    ['&filters[status][]=DRAFT', ['apple', 'cherry', 'elder']],
    ['&filters[status]=DRAFT', ['apple', 'cherry', 'elder']],
    ['&filters%5Bstatus%5D%5B0%5D=DRAFT&filters[status][1]=PUBLISHED', ['apple', 'cherry', 'date', 'elder']],
    ['&filters[status][]=PUBLISHING', []],
    ['&filters[approval][]=PENDING&filters[approval][]=APPROVED', [ALL[1], 'cherry']],
    ['&filters[socialNetworks][]=BLUESKY', ['apple', ALL[1], 'cherry']],
    ['&filters[socialNetworks][]=LINKEDIN', ['date', 'elder']],
    ['&filters[socialNetworks][]=INSTAGRAM&filters[socialNetworks][]=LINKEDIN', ['cherry', 'date', 'elder']],
    ['&filters[socialNetworks][]=THREADS', []],
    ['&filters[startDate]=2030-06-03T10:00:00Z', ['cherry', 'date', 'elder']],
    ['&filters[startDate]=2030-06-03T12:00:00%2B02:00', ['cherry', 'date', 'elder']],
    ['&filters[startDate]=2030-06-03T12:00', ['cherry', 'date', 'elder']],
    ['&filters[startDate]=2030-06-03T12:00:00.001', ['elder']],
    ['&filters[endDate]=2030-06-03T10:00:00Z', ['apple', ALL[1]]],
    ['&filters[startDate]=2030-06-02&filters[endDate]=2030-06-04', [ALL[1], 'cherry', 'date']],
    ['&filters[startDate]=2030-06-03&filters[endDate]=2030-06-03', []],
    ['&filters[search]=APP', ['apple']],
    ['&filters[search]=äpf', [ALL[1]]],
    ['&filters[search]=0%25%20', [ALL[1]]],
    ['&filters[search]=%25%25%25', []],
    ['&filters[search]=___', []],
    ['&filters[search]=r_s', ['cherry']],
    ['&filters[search]=%20%5C%20', ['cherry']],
    ['&filters[search]=under', ['cherry']],
    ['&filters[status][]=DRAFT&filters[socialNetworks][]=BLUESKY&filters[search]=err', ['cherry']],
  ])(
    'service-04, states-20, post-sets-01, post-sets-03, post-sets-04, post-sets-05, post-sets-06, post-sets-10, shape-18, shape-25, shape-26, shape-27, shape-28, shape-29, shape-31: %s',
    async (query, expected) => {
      expect(await list(query)).toEqual(expected)
    },
  )

  test('post-sets-09, shape-25: labels', async () => {
    expect(await list(`&filters[labelsId][]=${labels[0]}`)).toEqual(['apple'])
    expect(await list(`&filters[labelsId][]=${labels[1]}&filters[labelsId][]=${labels[0]}`)).toEqual(ALL.slice(0, 2))
    expect(await list(`&filters[labelsId][]=${newId()}`)).toEqual([])
    expect(await list('&filters[labelsId][]=not-an-id')).toEqual([])
  })
})

describe('sorts', () => {
  test('post-sets-11, shape-18: the time of publishing, ascending, is the default', async () => {
    expect(await list('&sort[scheduledAt]=ASC')).toEqual(ALL)
    expect(await list('&sort[scheduledAt]=DESC')).toEqual(ALL.toReversed())
  })
  test('post-sets-12: the time of creation', async () => {
    expect(await list('&sort[createdAt]=ASC')).toEqual(ALL.toReversed())
    expect(await list('&sort[createdAt]=DESC')).toEqual(ALL)
  })
  test('shape-22: both, in the order of the query string', async () => {
    expect(await list('&sort[scheduledAt]=ASC&sort[createdAt]=ASC')).toEqual([
      'apple',
      ALL[1],
      'date',
      'cherry',
      'elder',
    ])
    expect(await list('&sort[createdAt]=ASC&sort[scheduledAt]=ASC')).toEqual(ALL.toReversed())
  })
})

describe('pages', () => {
  test('post-sets-02, post-sets-13, shape-14, shape-15: say where they are', async () => {
    const get = async (query: string) =>
      (await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}&${query}`)).body.pagination
    expect(await get('')).toEqual({ page: 1, size: 25, total: 5, totalPages: 1, totalIsExact: true })
    expect(await get('page=2&size=2')).toEqual({ page: 2, size: 2, total: 5, totalPages: 3, totalIsExact: true })
    expect(await get('page=100&size=100')).toEqual({
      page: 100,
      size: 100,
      total: 5,
      totalPages: 1,
      totalIsExact: true,
    })
    expect(await get('filters[status]=PUBLISHING')).toMatchObject({ total: 0, totalPages: 0 })
  })

  test('shape-23, shape-24: hold every set once, also where times are equal, and nothing past the end', async () => {
    for (const sort of ['', '&sort[scheduledAt]=DESC', '&sort[createdAt]=DESC']) {
      const pages = [1, 2, 3, 4, 5, 6].map((page) => list(`&size=1&page=${page}${sort}`))
      const found = (await Promise.all(pages)).map(([caption]) => caption)
      expect(found.slice(0, 5).toSorted()).toEqual(ALL.toSorted())
      expect(found[5]).toBeUndefined()
    }
  })

  test('shape-21, shape-23: keep the order of ids where times are equal, wherever the rows lie', async () => {
    const socialSetId = await api.newSocialSet()
    const ids = Array.from({ length: 40 }, () => newId()).toSorted()
    const rows = ids.toReversed().map((id) => ({
      id,
      account_id: api.accountId,
      social_set_id: socialSetId,
      scheduled_at: new Date('2030-01-01'),
      created_at: new Date('2029-01-01'),
      status: 'DRAFT' as const,
      approval: 'NONE' as const,
    }))
    await api.db.insertInto('post_sets').values(rows).execute()
    const found = async (sort: string) => {
      const pages = [1, 2, 3, 4].map((page) =>
        api.request('GET', `/v1/post-sets?socialSetId=${socialSetId}&size=10&page=${page}${sort}`),
      )
      return (await Promise.all(pages)).flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id))
    }
    expect(await found('')).toEqual(ids)
    expect(await found('&sort[createdAt]=ASC')).toEqual(ids)
    expect(await found('&sort[scheduledAt]=DESC')).toEqual(ids.toReversed())
  })

  test('shape-17: count exactly up to 10,000', async () => {
    const socialSetId = await api.newSocialSet()
    const fill = async (count: number) => {
      const rows = Array.from({ length: count }, () => ({
        id: newId(),
        account_id: api.accountId,
        social_set_id: socialSetId,
        scheduled_at: new Date('2030-01-01'),
        status: 'DRAFT' as const,
        approval: 'NONE' as const,
      }))
      for (let at = 0; at < count; at += 5_000) {
        await api.db
          .insertInto('post_sets')
          .values(rows.slice(at, at + 5_000))
          .execute()
      }
    }
    const total = async () => {
      const { body } = await api.request('GET', `/v1/post-sets?socialSetId=${socialSetId}&size=100&page=100`)
      expect(body.data).toHaveLength(100)
      return body.pagination
    }
    await fill(10_000)
    expect(await total()).toMatchObject({ total: 10_000, totalPages: 100, totalIsExact: true })
    await fill(1)
    expect(await total()).toMatchObject({ total: 10_000, totalPages: 100, totalIsExact: false })
  })
})

test('a first page takes two queries with that of the key, however long it is, another one four, and a set two', async () => {
  const count = async (path: string) => {
    const before = api.queries()
    expect((await api.request('GET', path)).status).toBe(200)
    return api.queries() - before
  }
  expect(await count(`/v1/post-sets?socialSetId=${api.socialSetId}&size=100`)).toBe(2)
  expect(await count(`/v1/post-sets?socialSetId=${api.socialSetId}&size=1&page=2`)).toBe(4)
  const { body } = await api.request('GET', `/v1/post-sets?socialSetId=${api.socialSetId}&size=1`)
  expect(await count(`/v1/post-sets/${body.data[0].id}`)).toBe(2)
})
