import { expect, test } from 'vitest'
import { weekLater } from './duplicate-times.ts'

const berlin = (at: string, now: string) => weekLater(at, 'Europe/Berlin', Date.parse(now))

test.each([
  ['in the next week', '2030-06-12T10:00:00.000Z', '2030-06-01T00:00:00Z', '2030-06-19T10:00:00.000Z'],
  [
    'over for long: in the first week to come',
    '2030-06-12T10:00:00.000Z',
    '2030-07-31T10:00:00Z',
    '2030-08-07T10:00:00.000Z',
  ],
  ['over today: next week', '2030-06-12T10:00:00.000Z', '2030-06-12T11:00:00Z', '2030-06-19T10:00:00.000Z'],
  ['by the clock of the brand', '2030-10-22T08:00:00.000Z', '2030-10-01T00:00:00Z', '2030-10-29T09:00:00.000Z'],
  [
    'later by an hour where the clocks skip it',
    '2030-03-24T01:30:00.000Z',
    '2030-03-01T00:00:00Z',
    '2030-03-31T01:30:00.000Z',
  ],
  ['the first of two', '2030-10-20T00:30:00.000Z', '2030-10-01T00:00:00Z', '2030-10-27T00:30:00.000Z'],
])('%s', (_, at, now, expected) => {
  expect(berlin(at, now)).toBe(expected)
})
