import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLabel } from '#operations'
import { type Api, type Body, startApi } from '../_util/api.ts'
import { type Person, signInAs } from '../_util/members.ts'

let api: Api
let id: string
let other: string
beforeAll(async () => {
  api = await startApi()
  const label = (name: string) => createLabel(api, { accountId: api.accountId, name, color: null })
  id = (await label('Ours')).id
  other = (await label('Ours too')).id
})
afterAll(() => api.close())

const labels = () => api.db.selectFrom('labels').selectAll().orderBy('id').execute()

/** Everything that changes labels, by somebody, with bodies that would do. */
async function changeAll(person: Person, headers: Record<string, string> = {}): Promise<[number, string][]> {
  const answers = []
  for (const [method, path, body] of [
    ['POST', '/labels', { name: 'New' }],
    ['PATCH', `/labels/${id}`, { name: 'Changed' }],
    ['POST', `/labels/${id}/merge`, { into: other }],
    ['DELETE', `/labels/${id}`, undefined],
  ] as const) {
    answers.push(await person.request(method, path, { headers, ...(body ? { body } : {}) }))
  }
  return answers.map(({ status, body }) => [status, body?.code])
}
const all = (status: number, code: string) => Array(4).fill([status, code])

test.each(['author', 'reviewer'] as const)('an %s reads labels and changes none', async (role) => {
  const before = await labels()
  const person = await signInAs(api, role)
  expect(await changeAll(person)).toEqual(all(403, 'auth:insufficient_role'))
  expect(await labels()).toEqual(before)
  expect((await person.request('GET', '/labels/usage')).status).toBe(200)
})

test('nobody signed in is 401, and a request of another origin is 403', async () => {
  const before = await labels()
  const owner = await signInAs(api, 'owner')
  expect(await changeAll(owner, { cookie: '' })).toEqual(all(401, 'auth:not_signed_in'))
  const elsewhere = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
  expect(await changeAll(owner, elsewhere)).toEqual(all(403, 'auth:cross_site_request'))
  const listed = await owner.request('GET', '/labels/usage', { headers: { cookie: '' } })
  expect([listed.status, listed.body.code]).toEqual([401, 'auth:not_signed_in'])
  expect(await labels()).toEqual(before)
})

test("another account's labels are not there, not to be merged into either", async () => {
  const before = await labels()
  const accountId = await api.newAccount()
  const stranger = await signInAs(api, 'owner', { accountId })
  const answers = await changeAll(stranger)
  expect(answers[0]).toEqual([201, undefined])
  expect(answers.slice(1)).toEqual(all(404, 'label:not_found').slice(1))
  const theirs = await createLabel(api, { accountId, name: 'Theirs', color: null })
  const merged = await stranger.request('POST', `/labels/${theirs.id}/merge`, { body: { into: id } })
  expect([merged.status, merged.body.code]).toEqual([404, 'label:not_found'])
  expect((await labels()).filter((label) => label.account_id === api.accountId)).toEqual(before)
  const { body } = await stranger.request('GET', '/labels/usage')
  expect(body.data.map(({ name }: Body) => name)).toEqual(['New', 'Theirs'])
})

test('labels are of the account: a member who sees some social sets manages them, and is told of counts only', async () => {
  const set = await api.create()
  await api.db.insertInto('post_set_labels').values({ post_set_id: set.id, label_id: id }).execute()
  const restricted = await signInAs(api, 'editor', { socialSetIds: [await api.newSocialSet()] })
  const { body } = await restricted.request('GET', '/labels/usage')
  expect(body.data.find((label: Body) => label.id === id)).toMatchObject({ postSets: 1 })
  expect(JSON.stringify(body)).not.toContain(set.id)
  expect((await restricted.request('PATCH', `/labels/${id}`, { body: { name: 'Renamed' } })).status).toBe(200)
})

test('an API key changes no labels', async () => {
  const headers = { origin: 'https://almanac.test' }
  const { status } = await api.request('POST', '/internal/labels', { body: { name: 'By a key' }, headers })
  expect(status).toBe(401)
})
