import { describe, expect, test, vi } from 'vitest'
import { linkPlaces } from './link-places.ts'

const linksIn = (text: string) => [...new Set(linkPlaces(text).map(({ start, end }) => text.slice(start, end)))]

/** Marks around words, in the languages that use them. */
const AROUND = [
  ...['„…“', '„…”', '“…”', '”…”', '‚…‘', '‘…’', '’…’', '«…»', '»…«', '»…»', '‹…›', '›…‹', '›…›', '"…"', "'…'"],
  ...['「…」', '『…』', '（…）', '【…】', '〈…〉', '《…》', '〔…〕', '［…］', '｢…｣', '〝…〟', '＜…＞'],
  ...['(…)', '[…]', '{…}', '<…>', '⟨…⟩', '❝…❞', '❛…❜', '`…`', '*…*', '**…**', '_…_', '~~…~~', '||…||'],
  ...[
    '[a](…)',
    '([a](…))',
    '<a href="…">',
    "<a href='…'>",
    '[url]…[/url]',
    '[url=…]',
    '![](…)',
    '„‚…‘“',
    '(„…“)',
    '“‘…’”',
  ],
]
/** What follows an address. */
const BEHIND = [
  ...['', ' ', '\n', '\u00a0', '\u2003', '\u3000', '\u200b', '\u2060', '\ufeff', '\u200e', '\u2028', '\t', '\r\n'],
  ...['.', ',', ';', ':', '!', '?', '…', '...', '?!', '。', '、', '！', '？', '；', '：', '，', '．', '・'],
  ...['؟', '،', '؛', '۔', '।', '॥', '։', '\u037e', '·', '\u0387', '፡', '።', '፣', '၊', '။', '។', '׃', '‽', '⸮', '་'],
  ...['—so', '–so', '― so', ' – so', '—', '🎉', '🎉🎉', '❤️', '👩‍🍳', '🇩🇪', '1️⃣', '👍🏽', '™', '→', '•'],
  ...['です', '这里', '에서', 'です。', 'ได้', 'ບໍ່', 'របស់'],
]
const LINKS = [
  'https://example.com',
  'https://example.com/',
  'https://example.com/news',
  "https://en.wikipedia.org/wiki/Baker's_yeast",
  'https://en.wikipedia.org/wiki/Baker’s_yeast',
  "https://www.google.com/maps/place/Anna's+Bakery/@52.36,4.86,18z",
  'https://en.wikipedia.org/wiki/Rye_(bread)',
  'https://en.wikipedia.org/wiki/Rye_(bread)_and_(butter)/x',
  'https://en.wikipedia.org/wiki/Bose–Einstein_condensate',
  'https://example.com/?ids=1,2,3&r[]=4&to=https://example.org/a',
  'https://example.com/a#part-2',
  'https://example.com:8443/a.b;c=d/e',
  'http://localhost:3000/x',
  'https://[2001:db8::1]:8080/x',
  'https://ada:secret@example.com/x',
  'https://müller.example/straße?q=ü#größe',
  'https://xn--mller-kva.example/~anna/',
  'https://пример.испытание/путь',
  'https://例え.テスト/a',
  'https://例え.テスト',
  'https://실례.테스트/x',
  'https://उदाहरण.परीक्षा/पथ',
  'https://مثال.إختبار/مسار',
  'https://ตัวอย่าง.ทดสอบ/ก',
  'https://παράδειγμα.δοκιμή/α',
  'https://💩.la/a',
  'https://example.com/tiếng_việt',
  'https://web.archive.org/web/*/https://example.org/',
  'https://fa.wikipedia.org/wiki/می\u200cخواهم',
  'HTTPS://Example.COM/%E3%83%91?q=%27',
]
/** Words in front. */
const SCRIPTS = [
  '',
  'See ',
  'Siehe: ',
  '新商品',
  '看',
  '보기',
  'ดู',
  'Смотри ',
  'اقرأ ',
  'देखें ',
  'Voir : ',
  '🎉',
  'l’hôtel ',
  "it's ",
]

/** What of an address is letters of a language that may go on behind it. */
const runsOn = (link: string, behind: string) =>
  (/[^\p{ASCII}]$/u.test(link) && /^[\p{L}\d]/u.test(behind)) ||
  (/[^\p{ASCII}]\/?$/u.test(link) && /^[ໆ\u0e00-\u17ff]/u.test(behind))

test('every address between every pair of marks, with every mark behind it', () => {
  const wrong: string[] = []
  let tried = 0
  for (const [nth, link] of LINKS.entries()) {
    for (const [mth, around] of AROUND.entries()) {
      for (const [kth, behind] of BEHIND.entries()) {
        const front = SCRIPTS[(nth + mth + kth) % SCRIPTS.length] ?? ''
        const [before = '', after = ''] = around.split('…')
        // Half of them are enough.
        if ((nth + mth + kth) % 2 === 1) continue
        // Quotes that apostrophes are, and digits behind them, which a keycap begins with: nobody can tell.
        if (behind.startsWith('1') && /['’*_~|]/.test(around)) continue
        // A mark of a word right in front of an opening one makes it a closing one.
        const gap = /[\p{L}]$/u.test(front) ? ' ' : ''
        const text = `${front}${gap}${before}${link}${after}${behind}`
        const found = linksIn(text)
        tried++
        if (found.length !== 1 || found[0] !== link) wrong.push(`${JSON.stringify(text)} gave ${JSON.stringify(found)}`)
      }
    }
  }
  expect(wrong.slice(0, 20)).toEqual([])
  expect(tried).toBeGreaterThan(40_000)
})

test('every address behind words of every language, with every mark right behind it', () => {
  const wrong: string[] = []
  for (const link of LINKS) {
    for (const front of SCRIPTS) {
      for (const behind of BEHIND) {
        // Dashes and words of the address's own language go on with it; nobody can tell.
        if (runsOn(link, behind) || (/[^/]\/.*\/$/.test(link) && /^[^\P{L}a-z]/u.test(behind))) continue
        const text = `${front}${link}${behind}`
        const found = linksIn(text)
        if (found.length !== 1 || found[0] !== link) wrong.push(`${JSON.stringify(text)} gave ${JSON.stringify(found)}`)
      }
    }
  }
  expect(wrong.slice(0, 20)).toEqual([])
})

describe('addresses of single texts', () => {
  test.each<[string, string, string[]]>([
    ['a Thai slug', 'https://example.com/ขนมปัง/', ['https://example.com/ขนมปัง/']],
    ['a Korean slug with a dash', 'https://blog.example.com/맛집-추천/ 보기', ['https://blog.example.com/맛집-추천/']],
    ['a Japanese folder', 'https://example.com/日本語/ブログ です', ['https://example.com/日本語/ブログ']],
    ['a year of Japan', 'https://www.example.com/2024年/パン', ['https://www.example.com/2024年/パン']],
    ['a title of mixed letters', 'https://ja.wikipedia.org/wiki/Tシャツ', ['https://ja.wikipedia.org/wiki/Tシャツ']],
    ['a host in Punycode', 'https://xn--r8jz45g.jp/パン', ['https://xn--r8jz45g.jp/パン']],
    [
      'a handle with a line in front',
      'Foto: @_anna! Mehr: https://instagram.com/brot_',
      ['https://instagram.com/brot_'],
    ],
    ['a tag with a line in front', '#_brot https://t.me/brot_', ['https://t.me/brot_']],
    ['two lines around it', '__https://example.com/a_b__', ['https://example.com/a_b']],
    ['a sign at in a password', 'https://user:p@ss@example.com/ x', ['https://user:p@ss@example.com/']],
    [
      'an apostrophe at the end of a title',
      "https://en.wikipedia.org/wiki/Dunkin' is",
      ["https://en.wikipedia.org/wiki/Dunkin'"],
    ],
    [
      'a title in quotes that has an apostrophe',
      "'https://a.example/Baker's_yeast', he said",
      ["https://a.example/Baker's_yeast"],
    ],
    ['a quote that began before', '„Siehe https://a.example/b“ heute', ['https://a.example/b']],
    ['words right behind a closing quote', '“https://a.example/b”said', ['https://a.example/b']],
    ['quotes within the address', 'https://a.example/„b“/c', ['https://a.example/„b“/c']],
    ['quotes at its end that it has opened', 'https://a.example/„b“', ['https://a.example/„b“']],
    ['a possessive behind a host', 'I like https://wiki.example’s logo', ['https://wiki.example']],
    ['a dash between years', 'https://a.example/Bundesliga_2019–20', ['https://a.example/Bundesliga_2019–20']],
    [
      'addresses with nothing but a comma between',
      'https://a.example/b,https://c.example/d',
      ['https://a.example/b', 'https://c.example/d'],
    ],
    [
      'addresses with a bar between',
      'https://a.example/b|https://c.example/d',
      ['https://a.example/b', 'https://c.example/d'],
    ],
    ['the star of an advertisement', 'https://a.example/b* (*Werbung)', ['https://a.example/b']],
    ['a point of a Catalan word', 'https://a.example/col·lecció', ['https://a.example/col·lecció']],
    ['an apostrophe of a word in front', "the bakers' https://a.example/o'b", ["https://a.example/o'b"]],
    ['a quote that was closed before', '„So“ https://a.example/x“y', ['https://a.example/x“y']],
    ['a bracket that is open since a paragraph', 'So :(\n\nhttps://a.example/x)y', ['https://a.example/x)y']],
    ['Japanese words in a path', '見て https://ja.example/wiki/パン。', ['https://ja.example/wiki/パン']],
    ['and in a query', 'https://zh.example/?q=面包，', ['https://zh.example/?q=面包']],
    [
      'a name with points between',
      'https://ja.example/wiki/レオナルド・ダ・ヴィンチ',
      ['https://ja.example/wiki/レオナルド・ダ・ヴィンチ'],
    ],
    [
      'Korean words in a path, with a bracket',
      '(https://ko.example/wiki/빵_(음식))',
      ['https://ko.example/wiki/빵_(음식)'],
    ],
    ['a bracket right behind, with words', 'https://ja.example/a(公式)', ['https://ja.example/a']],
    ['words right behind a slash', 'https://example.com/をどうぞ', ['https://example.com/']],
    ['no host', 'https:// and https://です and http://.', []],
    ['an address twice', '(https://a.example/b) https://a.example/b.', ['https://a.example/b']],
  ])('%s', (_, text, links) => {
    expect(linksIn(text)).toEqual(links)
  })
})

test('a text of a hundred thousand marks is looked through once', () => {
  const parts = [
    'https://',
    'https://a.b/',
    'https://a.b/(',
    'https://a.b/—',
    '“https://a.b/”',
    'https://a@',
    'https://漢.',
    '\n \n',
    "'",
    '(',
    '“',
  ]
  const one = [')', '.', '_', '-', 'a.', '漢.', '💩', '“', '(', '–', 'a_', '%', '@', '\u200d']
  const texts = [
    ...parts.map((part) => part.repeat(Math.floor(100_000 / part.length))),
    ...one.flatMap((part) => [`https://a.b/${part.repeat(100_000)}`, `https://${part.repeat(100_000)}`]),
  ]
  for (const text of texts) {
    const read = vi.spyOn(String.prototype, 'codePointAt')
    linksIn(text)
    const signs = read.mock.calls.length
    vi.restoreAllMocks()
    expect(signs, text.slice(0, 20)).toBeLessThanOrEqual(text.length + 1)
  }
})
