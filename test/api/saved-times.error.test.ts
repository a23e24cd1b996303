import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Answer, type Api, type Body, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

let api: Api
let editor: Person
beforeAll(async () => {
  api = await startApi()
  editor = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const codeOf = ({ status, body }: Answer) => [status, body.code]
const pathsOf = ({ body }: Answer) => body.errors.map(({ path }: Body) => path)
const put = (body: object, { id = api.socialSetId, query = '' } = {}) =>
  editor.request('PUT', `/social-sets/${id}/saved-times${query}`, { body })
const free = (query: string, id = api.socialSetId) => editor.request('GET', `/social-sets/${id}/free-slots${query}`)

test('times that are none, each at its place; what was saved stays', async () => {
  const good = { weekday: 1, time: '09:00' }
  await put({ times: [good] })
  for (const [body, paths] of [
    [{}, ['times']],
    [{ times: 'Monday' }, ['times']],
    [{ times: [good], timezone: 'UTC' }, ['timezone']],
    [
      { times: [good, { weekday: 0, time: '09:00' }, { weekday: 8, time: '09:00' }] },
      ['times[1].weekday', 'times[2].weekday'],
    ],
    [{ times: [{ weekday: 1.5, time: '09:00' }, { weekday: 1 }] }, ['times[0].weekday', 'times[1].time']],
    [{ times: [{ ...good, second: 1 }] }, ['times[0].second']],
    ...['24:00', '9:00', '09:60', '09:00:00', '09:00Z', '', ' 09:00', '０９:００'].map((time) => [
      { times: [good, { weekday: 1, time }] },
      ['times[1].time'],
    ]),
    [{ times: Array.from({ length: 71 }, () => good) }, ['times']],
  ] as [object, string[]][]) {
    const answer = await put(body)
    expect([...codeOf(answer), pathsOf(answer)], JSON.stringify(body)).toEqual([400, 'request:invalid_body', paths])
  }
  const wrong = await put({ times: [{ weekday: 1, time: '9 am' }] })
  expect(wrong.body.errors[0].message).toBe('times[0].time must be a time of day from 00:00 to 23:59, such as 09:30.')
  const { body } = await editor.request('GET', `/social-sets/${api.socialSetId}/saved-times`)
  expect(body.times).toEqual([good])
})

test('a query that cannot be used', async () => {
  for (const [query, paths] of [
    ['?limit=0', ['limit']],
    ['?limit=51', ['limit']],
    ['?limit=x&from=tomorrow', ['limit', 'from']],
    ['?limit=-1', ['limit']],
    ['?from=2101-01-02', ['from']],
    ['?from=2026-02-30', ['from']],
    ['?limit=1&limit=2', ['limit']],
    ['?size=3', ['size']],
  ] as const) {
    const answer = await free(query)
    expect([...codeOf(answer), pathsOf(answer)], query).toEqual([400, 'request:invalid_query', paths])
  }
  expect(codeOf(await put({ times: [] }, { query: '?x=1' }))).toEqual([400, 'request:invalid_query'])
  const read = await editor.request('GET', `/social-sets/${api.socialSetId}/saved-times?x=1`)
  expect(codeOf(read)).toEqual([400, 'request:invalid_query'])
})

test('a social set that is not there, before all other problems', async () => {
  for (const id of [newId(), 'nothing']) {
    for (const answer of [
      await put({}, { id, query: '?x=1' }),
      await free('?limit=0', id),
      await editor.request('GET', `/social-sets/${id}/saved-times`),
    ]) {
      expect(codeOf(answer)).toEqual([404, 'social-set:not_found'])
    }
  }
})
