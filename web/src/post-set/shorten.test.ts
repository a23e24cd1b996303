import { expect, test } from 'vitest'
import { fitsWithout, shortened } from './shorten.ts'

test.each([
  ['the words before it, and a sign', 'one two three', 3, 'one two…'],
  ['a part of one long word', 'abcdefgh', 2, 'abcd…'],
  ['nothing of a sign of several code points', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 1, '👩‍👩‍👧‍👦'],
  ['nothing', 'a b', 9, ''],
  [
    'whole sentences',
    'We bake rye. We bake it at night! And we sell it in the morning.',
    20,
    'We bake rye. We bake it at night!',
  ],
  [
    'words, where a sentence would be too little',
    'Rye. And so many words that come behind it',
    4,
    'Rye. And so many words that come…',
  ],
  ['a sentence before an address', 'We bake rye. https://a.example/rye', 21, 'We bake rye.'],
  ['lines that end without a sign', 'Rye for three weeks\nand a crust of sugar', 9, 'Rye for three weeks'],
])('of a text that is too long is left %s', (_, text, by, left) => {
  expect(shortened(text, fitsWithout(text, by))).toBe(left)
})

test('what is too much begins at a whole sign', () => {
  expect(fitsWithout('abcdef', 2)).toBe(4)
  expect(fitsWithout('ab👩‍👩‍👧‍👦c', 2)).toBe(2)
  expect(fitsWithout('abc', 0)).toBe(3)
  expect(fitsWithout('abc', 9)).toBe(0)
})
