import { expect, test } from 'vitest'
import { wordsKeyOf, wordsOfDelivery } from './words.ts'

const post = { accountType: 'TWITTER', caption: 'Bread', fields: {}, media: [] } as const
const connector = {
  wordsOf: ({ caption }: { caption: string }) => ({ text: caption.toUpperCase() }),
  formerWordsOf: ({ caption }: { caption: string }) => ({ text: caption }),
}

const setting = () => ''

test('words that are noted down stay, whatever is made of texts by now', () => {
  const words = { text: 'Bread!' }
  expect(wordsOfDelivery(connector, post, { words }, setting)).toEqual({ words, sentWords: [words] })
})

test('until then those of earlier versions may have gone out as well', () => {
  const words = { text: 'BREAD' }
  expect(wordsOfDelivery(connector, post, {}, setting)).toEqual({ words, sentWords: [words, { text: 'Bread' }] })
  expect(wordsOfDelivery({ wordsOf: connector.wordsOf }, post, {}, setting).sentWords).toEqual([words])
})

test('control characters stay behind, and may have gone out with earlier versions', () => {
  const odd = { ...post, caption: 'Bre\u0001ad\u000b' }
  const words = { text: 'BREAD\n' }
  const former = { text: 'BRE\u0001AD\u000b' }
  expect(wordsOfDelivery({ wordsOf: connector.wordsOf }, odd, {}, setting)).toEqual({
    words,
    sentWords: [words, former],
  })
  expect(wordsOfDelivery(connector, odd, {}, setting).sentWords).toEqual([words, { text: odd.caption }])
  expect(wordsOfDelivery(connector, odd, { words: former }, setting)).toEqual({ words: former, sentWords: [former] })
})

test.each([
  ['spaces, case and signs', 'Fresh  bread!', 'fresh bread', true],
  ['the way of writing a link', 'At https://a.example/b', 'At a.example/b', true],
  ['composed characters', 'Cafe\u0301', 'Café', true],
  ['a word', 'Fresh bread', 'Fresh rolls', false],
  ['an emoji, where there is nothing else', '🥖', '🍞', false],
])('texts that differ in %s', (_, one, other, alike) => {
  expect(wordsKeyOf({ text: one }) === wordsKeyOf({ text: other })).toBe(alike)
})

test('title and description are not one text', () => {
  expect(wordsKeyOf({ title: 'a', description: 'bc' })).not.toBe(wordsKeyOf({ title: 'ab', description: 'c' }))
  expect(wordsKeyOf({ title: 'a', description: 'b' })).toBe(wordsKeyOf({ description: 'b', title: 'a' }))
})
