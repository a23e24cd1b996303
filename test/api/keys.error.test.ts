import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProblemError } from '#contract'
import { newId } from '#domain'
import { createKey, disableKey, enableKey, Refusal, revokeKey } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const make = (accountId: string, more: Partial<Parameters<typeof createKey>[1]> = {}) =>
  createKey(api, { accountId, name: 'Mine', scopes: [], socialSetIds: null, ...more })
const LIMIT = { code: 'api-key:limit_reached' }

/** By the answer, `request:refused` either way. */
const isRefusal = (error: unknown) =>
  error instanceof Refusal || (error instanceof ProblemError && error.code === 'request:refused')

test('what a key cannot be', async () => {
  const theirs = await api.newSocialSet({ accountId: await api.newAccount() })
  for (const more of [
    { name: '  ' },
    { name: 'x'.repeat(201) },
    { scopes: ['post-sets:read'] },
    { scopes: ['post-sets:write', 'admin'] },
    { socialSetIds: [] },
    { socialSetIds: [api.socialSetId, newId()] },
    { socialSetIds: [theirs] },
    { socialSetIds: ['x'] },
    { accountId: newId() },
    { accountId: 'x' },
  ]) {
    await expect(make(api.accountId, more), JSON.stringify(more)).rejects.toSatisfy(isRefusal)
  }
  expect(await api.db.selectFrom('api_keys').select('id').execute()).toHaveLength(1)
})

test('what cannot be done with a key', async () => {
  for (const work of [disableKey, enableKey, revokeKey]) {
    await expect(work(api, newId())).rejects.toThrow(Refusal)
    await expect(work(api, 'x')).rejects.toThrow(Refusal)
  }
  const { id } = await make(api.accountId)
  await revokeKey(api, id)
  await expect(enableKey(api, id)).rejects.toThrow('revoked')
})

describe('ten active keys', () => {
  test('auth-07, limits-04, problem-34: are all that an account has; disabled and revoked ones do not count', async () => {
    const accountId = await api.newAccount()
    const keys: string[] = []
    for (let count = 0; count < 10; count++) keys.push((await make(accountId)).id)
    const [first = '', second = '', third = ''] = keys
    await expect(make(accountId)).rejects.toMatchObject(LIMIT)
    await disableKey(api, first)
    await revokeKey(api, second)
    await make(accountId)
    await make(accountId)
    await expect(make(accountId)).rejects.toMatchObject(LIMIT)
    await expect(enableKey(api, first)).rejects.toMatchObject(LIMIT)
    await api.db
      .updateTable('api_keys')
      .set({ expires_at: new Date('2020-01-01') })
      .where('id', '=', third)
      .execute()
    await enableKey(api, first)
    await make(api.accountId)
  })

  test('limits-04: are not passed by twenty that are made at once', async () => {
    const accountId = await api.newAccount()
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => make(accountId)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(LIMIT)
  })

  test('are not passed by keys that are enabled at once', async () => {
    const accountId = await api.newAccount()
    const disabled: string[] = []
    for (let count = 0; count < 8; count++) {
      const { id } = await make(accountId)
      await disableKey(api, id)
      disabled.push(id)
    }
    for (let count = 0; count < 9; count++) await make(accountId)
    const enabled = await Promise.allSettled(disabled.map((id) => enableKey(api, id)))
    expect(enabled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
