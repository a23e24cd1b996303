import { expect, test } from 'vitest'
import { RANGE_MS, rangesOf } from './ranges.ts'

const at = (text: string) => Date.parse(text)

test('times are covered by as few ranges as it takes, each from the beginning of a day', () => {
  expect(rangesOf([])).toEqual([])
  const times = ['2030-09-01T10:00Z', '2030-06-12T10:00Z', '2030-06-12T08:00Z', '2030-08-10T23:59Z'].map(at)
  expect(rangesOf(times)).toEqual([at('2030-06-12T00:00Z'), at('2030-09-01T00:00Z')])
  const starts = rangesOf(times)
  for (const time of times) expect(starts.some((start) => time >= start && time < start + RANGE_MS)).toBe(true)
})

test('a time at the end of a range begins the next one', () => {
  const first = at('2030-06-12T00:00Z')
  expect(rangesOf([first, first + RANGE_MS - 1, first + RANGE_MS])).toEqual([first, first + RANGE_MS])
})
