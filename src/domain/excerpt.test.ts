import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const FAMILY = '👨‍👩‍👧‍👦'

test('a text that fits is one line of itself', () => {
  expect(excerptOf('  one\n\n two\tthree ', 120)).toBe('one two three')
  expect(excerptOf('', 120)).toBe('')
  expect(excerptOf('🐎'.repeat(120), 120)).toBe('🐎'.repeat(120))
})

test('a longer one ends with a whole word', () => {
  expect(excerptOf('Lebkuchen and a long evening', 20)).toBe('Lebkuchen and a…')
  expect(excerptOf('Lebkuchen and a long evening', 21)).toBe('Lebkuchen and a long…')
  expect(excerptOf('one, two', 7)).toBe('one,…')
})

test('where no space is near, it ends between characters, not within them', () => {
  expect(excerptOf('abcdef', 4)).toBe('abc…')
  expect(excerptOf('a https://example.com/bread', 12)).toBe('a https://e…')
  expect(excerptOf('🐎'.repeat(121), 120)).toBe(`${'🐎'.repeat(119)}…`)
  // Seven code points that are one character.
  expect(excerptOf(`ab${FAMILY}cd`, 9)).toBe('ab…')
  expect(excerptOf(`ab${FAMILY}cd`, 10)).toBe(`ab${FAMILY}…`)
  // An accent that comes behind the cut belongs to the letter before it.
  expect(excerptOf('abce\u0301f', 5)).toBe('abc…')
})

test('a single character that is longer is cut all the same', () => {
  expect(excerptOf(`e${'\u0301'.repeat(500)}`, 120)).toBe(`e${'\u0301'.repeat(118)}…`)
})

test('it is never longer than asked for, and begins as the text does, of any characters', () => {
  const letters = ['a', '\u0301', ' ', '🐎', FAMILY, '🇩🇪', 'ü', '\u200d', '한', 'क्षि', '\ud83d']
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (let seed = 1; seed < 400; seed++) {
    const text = Array.from({ length: 30 }, (_, at) => letters[(seed * (at + 7) * 31 + at * at) % letters.length])
    const line = text.join('').replace(/\s+/gu, ' ').trim()
    const most = 1 + (seed % 25)
    const excerpt = excerptOf(line, most)
    expect([...excerpt].length).toBeLessThanOrEqual(most)
    if ([...line].length <= most) {
      expect(excerpt).toBe(line)
      continue
    }
    expect(excerpt.at(-1)).toBe('…')
    const kept = excerpt.slice(0, -1)
    expect(line.startsWith(kept)).toBe(true)
    const characters = [...graphemes.segment(line)]
    const [first] = characters
    if (first && [...first.segment].length < most) expect(characters.map(({ index }) => index)).toContain(kept.length)
  }
})
