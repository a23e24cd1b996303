import { describe, expect, test } from 'vitest'
import {
  clockChange,
  daysOf,
  isWithin,
  minutesOf,
  nextMonday,
  nextSensibleTime,
  rangeOf,
  readDate,
  startOfDay,
  today,
  turn,
} from './dates.ts'
import { longDay, viewTitle } from './titles.ts'

const BERLIN = 'Europe/Berlin'
const date = (text: string) => Temporal.PlainDate.from(text)
const texts = (range: { first: Temporal.PlainDate; end: Temporal.PlainDate }) => [`${range.first}`, `${range.end}`]

describe('what a view shows', () => {
  test('a month is shown in whole weeks, which begin where the member has it', () => {
    expect(texts(rangeOf('month', date('2026-11-08'), 1))).toEqual(['2026-10-26', '2026-12-07'])
    expect(texts(rangeOf('month', date('2026-11-08'), 0))).toEqual(['2026-11-01', '2026-12-06'])
    expect(texts(rangeOf('month', date('2026-11-08'), 6))).toEqual(['2026-10-31', '2026-12-05'])
  })

  test('a week and a list', () => {
    expect(texts(rangeOf('week', date('2026-11-08'), 1))).toEqual(['2026-11-02', '2026-11-09'])
    expect(texts(rangeOf('week', date('2026-11-08'), 0))).toEqual(['2026-11-08', '2026-11-15'])
    expect(texts(rangeOf('list', date('2026-11-08'), 1))).toEqual(['2026-11-01', '2026-12-01'])
  })

  test('pages are turned by months and weeks', () => {
    expect(turn('month', date('2026-01-31'), 1).toString()).toBe('2026-02-28')
    expect(turn('list', date('2026-01-15'), -1).toString()).toBe('2025-12-15')
    expect(turn('week', date('2026-01-31'), 1).toString()).toBe('2026-02-07')
  })

  test('has all its days', () => {
    const range = rangeOf('month', date('2026-02-14'), 1)
    expect(daysOf(range)).toHaveLength(35)
    expect(isWithin(range.first, range)).toBe(true)
    expect(isWithin(range.end, range)).toBe(false)
  })

  test('titles', () => {
    expect(viewTitle('month', date('2026-11-08'), 1, 'en-GB')).toBe('November 2026')
    expect(viewTitle('week', date('2026-11-10'), 1, 'en-GB')).toMatch(/^9\s–\s15 November 2026$/)
    expect(longDay(date('2026-11-08'), 'en-GB')).toMatch(/^Sunday,? 8 November 2026$/)
  })
})

describe('days', () => {
  test.each([undefined, '', '2026-02-30', 'tomorrow', '2026-2-3', '1999-12-31', '20260203'])('%j is today', (text) => {
    expect(readDate(text, BERLIN).equals(today(BERLIN))).toBe(true)
  })

  test('a day begins by the clock of the zone', () => {
    expect(startOfDay(date('2026-10-25'), BERLIN)).toBe('2026-10-24T22:00:00.000Z')
    expect(startOfDay(date('2026-10-26'), BERLIN)).toBe('2026-10-25T23:00:00.000Z')
    expect(minutesOf('2026-10-26T05:45:00Z', BERLIN)).toBe(6 * 60 + 45)
  })

  test('the days on which clocks change are known, in zones of half an hour too', () => {
    expect(clockChange(date('2026-10-25'), BERLIN)).toBe('Clocks go back 1 hour on this day')
    expect(clockChange(date('2027-03-28'), BERLIN)).toBe('Clocks go forward 1 hour on this day')
    expect(clockChange(date('2026-10-26'), BERLIN)).toBeNull()
    expect(clockChange(date('2026-10-04'), 'Australia/Lord_Howe')).toBe('Clocks go forward 30 minutes on this day')
  })

  test('a new set is planned for 10:00, today for the next full hour', () => {
    const now = Temporal.ZonedDateTime.from('2026-11-21T19:20[Europe/Berlin]')
    expect(nextSensibleTime(date('2026-11-21'), BERLIN, now)).toBe('2026-11-21T19:00:00.000Z')
    expect(nextSensibleTime(date('2026-11-22'), BERLIN, now)).toBe('2026-11-22T09:00:00.000Z')
    expect(nextSensibleTime(date('2026-07-22'), BERLIN, now)).toBe('2026-07-22T08:00:00.000Z')
  })

  test('in the last hour of a day it stays on the day', () => {
    const now = Temporal.ZonedDateTime.from('2026-11-21T23:20[Europe/Berlin]')
    expect(nextSensibleTime(date('2026-11-21'), BERLIN, now)).toBe('2026-11-21T22:59:00.000Z')
  })

  test('the next Monday is never the day itself', () => {
    expect(nextMonday(date('2026-11-22')).toString()).toBe('2026-11-23')
    expect(nextMonday(date('2026-11-23')).toString()).toBe('2026-11-30')
  })
})
