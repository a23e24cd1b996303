import { expect, test } from 'vitest'
import { optionalTexts, parseSearch, stringifySearch } from './search.ts'

test('ids that look like something else stay as they are, there and back', () => {
  for (const id of ['12345', '1e5', 'true', 'null', '007', '{"a":1}', 'a b&c=d']) {
    expect(parseSearch(stringifySearch({ post: id }))).toEqual({ post: id })
  }
})

test('what has no value does not be in the address', () => {
  expect(stringifySearch({ set: undefined, post: '', q: null })).toBe('')
})

test('a reader takes its own names and texts only', () => {
  const read = optionalTexts('set', 'post')
  expect(read({ set: 'a', post: 7, other: 'b' })).toEqual({ set: 'a' })
})
