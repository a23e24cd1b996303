import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RIGHT_NAMES, ROLES } from '#contract'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { invite } from '../_util/api/invitations.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let owner: Person
let admin: Person
beforeAll(async () => {
  api = await startApi()
  owner = await signInAs(api, 'owner')
  admin = await signInAs(api, 'admin')
})
afterAll(() => api.close())

const team = async (person: Person) => (await person.request('GET', '/members')).body
const find = (list: Body[], person: Person) => list.find(({ userId }) => userId === person.userId)

test('members are listed with what they may and when they were last there, invitations beside them', async () => {
  const { invitation } = await invite(admin, { email: 'listed@example.com', socialSetIds: [api.socialSetId] })
  const { members, invitations } = await team(admin)
  expect(find(members, admin)).toEqual({
    userId: admin.userId,
    name: 'Ada',
    email: admin.email,
    role: 'admin',
    socialSetIds: null,
    isYou: true,
    joinedAt: expect.stringMatching(/Z$/),
    lastActiveAt: expect.stringMatching(/Z$/),
    twoFactorEnabled: false,
    pendingEmail: null,
    secondStepRemoved: null,
  })
  expect(find(members, owner)).toMatchObject({ role: 'owner', isYou: false, email: owner.email })
  expect(invitations).toContainEqual(invitation)
  expect(invitation).toMatchObject({
    role: 'author',
    invitedBy: 'Ada',
    expired: false,
    socialSetIds: [api.socialSetId],
  })
})

test('somebody without a session was never there', async () => {
  const away = await signInAs(api, 'author')
  await away.request('DELETE', '/session')
  expect(find((await team(owner)).members, away)).toMatchObject({ lastActiveAt: null })
})

test('role and social sets are changed, together or one by one, and hold with the next request', async () => {
  const person = await signInAs(api, 'author')
  const change = (body: object) => admin.request('PATCH', `/members/${person.userId}`, { body })
  expect((await change({ role: 'editor', socialSetIds: [api.socialSetId] })).body).toMatchObject({
    role: 'editor',
    socialSetIds: [api.socialSetId],
  })
  expect((await person.request('GET', '/session')).body).toMatchObject({
    role: 'editor',
    socialSetIds: [api.socialSetId],
  })
  expect((await change({ role: 'reviewer' })).body).toMatchObject({ role: 'reviewer', socialSetIds: [api.socialSetId] })
  expect((await change({ socialSetIds: null })).body).toMatchObject({ role: 'reviewer', socialSetIds: null })
  expect((await change({})).body).toMatchObject({ role: 'reviewer', socialSetIds: null })
})

test('who becomes an owner sees all social sets', async () => {
  const person = await signInAs(api, 'admin', { socialSetIds: [api.socialSetId] })
  const made = await owner.request('PATCH', `/members/${person.userId}`, { body: { role: 'owner' } })
  expect(made.body).toMatchObject({ role: 'owner', socialSetIds: null })
  const back = await person.request('PATCH', `/members/${person.userId}`, { body: { role: 'admin' } })
  expect(back.body).toMatchObject({ role: 'admin', isYou: true })
})

test('a member is removed with the password of the one who does it, and history keeps the name', async () => {
  const person = await signInAs(api, 'editor')
  const made = await person.request('POST', '/post-sets', { body: api.draft() })
  const removed = await admin.request('DELETE', `/members/${person.userId}`, { body: { password: admin.password } })
  expect(removed.status, JSON.stringify(removed.body)).toBe(200)
  expect(find((await team(admin)).members, person)).toBeUndefined()
  expect(await api.history(made.body.id)).toMatchObject([{ actor_type: 'USER', actor_name: 'Ada' }])
  expect((await person.request('GET', '/session')).status).toBe(401)
})

describe('the API keys that a removed member created', () => {
  const input = { scopes: [], socialSetIds: null, expiresAt: null }
  const create = async (person: Person, name: string) => {
    const body = { ...input, name, password: person.password }
    const answer = await person.request('POST', '/api-keys', { body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body as { id: string; key: string }
  }
  const remove = (person: Person, more: object) =>
    owner.request('DELETE', `/members/${person.userId}`, { body: { password: owner.password, ...more } })
  const listed = async (id: string) =>
    (await owner.request('GET', '/api-keys')).body.data.find((key: Body) => key.id === id)
  const opens = async (key: string) => (await api.request('GET', '/v1/social-sets', { key })).status

  test('are revoked when asked for, disabled ones too; those of others and of the operator stay', async () => {
    const person = await signInAs(api, 'admin')
    const [active, disabled] = [await create(person, 'Importer'), await create(person, 'Old')]
    const body = { password: person.password }
    expect((await person.request('POST', `/api-keys/${disabled.id}/disable`, { body })).status).toBe(204)
    const [ours, operators] = [await create(owner, 'Ours'), await api.newKey({ scopes: [] })]
    expect(await listed(active.id)).toMatchObject({ creatorId: person.userId, revokedAt: null, revokedBy: null })

    expect((await remove(person, { revokeApiKeys: true })).status).toBe(200)
    expect(await opens(active.key)).toBe(401)
    for (const { id } of [active, disabled]) {
      expect(await listed(id)).toMatchObject({
        state: 'REVOKED',
        creatorLeft: true,
        revokedAt: expect.stringMatching(/Z$/),
        revokedBy: 'Ada',
      })
    }
    expect(await Promise.all([ours.key, operators].map(opens))).toEqual([200, 200])
  })

  test('stay when it is not asked for', async () => {
    const person = await signInAs(api, 'admin')
    const { id, key } = await create(person, 'Kept')
    expect((await remove(person, { revokeApiKeys: false })).status).toBe(200)
    expect(await opens(key)).toBe(200)
    expect(await listed(id)).toMatchObject({ state: 'ACTIVE', creatorLeft: true })
  })
})

test('everybody may leave with the own password', async () => {
  const person = await signInAs(api, 'reviewer')
  const left = await person.request('DELETE', `/members/${person.userId}`, { body: { password: person.password } })
  expect(left.status).toBe(200)
  expect((await person.request('GET', '/members')).status).toBe(401)
})

test('the table of roles names every right in words', async () => {
  const person = await signInAs(api, 'reviewer')
  const { body } = await person.request('GET', '/roles')
  expect(body.roles.map(({ role }: Body) => role)).toEqual([...ROLES])
  expect(body.rights.map(({ right }: Body) => right)).toEqual(RIGHT_NAMES)
  expect(body.rights[0]).toEqual({ right: expect.any(String), title: expect.any(String), roles: expect.any(Array) })
})
