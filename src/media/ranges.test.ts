import { expect, it } from 'vitest'
import { parseRange } from './ranges.ts'

it.each([
  ['bytes=0-0', 10, { start: 0, end: 1 }],
  ['bytes=0-9', 10, { start: 0, end: 10 }],
  ['bytes=2-5', 10, { start: 2, end: 6 }],
  ['bytes=2-', 10, { start: 2, end: 10 }],
  ['bytes=2-99999999999999999999', 10, { start: 2, end: 10 }],
  ['bytes=-3', 10, { start: 7, end: 10 }],
  ['bytes=-30', 10, { start: 0, end: 10 }],
  ['  Bytes=1-2 ', 10, { start: 1, end: 3 }],
  ['bytes = 1 - 2', 10, null],
  ['bytes=9-', 10, { start: 9, end: 10 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=10-20', 10, 'unsatisfiable'],
  ['bytes=99999999999999999999-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-1', 0, 'unsatisfiable'],
  [undefined, 10, null],
  ['', 10, null],
  ['bytes', 10, null],
  ['bytes=', 10, null],
  ['bytes=-', 10, null],
  ['bytes=5-2', 10, null],
  ['bytes=0-1,3-4', 10, null],
  ['bytes=a-b', 10, null],
  ['bytes=+1-2', 10, null],
  ['bytes=1.5-2', 10, null],
  ['lines=0-1', 10, null],
])('reads %j of %i bytes as %j', (header, size, range) => {
  expect(parseRange(header, size)).toEqual(range)
})
