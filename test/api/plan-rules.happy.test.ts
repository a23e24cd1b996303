import { afterAll, beforeAll, expect, test } from 'vitest'
import { SHIPPED_PLANS } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { almanacJson, makeDataDir } from '../_util/processes/app.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test.each([
  ['FREE', 403],
  ['STARTER', 403],
  ['PRO', 201],
  ['AGENCY', 201],
  ['SCALE', 201],
] as const)(
  'plan-03, plan-04: the shipped plan %s opens the API, and a set with an approval is %i',
  async (plan, status) => {
    const accountId = await api.newAccount({ plan })
    const socialSetId = await api.newSocialSet({ accountId })
    const key = await api.newKey({ accountId })
    expect((await api.request('GET', '/v1/social-sets', { key })).status).toBe(200)
    const body = api.draft({ socialSetId, approval: 'PENDING' })
    expect((await api.request('POST', '/v1/post-sets', { key, body })).status).toBe(status)
  },
)

test('limits-01, rate-02, plan-01: the shipped plans are five, and each allows five requests a second', () => {
  expect(Object.keys(SHIPPED_PLANS)).toEqual(['FREE', 'STARTER', 'PRO', 'AGENCY', 'SCALE'])
  expect(Object.values(SHIPPED_PLANS).map(({ requestsPerSecond }) => requestsPerSecond)).toEqual([5, 5, 5, 5, 5])
})

test('plan-05: an account that is made without a plan is on SCALE', async () => {
  const dataDir = await makeDataDir()
  const settings = {
    DATABASE_URL: api.databaseUrl,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ALMANAC_DATA_DIR: dataDir.path,
  }
  try {
    const { accountId } = await almanacJson<{ accountId: string }>(['accounts', 'create', '--name', 'New'], {
      settings,
    })
    const { plan } = await api.db
      .selectFrom('accounts')
      .select('plan')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    expect(plan).toBe('SCALE')
  } finally {
    await dataDir.remove()
  }
})
