import { expect, test } from 'vitest'
import { stillList } from './still.ts'

const of = (letters: string) => [...letters].map((id) => ({ id }))
const shownAs = (shown: string, items: string, moves = false) =>
  stillList(of(shown), of(items), moves)
    .map(({ id }) => id)
    .join('')

test.each([
  ['what left keeps its place', 'abc', 'ac', 'abc'],
  ['what comes behind the last one is added', 'abc', 'abcde', 'abcde'],
  ['what comes before and between waits', 'abc', 'xaybc', 'abc'],
  ['what comes behind where something left is added', 'abc', 'bd', 'abcd'],
  ['all have left', 'abc', '', 'abc'],
  ['others are in their place', 'abc', 'de', 'abc'],
  ['a list that was empty shows what is there', '', 'abc', 'abc'],
])('%s', (_, shown, items, expected) => {
  expect(shownAs(shown, items)).toBe(expected)
  expect(shownAs(shown, items, true)).toBe(items)
})

test('what is shown says what is so now', () => {
  const shown = stillList([{ id: 'a', version: 1 }], [{ id: 'a', version: 2 }], false)
  expect(shown).toEqual([{ id: 'a', version: 2 }])
})
