import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS, REPEAT_INTERVALS, type RepeatInterval } from '#contract'
import { occurrencesOf } from './series.ts'

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]
/** Two years whose transitions are all met. */
const FROM = Date.UTC(2027, 0, 1)
const TO = Date.UTC(2029, 0, 1)
const DAY_MS = 86_400_000

/** Of UTC, at an instant, in milliseconds. All that is taken from the library here: what to do with it is reported below. */
function offsetAt(instant: number, zone: string): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000
}

/** A change of a zone's offset: its first moment, and the offsets before and after it. */
interface Transition {
  at: number
  before: number
  after: number
}

function transitionsOf(zone: string): Transition[] {
  const found: Transition[] = []
  let from = Temporal.Instant.fromEpochMilliseconds(FROM).toZonedDateTimeISO(zone)
  for (;;) {
    const next = from.getTimeZoneTransition('next')
    if (!next || next.epochMilliseconds >= TO) return found
    const at = next.epochMilliseconds
    found.push({ at, before: offsetAt(at - 1, zone), after: offsetAt(at, zone) })
    from = next
  }
}
const TRANSITIONS = ZONES.flatMap((zone) => transitionsOf(zone).map((transition) => ({ zone, ...transition })))

/**
 * Wall-clock times are numbers here: the milliseconds that UTC would have at that time. The instant of one: of an hour
 * that is repeated the first, and what is skipped moves forward by exactly the gap.
 */
function instantOf(wall: number, zone: string): number {
  const before = offsetAt(wall - DAY_MS, zone)
  const after = offsetAt(wall + DAY_MS, zone)
  const exists = (offset: number) => offsetAt(wall - offset, zone) === offset
  // With the offset from before the gap, a time in it reads as later by the gap.
  return wall - (exists(before) || !exists(after) ? before : after)
}

/** So many intervals later by the calendar, counted from the first; months and years end at their last day. */
function wallAfter(wall: number, interval: RepeatInterval, steps: number): number {
  if (interval === 'DAY' || interval === 'WEEK') return wall + steps * (interval === 'WEEK' ? 7 : 1) * DAY_MS
  const first = new Date(wall)
  const months = first.getUTCMonth() + steps * (interval === 'YEAR' ? 12 : 1)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const day = Math.min(first.getUTCDate(), lastDay)
  return Date.UTC(first.getUTCFullYear(), months, day) + (wall - Math.floor(wall / DAY_MS) * DAY_MS)
}

/** What every series must be. Returns its times. */
function expectSeries(first: number, interval: RepeatInterval, occurrences: number, zone: string): number[] {
  const times = occurrencesOf(new Date(first), { interval, occurrences }, zone).map((time) => time.getTime())
  const wall = first + offsetAt(first, zone)
  const meant = times.map((_, step) => (step === 0 ? first : instantOf(wallAfter(wall, interval, step), zone)))
  const wrong = times.findIndex((time, step) => time !== meant[step] || (step > 0 && time <= (times[step - 1] ?? time)))
  if (times.length === occurrences && wrong === -1) return times
  const reported = [times, meant].map((each) => new Date(each[wrong] ?? Number.NaN).toString()).join(', meant was ')
  throw new Error(
    `${new Date(first).toISOString()} ${interval} × ${occurrences} (${times.length}) ${zone}: ${reported}`,
  )
}

describe('every zone, two years', () => {
  test('there are changes of all kinds: in 100 zones and more, forward and back, of 30, 60 and 120 minutes', () => {
    expect(ZONES.length).toBeGreaterThan(400)
    expect(new Set(TRANSITIONS.map(({ zone }) => zone)).size).toBeGreaterThan(100)
    const sizes = new Set(TRANSITIONS.map(({ before, after }) => (after - before) / 60_000))
    for (const size of [30, 60, 120, -30, -60, -120]) expect(sizes).toContain(size)
  })

  test('series-01: around each change of its clock no occurrence drifts and none is lost', () => {
    for (const interval of REPEAT_INTERVALS) {
      for (const { zone, at, before, after } of TRANSITIONS) {
        const change = Math.abs(after - before)
        // What is skipped or repeated, by the wall clock: from here on, so long.
        const start = at + Math.min(before, after)
        for (const target of [-1, 0, change / 2, change - 1, change].map((offset) => start + offset)) {
          // Begun one interval before it and two: of the 29th to 31st, one of them is a month that has the day.
          const met = [1, 2].filter((steps) => {
            const wall = wallAfter(target, interval, -steps)
            const times = expectSeries(instantOf(wall, zone), interval, steps + 2, zone)
            return times[steps] === instantOf(target, zone)
          })
          if (met.length === 0) throw new Error(`${zone} ${new Date(at).toISOString()} was not met by ${interval}.`)
        }
      }
    }
  })

  test('a first time in a repeated hour stays where it is, be it the first or the second of the two', () => {
    for (const { zone, at, before, after } of TRANSITIONS.filter((change) => change.after < change.before)) {
      for (const first of [at - 1, at - (before - after), at, at + (before - after) - 1]) {
        for (const interval of REPEAT_INTERVALS) expectSeries(first, interval, 3, zone)
      }
    }
  })

  test('from any time in them, with any rule', () => {
    const runs = process.env.CI ? { seed: 20_270_101, numRuns: 3_000 } : { numRuns: 3_000 }
    const { min, max } = LIMITS.noteOccurrences
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: FROM, max: TO - 1 }),
        fc.constantFrom(...REPEAT_INTERVALS),
        fc.integer({ min, max }),
        (zone, first, interval, occurrences) => void expectSeries(first, interval, occurrences, zone),
      ),
      runs,
    )
  })
})

const days = (first: string, interval: RepeatInterval, occurrences: number) =>
  occurrencesOf(new Date(first), { interval, occurrences }, 'UTC').map((time) => time.toISOString().slice(0, 10))

describe('by hand', () => {
  test('series-02: months end at their last day, counted from the first one', () => {
    expect(days('2027-01-31T10:00:00Z', 'MONTH', 4)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30'])
    expect(days('2027-12-30T10:00:00Z', 'MONTH', 4)).toEqual(['2027-12-30', '2028-01-30', '2028-02-29', '2028-03-30'])
  })

  test('series-02: a leap day is the last of February in other years', () => {
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
