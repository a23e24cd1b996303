import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashKey } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { eventsBehind, giveAll, newestPosition } from '../_util/api/event-log.ts'
import { signInAs } from '../_util/api/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const ofKey = (key: string) => sql`where secret_hash = ${hashKey(key)}`

test('events-09: a key with no scopes reads; one for some social sets gets what is about these, and of the whole account holds alone', async () => {
  const own = await api.newSocialSet({ connected: ['BLUESKY'] })
  const key = await api.newKey({ scopes: [], socialSetIds: [own] })
  const before = await newestPosition(api, { key })
  const { id } = await api.create({ socialSetId: own })
  const other = await api.create()
  const owner = await signInAs(api, 'owner')
  const hold = await owner.request('POST', '/holds', { body: { scope: 'ACCOUNT', reason: 'A pause' } })
  await owner.request('POST', `/holds/${hold.body.hold.id}/release`, { body: { late: 'PUBLISH' } })
  const elsewhere = await owner.request('POST', '/holds', {
    body: { scope: 'SOCIAL_SET', id: api.socialSetId, reason: 'A pause' },
  })
  await owner.request('POST', `/holds/${elsewhere.body.hold.id}/release`, { body: { late: 'PUBLISH' } })
  const seen = await eventsBehind(api, before, '', { key })
  expect(seen.data.map(({ type }) => type)).toEqual(['post_set.created', 'account.held', 'account.released'])
  expect(seen.data[0]?.data.postSetId).toBe(id)
  expect(JSON.stringify(seen)).not.toContain(other.id)
  expect(seen.nextAfter).toBe(await newestPosition(api))
  const { status, body } = await api.request('GET', `/v1/events?after=0&socialSetId=${api.socialSetId}`, { key })
  expect([status, body.code]).toEqual([404, 'social-set:not_found'])
})

test('another account has positions of its own, and sees nothing of these', async () => {
  const accountId = await api.newAccount()
  const key = await api.newKey({ accountId })
  await api.create()
  expect(await newestPosition(api, { key })).toBe(0)
  expect(await eventsBehind(api, 0, '', { key })).toEqual({ data: [], nextAfter: 0 })
  const { status, body } = await api.request('GET', `/v1/events?after=${await newestPosition(api)}`, { key })
  expect([status, body.code]).toEqual([410, 'event:position_gone'])
})

test('who is let out while a request waits gets nothing of what comes then', async () => {
  const own = await api.newSocialSet({ connected: ['BLUESKY'] })
  const key = await api.newKey({ socialSetIds: [own] })
  const wider = await api.newKey()
  const after = await newestPosition(api)
  const asking = [key, wider].map((each) => api.request('GET', `/v1/events?after=${after}&wait=20`, { key: each }))
  await expect
    .poll(
      async () =>
        (await sql`select from pg_stat_activity where application_name = 'almanac-events'`.execute(api.db)).rows,
    )
    .not.toEqual([])
  await sql`update api_keys set revoked_at = almanac_now() ${ofKey(key)}`.execute(api.db)
  await sql`update api_keys set social_set_ids = array[${own}]::uuid[] ${ofKey(wider)}`.execute(api.db)
  await api.create()
  await giveAll(api)
  const { id } = await api.create({ socialSetId: own })
  await giveAll(api)
  const [revoked, narrowed] = await Promise.all(asking)
  expect([revoked?.status, revoked?.body.code]).toEqual([401, 'auth:invalid_credential'])
  expect(narrowed?.body.data.map(({ data }: { data: { postSetId: string } }) => data.postSetId)).toEqual([id])
})
