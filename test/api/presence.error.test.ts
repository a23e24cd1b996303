import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Api, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, NO_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const put = (stream: string, body: object) => person.request('PUT', `/presence/${stream}`, { body })

test('a window without a stream says so, and no one sees it', async () => {
  const { id } = await api.create()
  for (const stream of [newId(), 'none']) {
    expect(await done(put(stream, { postSetId: id }))).toEqual({ said: false })
  }
  const other = await signInAs(api, 'owner')
  expect(await done(other.request('GET', `/post-sets/${id}/presence`))).toEqual({ people: [] })
})

test('a stream of another brand serves, too; bodies that say nothing are refused', async () => {
  const stream = newId()
  const other = await api.newSocialSet()
  const events = await follow(api, person, `${other}&stream=${stream}`)
  await events.until('ready')
  const { id } = await api.create()
  expect(await done(put(stream, { postSetId: id }))).toEqual({ said: true })
  for (const body of [{}, { postSetId: 1 }, { postSetId: null, more: 1 }]) {
    expect(statusAndCode(await put(stream, body))).toEqual([400, 'request:invalid_body'])
  }
  for (const postSetId of ['none', newId()]) expect(statusAndCode(await put(stream, { postSetId }))).toEqual(NO_SET)
  events.close()
})

test('a stream whose id is none is a stream all the same', async () => {
  const events = await follow(api, person, `${api.socialSetId}&stream=none`)
  await events.until('ready')
  events.close()
})
