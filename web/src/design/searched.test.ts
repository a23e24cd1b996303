import { expect, test } from 'vitest'
import { byLabel } from './by-label.ts'
import { has } from './searched.ts'

test.each([
  ['Cafe\u0301 Größe', 'CAFÉ'],
  ['Café', 'Cafe\u0301'],
  ['Tiê\u0301ng Việt', 'tiếng'],
  ['카페', '카페'.normalize('NFD')],
])('%s has %s', (text, part) => {
  expect(has(text, part)).toBe(true)
  expect(byLabel({ options: [{ value: '1', label: text }], search: ` ${part}`, limit: 5 })).toHaveLength(1)
})

test('what is another letter is not found', () => {
  expect(has('Café', 'cafe')).toBe(false)
})
