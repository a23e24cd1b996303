import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let author: Person
beforeAll(async () => {
  api = await startApi()
  author = await signInAs(api, 'author')
})
afterAll(() => api.close())

const SECRET = 'A secret that is not ready'
const typed = (more: object = {}) => ({
  socialSetId: api.socialSetId,
  postSetId: null,
  sequence: 1,
  basedOnVersion: null,
  excerpt: SECRET,
  content: { caption: SECRET },
  ...more,
})
const put = (person: Person, id: string, more: object = {}) =>
  person.request('PUT', `/kept-drafts/${id}`, { body: typed(more) })
const captionOf = async (person: Person, id: string) =>
  (await person.request('GET', `/kept-drafts/${id}`)).body.content?.caption

test('no one else reads, finds, changes or removes it, owners of the account neither', async () => {
  const set = await api.create()
  const draft = newId()
  await put(author, set.id, { postSetId: set.id })
  await put(author, draft)
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  for (const other of [await signInAs(api, 'owner'), await signInAs(api, 'author'), stranger]) {
    for (const id of [set.id, draft]) {
      for (const method of ['GET', 'DELETE']) {
        const { status, body } = await other.request(method, `/kept-drafts/${id}`)
        expect([status, body.code]).toEqual([404, 'kept-draft:not_found'])
        expect(JSON.stringify(body)).not.toContain(SECRET)
      }
    }
  }
  const owner = await signInAs(api, 'owner')
  const { body } = await owner.request('GET', `/kept-drafts?socialSetId=${api.socialSetId}`)
  expect(body.data).toEqual([])
  // The same ids are others of theirs.
  for (const id of [set.id, draft]) {
    const place = id === draft ? {} : { postSetId: id }
    const answer = await put(owner, id, { ...place, sequence: 9, content: { caption: 'Theirs' } })
    expect(answer.body).toMatchObject({ stored: true })
    expect([await captionOf(owner, id), await captionOf(author, id)]).toEqual(['Theirs', SECRET])
  }
  for (const path of [`/post-sets/${set.id}`, `/post-sets/${set.id}/history`]) {
    expect(JSON.stringify((await owner.request('GET', path)).body)).not.toContain(SECRET)
  }
})

test('a member of two accounts has those of each apart', async () => {
  const accountId = await api.newAccount()
  await newMember(api, accountId, { accountId, userId: author.userId, password: author.password })
  const socialSetId = await api.newSocialSet({ accountId })
  const id = newId()
  await put(author, id)
  const moving = await put(author, newId(), { socialSetId })
  expect([moving.status, moving.body.code]).toEqual([404, 'social-set:not_found'])
  await author.request('PUT', '/session/account', { body: { accountId } })
  try {
    expect((await author.request('GET', `/kept-drafts/${id}`)).status).toBe(404)
    expect((await author.request('DELETE', `/kept-drafts/${id}`)).status).toBe(404)
    await put(author, id, { socialSetId, sequence: 9, content: { caption: 'There' } })
  } finally {
    await author.request('PUT', '/session/account', { body: { accountId: api.accountId } })
  }
  expect(await captionOf(author, id)).toBe(SECRET)
})

test('who no longer sees a brand no longer reads what they typed there, and keeps nothing more', async () => {
  const [seen, hidden] = [await api.newSocialSet(), await api.newSocialSet({ connected: ['BLUESKY'] })]
  const person = await signInAs(api, 'author')
  const [set, draft] = [await api.create({ socialSetId: hidden }), newId()]
  await put(person, draft, { socialSetId: hidden })
  await api.db
    .updateTable('memberships')
    .set({ social_set_ids: [seen] })
    .where('user_id', '=', person.userId)
    .execute()
  expect((await person.request('GET', `/kept-drafts/${draft}`)).status).toBe(404)
  for (const answer of [
    await put(person, draft, { socialSetId: hidden, sequence: 2 }),
    await person.request('GET', `/kept-drafts?socialSetId=${hidden}`),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([404, 'social-set:not_found'])
  }
  const elsewhere = await put(person, set.id, { socialSetId: seen, postSetId: set.id })
  expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'post-set:not_found'])
})

test('nothing of it is in the log', async () => {
  const id = newId()
  await put(author, id)
  await put(author, id, { content: SECRET })
  expect(api.logged()).not.toContain(SECRET)
})
