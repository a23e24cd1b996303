import { expect, test } from 'vitest'
import { id, number, record, string, time, webAddress } from './read-json.ts'

test.each<[string, string | null]>([
  ['2026-11-21T10:00:00+0000', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00-02:30', '2026-11-21T12:30:00.000Z'],
  ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.123456', '2026-11-21T10:00:00.123Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['yesterday', null],
  ['', null],
])('the time %s', (text, expected) => {
  expect(time(text)?.toISOString() ?? null).toBe(expected)
})

test.each<[unknown, string | undefined]>([
  ['17841400000000001', '17841400000000001'],
  [12, '12'],
  [17_841_400_000_000_000_000, undefined],
  ['1_2', '1_2'],
  ['../me', undefined],
  ['', undefined],
  [null, undefined],
])('the id %j', (value, expected) => {
  expect(id(value)).toBe(expected)
})

test('everything else has its shape or is nothing', () => {
  expect([{ a: 1 }, [1], null, 'x'].map(record)).toEqual([{ a: 1 }, ...Array(3).fill(undefined)])
  expect(['x', '', 1].map(string)).toEqual(['x', undefined, undefined])
  expect([1, '12', '1.5', 1.5, ''].map(number)).toEqual([1, 12, ...Array(3).fill(undefined)])
  expect(['https://a.example/b', 'javascript:1', 'https://'].map(webAddress)).toEqual([
    'https://a.example/b',
    null,
    null,
  ])
})
