import { expect, test } from 'vitest'
import { fieldName, fieldValue } from './field-words.ts'

test('fields and values have names, and those that are newer than the page are words', () => {
  expect(['firstComment', 'coverText'].map(fieldName)).toEqual(['First comment', 'Cover text'])
  expect(['LEARN_MORE', 'LIVE_VIDEO', 'constructor'].map(fieldValue)).toEqual([
    'Learn more',
    'Live video',
    'Constructor',
  ])
})
