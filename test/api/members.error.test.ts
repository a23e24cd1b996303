import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { untilWaiting } from '../_util/api/invitations.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body?.code]

/** An account of its own with one owner. */
async function alone(): Promise<{ accountId: string; owner: Person }> {
  const accountId = await api.newAccount()
  return { accountId, owner: await signInAs(api, 'owner', { accountId }) }
}

test('the last owner can neither leave nor become something else', async () => {
  const { accountId, owner } = await alone()
  await signInAs(api, 'admin', { accountId })
  const path = `/members/${owner.userId}`
  const demoted = await owner.request('PATCH', path, { body: { role: 'admin' } })
  expect(codeOf(demoted)).toEqual([409, 'member:last_owner'])
  expect(demoted.body.message).toMatch(/You are the only owner/)
  const left = await owner.request('DELETE', path, { body: { password: owner.password } })
  expect(codeOf(left)).toEqual([409, 'member:last_owner'])
  expect((await owner.request('GET', '/session')).body.role).toBe('owner')
})

test('two owners who go at the same time leave one', async () => {
  const { accountId, owner } = await alone()
  const other = await signInAs(api, 'owner', { accountId })
  const leave = (person: Person) =>
    person.request('DELETE', `/members/${person.userId}`, { body: { password: person.password } })
  // Both stand at the account's lock before one of them gets it.
  const answers = await api.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
    const asked = [leave(owner), leave(other)]
    await untilWaiting(api, 2)
    return asked
  })
  const outcomes = (await Promise.all(answers)).map(({ status }) => status)
  expect(outcomes.toSorted()).toEqual([200, 409])
})

test('two owners who demote each other at the same time leave one', async () => {
  const { accountId, owner } = await alone()
  const other = await signInAs(api, 'owner', { accountId })
  const demote = (who: Person, whom: Person) =>
    who.request('PATCH', `/members/${whom.userId}`, { body: { role: 'admin' } })
  const answers = await api.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
    const asked = [demote(owner, other), demote(other, owner)]
    await untilWaiting(api, 2)
    return asked
  })
  const outcomes = (await Promise.all(answers)).map(codeOf)
  expect(outcomes).toContainEqual([200, undefined])
  // The second is no owner any more when its turn comes.
  expect(outcomes).toContainEqual([403, 'auth:insufficient_role'])
})

test('what a change says must make sense', async () => {
  const { accountId, owner } = await alone()
  const socialSetId = await api.newSocialSet({ accountId })
  const { userId } = await newMember(api, accountId, undefined, { role: 'author', socialSetIds: [socialSetId] })
  const change = async (body: unknown) => {
    const answer = await owner.request('PATCH', `/members/${userId}`, { body })
    return [answer.status, answer.body.errors?.map(({ path }: { path: string }) => path)]
  }
  expect(await change({ role: 'king' })).toEqual([400, ['role']])
  expect(await change({ name: 'Eve' })).toEqual([400, ['name']])
  expect(await change({ socialSetIds: [] })).toEqual([400, ['socialSetIds']])
  expect(await change({ socialSetIds: [newId(), 'nothing'] })).toEqual([400, ['socialSetIds', 'socialSetIds']])
  expect(await change({ socialSetIds: [api.socialSetId] })).toEqual([400, ['socialSetIds']])
  expect(await change({ role: 'owner', socialSetIds: [socialSetId] })).toEqual([400, ['socialSetIds']])
  const asked = await owner.request('PATCH', `/members/${userId}?now=1`, { body: {} })
  expect(codeOf(asked)).toEqual([400, 'request:invalid_query'])
})

test('a removal wants the password, and the right one', async () => {
  const { accountId, owner } = await alone()
  const { userId } = await newMember(api, accountId)
  const remove = (body: unknown) => owner.request('DELETE', `/members/${userId}`, { body })
  expect(codeOf(await remove({}))).toEqual([400, 'request:invalid_body'])
  expect(codeOf(await remove(undefined))).toEqual([400, 'request:invalid_body'])
  expect(codeOf(await remove({ password: 'not this one' }))).toEqual([403, 'auth:password_confirmation_failed'])
  for (let tries = 0; tries < 4; tries++) await remove({ password: 'not this one' })
  const blocked = await remove({ password: owner.password })
  expect(codeOf(blocked)).toEqual([429, 'auth:too_many_attempts'])
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a member who is not there is reported as missing', async () => {
  const { owner } = await alone()
  for (const id of [newId(), 'nobody', 'look']) {
    const change = await owner.request('PATCH', `/members/${id}`, { body: {} })
    expect(codeOf(change)).toEqual([404, 'member:not_found'])
    const removal = await owner.request('DELETE', `/members/${id}`, { body: { password: owner.password } })
    expect(codeOf(removal)).toEqual([404, 'member:not_found'])
  }
})
