import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keepClock, planTimezoneChange } from './timezone-change.ts'

const at = (text: string) => new Date(text)
const wall = (time: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()

describe('a clock time in another zone', () => {
  test.each([
    ['a day of winter', '2027-01-15T09:00:00Z', 'Europe/Berlin', 'America/New_York', '2027-01-15T15:00:00Z', false],
    ['a zone of 45 minutes', '2027-01-15T09:00:00Z', 'Europe/Berlin', 'Asia/Kathmandu', '2027-01-15T04:15:00Z', false],
    ['a gap is jumped over', '2027-03-28T02:30:00Z', 'UTC', 'Europe/Berlin', '2027-03-28T01:30:00Z', true],
    ['the first of two', '2026-10-25T02:30:00Z', 'UTC', 'Europe/Berlin', '2026-10-25T00:30:00Z', false],
    ['a day that the zone skips', '2011-12-30T10:00:00Z', 'UTC', 'Pacific/Apia', '2011-12-30T20:00:00Z', true],
    // The second 02:30 of Berlin is the second of Paris too.
    ['the same clock', '2026-10-25T01:30:00Z', 'Europe/Berlin', 'Europe/Paris', '2026-10-25T01:30:00Z', false],
    [
      'the same zone by an older name',
      '2027-01-15T09:00:00Z',
      'Asia/Kolkata',
      'Asia/Calcutta',
      '2027-01-15T09:00:00Z',
      false,
    ],
  ])('%s', (_, time, from, to, expected, inGap) => {
    expect(keepClock(at(time), from, to)).toEqual({ at: at(expected), inGap })
  })

  test('is the same clock time in every zone, or lies behind a gap by its length', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC')
    const time = fc.date({ min: at('2000-01-01T00:00:00Z'), max: at('2100-12-31T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(time, zone, zone, (moment, from, to) => {
        const wanted = wall(moment, from)
        const { at: moved, inGap } = keepClock(moment, from, to)
        const shown = wall(moved, to)
        if (!inGap) {
          expect(shown.equals(wanted), `${moment.toISOString()} ${from} ${to}`).toBe(true)
          // Of two, the first, unless nothing had to move.
          const first = wanted.toZonedDateTime(to, { disambiguation: 'earlier' }).epochMilliseconds
          expect([first, moment.getTime()]).toContain(moved.getTime())
          return
        }
        const before = wanted.toZonedDateTime(to, { disambiguation: 'earlier' })
        const gap = moved.getTime() - before.epochMilliseconds
        expect(wanted.add({ milliseconds: gap }).equals(shown)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  test('comes back with the way back, where neither zone changes its clock that day', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const time = fc.date({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(time, zone, zone, (moment, from, to) => {
        const there = keepClock(moment, from, to)
        fc.pre(!there.inGap && !repeats(moment, from))
        expect(keepClock(there.at, to, from).at).toEqual(moment)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** Whether the clock of the zone shows that time twice. */
function repeats(moment: Date, zone: string): boolean {
  const shown = wall(moment, zone)
  const earlier = shown.toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds
  return earlier !== shown.toZonedDateTime(zone, { disambiguation: 'later' }).epochMilliseconds
}

describe('a change of the timezone', () => {
  const zones = { from: 'Europe/Berlin', to: 'Asia/Tokyo', soon: at('2027-01-15T12:01:00Z') }
  const set = (id: string, status: string, time: string) => ({ id, status, scheduledAt: at(time) })

  test('moves drafts, notes and what is scheduled later, and sends nothing at once', () => {
    const plan = planTimezoneChange(
      {
        postSets: [
          set('draft of yesterday', 'DRAFT', '2027-01-14T12:00:00Z'),
          set('due in a minute', 'SCHEDULED', '2027-01-15T12:01:00Z'),
          // 14:00 in Tokyo has passed at noon UTC.
          set('due in an hour', 'SCHEDULED', '2027-01-15T13:00:00Z'),
          set('due tomorrow', 'SCHEDULED', '2027-01-16T13:00:00Z'),
        ],
        notes: [{ id: 'note', scheduledAt: at('2027-01-16T09:00:00Z') }],
      },
      zones,
    )
    expect(plan).toEqual({
      postSets: [
        { id: 'draft of yesterday', from: at('2027-01-14T12:00:00Z'), to: at('2027-01-14T04:00:00Z') },
        { id: 'due tomorrow', from: at('2027-01-16T13:00:00Z'), to: at('2027-01-16T05:00:00Z') },
      ],
      notes: [{ id: 'note', from: at('2027-01-16T09:00:00Z'), to: at('2027-01-16T01:00:00Z') }],
      inGap: 0,
      staying: 2,
    })
  })

  test('moves nothing between zones of one clock, and counts what falls into a gap', () => {
    const postSets = [
      set('due', 'SCHEDULED', '2027-01-15T12:00:30Z'),
      set('later', 'SCHEDULED', '2027-03-28T02:30:00Z'),
    ]
    const notes = [{ id: 'note', scheduledAt: at('2027-03-28T02:10:00Z') }]
    expect(planTimezoneChange({ postSets, notes }, { ...zones, to: 'Europe/Paris' })).toEqual({
      postSets: [],
      notes: [],
      inGap: 0,
      staying: 0,
    })
    expect(planTimezoneChange({ postSets, notes }, { ...zones, from: 'UTC', to: 'Europe/Berlin' })).toMatchObject({
      inGap: 2,
      staying: 1,
    })
  })
})
