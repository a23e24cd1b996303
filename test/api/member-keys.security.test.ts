import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import {
  type ConfirmingMember,
  createKey,
  createKeyByMember,
  disableKey,
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
let member: ConfirmingMember
let stranger: ConfirmingMember
beforeAll(async () => {
  api = await startApi()
  deps = { db: api.db, identity: identityOf(api) }
  member = await newMember(api, api.accountId)
  stranger = await newMember(api, await api.newAccount())
})
afterAll(() => api.close())

const FAILED = { code: 'auth:password_confirmation_failed', status: 403 }
const keys = () => api.db.selectFrom('api_keys').selectAll().orderBy('id').execute()
const input = { name: 'Mine', scopes: [], socialSetIds: null }
const key = () => createKey(api, { ...input, accountId: api.accountId })

/** All that a member can do with keys. */
const attempts = (who: ConfirmingMember, enabled: string, disabled: string): [string, () => Promise<unknown>][] => [
  ['create', () => createKeyByMember(deps, who, input)],
  ['update', () => updateKeyByMember(deps, who, enabled, { name: 'Changed', scopes: ['post-sets:publish'] })],
  ['disable', () => disableKeyByMember(deps, who, enabled)],
  ['enable', () => enableKeyByMember(deps, who, disabled)],
  ['revoke', () => revokeKeyByMember(deps, who, enabled)],
]

describe('without the password of a member of the account nothing happens', () => {
  test('whoever asks, and whatever for', async () => {
    const [{ id: enabled }, { id: disabled }] = [await key(), await key()]
    await disableKey(api, disabled)
    const noPassword = await newMember(api, api.accountId)
    await api.db.deleteFrom('user_credentials').where('user_id', '=', noPassword.userId).execute()
    const before = await keys()
    const wrong: [string, ConfirmingMember][] = [
      ['another password', { ...member, password: `${member.password}x` }],
      ['none', { ...member, password: '' }],
      ['in capitals', { ...member, password: member.password.toUpperCase() }],
      ['with a space', { ...member, password: ` ${member.password}` }],
      ["a stranger's own password", { ...stranger, accountId: api.accountId }],
      ["a stranger's password for a member", { ...member, password: stranger.password }],
      ["a member's password for a stranger", { ...stranger, accountId: api.accountId, password: member.password }],
      ['nobody', { ...member, userId: newId() }],
      ['no id', { ...member, userId: 'x' }],
      ['no account', { ...member, accountId: newId() }],
      ['no id of an account', { ...member, accountId: 'x' }],
      ['a user without a password', noPassword],
    ]
    for (const [what, who] of wrong) {
      for (const [verb, attempt] of attempts(who, enabled, disabled)) {
        await expect(attempt(), `${verb}: ${what}`).rejects.toMatchObject(FAILED)
      }
    }
    expect(await keys()).toEqual(before)
  })

  test('somebody who has left the account is no member, and one who is back is', async () => {
    const leaver = await newMember(api, api.accountId)
    await api.db.deleteFrom('memberships').where('user_id', '=', leaver.userId).execute()
    await expect(createKeyByMember(deps, leaver, input)).rejects.toMatchObject(FAILED)
    await newMember(api, api.accountId, leaver)
    await createKeyByMember(deps, leaver, input)
  })
})

test('a key of another account is one that is not there, and the password comes first', async () => {
  const [{ id: enabled }, { id: disabled }] = [await key(), await key()]
  await disableKey(api, disabled)
  const before = (await keys()).filter(({ account_id }) => account_id === api.accountId)
  for (const [verb, attempt] of attempts(stranger, enabled, disabled)) {
    if (verb !== 'create') await expect(attempt(), verb).rejects.toThrow(/^There is no key /)
  }
  expect((await keys()).filter(({ account_id }) => account_id === api.accountId)).toEqual(before)
  await expect(disableKeyByMember(deps, { ...stranger, password: 'x' }, newId())).rejects.toMatchObject(FAILED)
})

test('no transaction is open while the password is checked', async () => {
  let checks = 0
  const identity: MemberKeyDeps['identity'] = {
    async verifyPassword(given) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
      `.execute(api.db)
      expect(rows).toEqual([])
      checks += 1
      return deps.identity.verifyPassword(given)
    },
  }
  const { id } = await createKeyByMember({ ...deps, identity }, member, input)
  await disableKeyByMember({ ...deps, identity }, member, id)
  expect(checks).toBe(2)
})

test('neither password nor hash is in what goes wrong', async () => {
  const password = 'the words that nobody reads'
  const failure = await createKeyByMember(deps, { ...member, password }, input).catch((error: unknown) => error)
  expect(failure).toMatchObject(FAILED)
  expect(`${(failure as Error).message}${JSON.stringify(failure)}`).not.toMatch(/nobody reads|argon2/)
})
