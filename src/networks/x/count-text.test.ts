import fc from 'fast-check'
import twitter from 'twitter-text'
import { describe, expect, test } from 'vitest'
import { cashtagsIn, hasInvalidCharacters, replaceLinks, weightedLength } from './count-text.ts'

describe('length', () => {
  test.each([
    ['nothing', '', 0],
    ['letters', 'a'.repeat(280), 280],
    ['characters that count double', '麵包', 4],
    ['an emoji of seven code points', '👨‍👩‍👧‍👦', 2],
    ['a letter with an accent of its own', 'e\u0301', 1],
    ['a link, however long', `https://example.com/${'a'.repeat(300)}`, 23],
    ['a link without https', 'see example.com', 27],
    ['a mail address', 'me@example.com', 14],
  ])('%s', (_, text, length) => {
    expect(weightedLength(text)).toBe(length)
  })

  test('a long text is counted by its words, and comes out the same', () => {
    const word = fc.constantFrom(
      'bread',
      'example.com/a',
      'https://example.com',
      '麵包',
      '🥖',
      '@ann',
      '$ABC',
      'é',
      ',',
    )
    const space = fc.constantFrom(' ', '\n', '\n\n', '\u3000')
    const text = fc
      .array(fc.tuple(word, space), { maxLength: 60 })
      .map((pairs) => pairs.map(([first, second]) => first + second).join(''))
    fc.assert(
      fc.property(text, (part) => {
        // Longer than what is counted in one go.
        const filler = 'x '.repeat(1_100)
        expect(weightedLength(part + filler)).toBe(weightedLength(part) + filler.length)
      }),
      { numRuns: 50 },
    )
  })

  test('a word without end takes less time than the library needs for it', { timeout: 60_000 }, () => {
    const word = '日本.'.repeat(8_000)
    const timed = (count: (text: string) => unknown) => {
      const started = performance.now()
      count(word)
      return performance.now() - started
    }
    expect(weightedLength(word)).toBeGreaterThan(25_000)
    expect(timed(weightedLength)).toBeLessThan(timed((text) => twitter.parseTweet(text)))
  })
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
  const text = `(https://example.com/a), b.co!\n${'x'.repeat(3_000)} me@example.com c.de/`
  expect(replaceLinks(text, (link) => `<${link}>`)).toBe(
    `(<https://example.com/a>), <b.co>!\n${'x'.repeat(3_000)} me@example.com <c.de/>`,
  )
})
