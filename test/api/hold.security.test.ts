import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, OTHER_SITE, statusAndCode, WRONG_ROLE } from '../_util/browser/dashboard-api.ts'

/** Beyond what test/api/routes.security.test.ts shows of every route. */

let api: Api
let editor: Person
let own: string
let other: string
/** An editor who sees `own` alone. */
let restricted: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'editor')
  own = await api.newSocialSet({ name: 'Own' })
  other = await api.newSocialSet({ name: 'Other' })
  restricted = await signInAs(api, 'editor', { socialSetIds: [own] })
})
afterAll(() => api.close())

const hold = (person: Person, body: object) => person.request('POST', '/holds', { body: { reason: 'Secret', ...body } })
const release = (person: Person, id: string) =>
  person.request('POST', `/holds/${id}/release`, { body: { late: 'PUBLISH' } })
const scopes = async (person: Person): Promise<string[]> =>
  (await done(person.request('GET', '/holds'))).data.map(({ scope, name }: Body) => `${scope} ${name}`)

test.each(['author', 'reviewer'] as const)('hold-07: who may not publish may not stop publishing: %s', async (role) => {
  const person = await signInAs(api, role)
  expect(statusAndCode(await hold(person, { scope: 'SOCIAL_SET', id: own }))).toEqual(WRONG_ROLE)
  const placed = await done(hold(editor, { scope: 'SOCIAL_SET', id: own }), 201)
  expect(statusAndCode(await release(person, placed.hold.id))).toEqual(WRONG_ROLE)
  expect(await scopes(person)).toEqual(['SOCIAL_SET Own'])
  await done(release(editor, placed.hold.id))
})

test('who sees some social sets stops those, sees the hold of the account, and places or ends none of it', async () => {
  expect(statusAndCode(await hold(restricted, { scope: 'ACCOUNT' }))).toEqual([409, 'request:refused'])
  expect(statusAndCode(await hold(restricted, { scope: 'SOCIAL_SET', id: other }))).toEqual([
    404,
    'social-set:not_found',
  ])
  const account = await done(hold(editor, { scope: 'ACCOUNT' }), 201)
  const elsewhere = await done(hold(editor, { scope: 'SOCIAL_SET', id: other }), 201)
  const mine = await done(hold(restricted, { scope: 'SOCIAL_SET', id: own }), 201)
  expect(await scopes(restricted)).toEqual(['ACCOUNT Account', 'SOCIAL_SET Own'])
  expect(statusAndCode(await release(restricted, account.hold.id))).toEqual([409, 'request:refused'])
  expect(statusAndCode(await release(restricted, elsewhere.hold.id))).toEqual([404, 'hold:not_found'])
  const waiting = (id: string) => restricted.request('GET', `/holds/${id}/waiting`)
  expect(statusAndCode(await waiting(account.hold.id))).toEqual([409, 'request:refused'])
  expect(statusAndCode(await waiting(elsewhere.hold.id))).toEqual([404, 'hold:not_found'])
  expect((await waiting(mine.hold.id)).body).toEqual({ postSets: 0, mayHaveGoneOut: 0, withNetworks: 0 })
  for (const { hold } of [account, elsewhere, mine]) await done(release(editor, hold.id))
})

test('another account sees and ends nothing of it', async () => {
  const stranger = await signInAs(api, 'owner', { accountId: await api.newAccount() })
  const placed = await done(hold(editor, { scope: 'ACCOUNT' }), 201)
  expect(await scopes(stranger)).toEqual([])
  expect(statusAndCode(await release(stranger, placed.hold.id))).toEqual([404, 'hold:not_found'])
  expect(statusAndCode(await hold(stranger, { scope: 'SOCIAL_SET', id: own }))).toEqual([404, 'social-set:not_found'])
  await done(release(editor, placed.hold.id))
})

test('hold-07: API keys read holds of what they see, and place none', async () => {
  const placed = await done(hold(editor, { scope: 'SOCIAL_SET', id: other }), 201)
  const key = await api.newKey({ socialSetIds: [own] })
  expect(JSON.stringify((await api.request('GET', '/v1/social-sets', { key })).body)).not.toContain('Secret')
  const body = { scope: 'SOCIAL_SET', id: own, reason: 'Secret' }
  expect(statusAndCode(await api.request('POST', '/internal/holds', { body }))).toEqual(OTHER_SITE)
  expect((await fetch(`${api.url}/v1/holds`, { headers: { authorization: `Bearer ${api.key}` } })).status).toBe(404)
  await done(release(editor, placed.hold.id))
})
