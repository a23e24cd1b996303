import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
afterEach(() => api.setClock(null))

test('the plan and what is used of it, with everything that counts counted once', async () => {
  await api.setClock('2026-12-31T23:59:59.999Z')
  const reviewer = await signInAs(api, 'reviewer')
  await signInAs(api, 'editor')
  await api.newSocialSet({ connected: ['THREADS'] })
  await api.newMedia({ facts: { bytes: 1_000 } })
  await api.create()
  const revoked = await api.newKey()
  await api.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('prefix', '=', revoked.slice(0, 10))
    .execute()
  await api.db.updateTable('connections').set({ closed_at: new Date() }).where('account_type', '=', 'BLUESKY').execute()

  const { status, body } = await reviewer.request('GET', '/usage')
  expect(status).toBe(200)
  expect(body).toEqual({
    accountId: api.accountId,
    plan: 'SCALE',
    month: '2026-12',
    resetsAt: '2027-01-01T00:00:00.000Z',
    postSets: { used: 1, limit: null },
    uploadBytes: { used: 0, limit: null },
    storageBytes: { used: 1_000, limit: null },
    socialSets: { used: 2, limit: null },
    connections: { used: 2, limit: null },
    members: { used: 2, limit: null },
    activeKeys: { used: 1, limit: 10 },
    requestsPerSecond: expect.any(Number),
    features: ['video', 'carousels', 'repeats', 'approvals', 'apiAccess'],
  })

  await api.setClock('2027-01-01T00:00:00Z')
  expect((await reviewer.request('GET', '/usage')).body).toMatchObject({
    month: '2027-01',
    resetsAt: '2027-02-01T00:00:00.000Z',
    postSets: { used: 0, limit: null },
    storageBytes: { used: 1_000, limit: null },
  })
})

test('a smaller plan shows its limits and the features that it has', async () => {
  const accountId = await api.newAccount({ plan: 'FREE' })
  const owner = await signInAs(api, 'owner', { accountId })
  expect((await owner.request('GET', '/usage')).body).toMatchObject({
    plan: 'FREE',
    postSets: { used: 0, limit: 10 },
    uploadBytes: { used: 0, limit: 500_000_000 },
    storageBytes: { used: 0, limit: 500_000_000 },
    socialSets: { used: 0, limit: 1 },
    members: { used: 1, limit: null },
    features: ['apiAccess'],
  })
})
