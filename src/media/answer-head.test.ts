import { describe, expect, test } from 'vitest'
import { codingsOf, contentTypeOf, locationOf, wholeRange } from './answer-head.ts'

test.each<[string | string[] | undefined, string[]]>([
  [undefined, []],
  ['', []],
  ['gzip', ['gzip']],
  ['GZIP', ['gzip']],
  ['x-gzip', ['gzip']],
  ['"gzip"', ['gzip']],
  [' deflate , br', ['deflate', 'br']],
  [
    ['gzip', 'br'],
    ['gzip', 'br'],
  ],
  ['identity,aws-chunked', []],
  ['aws-chunked, gzip', ['gzip']],
  ['compress', ['compress']],
  ...[
    'none',
    'utf-8',
    'UTF8',
    'binary',
    'chunked',
    'identity',
    '7bit',
    'image/jpeg',
    'null',
    'plain',
    'base64',
    '*',
  ].map((word): [string, string[]] => [word, []]),
])('Content-Encoding %j names %j', (value, codings) => {
  expect(codingsOf(value === undefined ? {} : { 'content-encoding': value })).toEqual(codings)
})

test.each<[string | undefined, string | null, string | null]>([
  [undefined, null, null],
  ['', null, null],
  ['text/html', 'text/html', null],
  ['Text/HTML;charset=ISO-8859-1', 'text/html', 'iso-8859-1'],
  ['text/html; Charset="UTF-8"', 'text/html', 'utf-8'],
  ["text/html; charset = 'utf-8'", 'text/html', 'utf-8'],
  ['text/html; charset=utf-8; charset=big5', 'text/html', 'utf-8'],
  ['text/html; version=1;charset=utf-8', 'text/html', 'utf-8'],
  ['text/html; charset=', 'text/html', null],
  ['text/html; xcharset=big5', 'text/html', null],
  ['text/html, text/html; charset=big5', 'text/html', 'big5'],
  ['text/calendar; method=PUBLISH; charset=windows-1252', 'text/calendar', 'windows-1252'],
  [';charset=utf-8', null, 'utf-8'],
])('Content-Type %j is %s in %s', (value, mimeType, charset) => {
  expect(contentTypeOf(value === undefined ? {} : { 'content-type': value })).toEqual({ mimeType, charset })
})

test.each<[string | undefined, number | null]>([
  ['bytes 0-99/100', 100],
  ['BYTES 0-0/1', 1],
  ['bytes=0-99/100', 100],
  ['bytes 0-98/100', null],
  ['bytes 1-99/100', null],
  ['bytes 0-99/*', null],
  ['bytes */100', null],
  ['items 0-99/100', null],
  ['', null],
  [undefined, null],
])('Content-Range %j is a whole file of %s bytes', (value, size) => {
  expect(wholeRange(value === undefined ? {} : { 'content-range': value })).toBe(size)
})

describe('Location', () => {
  const at = (location: string) => locationOf({ location }, new URL('https://example.com/a/b?c'))?.href
  test.each([
    ['d', 'https://example.com/a/d'],
    ['//example.org/x', 'https://example.org/x'],
    ['?x=1', 'https://example.com/a/b?x=1'],
    [Buffer.from('/müller bild.jpg').toString('latin1'), 'https://example.com/m%C3%BCller%20bild.jpg'],
    ['/m\xfcller.jpg', 'https://example.com/m%FCller.jpg'],
    [Buffer.from('https://müller.example/').toString('latin1'), 'https://xn--mller-kva.example/'],
    ['http://', undefined],
  ])('%j leads to %s', (location, href) => {
    expect(at(location)).toBe(href)
  })

  test('that is not there leads nowhere', () => {
    expect(locationOf({}, new URL('https://example.com'))).toBeNull()
  })
})
