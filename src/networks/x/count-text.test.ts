import twitter from 'twitter-text'
import { expect, test } from 'vitest'
import { hasInvalidCharacters, replaceLinks, weightedLength } from './count-text.ts'

test.each([
  ['a letter with an accent of its own', 'e\u0301', 1],
  ['a link without https', 'see example.com', 27],
  ['a mail address', 'me@example.com', 14],
])('length: %s', (_, text, length) => {
  expect(weightedLength(text)).toBe(length)
})

test('the words of a text count as the whole of it does', () => {
  const text = 'bread example.com/a\n\nhttps://example.com/b 麵包\u3000🥖 @ann $ABC é , me@example.com'
  expect(weightedLength(text)).toBe(twitter.parseTweet(text).weightedLength)
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
