import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiKeyBody, given } from '#contract'
import { createKey, createKeyByMember, listKeysForMember } from '#operations'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { callerOf, identityOf, newMember, type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const body = (more: Partial<ApiKeyBody> = {}): ApiKeyBody => ({
  name: 'Mine',
  scopes: ['post-sets:write'],
  socialSetIds: null,
  expiresAt: null,
  password: owner.password,
  ...more,
})
const make = async (more = {}) => {
  const { status, body: made } = await owner.request('POST', '/api-keys', { body: body(more) })
  expect([status, made]).toEqual([201, { id: expect.any(String), key: expect.stringMatching(/^alm_/) }])
  return made as { id: string; key: string }
}
const list = async () => {
  const { status, body: listed } = await owner.request('GET', '/api-keys')
  expect(status).toBe(200)
  return listed
}
const listed = async (id: string) => (await list()).data.find((each: Body) => each.id === id)
const reads = async (key: string) => (await api.request('GET', '/v1/social-sets', { key })).status

test('auth-03: a key is made, shown once and listed without its secret; it opens the API', async () => {
  const { id, key } = await make({ socialSetIds: [api.socialSetId], expiresAt: '2090-01-01T10:00:00+02:00' })
  expect(await reads(key)).toBe(200)
  const answer = await list()
  expect(answer.data[0]).toEqual({
    id,
    name: 'Mine',
    prefix: key.slice(0, 10),
    scopes: ['post-sets:write'],
    socialSetIds: [api.socialSetId],
    createdBy: 'Ada',
    creatorId: expect.any(String),
    creatorLeft: false,
    createdAt: TIME,
    lastUsedAt: expect.toSatisfy((time) => time === null || TIME.asymmetricMatch(time)),
    lastUsedAddress: expect.toSatisfy((address) => address === null || address === '127.0.0.1'),
    expiresAt: '2090-01-01T08:00:00.000Z',
    agent: null,
    state: 'ACTIVE',
    revokedAt: null,
    revokedBy: null,
  })
  expect(answer).toMatchObject({ activeCount: answer.data.length, limit: 10 })
  expect(JSON.stringify(answer)).not.toContain(key.slice(10))
})

test('auth-04: it is changed, disabled, enabled and revoked, and each holds from the next request on', async () => {
  const { id, key } = await make()
  const write = async () => (await api.request('POST', '/v1/media-upload', { key, body: {} })).body.code
  const confirmed = { password: owner.password }
  expect(await write()).toBe('auth:insufficient_scope')
  const change = { name: 'Theirs', scopes: ['media:write'], expiresAt: '2090-01-01', ...confirmed }
  expect((await owner.request('PATCH', `/api-keys/${id}`, { body: change })).status).toBe(204)
  expect(await write()).not.toBe('auth:insufficient_scope')
  expect(await listed(id)).toMatchObject({
    name: 'Theirs',
    scopes: ['media:write'],
    expiresAt: '2090-01-01T00:00:00.000Z',
  })
  const { activeCount } = await list()
  for (const [verb, state, status, active] of [
    ['disable', 'DISABLED', 401, activeCount - 1],
    ['enable', 'ACTIVE', 200, activeCount],
    ['revoke', 'REVOKED', 401, activeCount - 1],
  ] as const) {
    expect((await owner.request('POST', `/api-keys/${id}/${verb}`, { body: confirmed })).status).toBe(204)
    expect(await listed(id)).toMatchObject({ state })
    expect(await reads(key)).toBe(status)
    expect((await list()).activeCount).toBe(active)
  }
})

test('when a key was used last and from where is shown to the minute', async () => {
  const { id, key } = await make()
  expect(await listed(id)).toMatchObject({ lastUsedAt: null, lastUsedAddress: null })
  await reads(key)
  await expect.poll(() => listed(id)).toMatchObject({ lastUsedAt: TIME, lastUsedAddress: '127.0.0.1' })
})

test('every state is reported, and only active keys are counted', async () => {
  const accountId = await api.newAccount()
  const member = await newMember(api, accountId, undefined, { role: 'owner' })
  const caller = callerOf(member)
  const states = async () =>
    (await listKeysForMember(api, caller)).data.map(({ name, state, createdBy }) => [name, state, createdBy])
  for (const name of ['disabled', 'expired', 'both', 'revoked', 'active']) {
    await createKey(api, { accountId, name, scopes: [], socialSetIds: null })
  }
  const past = new Date('2020-01-01')
  const write = (name: string, row: object) => {
    const query = api.db.updateTable('api_keys').set(row).where('account_id', '=', accountId).where('name', '=', name)
    return query.execute()
  }
  await write('disabled', { disabled_at: past })
  await write('expired', { expires_at: past })
  await write('both', { disabled_at: past, expires_at: past })
  await write('revoked', { disabled_at: past, expires_at: past, revoked_at: past })
  const deps = { db: api.db, identity: identityOf(api) }
  await createKeyByMember(deps, caller, given(body({ name: 'of a member', password: member.password })))
  expect(await states()).toEqual([
    ['of a member', 'ACTIVE', 'Ada'],
    ['active', 'ACTIVE', 'operator'],
    ['revoked', 'REVOKED', 'operator'],
    ['both', 'DISABLED', 'operator'],
    ['expired', 'EXPIRED', 'operator'],
    ['disabled', 'DISABLED', 'operator'],
  ])
  expect(await listKeysForMember(api, caller)).toMatchObject({ activeCount: 2, limit: 10 })
})
