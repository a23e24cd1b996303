import { describe, expect, test } from 'vitest'
import {
  clockTime,
  firstDayOfWeek,
  formatDate,
  formatDateTime,
  formatHour,
  formatTime,
  sameZone,
  shiftByDays,
  shiftTo,
  wallTime,
  zoneChip,
} from './zones.ts'

const BERLIN = 'Europe/Berlin'
const plain = { locale: 'en-GB', hourCycle: 'auto', weekStart: 'auto' } as const
const exact = (instant: string) => ({ kind: 'exact', instant })

describe('clocks', () => {
  test('an instant is shown as the clock of the zone shows it', () => {
    expect(wallTime('2026-10-24T13:45:00.000Z', BERLIN).toPlainDateTime().toString()).toBe('2026-10-24T15:45:00')
  })

  test('the chip shows the offset of the moment', () => {
    expect(zoneChip(BERLIN, '2026-12-01T00:00:00Z')).toBe('Europe/Berlin (UTC+01:00)')
    expect(zoneChip(BERLIN, '2026-07-01T00:00:00Z')).toBe('Europe/Berlin (UTC+02:00)')
    expect(zoneChip('Asia/Kathmandu', '2026-07-01T00:00:00Z')).toBe('Asia/Kathmandu (UTC+05:45)')
  })

  test('a zone is the same by its older name, another one with the same clock is not', () => {
    expect(sameZone('Asia/Calcutta', 'Asia/Kolkata')).toBe(true)
    expect(sameZone('Europe/Kiev', 'Europe/Kyiv')).toBe(true)
    expect(sameZone('Etc/UTC', 'UTC')).toBe(true)
    expect(sameZone('Europe/Paris', BERLIN)).toBe(false)
  })

  test('language and chosen hours decide how a time looks', () => {
    const at = '2026-10-25T14:45:00Z'
    expect(formatTime(at, BERLIN, plain)).toBe('15:45')
    expect(formatTime(at, BERLIN, { ...plain, hourCycle: 'h12' })).toMatch(/^0?3:45\s?pm$/)
    expect(formatTime(at, BERLIN, { ...plain, locale: 'en-US' })).toMatch(/^3:45\sPM$/)
    expect(formatTime(at, BERLIN, { ...plain, locale: 'en-US', hourCycle: 'h23' })).toBe('15:45')
    const hour = '2026-10-24T13:00:00.000Z'
    expect(formatHour(hour, BERLIN, plain)).toBe('15:00')
    expect(formatHour(hour, BERLIN, { ...plain, locale: 'en-US' })).toMatch(/^3\sPM$/)
    expect(formatDate(at, BERLIN, plain)).toBe('25 October 2026')
    expect(formatDate('2026-10-25T23:30:00Z', BERLIN, plain)).toBe('26 October 2026')
    expect(formatDateTime(at, BERLIN, plain)).toBe('Sunday, 25 October 2026 at 15:45')
  })

  test('the week begins where the language or the member has it', () => {
    expect(firstDayOfWeek(plain)).toBe(1)
    expect(firstDayOfWeek({ ...plain, locale: 'en-US' })).toBe(0)
    expect(firstDayOfWeek({ ...plain, locale: 'ar-EG' })).toBe(6)
    expect(firstDayOfWeek({ ...plain, locale: 'en-US', weekStart: 'saturday' })).toBe(6)
  })
})

describe('moves', () => {
  test('keep the clock time over a change of the offset', () => {
    expect(shiftByDays('2026-10-22T13:45:00Z', BERLIN, 6)).toEqual(exact('2026-10-28T14:45:00.000Z'))
    expect(shiftByDays('2026-10-28T14:45:00Z', BERLIN, -6)).toEqual(exact('2026-10-22T13:45:00.000Z'))
  })

  test('go to a date, and to a time on a date', () => {
    const date = Temporal.PlainDate.from('2026-11-08')
    expect(shiftTo('2026-10-22T13:45:00Z', BERLIN, date)).toEqual(exact('2026-11-08T14:45:00.000Z'))
    expect(shiftTo('2026-10-22T13:45:00Z', BERLIN, date, Temporal.PlainTime.from('06:30'))).toEqual(
      exact('2026-11-08T05:30:00.000Z'),
    )
  })

  test('ask where the clock jumps over the time', () => {
    expect(shiftByDays('2027-03-27T01:30:00Z', BERLIN, 1)).toEqual({
      kind: 'gap',
      earlier: '2027-03-28T00:30:00.000Z',
      later: '2027-03-28T01:30:00.000Z',
    })
  })

  test('ask where the clock shows the time twice, and never about the one it stands at', () => {
    const twice = { kind: 'overlap', first: '2026-10-25T00:30:00.000Z', second: '2026-10-25T01:30:00.000Z' }
    expect(shiftByDays('2026-10-24T00:30:00Z', BERLIN, 1)).toEqual(twice)
    expect(clockTime(Temporal.PlainDateTime.from('2026-10-25T02:30'), BERLIN)).toEqual(twice)
    expect(shiftByDays('2026-10-25T01:30:00Z', BERLIN, 0)).toEqual(exact('2026-10-25T01:30:00.000Z'))
  })

  test('keep the clock time in every zone, in each month of two years, or ask', () => {
    const start = Temporal.Instant.from('2026-01-15T12:30:00Z')
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (let month = 0; month < 24; month++) {
        const at = start.add({ hours: month * 730 }).toString()
        for (const days of [1, -1, 7, -7, 30]) {
          const moved = shiftByDays(at, zone, days)
          if (moved.kind !== 'exact') continue
          const [from, to] = [wallTime(at, zone), wallTime(moved.instant, zone)]
          if (!to.toPlainDateTime().equals(from.toPlainDateTime().add({ days }))) {
            expect.fail(`${zone}: ${from} moved by ${days} days became ${to}`)
          }
        }
      }
    }
  })
})
