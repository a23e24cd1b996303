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

test('what was not removed cannot come back', async () => {
  const { id } = await api.create()
  for (const each of [id, newId(), 'nonsense']) {
    expect(statusAndCode(await person.request('POST', `/post-sets/${each}/restore`))).toEqual(NO_SET)
    expect(statusAndCode(await person.request('POST', `/notes/${each}/restore`))).toEqual([404, 'note:not_found'])
  }
})

test('restoring takes no query, and then brings nothing back', async () => {
  const { id } = await api.create()
  await actionsOf(person).remove(id)
  expect(statusAndCode(await person.request('POST', `/post-sets/${id}/restore?x=1`))).toEqual([
    400,
    'request:invalid_query',
  ])
  expect((await person.request('GET', `/post-sets/${id}`)).status).toBe(404)
  const body = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-15' }
  const note = await person.request('POST', '/notes', { body })
  await person.request('DELETE', `/notes/${note.body.id}`)
  const path = `/notes/${note.body.id}/restore`
  expect(statusAndCode(await person.request('POST', `${path}?x=1`))).toEqual([400, 'request:invalid_query'])
  expect((await person.request('POST', path)).status).toBe(200)
})

test('a locked set, or another version than the one that was read, is not deleted', async () => {
  const { id } = await api.create()
  const conflict = await person.request('DELETE', `/post-sets/${id}`, { headers: { 'if-match': '"7"' } })
  expect(statusAndCode(conflict)).toEqual([412, 'post-set:version_conflict'])
  await actionsOf(person).lock(id)
  expect(statusAndCode(await person.request('DELETE', `/post-sets/${id}`))).toEqual([412, 'post-set:locked'])
})
