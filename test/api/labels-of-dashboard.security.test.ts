import { afterAll, beforeAll, expect, test } from 'vitest'
import { LABEL_COLORS } from '#contract'
import { createLabel } from '#operations'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

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

test('without a session it is 401, and a request of another origin is 403', async () => {
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

test('an API key changes no labels', async () => {
  const headers = { origin: 'https://almanac.test' }
  const { status } = await api.request('POST', '/internal/labels', { body: { name: 'By a key' }, headers })
  expect(status).toBe(401)
})

test('who sees some social sets changes a label only while it is on no set of the others', async () => {
  const seen = await api.newSocialSet()
  const restricted = await signInAs(api, 'editor', { socialSetIds: [seen] })
  const carry = async (socialSetId: string) => {
    const set = await api.create({ socialSetId })
    await api.db.insertInto('post_set_labels').values({ post_set_id: set.id, label_id: id }).execute()
    return set
  }
  const [own, hidden] = [await carry(seen), await carry(api.socialSetId)]
  const before = await labels()
  const { body } = await restricted.request('GET', '/labels/usage')
  expect(body.data.find((label: Body) => label.id === id)).toMatchObject({ postSets: 2 })
  expect(JSON.stringify(body)).not.toContain(hidden.id)

  for (const [method, path, sent] of [
    ['PATCH', '', { name: 'Renamed' }],
    ['PATCH', '', { color: LABEL_COLORS[0] }],
    ['POST', '/merge', { into: other }],
    ['DELETE', '', undefined],
  ] as const) {
    const answer = await restricted.request(method, `/labels/${id}${path}`, sent ? { body: sent } : {})
    expect([answer.status, answer.body.code]).toEqual([409, 'request:refused'])
    expect(answer.body.message).toMatch(/^The label “Ours” is also on posts of brands that you do not see\./)
  }
  expect(await labels()).toEqual(before)
  for (const set of [own, hidden]) {
    expect((await api.request('GET', `/v1/post-sets/${set.id}`)).body).toMatchObject({ version: 1, labelsId: [id] })
    expect(await api.history(set.id)).toHaveLength(1)
  }

  await api.db.deleteFrom('post_sets').where('id', '=', hidden.id).execute()
  expect((await restricted.request('PATCH', `/labels/${id}`, { body: { name: 'Renamed' } })).status).toBe(200)
  expect((await restricted.request('POST', `/labels/${id}/merge`, { body: { into: other } })).status).toBe(200)
  expect((await restricted.request('DELETE', `/labels/${other}`)).status).toBe(204)
})
