import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const hold = (body: object) => editor.request('POST', '/holds', { body })
const release = (id: string, body: object = { late: 'PUBLISH' }) =>
  editor.request('POST', `/holds/${id}/release`, { body })
const held = async (id: string) =>
  (await done(hold({ scope: 'SOCIAL_SET', id, reason: 'Wait' }), 201)).hold.id as string

test.each<[string, object, string[]]>([
  ['nothing', {}, ['reason', 'scope']],
  ['another scope', { scope: 'POST_SET', reason: 'Wait' }, ['scope']],
  ['no id', { scope: 'SOCIAL_SET', reason: 'Wait' }, ['id']],
  ['an id of the account', { scope: 'ACCOUNT', id: 'ID', reason: 'Wait' }, ['id']],
  ['no reason', { scope: 'ACCOUNT', reason: ' ' }, ['reason']],
  ['two lines', { scope: 'ACCOUNT', reason: 'One\ntwo' }, ['reason']],
  ['a long reason', { scope: 'ACCOUNT', reason: 'x'.repeat(201) }, ['reason']],
  ['something unknown', { scope: 'ACCOUNT', reason: 'Wait', until: '2030-01-01' }, ['until']],
])('a hold with %s is 400 and names what is wrong', async (_, body, wrong) => {
  const answer = await hold(body)
  expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
  expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(wrong)
})

test.each([
  ['SOCIAL_SET', 'social-set:not_found'],
  ['CONNECTION', 'connection:not_found'],
])('a %s that is not there is 404, before the rest is looked at', async (scope, code) => {
  expect(statusAndCode(await hold({ scope, id: newId() }))).toEqual([404, code])
  expect(statusAndCode(await hold({ scope, id: 'nonsense' }))).toEqual([404, code])
})

test('what is stopped already is 409, and the answer says by whom and why', async () => {
  const id = await api.newSocialSet()
  await held(id)
  const answer = await hold({ scope: 'SOCIAL_SET', id, reason: 'Me too' })
  expect(statusAndCode(answer)).toEqual([409, 'request:refused'])
  expect(answer.body.message).toMatch(/already stopped there, by Ada since .* Wait$/)
})

test('of two who stop the same at once, one does', async () => {
  const id = await api.newSocialSet()
  const answers = await Promise.all([1, 2, 3].map(() => hold({ scope: 'SOCIAL_SET', id, reason: 'Wait' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('of two who release the same at once, one does', async () => {
  const id = await held(await api.newSocialSet())
  const answers = await Promise.all(['PUBLISH', 'PARK'].map((late) => release(id, { late })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  expect(statusAndCode(await release(id))).toEqual([404, 'hold:not_found'])
  expect(statusAndCode(await editor.request('GET', `/holds/${id}/waiting`))).toEqual([404, 'hold:not_found'])
})

test('a release has to say what happens to what is late, and changes nothing without that', async () => {
  const id = await held(await api.newSocialSet())
  for (const body of [{}, { late: 'LATER' }]) {
    expect(statusAndCode(await release(id, body))).toEqual([400, 'request:invalid_body'])
  }
  expect((await done(editor.request('GET', '/holds'))).data).toContainEqual(expect.objectContaining({ id }))
  expect((await release(id)).status).toBe(200)
})

test.each(['nonsense', newId()])('a hold %s is 404', async (id) => {
  expect(statusAndCode(await release(id))).toEqual([404, 'hold:not_found'])
})
