/** Texts that are expensive to count, search for links or fold, as units that are repeated. */
export const UNITS: Readonly<Record<string, string>> = {
  letters: 'a',
  words: 'word ',
  dots: '.',
  'dotted Latin': 'a.',
  'dotted Cyrillic': 'Ж.Я.',
  'dotted hosts': 'a.com.',
  'hosts in words': 'Я.com ',
  'dotted CJK': '漢.字.',
  links: 'http://a.b ',
  'joined links': 'http://a.b',
  'link without end': 'https://x/?a=',
  'closing brackets': ')',
  'colons and slashes': '://',
  hashtags: '#a ',
  'joined hashtags': '#a',
  'hash signs': '#',
  mentions: '@a ',
  'joined mentions': '@a',
  'at signs': '@',
  cashtags: '$AB ',
  'dollar signs': '$',
  'phone numbers': '1 2 ',
  digits: '1',
  'digits and dashes': '12-',
  brackets: '(1',
  emoji: '😀',
  families: '👩‍👩‍👧‍👦',
  flags: '🇩🇪',
  keycaps: '1\u20e3',
  'combining marks': 'a\u0301',
  marks: '\u0301',
  joiners: '\u200d',
  Hangul: '\u1100\u1161',
  spaces: ' ',
  'line breaks': '\n',
  underscores: '_',
  dashes: '-',
  angles: '<',
  surrogates: '\ud83d\ude00a',
  slashes: '/',
  ampersands: '&',
}

/** The unit over and over, `characters` UTF-16 units at most. */
export function repeated(unit: string, characters: number): string {
  return unit.repeat(Math.floor(characters / unit.length))
}

/** Texts that are not one unit over and over. */
export function mixed(characters: number): Record<string, string> {
  return {
    'a link and brackets': `http://a.b/${')'.repeat(characters - 11)}`,
    'a link and stops': `http://a.b/${'.'.repeat(characters - 11)}`,
    'a link and letters': `http://a.b/${'a'.repeat(characters - 11)}`,
    'a hash and letters': `#${'a'.repeat(characters - 1)}`,
    'an at sign and letters': `@${'a'.repeat(characters - 1)}`,
    'a mark on marks': `a${'\u0301'.repeat(characters - 1)}`,
    'a number and spaces': `1${' '.repeat(characters - 1)}`,
    'digits that end in a letter': `+${'1 '.repeat(characters / 2 - 2)}x`,
    'opening and closing': `http://a.b/${'('.repeat(characters / 2 - 6)}${')'.repeat(characters / 2 - 6)}`,
    'words of different letters': Array.from({ length: characters / 8 }, (_, index) =>
      String.fromCharCode(0x400 + (index % 0x100), 0x2e, 0x4e00 + (index % 0x4000), 0x2e, 0x61, 0x2e, 0x62, 0x20),
    ).join(''),
    'different characters': Array.from({ length: characters }, (_, index) =>
      String.fromCharCode(0xa0 + (index % 0xd000)),
    ).join(''),
  }
}
