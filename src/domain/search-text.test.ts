import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchable, searchTextOf } from './search-text.ts'

const finds = (caption: string, search: string) => searchTextOf([{ caption }]).includes(searchable(search))

test('capitals and small letters are alike, in every script', () => {
  for (const [caption, search] of [
    ['Summer SALE', 'sale'],
    ['größer', 'GRÖSSER'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδός', 'ΔΌΣ'],
    ['РАСПРОДАЖА', 'распродажа'],
    ['İstanbul', 'i̇stanbul'],
    ['新商品 🎉🎉', '品 🎉'],
  ] as const) {
    expect(finds(caption, search), `${search} in ${caption}`).toBe(true)
  }
})

test('letters with their marks beside them are found like those that are one character', () => {
  for (const word of ['Größe für Café', 'Ελλάδα ταΐζω', 'Tiếng Việt', 'й ё', '한국어 카페', 'パンが', 'ǰẖ', 'Ā̀x']) {
    const forms = [word.normalize('NFC'), word.normalize('NFD'), word, half(word)]
    for (const caption of forms) {
      for (const search of [...forms, ...forms.map((each) => each.toUpperCase())]) {
        expect(finds(caption, search), `${search} in ${caption}`).toBe(true)
      }
    }
  }
  expect(finds('Cafe\u0301s', 'cafes')).toBe(false)
})

/** As keyboards of Vietnam write it: the letter composed, its tone beside it. */
const half = (text: string) =>
  [...text.normalize('NFC')]
    .map((each) => each.normalize('NFD').replace(/^(..)/u, (two) => two.normalize('NFC')))
    .join('')

test('spaces of all kinds are alike', () => {
  for (const space of ['\u00a0', '\u202f', '\u2009', '\u2002', '\u2003', '\u2000', '\u3000', '\u1680', '\u205f', ' ']) {
    expect(finds(`Ouvert${space}! 10${space}€`, '10 €'), space.charCodeAt(0).toString(16)).toBe(true)
    expect(finds('Ouvert ! 10 €', `ouvert${space}!`), space.charCodeAt(0).toString(16)).toBe(true)
  }
  expect(finds('10  €', '10 €')).toBe(false)
})

test('nothing is a wildcard, and nothing else is alike', () => {
  for (const [caption, search] of [
    ['100 percent', '100%'],
    ['a-b-c', 'a_b'],
    ['a\\b', 'a\\\\b'],
    ['grosser', 'größe'],
    ['Xeay', 'ê'],
    ['a\nb', 'a b'],
  ] as const) {
    expect(finds(caption, search), `${search} in ${caption}`).toBe(false)
  }
  expect(searchable('%_\\\n')).toMatch(/^[A-PXY]+$/)
  expect(searchable('a b')).toBe('aZb')
})

test('captions are looked through one by one, and the same caption once', () => {
  expect(searchTextOf([{ caption: 'one' }, { caption: 'two' }, { caption: 'One' }])).toBe('one\ntwo')
  expect(searchTextOf([{ caption: 'end' }, { caption: 'begin' }]).includes(searchable('end\nbegin'))).toBe(false)
})

test('a part of a caption is found, and what is no part of it is not', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abcXYZ 09%_ßäÖΣςı🎉\n'), maxLength: 12 })
  const folded = (each: string) => [...each].map((character) => character.toUpperCase().toLowerCase()).join('')
  fc.assert(
    fc.property(text, text, (caption, search) => {
      expect(finds(caption, search)).toBe(folded(caption).includes(folded(search)))
    }),
  )
})

test('a mebibyte takes no time to speak of', () => {
  expect(searchable('ä'.repeat(500_000))).toHaveLength(500_000 * 4)
})
