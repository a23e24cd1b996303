import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiKeyBody, ApiKeyUpdateBody, askedBody, given, ProblemError } from '#contract'
import { newId } from '#domain'
import {
  type ConfirmDeps,
  createKeyByMember,
  disableKeyByMember,
  enableKeyByMember,
  Refusal,
  revokeKeyByMember,
  updateKeyByMember,
} from '#operations'
import { countActiveKeys } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { callerOf, identityOf, newMember, type TestMember } from '../_util/api/members.ts'

const OWNER = { role: 'owner' } as const
let api: Api
let deps: ConfirmDeps
beforeAll(async () => {
  api = await startApi()
  deps = { db: api.db, identity: identityOf(api) }
})
afterAll(() => api.close())

const LIMIT = { code: 'api-key:limit_reached' }
const body = ({ password }: TestMember, more: Partial<ApiKeyBody> = {}): ApiKeyBody => ({
  name: 'Mine',
  scopes: [],
  socialSetIds: null,
  expiresAt: null,
  password,
  ...more,
})
const make = (member: TestMember, more: Partial<ApiKeyBody> = {}) =>
  createKeyByMember(deps, callerOf(member), given(body(member, more)))
const update = (member: TestMember, id: string, more: Partial<ApiKeyUpdateBody>) =>
  updateKeyByMember(deps, callerOf(member), id, given({ password: member.password, ...more }))
const on = (work: typeof disableKeyByMember, member: TestMember, id: string) =>
  work(deps, callerOf(member), id, given({ password: member.password }))
const keys = () => api.db.selectFrom('api_keys').selectAll().orderBy('id').execute()
const someone = async () => newMember(api, await api.newAccount(), undefined, OWNER)
const expire = (id: string) =>
  api.db
    .updateTable('api_keys')
    .set({ expires_at: new Date('2020-01-01') })
    .where('id', '=', id)
    .execute()

/** By the answer, `request:refused` either way. */
const isRefusal = (error: unknown) =>
  error instanceof Refusal || (error instanceof ProblemError && error.code === 'request:refused')

test('what a key cannot be, made or changed', async () => {
  const member = await someone()
  const { id } = await make(member)
  const before = await keys()
  const unfit: Partial<ApiKeyBody>[] = [
    { name: '  ' },
    { name: 'two\nlines' },
    { socialSetIds: [api.socialSetId] },
    { socialSetIds: ['x'] },
    { name: 'Fine', socialSetIds: [newId()] },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2027-02-30' },
    { expiresAt: '2020-01-01' },
    { expiresAt: '2101-01-01' },
  ]
  for (const more of unfit) {
    await expect(make(member, more), JSON.stringify(more)).rejects.toSatisfy(isRefusal)
    await expect(update(member, id, more), JSON.stringify(more)).rejects.toSatisfy(isRefusal)
  }
  expect(await keys()).toEqual(before)
})

test('a body that is none, before the password is looked at', async () => {
  const member = await someone()
  const { id } = await make(member)
  const before = await keys()
  const paths = (entries: { path: string }[]) => entries.map(({ path }) => path)
  const sent = <T extends TSchema>(schema: T, value: object) => askedBody(schema, value, () => {})
  for (const [more, path] of [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ scopes: ['post-sets:read'] }, 'scopes[0]'],
    [{ scopes: ['post-sets:write', 'admin'] }, 'scopes[1]'],
    [{ socialSetIds: [] }, 'socialSetIds'],
    [{ expiresAt: 1 }, 'expiresAt'],
    [{ secret: 'x' }, 'secret'],
    [{ password: undefined }, 'password'],
  ] as const) {
    const wrong = { ...more, ...('password' in more ? {} : { password: 'not this one' }) }
    for (const attempt of [
      createKeyByMember(deps, callerOf(member), sent(ApiKeyBody, { ...body(member), ...wrong })),
      updateKeyByMember(deps, callerOf(member), id, sent(ApiKeyUpdateBody, wrong)),
    ]) {
      const problem = await attempt.then(
        () => ({ code: 'none', entries: [] }),
        (error) => error,
      )
      expect([problem.code, paths(problem.entries)], JSON.stringify(more)).toEqual(['request:invalid_body', [path]])
    }
  }
  expect(await keys()).toEqual(before)
})

test('a revoked key stays what it was', async () => {
  const member = await someone()
  const { id } = await make(member)
  await on(revokeKeyByMember, member, id)
  const before = await keys()
  await expect(update(member, id, { name: 'New' })).rejects.toThrow('revoked')
  await expect(on(enableKeyByMember, member, id)).rejects.toThrow('revoked')
  expect(await keys()).toEqual(before)
})

test('a key that is not there', async () => {
  const member = await someone()
  for (const id of ['x', newId()]) {
    for (const work of [disableKeyByMember, enableKeyByMember, revokeKeyByMember]) {
      await expect(on(work, member, id)).rejects.toMatchObject({ code: 'api-key:not_found' })
    }
    await expect(update(member, id, {})).rejects.toMatchObject({ code: 'api-key:not_found' })
  }
})

describe('ten active keys', () => {
  test('problem-34: are not passed by a hundred that are made at once', async () => {
    const accountId = await api.newAccount()
    const members = await Promise.all(Array.from({ length: 20 }, () => newMember(api, accountId, undefined, OWNER)))
    // All hundred wait until the last password is confirmed: their transactions begin together.
    const { promise: confirmed, resolve } = Promise.withResolvers<void>()
    let count = 0
    const identity: ConfirmDeps['identity'] = {
      async verifyPassword(given) {
        const right = await deps.identity.verifyPassword(given)
        count += 1
        if (count === 100) resolve()
        await confirmed
        return right
      },
    }
    // Five of each member: more tries than that are not let through at once.
    const made = await Promise.allSettled(
      members.flatMap((member) =>
        Array.from({ length: 5 }, () =>
          createKeyByMember({ ...deps, identity }, callerOf(member), given(body(member))),
        ),
      ),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(LIMIT)
    expect(await countActiveKeys(api.db, accountId)).toBe(10)
  })

  test('are not passed by enabling or by a later expiry, and another change does not need room', async () => {
    const member = await someone()
    const { id: sleeping } = await make(member)
    await on(disableKeyByMember, member, sleeping)
    const { id: expired } = await make(member)
    await expire(expired)
    const made: string[] = []
    for (let count = 0; count < 10; count++) made.push((await make(member)).id)
    const [first = ''] = made
    await expect(make(member)).rejects.toMatchObject(LIMIT)
    await expect(on(enableKeyByMember, member, sleeping)).rejects.toMatchObject(LIMIT)
    for (const expiresAt of ['2090-01-01', null]) {
      await expect(update(member, expired, { expiresAt })).rejects.toMatchObject(LIMIT)
    }
    await update(member, expired, { name: 'Still expired' })
    await update(member, first, { name: 'Changed', expiresAt: '2090-01-01' })
    await on(revokeKeyByMember, member, first)
    const both = await Promise.allSettled([on(enableKeyByMember, member, sleeping), make(member)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await countActiveKeys(api.db, member.accountId)).toBe(10)
  })

  test('are none that are disabled and have expired: those are enabled and get a time one after the other', async () => {
    const member = await someone()
    const { id } = await make(member)
    await on(disableKeyByMember, member, id)
    await expire(id)
    for (let count = 0; count < 10; count++) await make(member)
    await on(enableKeyByMember, member, id)
    await expect(update(member, id, { expiresAt: null })).rejects.toMatchObject(LIMIT)
    await on(disableKeyByMember, member, id)
    await update(member, id, { expiresAt: null })
    await expect(on(enableKeyByMember, member, id)).rejects.toMatchObject(LIMIT)
  })
})
