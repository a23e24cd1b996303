import { describe, expect, test } from 'vitest'
import { type Case, file, fixed, july, latin, read, titled, wide } from '../../test/_util/api/calendar-cases.ts'

/** What other programs write that is not as the standard has it, or not as one reads it there. */

const at = (title: string) => `2027-03-10T08:00 ${title}`
const CHARSETS: Case[] = [
  ['ISO 8859-15', latin(titled('SUMMARY:5 \xa4')), at('5 €'), { charset: 'iso-8859-15' }],
  ['windows-1251', latin(titled('SUMMARY:\xcf\xf0\xe8\xe2\xe5\xf2')), at('Привет'), { charset: 'windows-1251' }],
  ['Shift_JIS', latin(titled('SUMMARY:\x93\x8c\x8b\x9e \x95\x5c\x8e\xa6')), at('東京 表示'), { charset: 'shift_jis' }],
  [
    'Shift_JIS, folded within a letter',
    latin(titled('SUMMARY:\x93\r\n \x8c\x8b\x9e')),
    at('東京'),
    { charset: 'shift_jis' },
  ],
  ['ISO-2022-JP', latin(titled('SUMMARY:\x1b$B$3$s$K\x1b(B')), at('こんに'), { charset: 'iso-2022-jp' }],
  ['GB18030', latin(titled('SUMMARY:\xb1\xb1\xbe\xa9')), at('北京'), { charset: 'gb2312' }],
  ['UTF-8 although the server says otherwise', titled('SUMMARY:Brötchen'), at('Brötchen'), { charset: 'iso-8859-1' }],
  ['a charset that no one knows', titled('SUMMARY:Brötchen'), at('Brötchen'), { charset: 'x-klingon' }],
  ['of the property alone', latin(titled('SUMMARY;CHARSET=ISO-8859-1:Br\xf6tchen')), at('Brötchen')],
  [
    'of the property, quoted, beside another parameter',
    latin(titled('SUMMARY;LANGUAGE=de;CHARSET="windows-1252":\x80 5')),
    at('€ 5'),
  ],
  [
    'a name of a zone too',
    latin(file(...fixed('Mitteleurop\xe4ische Zeit', '+0400'), ...july('Mitteleurop\xe4ische Zeit'))),
    '2027-07-01T08:00 E',
    { charset: 'iso-8859-1' },
  ],
  ['UTF-8 with its mark', `\uFEFF${titled('SUMMARY:Brötchen')}`, at('Brötchen'), { charset: 'iso-8859-1' }],
  ['UTF-16 with its mark', wide(titled('SUMMARY:Brötchen 🥖')), at('Brötchen 🥖')],
  [
    'UTF-16, the other way round',
    wide(titled('SUMMARY:Brötchen'), { swapped: true }),
    at('Brötchen'),
    { charset: 'utf-8' },
  ],
  [
    'UTF-16 without a mark',
    wide(titled('SUMMARY:Brötchen'), { marked: false }),
    at('Brötchen'),
    { charset: 'utf-16le' },
  ],
]

const utf8 = (text: string) => Buffer.from(text).toString('latin1')
const FOLDS: Case[] = [
  [
    'four bytes, after the first',
    latin(titled(`SUMMARY:${utf8('🥖').slice(0, 1)}\r\n ${utf8('🥖').slice(1)}`)),
    at('🥖'),
  ],
  ['four bytes, each on its line', latin(titled(`SUMMARY:${[...utf8('🥖')].join('\r\n ')}`)), at('🥖')],
  ['by a tab', latin(titled('SUMMARY:\xc3\r\n\t\xbc')), at('ü')],
  ['by a line feed alone', latin(titled('SUMMARY:\xc3\r\n \xbc').replaceAll('\r', '')), at('ü')],
  ['by a carriage return alone', latin(titled('SUMMARY:\xc3\r\n \xbc').replaceAll('\n', '')), at('ü')],
  ['carriage returns alone', titled('SUMMARY:E').replaceAll('\n', ''), at('E')],
  ['with a mark', latin(`\xef\xbb\xbf${titled('SUMMARY:\xc3\r\n \xbc')}`), at('ü')],
  ['within a name of a property', titled('SUM\r\n MARY:E'), at('E')],
  [
    'within a name of a zone',
    latin(file(...fixed('\xc3\r\n \xbc', '+0400'), ...july('\xc3\xbc'))),
    '2027-07-01T08:00 E',
  ],
  ['UTF-16', wide(titled('SUMMARY:Br\r\n ö\r\n\ttchen')), at('Brötchen')],
  ['spaces that belong to the text', titled('SUMMARY:a\r\n  b'), at('a b')],
]

const QUOTED: Case[] = [
  ['a soft break', titled('SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Br=C3=\r\n=B6tchen'), at('Brötchen')],
  ['a charset', titled('SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Br=F6tchen'), at('Brötchen')],
  ['without a charset, UTF-8', titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:Br=C3=B6tchen'), at('Brötchen')],
  ['without a charset, of Windows', titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:=80 5'), at('€ 5')],
  ['small letters', titled('summary;encoding=quoted-printable:Br=c3=b6tchen'), at('Brötchen')],
  ['without the name of the parameter', titled('SUMMARY;QUOTED-PRINTABLE:Br=C3=B6tchen'), at('Brötchen')],
  ['breaks of lines', titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:a=0D=0Ab'), at('a\nb')],
  [
    'a sign at the end of the last line',
    titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:a=')
      .replace('DTSTART:20270310T080000Z\r\n', '')
      .replace('UID:1', 'UID:1\r\nDTSTART:20270310T080000Z'),
    at('a'),
  ],
  ['a sign that begins nothing', titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:1=x'), at('1=x')],
  ['what is not encoded stays', titled('SUMMARY:a=C3=B6'), at('a=C3=B6')],
  ['UTF-16', wide(titled('SUMMARY;ENCODING=QUOTED-PRINTABLE:Br=C3=B6tchen')), at('Brötchen')],
  ['Shift_JIS', titled('SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=SHIFT_JIS:=93=8C=8B=9E'), at('東京')],
]

describe.each([
  ['charsets', CHARSETS],
  ['folds within letters', FOLDS],
  ['quoted-printable', QUOTED],
])('%s', (_, cases) => {
  test.each(cases)('%s', (_name, calendar, expected, how) => {
    expect(read(typeof calendar === 'string' ? Buffer.from(calendar) : calendar, how)).toBe(expected)
  })
})
