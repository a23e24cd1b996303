import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiKeyBody, type ApiKeyUpdateBody, given } from '#contract'
import {
  type Caller,
  type ConfirmDeps,
  createKeyByMember,
  disableKeyByMember,
  enableKeyByMember,
  revokeKeyByMember,
  updateKeyByMember,
} from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { callerOf, identityOf, newMember, type TestMember } from '../_util/api/members.ts'

const OWNER = { role: 'owner' } as const
let api: Api
let deps: ConfirmDeps
let member: TestMember
let caller: Caller
beforeAll(async () => {
  api = await startApi()
  deps = { db: api.db, identity: identityOf(api) }
  member = await newMember(api, api.accountId, undefined, OWNER)
  caller = callerOf(member)
})
afterAll(() => api.close())

const body = (more: Partial<ApiKeyBody> = {}): ApiKeyBody => ({
  name: 'Mine',
  scopes: ['post-sets:write'],
  socialSetIds: null,
  expiresAt: null,
  password: member.password,
  ...more,
})
const make = (more: Partial<ApiKeyBody> = {}) => createKeyByMember(deps, caller, given(body(more)))
const update = (id: string, more: Partial<ApiKeyUpdateBody>) =>
  updateKeyByMember(deps, caller, id, given({ password: member.password, ...more }))
const row = (id: string) => api.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const status = async (key: string) => (await api.request('GET', '/v1/social-sets', { key })).status

test('auth-03: a member makes a key, which opens the API and remembers who made it', async () => {
  const { id, key } = await make({ name: ' Mine ', socialSetIds: [api.socialSetId] })
  expect(await row(id)).toMatchObject({
    account_id: api.accountId,
    created_by: member.userId,
    name: 'Mine',
    scopes: ['post-sets:write'],
    social_set_ids: [api.socialSetId],
    expires_at: null,
    prefix: key.slice(0, 10),
  })
  expect(await status(key)).toBe(200)
  expect((await api.request('POST', '/v1/media-upload', { key, body: {} })).status).toBe(403)
})

test('auth-04, auth-06: a member disables, enables and revokes a key; doing so twice changes nothing', async () => {
  const { id, key } = await make()
  for (const [work, expected] of [
    [disableKeyByMember, 401],
    [disableKeyByMember, 401],
    [enableKeyByMember, 200],
    [enableKeyByMember, 200],
    [revokeKeyByMember, 401],
    [revokeKeyByMember, 401],
  ] as const) {
    await work(deps, caller, id.toUpperCase(), given({ password: member.password }))
    expect(await status(key)).toBe(expected)
  }
})

test('auth-04: a change of a key holds from its next request on; what is left out stays, and so does the secret', async () => {
  const other = await api.newSocialSet({ name: 'Other' })
  const { id, key } = await make()
  const before = await row(id)
  const used = { last_used_at: expect.any(Date), last_used_address: expect.any(String) }
  const sees = async () => (await api.request('GET', '/v1/social-sets', { key })).body.pagination.total
  const writes = async () => (await api.request('POST', '/v1/media-upload', { key, body: {} })).body.code
  expect([await sees(), await writes()]).toEqual([2, 'auth:insufficient_scope'])

  await update(id, { name: ' Theirs ' })
  expect(await row(id)).toEqual({ ...before, ...used, name: 'Theirs' })
  await update(id, { scopes: ['media:write', 'notes:write'] })
  expect(await writes()).not.toBe('auth:insufficient_scope')
  await update(id, { socialSetIds: [other.toUpperCase()] })
  expect(await sees()).toBe(1)
  await update(id, { expiresAt: '2090-01-01T00:00:00.000Z' })
  expect(await row(id)).toEqual({
    ...before,
    ...used,
    name: 'Theirs',
    scopes: ['notes:write', 'media:write'],
    social_set_ids: [other],
    expires_at: new Date('2090-01-01T00:00:00.000Z'),
  })
  await update(id, { socialSetIds: null, scopes: [], expiresAt: null })
  expect([await sees(), await writes()]).toEqual([2, 'auth:insufficient_scope'])
  expect(await row(id)).toMatchObject({ name: 'Theirs', expires_at: null })
})

test('a change that changes nothing writes nothing', async () => {
  const expiresAt = '2090-01-01T00:00:00.000Z'
  const { id } = await make({
    scopes: ['notes:write', 'media:write'],
    socialSetIds: [api.socialSetId],
    expiresAt,
  })
  const written = async () => {
    const { rows } = await sql<{ xmin: string }>`select xmin::text from api_keys where id = ${id}`.execute(api.db)
    return rows[0]?.xmin
  }
  const before = await written()
  await update(id, {})
  await update(id, {
    name: 'Mine ',
    scopes: ['media:write', 'notes:write'],
    socialSetIds: [api.socialSetId, api.socialSetId],
    expiresAt: '2090-01-01T01:00:00+01:00',
  })
  expect(await written()).toBe(before)
})

test('a disabled key can be changed and stays disabled', async () => {
  const { id, key } = await make()
  await disableKeyByMember(deps, caller, id, given({ password: member.password }))
  await update(id, { name: 'Sleeping' })
  expect(await row(id)).toMatchObject({ name: 'Sleeping', disabled_at: expect.any(Date) })
  expect(await status(key)).toBe(401)
})

test('a key opens until it expires, and again with a later time; its own time may be sent back', async () => {
  const { id, key } = await make({ expiresAt: '2090-01-01' })
  expect((await row(id)).expires_at).toEqual(new Date('2090-01-01T00:00:00.000Z'))
  expect(await status(key)).toBe(200)
  const past = new Date('2020-01-01T00:00:00.000Z')
  await api.db.updateTable('api_keys').set({ expires_at: past }).where('id', '=', id).execute()
  expect(await status(key)).toBe(401)
  await update(id, { name: 'Later', expiresAt: past.toISOString() })
  expect(await row(id)).toMatchObject({ name: 'Later', expires_at: past })
  await update(id, { expiresAt: '2091-01-01' })
  expect(await status(key)).toBe(200)
})
