import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashKey } from '#domain'
import { createKey, disableKey, enableKey, revokeKey } from '#operations'
import { findActiveKey } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const make = (more: Partial<Parameters<typeof createKey>[1]> = {}) =>
  createKey(api, { accountId: api.accountId, name: 'Mine', scopes: [], socialSetIds: null, ...more })
const status = async (key: string) => (await api.request('GET', '/v1/social-sets', { key })).status
const row = (id: string) => api.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('auth-02, auth-05, shape-01: a key is shown once and stored as a hash with its beginning', async () => {
  const { id, key } = await make({ name: '  Mine ', scopes: ['post-sets:publish', 'media:write', 'media:write'] })
  expect(key).toMatch(/^alm_[A-Za-z0-9_-]{43}$/)
  const stored = await row(id)
  expect(stored).toMatchObject({ name: 'Mine', scopes: ['post-sets:publish', 'media:write'], social_set_ids: null })
  expect(stored.prefix).toBe(key.slice(0, 10))
  expect(stored.secret_hash).toHaveLength(32)
  expect(JSON.stringify(stored)).not.toContain(key.slice(10))
  expect(await status(key)).toBe(200)
})

test('auth-06: a key is disabled, enabled and revoked; doing so twice changes nothing', async () => {
  const { id, key } = await make()
  for (const [work, expected] of [
    [disableKey, 401],
    [disableKey, 401],
    [enableKey, 200],
    [enableKey, 200],
    [revokeKey, 401],
    [revokeKey, 401],
    [disableKey, 401],
  ] as const) {
    await work(api, id.toUpperCase())
    expect(await status(key)).toBe(expected)
  }
})

test('that a key was used is noted, once a minute at most', async () => {
  const { id, key } = await make()
  const noted = async () => (await row(id)).last_used_at?.toISOString() ?? null
  const use = async (time: string) => {
    await api.setClock(time)
    expect(await status(key)).toBe(200)
  }
  const until = async (time: string) => {
    for (const deadline = Date.now() + 10_000; (await noted()) !== time; ) {
      if (Date.now() > deadline) throw new Error(`Noted is ${await noted()}, not ${time}.`)
    }
  }
  expect(await noted()).toBe(null)
  await use('2030-01-01T00:00:00.000Z')
  await until('2030-01-01T00:00:00.000Z')
  const toNote = async (time: string) => {
    await api.setClock(time)
    return (await findActiveKey(api.db, hashKey(key)))?.useToNote
  }
  expect(await toNote('2030-01-01T00:01:00.000Z')).toBe(false)
  expect(await toNote('2030-01-01T00:01:00.001Z')).toBe(true)
  await use('2030-01-01T00:01:00.001Z')
  await until('2030-01-01T00:01:00.001Z')
  await api.setClock(null)
})
