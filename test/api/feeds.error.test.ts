import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import { done } from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ addressLimit: 3 })
})
afterAll(() => api.close())

test('an address that asks for calendars again and again has to wait', async () => {
  const statuses: number[] = []
  // Whole seconds are counted: of so many requests some come within the same.
  for (let count = 0; count < 30 && !statuses.includes(429); count++) {
    const answer = await fetch(`${api.url}/feeds/${'a'.repeat(43)}.ics`)
    statuses.push(answer.status)
    await answer.arrayBuffer()
  }
  expect(statuses.slice(0, 3)).toEqual([404, 404, 404])
  expect(statuses.at(-1)).toBe(429)
})

test('what is kept of a calendar is answered 60 times a minute', async () => {
  const minute = await startApi()
  const editor = await signInAs(minute, 'editor')
  const { url } = await done(editor.request('PUT', `/social-sets/${minute.socialSetId}/calendar-feed`))
  const open = () => fetch(`${minute.url}${new URL(url).pathname}`, { method: 'HEAD' })
  const statuses: number[] = []
  for (let count = 0; count < 60; count++) statuses.push((await open()).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const over = await open()
  expect(over.status).toBe(429)
  const seconds = Number(over.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(1)
  expect(seconds).toBeLessThanOrEqual(60)
  await minute.close()
})
