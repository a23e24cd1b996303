import { expect, test } from 'vitest'
import { measuredWords } from './problem-words.ts'

const ratio = (limit: number, actual: number) => measuredWords({ code: 'post:media_ratio', message: '', limit, actual })

test('shapes have the names that buttons and apps have for them', () => {
  expect(ratio(1.91, 2.5)).toBe('too wide: 1.91:1 at most')
  expect(ratio(0.8, 0.5)).toBe('too tall: 4:5 at most')
  expect(ratio(16 / 9, 2)).toBe('too wide: 16:9 at most')
  expect(ratio(9 / 16, 0.4)).toBe('too tall: 9:16 at most')
  expect(ratio(0.75, 0.4)).toBe('too tall: 3:4 at most')
})
