import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import {
  createKeyByMember,
  disableKeyByMember,
  enableKeyByMember,
  type MemberKeyDeps,
  Refusal,
  revokeKeyByMember,
  updateKeyByMember,
} from '#operations'
import { countActiveKeys } from '#persistence'
import { type Api, startApi } from '../_util/api.ts'
import { identityOf, newMember } from '../_util/members.ts'

let api: Api
let deps: MemberKeyDeps
beforeAll(async () => {
  api = await startApi()
  deps = { db: api.db, identity: identityOf(api) }
})
afterAll(() => api.close())

type Member = Awaited<ReturnType<typeof newMember>>
const LIMIT = { code: 'api-key:limit_reached' }
const make = (member: Member, more = {}) =>
  createKeyByMember(deps, member, { name: 'Mine', scopes: [], socialSetIds: null, ...more })
const keys = () => api.db.selectFrom('api_keys').selectAll().orderBy('id').execute()
const someone = async () => newMember(api, await api.newAccount())

test('what a key cannot be, made or changed', async () => {
  const member = await someone()
  const { id } = await make(member)
  const before = await keys()
  for (const more of [
    { name: '  ' },
    { name: 'x'.repeat(201) },
    { scopes: ['post-sets:read'] },
    { scopes: ['post-sets:write', 'admin'] },
    { socialSetIds: [] },
    { socialSetIds: [api.socialSetId] },
    { socialSetIds: ['x'] },
    { name: 'Fine', socialSetIds: [newId()] },
  ]) {
    await expect(make(member, more), JSON.stringify(more)).rejects.toThrow(Refusal)
    await expect(updateKeyByMember(deps, member, id, more), JSON.stringify(more)).rejects.toThrow(Refusal)
  }
  expect(await keys()).toEqual(before)
})

test('a revoked key stays what it was', async () => {
  const member = await someone()
  const { id } = await make(member)
  await revokeKeyByMember(deps, member, id)
  const before = await keys()
  await expect(updateKeyByMember(deps, member, id, { name: 'New' })).rejects.toThrow('revoked')
  await expect(enableKeyByMember(deps, member, id)).rejects.toThrow('revoked')
  expect(await keys()).toEqual(before)
})

test('a key that is not there', async () => {
  const member = await someone()
  for (const id of ['x', newId()]) {
    for (const work of [disableKeyByMember, enableKeyByMember, revokeKeyByMember]) {
      await expect(work(deps, member, id)).rejects.toThrow(`There is no key ${id}.`)
    }
    await expect(updateKeyByMember(deps, member, id, {})).rejects.toThrow(`There is no key ${id}.`)
  }
})

describe('ten active keys', () => {
  test('are not passed by a hundred that are made at once', async () => {
    const member = await someone()
    // All hundred wait until the last password is confirmed: their transactions begin together.
    const { promise: confirmed, resolve } = Promise.withResolvers<void>()
    let count = 0
    const identity: MemberKeyDeps['identity'] = {
      async verifyPassword(given) {
        const right = await deps.identity.verifyPassword(given)
        count += 1
        if (count === 100) resolve()
        await confirmed
        return right
      },
    }
    const input = { name: 'Mine', scopes: [], socialSetIds: null }
    const made = await Promise.allSettled(
      Array.from({ length: 100 }, () => createKeyByMember({ ...deps, identity }, member, input)),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(LIMIT)
    expect(await countActiveKeys(api.db, member.accountId)).toBe(10)
  })

  test('are not passed by enabling, and a change does not need room', async () => {
    const member = await someone()
    const { id: sleeping } = await make(member)
    await disableKeyByMember(deps, member, sleeping)
    const made: string[] = []
    for (let count = 0; count < 10; count++) made.push((await make(member)).id)
    const [first = ''] = made
    await expect(make(member)).rejects.toMatchObject(LIMIT)
    await expect(enableKeyByMember(deps, member, sleeping)).rejects.toMatchObject(LIMIT)
    await updateKeyByMember(deps, member, first, { name: 'Changed' })
    await revokeKeyByMember(deps, member, first)
    const both = await Promise.allSettled([enableKeyByMember(deps, member, sleeping), make(member)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await countActiveKeys(api.db, member.accountId)).toBe(10)
  })
})
