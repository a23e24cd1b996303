import { describe, expect, test } from 'vitest'
import { readPage } from './open-graph.ts'

/** One text that each can write, by bytes; `label`s that name it. */
const CHARSETS: Readonly<Record<string, { text: string; bytes: Buffer; labels: string[] }>> = {
  'utf-8': { text: 'Bäcker’s パン', bytes: Buffer.from('Bäcker’s パン'), labels: ['utf-8', 'UTF8', ' Utf-8 '] },
  'windows-1252': {
    text: 'Bäcker’s – Öfen',
    bytes: Buffer.from('B\xe4cker\x92s \x96 \xd6fen', 'latin1'),
    labels: ['windows-1252', 'ISO-8859-1', 'latin1', 'us-ascii'],
  },
  shift_jis: { text: 'パン屋', bytes: Buffer.from('8370839389ae', 'hex'), labels: ['Shift_JIS', 'x-sjis', 'sjis'] },
  'euc-jp': { text: 'パン', bytes: Buffer.from('a5d1a5f3', 'hex'), labels: ['EUC-JP', 'x-euc-jp'] },
  'iso-2022-jp': {
    text: 'パン',
    bytes: Buffer.from('1b244225512573 1b2842'.replaceAll(' ', ''), 'hex'),
    labels: ['ISO-2022-JP'],
  },
  big5: { text: '麵包', bytes: Buffer.from('c4d1a55d', 'hex'), labels: ['Big5', 'big5-hkscs'] },
  gbk: { text: '面包', bytes: Buffer.from('c3e6b0fc', 'hex'), labels: ['GB2312', 'gbk'] },
  'euc-kr': { text: '빵', bytes: Buffer.from('bba7', 'hex'), labels: ['EUC-KR', 'ks_c_5601-1987'] },
  'koi8-r': { text: 'хлеб', bytes: Buffer.from('c8ccc5c2', 'hex'), labels: ['KOI8-R'] },
  'windows-1251': { text: 'хлеб', bytes: Buffer.from('f5ebe5e1', 'hex'), labels: ['windows-1251', 'cp1251'] },
  'iso-8859-2': { text: 'pečivo', bytes: Buffer.from('pe\xe8ivo', 'latin1'), labels: ['ISO-8859-2', 'latin2'] },
  'iso-8859-15': { text: '5 € Brot', bytes: Buffer.from('5 \xa4 Brot', 'latin1'), labels: ['ISO-8859-15'] },
}
const UNKNOWN = ['x-unknown', '', 'replacement', 'utf-7']

function pageOf(bytes: Buffer, meta: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<!doctype html><html><head>${meta}<title>`),
    bytes,
    Buffer.from('</title></head></html>'),
  ])
}
const titleOf = (bytes: Buffer, charset: string | null = null) => readPage({ bytes, charset }).title
const decode = (bytes: Buffer, charset: string) =>
  new TextDecoder(charset)
    .decode(bytes)
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()

const FORMS: Readonly<Record<string, (label: string) => string>> = {
  'a meta element': (label) => `<meta charset="${label}">`,
  'one without quotes': (label) => `<META CHARSET=${label.trim()}>`,
  'http-equiv': (label) => `<meta http-equiv="Content-Type" content="text/html; charset=${label.trim()}">`,
  'http-equiv in the other order': (label) => `<meta content='text/html;charset="${label}"' http-equiv=content-type>`,
  'one behind much else': (label) => `<script>${' '.repeat(3_000)}</script><meta charset="${label}">`,
}

describe.each(Object.entries(CHARSETS))('a page in %s', (name, { text, bytes, labels }) => {
  test('is read as the header says, whatever the page says of itself', () => {
    for (const label of labels) {
      for (const other of [...Object.keys(CHARSETS), 'utf-16', ...UNKNOWN]) {
        for (const form of Object.values(FORMS)) {
          expect(titleOf(pageOf(bytes, form(other)), label.trim().toLowerCase()), `${label}, ${other}`).toBe(text)
        }
      }
    }
  })

  test('is read as the page says, when the header says nothing that is known', () => {
    for (const header of [null, ...UNKNOWN]) {
      for (const label of labels) {
        for (const [how, form] of Object.entries(FORMS)) {
          if (how !== 'one without quotes' || label.trim() !== '') {
            expect(titleOf(pageOf(bytes, form(label)), header), `${header}, ${label}, ${how}`).toBe(text)
          }
        }
      }
    }
  })

  test('is read by another charset when another one is said', () => {
    for (const other of Object.keys(CHARSETS)) {
      const garbled = decode(bytes, other)
      expect(titleOf(pageOf(bytes, `<meta charset="${name}">`), other), other).toBe(garbled)
      expect(titleOf(pageOf(bytes, `<meta charset="${other}"><meta charset="${name}">`)), other).toBe(garbled)
    }
  })
})

describe('first bytes', () => {
  const text = 'Bäcker’s パン'
  const html = (meta: string) => `\ufeff<html><head>${meta}<title>${text}</title></head></html>`
  test.each<[string, (page: string) => Buffer]>([
    ['UTF-8', (page) => Buffer.from(page)],
    ['UTF-16, little end first', (page) => Buffer.from(page, 'utf16le')],
    ['UTF-16, big end first', (page) => Buffer.from(page, 'utf16le').swap16()],
  ])('that are a mark of %s win over the header and the page', (_, encode) => {
    for (const said of [...Object.keys(CHARSETS), 'utf-16', 'utf-16be', ...UNKNOWN]) {
      expect(titleOf(encode(html(`<meta charset="${said}">`)), said), said).toBe(text)
      expect(titleOf(encode(html(''))), said).toBe(text)
    }
  })
})

describe('a page', () => {
  test('that calls itself UTF-16 is in UTF-8', () => {
    for (const label of ['utf-16', 'UTF-16LE', 'utf-16be', 'unicode', 'ucs-2']) {
      expect(titleOf(pageOf(Buffer.from('Brötchen'), `<meta charset="${label}">`)), label).toBe('Brötchen')
    }
  })

  test('whose header says UTF-16 is in it', () => {
    const text = '<title>Brötchen</title>'
    expect(titleOf(Buffer.from(text, 'utf16le'), 'utf-16')).toBe('Brötchen')
    expect(titleOf(Buffer.from(text, 'utf16le').swap16(), 'utf-16be')).toBe('Brötchen')
  })

  test('that says nothing is in UTF-8 when it can be, also when it was cut, and in Windows 1252 otherwise', () => {
    expect(titleOf(pageOf(Buffer.from('Brötchen'), ''))).toBe('Brötchen')
    expect(titleOf(Buffer.concat([pageOf(Buffer.from('Brötchen'), ''), Buffer.from([0xe3, 0x83])]))).toBe('Brötchen')
    expect(titleOf(pageOf(Buffer.from('Br\xf6tchen', 'latin1'), ''))).toBe('Brötchen')
  })

  test.each([
    ['in a comment', '<!-- <meta charset="big5"> -->'],
    ['in a script', `<script>'<meta charset="big5">'</script>`],
    ['in a template', '<template><meta charset="big5"></template>'],
    ['with another name', '<meta name="charset" content="charset=big5">'],
    ['unknown', '<meta charset="x-unknown">'],
  ])('is not of a charset that is %s', (_, meta) => {
    const koi8 = CHARSETS['koi8-r'] as { text: string; bytes: Buffer }
    expect(titleOf(pageOf(koi8.bytes, `${meta}<meta charset="koi8-r">`))).toBe(koi8.text)
  })

  test('in XHTML may name it in its first line', () => {
    const page = (meta: string) =>
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\n'),
        pageOf(Buffer.from('Br\xf6tchen \x92', 'latin1'), meta),
      ])
    expect(titleOf(page(''))).toBe('Brötchen ’')
    expect(titleOf(page(''), 'koi8-r')).toBe('BrЖtchen ▓'.replace('▓', decode(Buffer.from([0x92]), 'koi8-r')))
    expect(titleOf(page('<meta charset="windows-1251">'))).toBe('Brцtchen ’')
  })
})
