import { expect, test } from 'vitest'
import { monthNames, typedDay } from './typed-day.ts'

const TODAY = Temporal.PlainDate.from('2030-06-12')
const typed = (text: string, locale = 'en-GB') => typedDay(text, TODAY, monthNames(locale))?.toString() ?? null

test('days are read as people write them', () => {
  expect(['2031-01-05', '12.6.', '11.6.', '1.7.2032'].map((text) => typed(text))).toEqual([
    '2031-01-05',
    '2030-06-12',
    '2031-06-11',
    '2032-07-01',
  ])
  expect(['24 dec', 'December 24', 'dec 24 2029', '3 May'].map((text) => typed(text))).toEqual([
    '2030-12-24',
    '2030-12-24',
    '2029-12-24',
    '2031-05-03',
  ])
  expect(['24. Dezember', '3. März 2031'].map((text) => typed(text, 'de-DE'))).toEqual(['2030-12-24', '2031-03-03'])
})

test('what is no day is none', () => {
  for (const text of ['', 'bread', '31.2.', '2030-02-30', '12', 'dec', '99 dec', '12 foo'])
    expect(typed(text)).toBeNull()
})
