import { expect, test } from 'vitest'
import { fieldName, fieldValue, withValueNames } from './field-words.ts'

test('fields and values have names, and those that are newer than the page are words', () => {
  expect(['firstComment', 'coverText'].map(fieldName)).toEqual(['First comment', 'Cover text'])
  expect(['LEARN_MORE', 'LIVE_VIDEO', 'constructor'].map(fieldValue)).toEqual([
    'Learn more',
    'Live video',
    'Constructor',
  ])
})

test('values in a sentence of the server have the names that are on screen', () => {
  const sentence = 'Give this item a link, or choose type MULTI_IMAGE. JPEG is taken too.'
  expect(withValueNames(sentence)).toBe('Give this item a link, or choose type “Several pictures”. JPEG is taken too.')
})
