import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureBody, refuseLargeBody } from './body-size.ts'
import * as LIMITS from './limits.ts'
import type { ProblemError } from './problem.ts'

const bytes = (json: string) => Buffer.from(json)

function counted(value: unknown): { elements: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { elements: 0, depth: 0 }
  const parts = Object.values(value).map(counted)
  return {
    elements: parts.length + parts.reduce((sum, part) => sum + part.elements, 0),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  }
}

test('counts the keys and elements of any JSON as they are once it is parsed', () => {
  const value = fc.jsonValue({ maxDepth: 6 })
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const json = bytes(JSON.stringify(value, null, space))
      expect(measureBody(json)).toEqual({ ...counted(JSON.parse(json.toString())), bytes: json.length })
    }),
  )
})

test.each([
  ['quotes, brackets and commas within texts', String.raw`{"a\"],[{":"\\","b":"},{,\\\""}`, { elements: 2, depth: 1 }],
  ['white space', ' [ ] ', { elements: 0, depth: 1 }],
  ['lists in lists', '[[],[[]],{}]', { elements: 4, depth: 3 }],
  ['a text that does not end', '["abc', { elements: 1, depth: 1 }],
])('counts %s', (_, json, size) => {
  expect(measureBody(bytes(json))).toMatchObject(size)
})

test('stops where a bound is passed, and reads no further', () => {
  const many = measureBody(bytes(`[${'0,'.repeat(500_000)}0]`))
  expect(many).toMatchObject({ elements: LIMITS.bodyElements + 1 })
  expect(many.bytes).toBeLessThan(2 * (LIMITS.bodyElements + 2))
  const deep = measureBody(bytes('['.repeat(1_000_000)))
  expect(deep).toMatchObject({ depth: LIMITS.bodyDepth + 1 })
  expect(deep.bytes).toBeLessThan(LIMITS.bodyDepth + 2)
})

test.each([
  ['as many elements as allowed', `[${Array(20_000).fill('0').join()}]`, null],
  ['one element more', `[${Array(20_001).fill('0').join()}]`, /more than 20000 keys and elements in all.*Send less/],
  ['keys of many objects', `[${Array(10_001).fill('{"a":0}').join()}]`, /more than 20000 keys/],
  ['as many levels as allowed', `${'['.repeat(50)}${']'.repeat(50)}`, null],
  ['one level more', `${'['.repeat(51)}${']'.repeat(51)}`, /nested deeper than 50 levels/],
])('%s', (_, json, words) => {
  const refused = () => refuseLargeBody(bytes(json))
  if (!words) return expect(refused).not.toThrow()
  expect(refused).toThrow(words)
  try {
    refused()
  } catch (error) {
    const { code, entries } = error as ProblemError
    expect(code).toBe('request:invalid_body')
    expect(entries).toEqual([expect.objectContaining({ path: '', pointer: '#', limit: expect.any(Number) })])
  }
})
