import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { endedSet, REFUSED } from '../_util/api/results.ts'
import { anyRate, NO_SET, NO_SOCIAL_SET, statusAndCode, WRONG_ROLE } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const BAD_QUERY = [400, 'request:invalid_query']
const BAD_BODY = [400, 'request:invalid_body']
const REFUSED_NOW = [409, 'request:refused']

test.each([
  ['days=0', BAD_QUERY],
  ['days=400', BAD_QUERY],
  ['size=101', BAD_QUERY],
  ['group=all', BAD_QUERY],
  ['cursor=2026-01-01T00:00:00.000Z_nothing&group=published', BAD_QUERY],
  [`cursor=2026-01-01T00:00:00.000Z_${newId()}`, BAD_QUERY],
  ['filters[accountTypes][]=MYSPACE', BAD_QUERY],
  ['colour=red', BAD_QUERY],
  [`socialSetId=${newId()}`, NO_SOCIAL_SET],
  ['socialSetId=nothing', NO_SOCIAL_SET],
])('a list with %s is refused', async (query, answer) => {
  expect(statusAndCode(await person.request('GET', `/results?${query}`))).toEqual(answer)
})

test.each([
  [{}, BAD_BODY],
  [{ until: 'yesterday' }, BAD_BODY],
  [{ until: '2026-01-01T00:00:00Z', more: 1 }, BAD_BODY],
  [{ until: '2026-01-01T00:00:00Z', socialSetId: newId() }, NO_SOCIAL_SET],
])('a mark of %j is refused', async (body, answer) => {
  expect(statusAndCode(await person.request('PUT', '/results/seen', { body }))).toEqual(answer)
})

test('a mark that nothing has to be done is refused in words, and changes nothing', async () => {
  const failed = await endedSet(api, [{ result: REFUSED }])
  const draft = (await api.create()).id
  const put = async (id: string, body: object = { done: true }, who = person) =>
    statusAndCode(await who.request('PUT', `/post-sets/${id}/done`, { body }))
  expect(await put(newId())).toEqual(NO_SET)
  expect(await put(draft)).toEqual(REFUSED_NOW)
  expect(await put(failed, {})).toEqual(BAD_BODY)
  expect(await put(failed, { done: true, more: 1 })).toEqual(BAD_BODY)
  expect(await put(failed, { done: true }, await signInAs(api, 'author'))).toEqual(WRONG_ROLE)
  const rows = await api.db.selectFrom('post_failures').select('done_at').where('post_set_id', '=', failed).execute()
  expect(rows).toEqual([{ done_at: null }])
})

test('retries and looks are refused in words, and change nothing', async () => {
  const failed = await endedSet(api, [{ result: REFUSED }])
  const draft = (await api.create()).id
  const post = async (path: string, body: object = {}, who = person) =>
    statusAndCode(await who.request('POST', path, { body }))
  for (const what of ['retry', 'look']) {
    expect(await post(`/post-sets/${newId()}/${what}`)).toEqual(NO_SET)
    expect(await post(`/post-sets/${draft}/${what}`)).toEqual(REFUSED_NOW)
    expect(await post(`/post-sets/${failed}/${what}`, { postIds: [] })).toEqual(BAD_BODY)
    expect(await post(`/post-sets/${failed}/${what}`, { postIds: [newId()] })).toEqual(REFUSED_NOW)
    expect(await post(`/post-sets/${failed}/${what}`, {}, await signInAs(api, 'author'))).toEqual(WRONG_ROLE)
  }
  expect(await post('/post-sets/retry', { ids: [] })).toEqual(BAD_BODY)
  expect(await post('/post-sets/retry', { ids: Array.from({ length: 101 }, newId) })).toEqual(BAD_BODY)
  const rows = await api.db.selectFrom('deliveries').select('retry').where('post_set_id', '=', failed).execute()
  expect(rows).toEqual([{ retry: 0 }])
})
