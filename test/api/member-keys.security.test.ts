import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { given, ROLES } from '#contract'
import { newId } from '#domain'
import {
  type Caller,
  type ConfirmDeps,
  createKey,
  createKeyByMember,
  disableKey,
  disableKeyByMember,
  enableKeyByMember,
  listKeysForMember,
  revokeKeyByMember,
  updateKeyByMember,
} from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { callerOf, identityOf, newMember, type TestMember } from '../_util/api/members.ts'

const OWNER = { role: 'owner' } as const
let api: Api
let deps: ConfirmDeps
let member: TestMember
let stranger: TestMember
beforeAll(async () => {
  api = await startApi()
  deps = { db: api.db, identity: identityOf(api) }
  member = await newMember(api, api.accountId, undefined, OWNER)
  stranger = await newMember(api, await api.newAccount(), undefined, OWNER)
})
afterAll(() => api.close())
// Wrong tries are counted; here there are more of them than are let through.
beforeEach(() => api.db.deleteFrom('attempts').execute())

const FAILED = { code: 'auth:password_confirmation_failed', status: 403 }
const keys = () => api.db.selectFrom('api_keys').selectAll().orderBy('id').execute()
const input = { name: 'Mine', scopes: [], socialSetIds: null, expiresAt: null }
const key = (more = {}) => createKey(api, { ...input, ...more, accountId: api.accountId })

/** All that a member can do with keys. */
const attempts = (
  who: Caller,
  password: string,
  { enabled, disabled }: { enabled: string; disabled: string },
): [string, () => Promise<unknown>][] => [
  ['create', () => createKeyByMember(deps, who, given({ ...input, password }))],
  ['update', () => updateKeyByMember(deps, who, enabled, given({ scopes: ['post-sets:publish'], password }))],
  ['disable', () => disableKeyByMember(deps, who, enabled, given({ password }))],
  ['enable', () => enableKeyByMember(deps, who, disabled, given({ password }))],
  ['revoke', () => revokeKeyByMember(deps, who, enabled, given({ password }))],
]

async function twoKeys(more = {}): Promise<{ enabled: string; disabled: string }> {
  const [{ id: enabled }, { id: disabled }] = [await key(more), await key(more)]
  await disableKey(api, disabled)
  return { enabled, disabled }
}

describe('without the password of a member of the account nothing happens', () => {
  test('auth-03, auth-04, problem-24: for any caller, and any action', async () => {
    const ids = await twoKeys()
    const noPassword = await newMember(api, api.accountId, undefined, OWNER)
    await api.db.deleteFrom('user_credentials').where('user_id', '=', noPassword.userId).execute()
    const before = await keys()
    const strangerHere = { ...stranger, accountId: api.accountId }
    const wrong: [string, TestMember, string][] = [
      ['another password', member, `${member.password}x`],
      ['none', member, ''],
      ['in capitals', member, member.password.toUpperCase()],
      ['with a space', member, ` ${member.password}`],
      ["a stranger's own password", strangerHere, stranger.password],
      ["a stranger's password for a member", member, stranger.password],
      ["a member's password for a stranger", strangerHere, member.password],
      ['an unknown user', { ...member, userId: newId() }, member.password],
      ['no account', { ...member, accountId: newId() }, member.password],
      ['a user without a password', noPassword, noPassword.password],
    ]
    for (const [what, who, password] of wrong) {
      await api.db.deleteFrom('attempts').execute()
      for (const [verb, attempt] of attempts(callerOf(who), password, ids)) {
        await expect(attempt(), `${verb}: ${what}`).rejects.toMatchObject(FAILED)
      }
    }
    expect(await keys()).toEqual(before)
  })

  test('and after five wrong ones not with the right one either', async () => {
    const someone = callerOf(await newMember(api, api.accountId, undefined, { role: 'owner' }))
    const { enabled } = await twoKeys()
    for (let count = 0; count < 5; count++) {
      await expect(disableKeyByMember(deps, someone, enabled, given({ password: 'x' }))).rejects.toMatchObject(FAILED)
    }
    for (const [verb, attempt] of attempts(someone, 'x', { enabled, disabled: enabled })) {
      await expect(attempt(), verb).rejects.toMatchObject({ code: 'auth:too_many_attempts', status: 429 })
    }
  })

  test('somebody who has left the account is no member, and one who is back is', async () => {
    const leaver = await newMember(api, api.accountId, undefined, OWNER)
    const make = () => createKeyByMember(deps, callerOf(leaver), given({ ...input, password: leaver.password }))
    const { id } = await make()
    await api.db.deleteFrom('memberships').where('user_id', '=', leaver.userId).execute()
    await expect(make()).rejects.toMatchObject(FAILED)
    const listed = async () => (await listKeysForMember(api, callerOf(member))).data.find((each) => each.id === id)
    // What a member made stays when the member goes, and shows who that was.
    expect(await listed()).toMatchObject({ state: 'ACTIVE', createdBy: 'Ada', creatorLeft: true })
    await newMember(api, api.accountId, leaver, OWNER)
    await make()
    expect(await listed()).toMatchObject({ createdBy: 'Ada', creatorLeft: false })
  })
})

describe('who may', () => {
  test('owners and admins; no one else, even with the right password, and no key', async () => {
    const ids = await twoKeys()
    const before = await keys()
    const lacking = { code: 'auth:insufficient_role', status: 403 }
    const others: Caller[] = [
      ...ROLES.filter((role) => role !== 'owner' && role !== 'admin').map((role) => callerOf(member, { role })),
      { ...callerOf(member), member: null, rights: ['post-sets:write'] },
    ]
    expect(others).toHaveLength(4)
    for (const who of others) {
      for (const [verb, attempt] of attempts(who, member.password, ids)) {
        await expect(attempt(), `${verb}: ${who.member?.role}`).rejects.toMatchObject(lacking)
      }
      await expect(listKeysForMember(api, who)).rejects.toMatchObject(lacking)
    }
    expect(await keys()).toEqual(before)
    for (const role of ['owner', 'admin'] as const) {
      await disableKeyByMember(deps, callerOf(member, { role }), ids.enabled, given({ password: member.password }))
    }
  })

  test('a key of another account is one that is not there, and the password comes first', async () => {
    const ids = await twoKeys()
    const ours = async () => (await keys()).filter(({ account_id }) => account_id === api.accountId)
    const before = await ours()
    for (const [verb, attempt] of attempts(callerOf(stranger), stranger.password, ids)) {
      if (verb !== 'create') await expect(attempt(), verb).rejects.toMatchObject({ code: 'api-key:not_found' })
    }
    expect(await ours()).toEqual(before)
    const listed = await listKeysForMember(api, callerOf(stranger))
    expect(listed.data.map(({ id }) => id)).not.toContain(ids.enabled)
    await expect(disableKeyByMember(deps, callerOf(stranger), newId(), given({ password: 'x' }))).rejects.toMatchObject(
      FAILED,
    )
  })

  test('a member who sees some social sets has keys within these and knows of no others', async () => {
    const mine = await api.newSocialSet()
    const also = await api.newSocialSet()
    const restricted = callerOf(member, { role: 'admin', socialSetIds: [mine, also] })
    const { password } = member
    const make = (socialSetIds: string[] | null) =>
      createKeyByMember(deps, restricted, given({ ...input, socialSetIds, password }))
    await expect(make(null)).rejects.toThrow('choose those that the key may see')
    await expect(make([mine, api.socialSetId])).rejects.toThrow(`no social set ${api.socialSetId}`)
    const { id } = await make([mine.toUpperCase()])

    for (const socialSetIds of [null, [api.socialSetId], [mine, api.socialSetId]]) {
      await expect(
        updateKeyByMember(deps, restricted, id, given({ socialSetIds, password })),
        String(socialSetIds),
      ).rejects.toThrow(socialSetIds ? 'no social set' : 'choose those')
      const ids = await twoKeys({ socialSetIds })
      const before = await keys()
      for (const [verb, attempt] of attempts(restricted, password, ids)) {
        if (verb !== 'create') await expect(attempt(), verb).rejects.toMatchObject({ code: 'api-key:not_found' })
      }
      expect(await keys()).toEqual(before)
      await revokeKeyByMember(deps, callerOf(member), ids.enabled, given({ password }))
    }
    await updateKeyByMember(deps, restricted, id, given({ socialSetIds: [mine, also], password }))
    const listed = await listKeysForMember(api, restricted)
    expect(listed.data.map((each) => each.id)).toEqual([id])
    expect(listed.activeCount).toBeGreaterThan(1)
  })
})

test('no transaction is open while the password is checked', async () => {
  let checks = 0
  const identity: ConfirmDeps['identity'] = {
    async verifyPassword(given) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
      `.execute(api.db)
      expect(rows).toEqual([])
      checks += 1
      return deps.identity.verifyPassword(given)
    },
  }
  const { password } = member
  await api.db.updateTable('api_keys').set({ revoked_at: new Date() }).execute()
  const { id } = await createKeyByMember({ ...deps, identity }, callerOf(member), given({ ...input, password }))
  await disableKeyByMember({ ...deps, identity }, callerOf(member), id, given({ password }))
  expect(checks).toBe(2)
})

test('neither password nor hash is in what goes wrong', async () => {
  const password = 'the words that stay secret'
  const failure = await createKeyByMember(deps, callerOf(member), given({ ...input, password })).catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject(FAILED)
  expect(`${(failure as Error).message}${JSON.stringify(failure)}`).not.toMatch(/stay secret|argon2/)
})
