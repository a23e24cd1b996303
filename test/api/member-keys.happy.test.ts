import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createKeyByMember,
  disableKeyByMember,
  enableKeyByMember,
  type MemberKeyDeps,
  revokeKeyByMember,
  updateKeyByMember,
} from '#operations'
import { type Api, startApi } from '../_util/api.ts'
import { identityOf, newMember } from '../_util/members.ts'

let api: Api
let deps: MemberKeyDeps
let member: Awaited<ReturnType<typeof newMember>>
beforeAll(async () => {
  api = await startApi()
  deps = { db: api.db, identity: identityOf(api) }
  member = await newMember(api, api.accountId)
})
afterAll(() => api.close())

const make = (more = {}) =>
  createKeyByMember(deps, member, { name: 'Mine', scopes: ['post-sets:write'], socialSetIds: null, ...more })
const row = (id: string) => api.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const status = async (key: string) => (await api.request('GET', '/v1/social-sets', { key })).status

test('a member makes a key, which opens the interface and remembers who made it', async () => {
  const { id, key } = await make({ name: ' Mine ', socialSetIds: [api.socialSetId] })
  expect(await row(id)).toMatchObject({
    account_id: api.accountId,
    created_by: member.userId,
    name: 'Mine',
    scopes: ['post-sets:write'],
    social_set_ids: [api.socialSetId],
    prefix: key.slice(0, 10),
  })
  expect(await status(key)).toBe(200)
  expect((await api.request('POST', '/v1/media-upload', { key, body: {} })).status).toBe(403)
})

test('a member disables, enables and revokes a key; doing so twice changes nothing', async () => {
  const { id, key } = await make()
  for (const [work, expected] of [
    [disableKeyByMember, 401],
    [disableKeyByMember, 401],
    [enableKeyByMember, 200],
    [enableKeyByMember, 200],
    [revokeKeyByMember, 401],
    [revokeKeyByMember, 401],
  ] as const) {
    await work(deps, member, id.toUpperCase())
    expect(await status(key)).toBe(expected)
  }
})

test('a change of a key holds from its next request on; what is left out stays, and so does the secret', async () => {
  const other = await api.newSocialSet({ name: 'Other' })
  const { id, key } = await make()
  const before = await row(id)
  const sees = async () => (await api.request('GET', '/v1/social-sets', { key })).body.pagination.total
  const writes = async () => (await api.request('POST', '/v1/media-upload', { key, body: {} })).body.code
  expect([await sees(), await writes()]).toEqual([2, 'auth:insufficient_scope'])

  await updateKeyByMember(deps, member, id, { name: ' Theirs ' })
  expect(await row(id)).toEqual({ ...before, name: 'Theirs', last_used_at: expect.any(Date) })
  await updateKeyByMember(deps, member, id, { scopes: ['media:write', 'notes:write'] })
  expect(await writes()).not.toBe('auth:insufficient_scope')
  await updateKeyByMember(deps, member, id, { socialSetIds: [other.toUpperCase()] })
  expect(await sees()).toBe(1)
  expect(await row(id)).toEqual({
    ...before,
    name: 'Theirs',
    scopes: ['notes:write', 'media:write'],
    social_set_ids: [other],
    last_used_at: expect.any(Date),
  })
  await updateKeyByMember(deps, member, id, { socialSetIds: null, scopes: [] })
  expect([await sees(), await writes()]).toEqual([2, 'auth:insufficient_scope'])
  expect((await row(id)).name).toBe('Theirs')
})

test('a change that changes nothing writes nothing', async () => {
  const { id } = await make({ scopes: ['notes:write', 'media:write'], socialSetIds: [api.socialSetId] })
  const written = async () => {
    const { rows } = await sql<{ xmin: string }>`select xmin::text from api_keys where id = ${id}`.execute(api.db)
    return rows[0]?.xmin
  }
  const before = await written()
  await updateKeyByMember(deps, member, id, {})
  await updateKeyByMember(deps, member, id, {
    name: 'Mine ',
    scopes: ['media:write', 'notes:write'],
    socialSetIds: [api.socialSetId, api.socialSetId],
  })
  expect(await written()).toBe(before)
})

test('a disabled key can be changed and stays disabled', async () => {
  const { id, key } = await make()
  await disableKeyByMember(deps, member, id)
  await updateKeyByMember(deps, member, id, { name: 'Sleeping' })
  expect(await row(id)).toMatchObject({ name: 'Sleeping', disabled_at: expect.any(Date) })
  expect(await status(key)).toBe(401)
})
