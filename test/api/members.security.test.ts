import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#contract'
import { newId } from '#domain'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { ask, invite } from '../_util/api/invitations.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
let owner: Person
let other: string
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
  other = await api.newSocialSet({ name: 'Other' })
})
afterAll(() => api.close())

const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body?.code]
const refused = [403, 'auth:insufficient_role']
const attempts = (person: Person, userId: string) => [
  person.request('PATCH', `/members/${userId}`, { body: { role: 'reviewer' } }),
  person.request('DELETE', `/members/${userId}`, { body: { password: person.password } }),
]

test.each<Role>(['editor', 'author', 'reviewer'])('%s changes and removes no one', async (role) => {
  const person = await signInAs(api, role)
  const { userId } = await newMember(api, api.accountId)
  for (const answer of attempts(person, userId)) expect(codeOf(await answer)).toEqual(refused)
  const itself = await person.request('PATCH', `/members/${person.userId}`, { body: { role: 'owner' } })
  expect(codeOf(itself)).toEqual(refused)
})

test.each<Role>(['author', 'reviewer'])(
  '%s is reported names and roles, but no addresses and no invitations',
  async (role) => {
    const { invitation } = await invite(owner, { email: `seen-by-${role}@example.com` })
    const person = await signInAs(api, role)
    const { body } = await person.request('GET', '/members')
    const others = body.members.filter(({ isYou }: Body) => !isYou)
    expect(others.length).toBeGreaterThan(0)
    for (const one of others) {
      expect(one).toMatchObject({ name: 'Ada', email: null, lastActiveAt: null, twoFactorEnabled: null })
    }
    expect(body.members.find(({ isYou }: Body) => isYou)).toMatchObject({ email: person.email })
    expect(body.invitations).toEqual([])
    expect(JSON.stringify(body)).not.toContain(invitation.email)
  },
)

describe('an admin', () => {
  test('neither makes owners nor touches them', async () => {
    const admin = await signInAs(api, 'admin')
    for (const answer of attempts(admin, owner.userId)) expect(codeOf(await answer)).toEqual(refused)
    const { userId } = await newMember(api, api.accountId)
    for (const id of [userId, admin.userId]) {
      const made = await admin.request('PATCH', `/members/${id}`, { body: { role: 'owner' } })
      expect(codeOf(made)).toEqual(refused)
    }
  })

  test('of some social sets gives no others, and manages no one who sees others', async () => {
    const admin = await signInAs(api, 'admin', { socialSetIds: [other] })
    const change = async (userId: string, socialSetIds: string[] | null) =>
      codeOf(await admin.request('PATCH', `/members/${userId}`, { body: { socialSetIds } }))
    expect(await change(admin.userId, null)).toEqual(refused)
    expect(await change(admin.userId, [other, api.socialSetId])).toEqual(refused)
    const { userId: ofBoth } = await newMember(api, api.accountId)
    expect(await change(ofBoth, [other])).toEqual(refused)
    const { userId: ofOther } = await newMember(api, api.accountId, undefined, { socialSetIds: [other] })
    expect(await change(ofOther, [other])).toEqual([200, undefined])
    expect(await change(ofOther, null)).toEqual(refused)
  })
})

test('a member who sees one social set does not see people who see others only', async () => {
  const { userId } = await newMember(api, api.accountId, undefined, { socialSetIds: [api.socialSetId] })
  const { userId: ofBoth } = await newMember(api, api.accountId, undefined, { socialSetIds: [api.socialSetId, other] })
  const { invitation } = await invite(owner, { email: 'hidden@example.com', socialSetIds: [api.socialSetId] })
  const admin = await signInAs(api, 'admin', { socialSetIds: [other] })
  const { body } = await admin.request('GET', '/members')
  const ids = body.members.map((member: Body) => member.userId)
  expect(ids).not.toContain(userId)
  expect(ids).toContain(ofBoth)
  expect(body.members.find((member: Body) => member.userId === ofBoth).socialSetIds).toEqual([other])
  expect(JSON.stringify(body)).not.toContain('hidden@example.com')
  for (const answer of attempts(admin, userId)) expect(codeOf(await answer)).toEqual([404, 'member:not_found'])
  for (const [method, path] of [
    ['POST', '/resend'],
    ['DELETE', ''],
  ] as const) {
    const answer = await admin.request(method, `/invitations/${invitation.id}${path}`)
    expect(codeOf(answer)).toEqual([404, 'invitation:not_found'])
  }
})

test("another account's members are not there, not even for its owner", async () => {
  const accountId = await api.newAccount()
  const { userId } = await newMember(api, accountId)
  for (const answer of attempts(owner, userId)) expect(codeOf(await answer)).toEqual([404, 'member:not_found'])
  const { body } = await owner.request('GET', '/members')
  expect(body.members.map((member: Body) => member.userId)).not.toContain(userId)
})

test('a removed member loses the account with the next request, and keeps the others', async () => {
  const accountId = await api.newAccount()
  const person = await signInAs(api, 'editor')
  await newMember(api, accountId, { accountId, userId: person.userId, password: person.password }, { role: 'author' })
  const names = async () => (await person.request('GET', '/session')).body.accounts.length
  expect(await names()).toBe(2)
  const removal = await owner.request('DELETE', `/members/${person.userId}`, { body: { password: owner.password } })
  expect(removal.status).toBe(200)
  expect((await person.request('GET', '/session')).body).toMatchObject({ account: { id: accountId }, role: 'author' })
  const read = await person.request('GET', `/post-sets?socialSetId=${api.socialSetId}`)
  expect(codeOf(read)).toEqual([404, 'social-set:not_found'])
})

describe('invitations of somebody who', () => {
  const send = async (inviter: Person, email: string, more: { role?: Role; socialSetIds?: string[] } = {}) =>
    (await invite(inviter, { email: `${newId()}-${email}@example.com`, ...more })).token
  const accept = async (token: string) => {
    const body = { token, name: 'Second', password: 'a long enough secret' }
    return ask(api, 'POST', '/invitations/accept', { body })
  }

  test('was removed are taken back, those that others made are not', async () => {
    const admin = await signInAs(api, 'admin')
    const token = await send(admin, 'second', { role: 'admin' })
    const other = await send(owner, 'other')
    const removal = await owner.request('DELETE', `/members/${admin.userId}`, { body: { password: owner.password } })
    expect(removal.status).toBe(200)
    const answer = await accept(token)
    expect(codeOf(answer)).toEqual([410, 'invitation:revoked'])
    expect(answer.body.message).toMatch(/revoked\. Ada cannot invite you there any more: ask another member/)
    expect((await accept(other)).status).toBe(200)
  })

  test('left are taken back', async () => {
    const admin = await signInAs(api, 'admin')
    const token = await send(admin, 'second')
    const left = await admin.request('DELETE', `/members/${admin.userId}`, { body: { password: admin.password } })
    expect(left.status).toBe(200)
    expect(codeOf(await accept(token))).toEqual([410, 'invitation:revoked'])
  })

  test('became less are taken back as far as they could not be given now', async () => {
    const boss = await signInAs(api, 'owner')
    const change = async (body: object) => {
      const { status } = await owner.request('PATCH', `/members/${boss.userId}`, { body })
      expect(status).toBe(200)
    }
    const asOwner = await send(boss, 'owner', { role: 'owner' })
    const ofAll = await send(boss, 'all', { role: 'author' })
    const ofOther = await send(boss, 'one', { role: 'admin', socialSetIds: [other] })
    const last = await send(boss, 'last', { role: 'author', socialSetIds: [other] })

    await change({ role: 'admin' })
    expect(codeOf(await accept(asOwner))).toEqual([410, 'invitation:revoked'])
    await change({ socialSetIds: [other] })
    expect(codeOf(await accept(ofAll))).toEqual([410, 'invitation:revoked'])
    expect((await accept(ofOther)).status).toBe(200)
    await change({ role: 'editor' })
    expect(codeOf(await accept(last))).toEqual([410, 'invitation:revoked'])
    // Nor do they come back with the role.
    await change({ role: 'owner', socialSetIds: null })
    for (const token of [asOwner, ofAll, last]) expect((await accept(token)).status).toBe(410)
  })
})

describe('API keys of somebody who is removed', () => {
  const create = (person: Person, socialSetIds: string[] | null = null) => {
    const body = { name: 'Robot', scopes: [], socialSetIds, expiresAt: null, password: person.password }
    return person.request('POST', '/api-keys', { body })
  }
  const remove = (by: Person, who: Person) =>
    by.request('DELETE', `/members/${who.userId}`, { body: { password: by.password, revokeApiKeys: true } })
  const opens = async (key: string) => (await api.request('GET', '/v1/social-sets', { key })).status

  test('are not created by a request that was on its way', async () => {
    const admin = await signInAs(api, 'admin')
    const { asked } = await api.db.transaction().execute(async (trx) => {
      await trx.selectFrom('accounts').select('id').where('id', '=', api.accountId).forUpdate().execute()
      const asked = create(admin)
      await untilSomeoneWaits(api.db)
      await trx.deleteFrom('memberships').where('user_id', '=', admin.userId).execute()
      return { asked }
    })
    expect(codeOf(await asked)).toEqual(refused)
    const keys = await api.db.selectFrom('api_keys').select('id').where('created_by', '=', admin.userId).execute()
    expect(keys).toEqual([])
  })

  test('are revoked in this account alone', async () => {
    const accountId = await api.newAccount()
    const there = await signInAs(api, 'admin', { accountId })
    const { key } = (await create(there)).body
    await newMember(api, api.accountId, { ...there, accountId: api.accountId }, { role: 'author' })
    expect((await remove(owner, there)).status).toBe(200)
    expect(await opens(key)).toBe(200)
  })

  test('are revoked as far as the one who removes sees them', async () => {
    const person = await signInAs(api, 'admin')
    const all = (await create(person)).body
    const inside = (await create(person, [other])).body
    await api.db
      .updateTable('memberships')
      .set({ social_set_ids: [other] })
      .where('user_id', '=', person.userId)
      .execute()
    const limited = await signInAs(api, 'admin', { socialSetIds: [other] })
    expect((await remove(limited, person)).status).toBe(200)
    expect(await Promise.all([all.key, inside.key].map(opens))).toEqual([200, 401])
  })

  test('are not revoked by a leaving member who manages no keys, and nothing else happens then', async () => {
    const author = await signInAs(api, 'author')
    expect(codeOf(await remove(author, author))).toEqual(refused)
    expect((await author.request('GET', '/session')).status).toBe(200)
  })
})

test('an admin who was demoted while the request was on its way does nothing', async () => {
  const admin = await signInAs(api, 'admin')
  const { userId } = await newMember(api, api.accountId)
  const answer = await api.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', api.accountId).forUpdate().execute()
    const asked = admin.request('PATCH', `/members/${userId}`, { body: { role: 'admin' } })
    await untilSomeoneWaits(api.db)
    await trx.updateTable('memberships').set({ role: 'author' }).where('user_id', '=', admin.userId).execute()
    return { asked }
  })
  expect(codeOf(await answer.asked)).toEqual(refused)
})

test('no session, a key and another site are refused', async () => {
  const routes = [
    ['GET', '/internal/members'],
    ['GET', '/internal/roles'],
    ['PATCH', `/internal/members/${owner.userId}`],
    ['DELETE', `/internal/members/${owner.userId}`],
    ['POST', '/internal/invitations'],
  ] as const
  for (const [method, path] of routes) {
    const from = { origin: 'https://almanac.test' }
    const nobody = await api.request(method, path, {
      key: null,
      body: method === 'GET' ? undefined : {},
      headers: from,
    })
    expect(codeOf(nobody)).toEqual([401, 'auth:not_signed_in'])
    const key = await api.request(method, path, { body: method === 'GET' ? undefined : {}, headers: from })
    expect(codeOf(key)).toEqual([401, 'auth:not_signed_in'])
    if (method === 'GET') continue
    const elsewhere = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', cookie: owner.cookie }
    const foreign = await api.request(method, path, { key: null, body: {}, headers: elsewhere })
    expect(codeOf(foreign)).toEqual([403, 'auth:cross_site_request'])
  }
})
