import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const FAMILY = '👨‍👩‍👧‍👦'

test('a text that fits is one line of itself', () => {
  expect(excerptOf('  one\n\n two\tthree ', 120)).toBe('one two three')
  expect(excerptOf('', 120)).toBe('')
  expect(excerptOf('🐎'.repeat(120), 120)).toBe('🐎'.repeat(120))
})

test('a longer one ends between characters, not within them', () => {
  expect(excerptOf('abcdef', 4)).toBe('abcd')
  expect(excerptOf('🐎'.repeat(121), 120)).toBe('🐎'.repeat(120))
  // Seven code points that are one character.
  expect(excerptOf(`ab${FAMILY}cd`, 8)).toBe('ab')
  expect(excerptOf(`ab${FAMILY}cd`, 9)).toBe(`ab${FAMILY}`)
  // An accent that comes behind the cut belongs to the letter before it.
  expect(excerptOf('abce\u0301f', 4)).toBe('abc')
  expect(excerptOf('abc def', 4)).toBe('abc')
})

test('a single character that is longer is cut all the same', () => {
  expect(excerptOf(`e${'\u0301'.repeat(500)}`, 120)).toBe(`e${'\u0301'.repeat(119)}`)
})

test('it is cut where the characters before it end, whatever they are', () => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const letters = ['a', '\u0301', ' ', '🐎', FAMILY, '🇩🇪', 'ü', '\u200d', '한', 'क्षि', '\ud83d']
  for (let seed = 1; seed < 400; seed++) {
    const text = Array.from({ length: 30 }, (_, at) => letters[(seed * (at + 7) * 31 + at * at) % letters.length])
    const line = text.join('').replace(/\s+/gu, ' ').trim()
    const most = seed % 25
    let left = most
    let kept = ''
    for (const { segment } of graphemes.segment(line)) {
      left -= [...segment].length
      if (left < 0) break
      kept += segment
    }
    const expected = [...line].length <= most ? line : kept === '' ? [...line].slice(0, most).join('') : kept.trimEnd()
    expect(excerptOf(line, most)).toBe(expected)
  }
})
