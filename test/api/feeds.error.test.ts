import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api.ts'

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
