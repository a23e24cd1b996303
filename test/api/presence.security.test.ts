import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, NO_SET, NOT_SIGNED_IN, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const who = (person: Person, id: string) => person.request('GET', `/post-sets/${id}/presence`)
const say = (person: Person, stream: string, postSetId: string) =>
  person.request('PUT', `/presence/${stream}`, { body: { postSetId } })

test('keys, guests and strangers neither see who is there nor say it', async () => {
  const { id } = await api.create()
  for (const key of [null, undefined]) {
    const answer = await api.request('GET', `/internal/post-sets/${id}/presence`, key === null ? { key } : {})
    expect(statusAndCode(answer)).toEqual(NOT_SIGNED_IN)
  }
  expect((await api.request('GET', `/v1/post-sets/${id}/presence`)).status).toBe(404)
  const limited = await signInAs(api, 'owner', { socialSetIds: [newId()] })
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  for (const person of [limited, stranger]) {
    expect(statusAndCode(await who(person, id))).toEqual(NO_SET)
    expect(statusAndCode(await say(person, newId(), id))).toEqual(NO_SET)
  }
  // No route of guests has it.
  expect(api.routes.filter(({ url }) => url.startsWith('/shared') && url.includes('presence'))).toEqual([])
})

test("the row of another member's stream stays theirs", async () => {
  const { id } = await api.create()
  const other = await signInAs(api, 'editor')
  const stream = newId()
  const theirs = await follow(api, other, `${api.socialSetId}&stream=${stream}`)
  await theirs.until('ready')
  const own = await follow(api, owner, `${api.socialSetId}&stream=${stream}`)
  await own.until('ready')
  expect(await done(say(owner, stream, id))).toEqual({ said: false })
  expect(await done(say(other, stream, id))).toEqual({ said: true })
  expect((await done(who(owner, id))).people.map((each: { id: string }) => each.id)).toEqual([other.userId])
  for (const each of [theirs, own]) each.close()
})

test('who loses the brand is not seen in it from that moment, and a person of two accounts only in the one that is open', async () => {
  const { id } = await api.create()
  const person = await signInAs(api, 'editor', { socialSetIds: [api.socialSetId] })
  const accountId = await api.newAccount()
  await newMember(api, accountId, { accountId, userId: person.userId, password: person.password })
  const stream = newId()
  const events = await follow(api, person, `${api.socialSetId}&stream=${stream}`)
  await events.until('ready')
  await done(say(person, stream, id))
  expect((await done(who(owner, id))).people).toHaveLength(1)
  await api.db
    .updateTable('memberships')
    .set({ social_set_ids: [newId()] })
    .where('user_id', '=', person.userId)
    .where('account_id', '=', api.accountId)
    .execute()
  expect((await done(who(owner, id))).people).toEqual([])
  events.close()
})
