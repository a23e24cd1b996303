import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('service-17, resources-01, resources-68, resources-69, social-sets-01, shape-11, shape-20, shape-40, shape-41: social sets by name, with their open connections and nothing secret', async () => {
  await api.newSocialSet({ name: 'Aardvark', timezone: 'Asia/Tokyo' })
  await api.db
    .updateTable('connections')
    .set({
      status: 'RECONNECT_REQUIRED',
      status_reason: 'It has expired.',
      profile_url: 'https://p.example',
      username: null,
    })
    .where('account_type', '=', 'INSTAGRAM')
    .execute()
  const { status, body } = await api.request('GET', '/v1/social-sets')
  expect(status).toBe(200)
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(body).toEqual({
    data: [
      {
        id: expect.any(String),
        name: 'Aardvark',
        color: expect.stringMatching(/^#/),
        fit: 'REFUSE',
        timezone: 'Asia/Tokyo',
        createdAt: time,
        hold: null,
        accounts: [],
      },
      {
        id: api.socialSetId,
        name: 'Brand',
        color: expect.stringMatching(/^#/),
        fit: 'REFUSE',
        timezone: 'Europe/Berlin',
        createdAt: time,
        hold: null,
        accounts: [
          {
            id: expect.any(String),
            type: 'BLUESKY',
            name: 'Me on BLUESKY',
            username: 'me',
            profileUrl: null,
            avatarUrl: null,
            status: 'CONNECTED',
            statusReason: null,
            connectedAt: time,
            hold: null,
          },
          {
            id: expect.any(String),
            type: 'INSTAGRAM',
            name: 'Me on INSTAGRAM',
            username: null,
            profileUrl: 'https://p.example',
            avatarUrl: null,
            status: 'RECONNECT_REQUIRED',
            statusReason: 'It has expired.',
            connectedAt: time,
            hold: null,
          },
        ],
      },
    ],
    pagination: { page: 1, size: 25, total: 2, totalPages: 1, totalIsExact: true },
  })
})

test('a closed connection is not shown', async () => {
  const id = await api.newSocialSet({ name: 'Closed', connected: ['BLUESKY', 'INSTAGRAM'] })
  await api.db
    .updateTable('connections')
    .set({ closed_at: new Date() })
    .where('social_set_id', '=', id)
    .where('account_type', '=', 'BLUESKY')
    .execute()
  const { body } = await api.request('GET', '/v1/social-sets')
  const { accounts } = body.data.find((set: Body) => set.id === id)
  expect(accounts.map(({ type }: Body) => type)).toEqual(['INSTAGRAM'])
})

test('shape-14, shape-21: pages hold every set once, also where names are equal', async () => {
  const accountId = await api.newAccount()
  const key = await api.newKey({ accountId })
  const ids = [
    await api.newSocialSet({ accountId }),
    await api.newSocialSet({ accountId }),
    await api.newSocialSet({ accountId }),
  ]
  const found: string[] = []
  for (const page of [1, 2, 3, 4]) {
    const { body } = await api.request('GET', `/v1/social-sets?page=${page}&size=1`, { key })
    expect(body.pagination).toEqual({ page, size: 1, total: 3, totalPages: 3, totalIsExact: true })
    found.push(...body.data.map(({ id }: Body) => id))
  }
  expect(found).toEqual(ids.toSorted())
})
