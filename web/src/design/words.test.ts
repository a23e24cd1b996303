import { expect, test } from 'vitest'
import { asSentence } from './words.ts'

test.each([
  ['Account has been taken down', 'Account has been taken down.'],
  ['Not today.', 'Not today.'],
  ['Why not?', 'Why not?'],
  ['It says "not today."', 'It says "not today."'],
  ['Too long (300)', 'Too long (300).'],
  ['Trying again… ', 'Trying again… '],
  ['今日は駄目です。', '今日は駄目です。'],
  ['A space at the end ', 'A space at the end.'],
])('%s ends as a sentence', (text, sentence) => {
  expect(asSentence(text)).toBe(sentence)
})
