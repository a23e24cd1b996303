import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let own: string
let other: string
let owner: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  own = api.socialSetId
  other = await api.newSocialSet({ connected: ['BLUESKY'] })
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const refused = async (person: Person, id: string, action: object, version = 1): Promise<string> => {
  const answer = await person.request('POST', '/post-sets/change', { body: { ids: [{ id, version }], action } })
  if (answer.status !== 200) return answer.body.code
  expect(answer.body.done).toEqual([])
  return answer.body.refused[0].code
}
const copyTo = (socialSetId: string, move = false) => ({ copyTo: { socialSetId, move } })
const setsOf = async (socialSetId: string): Promise<Body[]> =>
  (await done(owner.request('GET', `/post-sets?${new URLSearchParams({ socialSetId, page: '1', size: '100' })}`))).data

test('who sees one of the brands alone finds the other one neither as origin nor as target', async () => {
  const { id } = await api.create()
  const here = await signInAs(api, 'owner', { socialSetIds: [own] })
  const there = await signInAs(api, 'owner', { socialSetIds: [other] })
  for (const move of [false, true]) {
    expect(await refused(here, id, copyTo(other, move))).toBe('social-set:not_found')
    expect(await refused(there, id, copyTo(other, move))).toBe('post-set:not_found')
  }
  expect(await setsOf(other)).toEqual([])
  expect((await setsOf(own)).map((set) => set.id)).toContain(id)
})

test("a person of two accounts does not find the other account's brands from the one that is open", async () => {
  const { id } = await api.create()
  const accountId = await api.newAccount()
  const foreign = await api.newSocialSet({ accountId, connected: ['BLUESKY'] })
  const person = await signInAs(api, 'owner')
  await newMember(api, accountId, { accountId, userId: person.userId, password: person.password }, { role: 'owner' })
  const codes = []
  for (const action of [copyTo(foreign), copyTo(foreign, true)]) codes.push(await refused(person, id, action))
  expect(codes).toEqual(['social-set:not_found', 'social-set:not_found'])
  expect((await setsOf(own)).map((set) => set.id)).toContain(id)
})

test('reviewers copy nothing, authors move drafts alone, and keys have no such thing', async () => {
  const draft = await api.create()
  const scheduled = await api.create({ status: 'SCHEDULED' })
  const reviewer = await signInAs(api, 'reviewer')
  const author = await signInAs(api, 'author')
  expect(await refused(reviewer, draft.id, copyTo(other))).toBe('auth:insufficient_role')
  expect(await refused(author, scheduled.id, copyTo(other, true))).toBe('auth:insufficient_role')
  expect((await actionsOf(author).bulk([scheduled], copyTo(other))).done).toHaveLength(1)
  expect((await actionsOf(author).bulk([draft], copyTo(other, true))).done).toHaveLength(1)
  const body = { ids: [{ id: scheduled.id }], action: copyTo(other) }
  expect((await api.request('POST', '/v1/post-sets/change', { body })).status).toBe(405)
})

test('who has lost the right to see the old brand does not bring back what was moved from there', async () => {
  const { id } = await api.create()
  const person = await signInAs(api, 'owner', { socialSetIds: [own, other] })
  const { done: made } = await actionsOf(person).bulk([{ id, version: 1 }], copyTo(other, true))
  await api.db
    .updateTable('memberships')
    .set({ social_set_ids: [other] })
    .where('user_id', '=', person.userId)
    .execute()
  expect(await refused(person, made[0]?.id ?? '', { undo: true })).toBe('request:refused')
  expect((await setsOf(own)).map((set) => set.id)).not.toContain(id)
  expect((await setsOf(other)).map((set) => set.id)).toContain(made[0]?.id)
})

test('what a member of the new brand reads of the copy says nothing of the old one', async () => {
  const secret = await api.newSocialSet({ name: 'Secret client', connected: ['BLUESKY'] })
  const { id } = await api.create({ socialSetId: secret })
  const { done: made } = await actionsOf(owner).bulk([{ id, version: 1 }], copyTo(other, true))
  const reader = await signInAs(api, 'reviewer', { socialSetIds: [other] })
  const copy = made[0]?.id ?? ''
  for (const path of [`/post-sets/${copy}`, `/post-sets/${copy}/history`]) {
    const { status, body } = await reader.request('GET', path)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`Secret client|${secret}`))
  }
  expect((await reader.request('GET', `/post-sets/${id}/history`)).status).toBe(404)
})
