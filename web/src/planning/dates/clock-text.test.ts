import { expect, test } from 'vitest'
import { readClock } from './clock-text.ts'

test.each([
  ['17:30', '17:30'],
  ['1730', '17:30'],
  ['9', '09:00'],
  ['9.05', '09:05'],
  ['5:30 pm', '17:30'],
  ['5p', '17:00'],
  ['12:15 a.m.', '00:15'],
  ['12 PM', '12:00'],
  ['0:00', '00:00'],
])('%s is %s', (text, time) => expect(readClock(text)).toBe(time))

test.each(['', '24:00', '12:60', '13 pm', '0 am', 'noon', '1:2:3', '5:3'])('%j is no time', (text) =>
  expect(readClock(text)).toBeNull(),
)
