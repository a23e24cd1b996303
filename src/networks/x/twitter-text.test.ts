import fc from 'fast-check'
import twitter from 'twitter-text'
import { expect, test } from 'vitest'
import { cashtagsIn, hasInvalidCharacters, weightedLength } from './count-text.ts'
import { linksIn } from './links.ts'
import { TOP_LEVEL_DOMAINS } from './top-level-domains.ts'

/** What is counted is what the network's own library counts, of texts made of all that it looks at. */

const words = (text: string) => fc.constantFrom(...text.split(' '))
const one = (...pieces: string[]) => fc.constantFrom(...pieces)
const between = (min: number, max: number) => fc.integer({ min, max }).map((point) => String.fromCodePoint(point))
const many = (pieces: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(pieces, { maxLength }).map((all) => all.join(''))
const maybe = (piece: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), piece)

const TOP = fc.oneof(words('com de co COM co.uk xn--p1ai 中国 рф भारतम् invalid'), fc.constantFrom(...TOP_LEVEL_DOMAINS))
const NAME = fc.oneof(
  words('example a x-y -a a- a_b _a bücher 日本 例。え ☃ 🥖 xn--bcher-kva me@example'),
  one('é'.repeat(40), 'e\u0301', 'a'.repeat(63), 'a'.repeat(64), ''),
)
const HOST = fc
  .tuple(fc.array(NAME, { minLength: 1, maxLength: 4 }), TOP)
  .map(([names, top]) => [...names, top].join('.'))
const PATH = many(words('/ a Ж é . , ! @ @b/ ( ) (a) (a(b)c) – _ & # 漢 %20 ~'), 8).map((path) => `/${path}`)
const SLUG = one('/abc', `/${'a'.repeat(40)}`, `/${'a'.repeat(41)}`, '/abc-d', '/abc?a=b')
const QUERY = many(words('a = & . ? ( ) é 漢 / ! :'), 6).map((query) => `?${query}`)
const LINK = fc
  .tuple(
    one('', '', 'http://', 'https://', 'HTTPS://', 'ftp://', '//', 'http:/'),
    fc.oneof(HOST, words('t.co T.co')),
    maybe(words(':80 : :x :123456789')),
    maybe(fc.oneof(PATH, SLUG)),
    maybe(QUERY),
  )
  .map((parts) => parts.join(''))
const PLAIN = fc.oneof(
  words(
    '. , @ @ann # #tag $ $ABC $ABC.D $TOOLONG ＠ ＃ - _ / : ( ) " a word é ﬁ 漢字 かな 한글 नमस्ते שלום مرحبا ไทย K ſ 𝒳 𠮷',
  ),
  one(
    ' ',
    ' ',
    '\n',
    '\u3000',
    '\u00a0',
    '\u0085',
    '\u180e',
    '\u200e',
    '\u202a',
    '\u2066',
    '\ufeff',
    '\ufffe',
    '\u200b',
  ),
  one('\u200d', '\u2032', '\u10ff', '\u1100', '\u1112\u1161\u11ab', 'e\u0301', '\u0344', '\ufb1d', '\ud83e', '\udd56'),
)
const EMOJI = fc.oneof(
  words('🥖 © ©️ ™ 1️⃣ #⃣ ❤ ❤️ ☺︎ 👍🏽 👩‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 🇩 🇩🇪🇫 🤦🏿‍♂️ 👁️‍🗨️ ⛹️‍♀️ 🕵️‍♂️'),
  words('🫠 🥹 🧑‍🤝‍🧑 ❤️‍🔥 🐻‍❄️ 😮‍💨 ⛹🏻‍♀ \ufe0f \u20e3 🏻 〰 ㊗️ ⌚️'),
  between(0x1f000, 0x1faff),
  between(0x2000, 0x2bff),
)
const TEXT = fc
  .array(fc.oneof({ weight: 3, arbitrary: LINK }, { weight: 4, arbitrary: PLAIN }, { weight: 2, arbitrary: EMOJI }), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''))

/** Counted word by word: no post has the invalid characters that separate some, and what is longer than a host is cut. */
const isCutElsewhere = (text: string) =>
  hasInvalidCharacters(text) || text.split(/\s/).some((word) => word.length > 253)

const ours = (text: string) => ({
  length: isCutElsewhere(text) ? null : weightedLength(text),
  links: linksIn(text).map(({ url, start, end }) => ({ url, indices: [start, end] })),
  cashtags: cashtagsIn(text),
  invalid: hasInvalidCharacters(text),
})
const theirs = (text: string) => ({
  length: isCutElsewhere(text) ? null : twitter.parseTweet(text).weightedLength,
  links: twitter.extractUrlsWithIndices(text),
  cashtags: twitter.extractCashtags(text),
  invalid: !text.isWellFormed() || twitter.hasInvalidCharacters(text),
})

test('texts count as the network’s own library counts them', () => {
  const numRuns = Number(process.env.ALMANAC_COUNTED_TEXTS ?? 2_000)
  fc.assert(
    fc.property(TEXT, (text) => {
      expect(ours(text)).toEqual(theirs(text))
    }),
    { numRuns },
  )
})

test('so does every character, beside a letter and behind a host', () => {
  const different: string[] = []
  const from = (start: number, end: number) => Array.from({ length: end - start }, (_, nth) => start + nth)
  // Those in between are like their neighbors: ideographs, syllables of Korean, half characters, and what is beyond emoji.
  const points = [...from(1, 0x3500), ...from(0xd700, 0xd880), ...from(0xf800, 0x1_0000), ...from(0x1_f000, 0x2_0000)]
  for (let at = 0; at < points.length; at += 16) {
    const some = points.slice(at, at + 16).map((point) => String.fromCodePoint(point))
    for (const text of [some.map((each) => `${each} `).join(''), some.map((each) => `a.com${each} `).join('')]) {
      if (weightedLength(text) !== twitter.parseTweet(text).weightedLength) different.push(text)
    }
  }
  expect(different).toEqual([])
})
