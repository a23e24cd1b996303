import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REPEAT_INTERVALS, type RepeatInterval } from '#contract'
import { occurrencesOf } from './series.ts'

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')]
/** Two years whose transitions are all met. */
const FROM = Date.UTC(2027, 0, 1)
const TO = Date.UTC(2029, 0, 1)
const DAY_MS = 86_400_000
const MAX = 50

const zoned = (time: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone)

/** Every change of a zone's offset within the two years, as the time of the first moment after it. */
function transitionsOf(zone: string): number[] {
  const found: number[] = []
  let at = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds >= TO) return found
    found.push(next.epochMilliseconds)
    at = next
  }
}

/** What every series must be, told by its times alone. */
function expectSeries(first: Date, interval: RepeatInterval, occurrences: number, zone: string): void {
  const times = occurrencesOf(first, { interval, occurrences }, zone)
  const about = `${first.toISOString()} ${interval} ${zone}`
  expect(times.length, about).toBe(occurrences)
  expect(times[0], about).toBe(first)
  const start = zoned(first, zone).toPlainDateTime()
  times.forEach((time, index) => {
    const previous = times[index - 1]
    if (previous && previous >= time) throw new Error(`${about}: occurrence ${index} is not later than the one before.`)
    if (index === 0) return
    const wall = zoned(time, zone).toPlainDateTime()
    const meant = expectedWall(start, interval, index)
    if (wall.equals(meant)) {
      // Of an hour that is repeated, the first one.
      const hourBefore = zoned(new Date(time.getTime() - 3_600_000), zone).toPlainDateTime()
      if (hourBefore.equals(meant)) throw new Error(`${about}: occurrence ${index} is the second of two.`)
      return
    }
    // Only a time that there is not may be another one: later, by the gap.
    const gap = gapAt(meant, zone)
    const moved = wall.since(meant).total('milliseconds')
    if (gap === 0 || moved !== gap) throw new Error(`${about}: occurrence ${index} is at ${wall}, not ${meant}.`)
  })
}

/** By the calendar, without the library's own adding of months. */
function expectedWall(start: Temporal.PlainDateTime, interval: RepeatInterval, steps: number): Temporal.PlainDateTime {
  if (interval === 'DAY' || interval === 'WEEK') {
    const days = (interval === 'WEEK' ? 7 : 1) * steps
    const date = new Date(Date.UTC(start.year, start.month - 1, start.day) + days * DAY_MS)
    return start.with({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
  }
  const months = start.year * 12 + (start.month - 1) + steps * (interval === 'YEAR' ? 12 : 1)
  const year = Math.floor(months / 12)
  const month = (months % 12) + 1
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return start
    .with({ day: 1 })
    .with({ year, month })
    .with({ day: Math.min(start.day, lastDay) })
}

/** How long the gap is that a wall-clock time lies in, in milliseconds; 0 for a time that there is. */
function gapAt(wall: Temporal.PlainDateTime, zone: string): number {
  const earlier = wall.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const later = wall.toZonedDateTime(zone, { disambiguation: 'later' })
  if (earlier.toPlainDateTime().equals(wall)) return 0
  return (later.offsetNanoseconds - earlier.offsetNanoseconds) / 1_000_000
}

describe('every zone, two years', () => {
  test('around each change of its clock no occurrence drifts and none is lost', () => {
    for (const zone of ZONES) {
      for (const at of transitionsOf(zone)) {
        // Wall-clock times right before, in and after what is skipped or repeated, reached on the third day, the third
        // week and the first month.
        for (const minutes of [-90, -30, 0, 30, 90]) {
          for (const [interval, days] of [
            ['DAY', 3],
            ['WEEK', 21],
            ['MONTH', 31],
          ] as const) {
            const wall = zoned(new Date(at + minutes * 60_000), zone)
              .toPlainDateTime()
              .subtract({ days })
            const first = new Date(wall.toZonedDateTime(zone).epochMilliseconds)
            expectSeries(first, interval, 6, zone)
          }
        }
      }
    }
  })

  test('from any time in them, with any rule', () => {
    const runs = process.env.CI ? { seed: 20_270_101, numRuns: 3_000 } : { numRuns: 3_000 }
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: FROM, max: TO }),
        fc.constantFrom(...REPEAT_INTERVALS),
        fc.integer({ min: 2, max: MAX }),
        (zone, at, interval, occurrences) => expectSeries(new Date(at), interval, occurrences, zone),
      ),
      runs,
    )
  })

  test('there are changes to be met in a good part of the zones', () => {
    expect(ZONES.length).toBeGreaterThan(400)
    expect(ZONES.filter((zone) => transitionsOf(zone).length > 0).length).toBeGreaterThan(100)
  })
})

const days = (first: string, interval: RepeatInterval, occurrences: number) =>
  occurrencesOf(new Date(first), { interval, occurrences }, 'UTC').map((time) => time.toISOString().slice(0, 10))

describe('by hand', () => {
  test('months end at their last day, counted from the first one', () => {
    expect(days('2027-01-31T10:00:00Z', 'MONTH', 4)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'])
    expect(days('2027-12-30T10:00:00Z', 'MONTH', 4)).toEqual(['2027-12-30', '2028-01-30', '2028-02-29', '2028-03-30'])
  })

  test('a leap day is the last of February in other years', () => {
    expect(days('2028-02-29T10:00:00Z', 'YEAR', 5)).toEqual([
      '2028-02-29',
      '2029-02-28',
      '2030-02-28',
      '2031-02-28',
      '2032-02-29',
    ])
  })

  test('a first time in the second of two hours stays where it is', () => {
    const second = new Date('2027-10-31T01:30:00Z')
    const [first, next] = occurrencesOf(second, { interval: 'DAY', occurrences: 2 }, 'Europe/Berlin')
    expect(first).toEqual(second)
    expect(next?.toISOString()).toBe('2027-11-01T01:30:00.000Z')
  })

  test('a day that a zone skipped leaves its time to the next one', () => {
    const times = occurrencesOf(new Date('2011-12-29T22:00:00Z'), { interval: 'DAY', occurrences: 3 }, 'Pacific/Apia')
    expect(times.map((time) => time.toISOString())).toEqual([
      '2011-12-29T22:00:00.000Z',
      '2011-12-30T22:00:00.000Z',
      '2011-12-30T22:00:00.000Z',
    ])
  })

  test('a zone that there is not is an error', () => {
    expect(() => occurrencesOf(new Date(), { interval: 'DAY', occurrences: 2 }, 'Mars/Olympus')).toThrow(RangeError)
  })
})
