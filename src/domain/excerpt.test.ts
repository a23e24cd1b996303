import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const FAMILY = '👨‍👩‍👧‍👦'

test('a text that fits is one line of itself', () => {
  expect(excerptOf('  one\n\n two\tthree ', 120)).toBe('one two three')
  expect(excerptOf('', 120)).toBe('')
  expect(excerptOf('🐎'.repeat(120), 120)).toBe('🐎'.repeat(120))
})

test('a longer one ends between characters, not within them', () => {
  expect(excerptOf('abcdef', 4)).toBe('abcd')
  expect(excerptOf('🐎'.repeat(121), 120)).toBe('🐎'.repeat(120))
  // Seven code points that are one character.
  expect(excerptOf(`ab${FAMILY}cd`, 8)).toBe('ab')
  expect(excerptOf(`ab${FAMILY}cd`, 9)).toBe(`ab${FAMILY}`)
  // An accent that comes behind the cut belongs to the letter before it.
  expect(excerptOf('abce\u0301f', 4)).toBe('abc')
  expect(excerptOf('abc def', 4)).toBe('abc')
})

test('a single character that is longer is cut all the same', () => {
  expect(excerptOf(`e${'\u0301'.repeat(500)}`, 120)).toBe(`e${'\u0301'.repeat(119)}`)
})
