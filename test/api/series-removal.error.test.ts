import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { actionsOf, anyRate, NO_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const remove = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  person.request('POST', `/post-sets/${id}/remove`, { body: body as object, headers })

test.each([
  [{}, ['scope']],
  [{ scope: 'some' }, ['scope']],
  [{ scope: 'all', preview: 'yes' }, ['preview']],
  [{ scope: 'all', more: 1 }, ['more']],
])('%j is reported at %j, and nothing is taken off', async (body, paths) => {
  const { id } = await api.create()
  const answer = await remove(id, body)
  expect(statusAndCode(answer)).toEqual([400, 'request:invalid_body'])
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(paths)
  expect((await person.request('GET', `/post-sets/${id}`)).status).toBe(200)
})

test('a set that is not there, locked, sent or changed meanwhile is refused', async () => {
  expect(statusAndCode(await remove(newId(), { scope: 'all' }))).toEqual(NO_SET)
  expect(statusAndCode(await remove('nothing', { scope: 'all' }))).toEqual(NO_SET)
  const locked = await api.create()
  await actionsOf(person).lock(locked.id)
  expect(statusAndCode(await remove(locked.id, { scope: 'all' }))).toEqual([412, 'post-set:locked'])
  const sent = await api.create()
  await api.db.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', sent.id).execute()
  expect(statusAndCode(await remove(sent.id, { scope: 'this' }))[1]).toBe('post-set:read_only')
  const changed = await api.create()
  await actionsOf(person).patch(changed.id, { scheduledAt: '2030-06-05T10:00:00Z' })
  expect(statusAndCode(await remove(changed.id, { scope: 'this' }, { 'if-match': '"1"' }))).toEqual([
    412,
    'post-set:version_conflict',
  ])
})
