import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cashtagsIn, hasInvalidCharacters, replaceLinks, weightedLength } from './count-text.ts'

test.each([
  ['nothing', '', 0],
  ['letters', 'a'.repeat(280), 280],
  ['characters that count double', '麵包', 4],
  ['an emoji of seven code points', '👨‍👩‍👧‍👦', 2],
  ['a letter with an accent of its own', 'e\u0301', 1],
  ['a link, however long', `https://example.com/${'a'.repeat(300)}`, 23],
  ['a link without https', 'see example.com', 27],
  ['a mail address', 'me@example.com', 14],
])('length: %s', (_, text, length) => {
  expect(weightedLength(text)).toBe(length)
})

test('a long text is counted by its words, and comes out the same', () => {
  const words = ['bread', 'example.com/a', 'https://example.com', '麵包', '🥖', '@ann', '$ABC', 'é', ',']
  const spaced = fc.tuple(fc.constantFrom(...words), fc.constantFrom(' ', '\n', '\n\n', '\u3000'))
  const text = fc.array(spaced, { maxLength: 60 }).map((pairs) => pairs.flat().join(''))
  // Longer than what is counted in one go.
  const filler = 'x '.repeat(1_100)
  const adds = fc.property(text, (part) => weightedLength(part + filler) === weightedLength(part) + filler.length)
  fc.assert(adds, { numRuns: 50 })
})

test('cashtags are words of letters behind a dollar sign', () => {
  expect(cashtagsIn('$ABC $5 and $d_e')).toEqual(['ABC', 'd_e'])
})

test.each([
  ['a byte order mark', '\ufeffBread', true],
  ['half a character', 'Bread \ud83e', true],
  ['what is fine', 'Bread 🥖\n', false],
])('invalid characters: %s', (_, text, invalid) => {
  expect(hasInvalidCharacters(text)).toBe(invalid)
})

test('links are replaced where they stand, also in long words', () => {
  const long = 'x'.repeat(3_000)
  const text = `(https://example.com/a), b.co!\n${long} me@example.com c.de/`
  const replaced = `(<https://example.com/a>), <b.co>!\n${long} me@example.com <c.de/>`
  expect(replaceLinks(text, (link) => `<${link}>`)).toBe(replaced)
})
