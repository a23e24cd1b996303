import { expect, test } from 'vitest'
import { dateOf, defaultLastDay, endOfDay, today } from './api-keys-expiry.ts'

test('a key lives through its last day in the zone of the viewer', () => {
  expect(endOfDay('2027-03-01', 'Europe/Berlin')).toBe('2027-03-01T22:59:00.000Z')
  expect(endOfDay('2027-07-01', 'Europe/Berlin')).toBe('2027-07-01T21:59:00.000Z')
  expect(endOfDay('2027-03-01', 'Pacific/Auckland')).toBe('2027-03-01T10:59:00.000Z')
})

test('the date that is shown is the one that was chosen', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    for (const date of ['2027-03-01', '2027-03-28', '2027-10-31', '2028-02-29']) {
      expect(dateOf(endOfDay(date, zone) ?? '', zone)).toBe(date)
    }
  }
})

test('what is no date has no end', () => {
  for (const text of ['', '2027-02-30', 'soon']) expect(endOfDay(text, 'UTC')).toBeNull()
})

test('the default is 90 days from today, of a key for an agent 30', () => {
  const days = (last: string) => Temporal.PlainDate.from(today('UTC')).until(last).total('days')
  expect([days(defaultLastDay('UTC')), days(defaultLastDay('UTC', 'agent'))]).toEqual([90, 30])
})
