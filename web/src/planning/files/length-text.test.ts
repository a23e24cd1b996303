import { expect, test } from 'vitest'
import { lengthText } from './length-text.ts'

test.each([
  [0, '0:01'],
  [400, '0:01'],
  [7_400, '0:07'],
  [59_600, '1:00'],
  [750_000, '12:30'],
  [3_599_600, '1:00:00'],
  [3_723_000, '1:02:03'],
])('a video of %i ms is %s long', (durationMs, text) => {
  expect(lengthText(durationMs)).toBe(text)
})
