import { expect, test } from 'vitest'
import { matching, mentionedIn, partsOf, withMention, writingAt } from './mentions.ts'

const ada = { userId: '1', name: 'Ada' }
const adaLovelace = { userId: '2', name: 'Ada Lovelace' }
const bo = { userId: '3', name: 'Bo Ek' }
const people = [ada, adaLovelace, bo]

test('a name is being written behind an @ that begins a word', () => {
  expect(writingAt('Hello @ad', 9)).toEqual({ from: 6, query: 'ad' })
  expect(writingAt('@', 1)).toEqual({ from: 0, query: '' })
  expect(writingAt('@Ada Lo', 7)).toEqual({ from: 0, query: 'Ada Lo' })
  expect(writingAt('(@bo', 4)).toEqual({ from: 1, query: 'bo' })
  expect(writingAt('mail@example', 12)).toBeNull()
  // Two words can be a name, three are none.
  expect(writingAt('Hello @ad and', 13)).toEqual({ from: 6, query: 'ad and' })
  expect(writingAt('Hello @ad and so', 16)).toBeNull()
  expect(writingAt('Hello', 5)).toBeNull()
})

test('people are found by the beginning of a word of their name', () => {
  expect(matching(people, '').map(({ userId }) => userId)).toEqual(['1', '2', '3'])
  expect(matching(people, 'love')).toEqual([adaLovelace])
  expect(matching(people, 'ADA L')).toEqual([adaLovelace])
  expect(matching(people, 'zoe')).toEqual([])
})

test('who is chosen takes the place of what was written', () => {
  const writing = { from: 3, query: 'bo' }
  expect(withMention('Hi @bo, look', 6, writing, bo)).toEqual({ text: 'Hi @Bo Ek , look', caret: 10 })
  expect(withMention('Hi @bo look', 6, writing, bo)).toEqual({ text: 'Hi @Bo Ek look', caret: 10 })
})

test('a text names people, the longest name first, and not parts of words', () => {
  expect(partsOf('@Ada Lovelace and @Ada: @Adam', people)).toEqual([
    { text: '@Ada Lovelace', person: adaLovelace },
    { text: ' and ', person: null },
    { text: '@Ada', person: ada },
    { text: ': @Adam', person: null },
  ])
  expect(mentionedIn('@Bo Ek, @Bo Ek and @Ada', people)).toEqual(['3', '1'])
  expect(mentionedIn('no one', people)).toEqual([])
})
