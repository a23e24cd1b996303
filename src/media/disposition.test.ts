import { expect, test } from 'vitest'
import { nameOfDisposition, nameOfFormFile } from './disposition.ts'

/** As undici hands a header on: one character a byte. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1')

test.each<[string, string, string | null]>([
  ['a name in quotes', 'attachment; filename="bread.jpg"', 'bread.jpg'],
  ['one without', 'attachment; filename=bread.jpg', 'bread.jpg'],
  ['one with spaces, without quotes', 'attachment; filename=My bread.jpg; size=3', 'My bread.jpg'],
  ['one in line', 'inline; filename="bread.jpg"', 'bread.jpg'],
  ['capitals and spaces', 'ATTACHMENT;FileName = "bread.jpg"', 'bread.jpg'],
  [
    'the extended name before the plain one',
    `attachment; filename="Br_.jpg"; filename*=UTF-8''Br%C3%B6tchen.jpg`,
    'Brötchen.jpg',
  ],
  ['in either order', `attachment; filename*=utf-8'de'Br%c3%b6tchen.jpg; filename="Br_.jpg"`, 'Brötchen.jpg'],
  ['an extended one in Latin 1', "attachment; filename*=ISO-8859-1''Br%F6tchen.jpg", 'Brötchen.jpg'],
  ['an extended one in quotes', `attachment; filename*="UTF-8''Br%C3%B6tchen.jpg"`, 'Brötchen.jpg'],
  ['a broken extended one: the plain one', `attachment; filename*=UTF-8''%F6.jpg; filename="bread.jpg"`, 'bread.jpg'],
  ['an unknown charset: the plain one', `attachment; filename*=klingon''a.jpg; filename="bread.jpg"`, 'bread.jpg'],
  ['one without a charset: the plain one', 'attachment; filename*=a.jpg; filename="bread.jpg"', 'bread.jpg'],
  ['UTF-8 as it is', utf8('attachment; filename="Brötchen 🥖.jpg"'), 'Brötchen 🥖.jpg'],
  ['Latin 1 as it is', 'attachment; filename="Brötchen.jpg"', 'Brötchen.jpg'],
  ['quotes of Windows 1252', 'attachment; filename="Anna\x92s bread.jpg"', 'Anna’s bread.jpg'],
  ['percent signs in the plain one', 'attachment; filename="Br%C3%B6tchen.jpg"', 'Brötchen.jpg'],
  ['a percent sign that is one', 'attachment; filename="100% rye.jpg"', '100% rye.jpg'],
  ['one that only looks so', 'attachment; filename="100%ABC.jpg"', '100%ABC.jpg'],
  ['words of mails', 'attachment; filename="=?UTF-8?B?QnLDtnRjaGVuLmpwZw==?="', 'Brötchen.jpg'],
  ['several of them', 'attachment; filename="=?utf-8?q?Br=C3=B6t?= =?utf-8?Q?chen_1.jpg?="', 'Brötchen 1.jpg'],
  ['words of mails in another charset', 'attachment; filename="=?iso-8859-1?Q?Br=F6tchen.jpg?="', 'Brötchen.jpg'],
  ['words that are none', 'attachment; filename="=?x?Q?a?=.jpg"', '=?x?Q?a?=.jpg'],
  ['escaped quotes', 'attachment; filename="a \\"b\\".jpg"', 'a "b".jpg'],
  ['a path of Windows', 'attachment; filename="C:\\temp\\bread.jpg"', 'bread.jpg'],
  ['a path', 'attachment; filename="../../etc/bread.jpg"', 'bread.jpg'],
  ['a path in the extended one', "attachment; filename*=UTF-8''..%2F..%2Fbread.jpg", 'bread.jpg'],
  ['a semicolon in quotes', 'attachment; filename="a;b.jpg"; x=y', 'a;b.jpg'],
  ['a quote without an end', 'attachment; filename="bread.jpg', 'bread.jpg'],
  ['nothing in front', 'filename="bread.jpg"', 'bread.jpg'],
  ['the first of two', 'attachment; filename="a.jpg"; filename="b.jpg"', 'a.jpg'],
  ['no end to a name', `attachment; filename="${'a'.repeat(3_000)}"`, 'a'.repeat(200)],
  ['characters that are not shown', "attachment; filename*=UTF-8''evil%0D%0Agpj.%E2%80%AEexe", 'evilgpj.exe'],
  ['no name', 'attachment', null],
  ['an empty name', 'attachment; filename=""', null],
  ['a folder', 'attachment; filename="a/"', null],
  ['dots', 'attachment; filename=".."', null],
  ['another parameter', 'form-data; name="filename"; xfilename="a.jpg"', null],
])('%s', (_, header, name) => {
  expect(nameOfDisposition(header)).toBe(name)
})

test('a header that is not there names nothing', () => {
  expect(nameOfDisposition(null)).toBeNull()
})

test.each(['filename="', 'a="\\', ';filename=', '=?a?q?', "filename*=a''%"])('costs little: %s', (unit) => {
  const began = performance.now()
  nameOfDisposition(unit.repeat(16_384))
  nameOfDisposition(`attachment; filename="${unit.repeat(16_384)}"`)
  expect(performance.now() - began).toBeLessThan(500)
})

test.each([
  ['a%22b.jpg', 'a"b.jpg'],
  ['a%0D%0Ab%0a.jpg', 'a b .jpg'],
  ['100%25 %C3%B6.jpg', '100%25 %C3%B6.jpg'],
  ['=?utf-8?B?QnLDtnRjaGVuLmpwZw==?=', 'Brötchen.jpg'],
  ['=?utf-8?B?8J+Yjz8/Pw==?=', '😏???'],
  ['=?ISO-8859-1?Q?Br=F6tchen?=.jpg', 'Brötchen.jpg'],
  ['=?utf-8?B?Li4vLi4vYS5qcGc=?=', 'a.jpg'],
  ['Brötchen.jpg', 'Brötchen.jpg'],
  ['C:\\temp\\bread.jpg', 'bread.jpg'],
  ['../..', null],
  ['a/', null],
  ['', null],
])('a form names its file %j', (written, name) => {
  expect(nameOfFormFile(written)).toBe(name)
})
