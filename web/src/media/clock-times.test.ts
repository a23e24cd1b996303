import { expect, test } from 'vitest'
import { clockTimes } from './clock-times.ts'

test('the clock time stays, over both changes of the clocks', () => {
  expect(clockTimes('2031-03-29T08:00:00.000Z', 'Europe/Berlin', { days: 1, number: 3 })).toEqual([
    '2031-03-29T08:00:00.000Z',
    '2031-03-30T07:00:00.000Z',
    '2031-03-31T07:00:00.000Z',
  ])
  // A time that the clocks skip is as much later; of two equal ones it is the first.
  expect(clockTimes('2031-03-29T01:30:00.000Z', 'Europe/Berlin', { days: 1, number: 2 })[1]).toBe(
    '2031-03-30T01:30:00.000Z',
  )
  expect(clockTimes('2031-10-25T00:30:00.000Z', 'Europe/Berlin', { days: 1, number: 2 })[1]).toBe(
    '2031-10-26T00:30:00.000Z',
  )
})
