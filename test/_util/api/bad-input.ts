import { describe, expect, test } from 'vitest'
import type { Api, RequestOptions } from './api.ts'
import { rowState } from './row-state.ts'

/** A request that is refused: what is wrong with it, the answer's status and code, and the request. */
export type BadInput = [
  what: string,
  expected: [number, string],
  method: string,
  path: () => string,
  options?: () => RequestOptions,
]

/** An id that nothing has. */
export const ABSENT = '019a9c6f-91d4-7e55-b1a0-5d6c7b8a9f01'
export const INVALID: [number, string] = [400, 'request:invalid_body']
export const QUERY: [number, string] = [400, 'request:invalid_query']

/** Every case gets its code as a problem with words, and nothing changes in the database. */
export function refusesAll(api: () => Api, cases: Record<string, BadInput[]>): void {
  describe.each(Object.entries(cases))('%s', (_, each) => {
    test.each(each)('%s: %j, and nothing changes', async (_what, expected, method, path, options) => {
      const before = await rowState(api().db)
      const { status, headers, body } = await api().request(method, path(), options?.() ?? {})
      expect([status, body.code]).toEqual(expected)
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json\b/)
      expect(body.detail).toBe(body.message)
      expect(body.detail.length).toBeGreaterThan(10)
      expect(await rowState(api().db)).toEqual(before)
    })
  })
}
