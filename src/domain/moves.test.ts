import { describe, expect, test } from 'vitest'
import { daysOn, movedBy, sameClockIn, wallChangeOf } from './moves.ts'

const BERLIN = 'Europe/Berlin'
const at = (text: string) => new Date(text)
const moved = (time: string, days: number, zone = BERLIN) => {
  const { time: to, shiftedByDst } = movedBy(at(time), daysOn(days), zone)
  return [to.toISOString(), shiftedByDst]
}

describe('days on', () => {
  test('keep the time on the wall when summer time begins and ends', () => {
    // 28 March 2027 and 25 October 2026.
    expect(moved('2027-03-27T09:00:00Z', 1)).toEqual(['2027-03-28T08:00:00.000Z', false])
    expect(moved('2026-10-22T13:45:00Z', 6)).toEqual(['2026-10-28T14:45:00.000Z', false])
    expect(moved('2026-10-28T14:45:00Z', -6)).toEqual(['2026-10-22T13:45:00.000Z', false])
  })

  test('move a time that summer time skips forward by the gap, and say so', () => {
    expect(moved('2027-03-27T01:30:00Z', 1)).toEqual(['2027-03-28T01:30:00.000Z', true])
  })

  test('take the first of two times, and leave the second where it is when nothing is moved', () => {
    expect(moved('2026-10-24T00:30:00Z', 1)).toEqual(['2026-10-25T00:30:00.000Z', false])
    expect(moved('2026-10-25T01:30:00Z', 0)).toEqual(['2026-10-25T01:30:00.000Z', false])
    expect(moved('2026-10-25T01:30:00Z', 1)).toEqual(['2026-10-26T01:30:00.000Z', false])
  })

  test('skip a day that a zone skipped', () => {
    // Samoa had no 30 December 2011.
    expect(moved('2011-12-29T22:00:00Z', 1, 'Pacific/Apia')).toEqual(['2011-12-30T22:00:00.000Z', true])
  })
})

describe('the change of one move', () => {
  test('is days and time of the day, and is the same for others on both sides of a transition', () => {
    const change = wallChangeOf(at('2026-10-20T08:00:00Z'), at('2026-10-27T15:30:00Z'), BERLIN)
    expect(change.toString()).toBe('P7DT6H30M')
    expect(movedBy(at('2026-10-27T09:00:00Z'), change, BERLIN).time.toISOString()).toBe('2026-11-03T15:30:00.000Z')
  })

  test('is what was asked for, where summer time moved the first one', () => {
    const wall = Temporal.PlainDateTime.from('2027-03-28T02:30')
    const change = wallChangeOf(at('2027-03-21T08:00:00Z'), at('2027-03-28T01:30:00Z'), BERLIN, wall)
    expect(movedBy(at('2027-03-28T07:00:00Z'), change, BERLIN).time.toISOString()).toBe('2027-04-04T00:30:00.000Z')
  })

  test('goes back as it came', () => {
    const [from, to] = [at('2026-10-20T22:15:00Z'), at('2026-10-18T04:00:00Z')]
    const there = movedBy(from, wallChangeOf(from, to, BERLIN), BERLIN).time
    expect(there).toEqual(to)
    expect(movedBy(there, wallChangeOf(to, from, BERLIN), BERLIN).time).toEqual(from)
  })
})

test('every zone keeps the time on the wall around every transition of two years', () => {
  const from = Temporal.Instant.from('2026-06-01T00:00:00Z')
  const until = Temporal.Instant.from('2028-06-01T00:00:00Z')
  let gaps = 0
  let checked = 0
  const wrong: string[] = []
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    let transition = from.toZonedDateTimeISO(zone).getTimeZoneTransition('next')
    for (; transition && transition.toInstant().epochMilliseconds < until.epochMilliseconds; ) {
      for (const days of [1, -1, 7, -7]) {
        for (const minutes of [-150, -90, -60, -30, -1, 0, 1, 30, 59, 90, 150]) {
          // Lands beside the transition, in its gap and in its overlap.
          const wanted = transition.toPlainDateTime().add({ minutes })
          const start = wanted.subtract({ days }).toZonedDateTime(zone)
          const { time, shiftedByDst } = movedBy(new Date(start.epochMilliseconds), daysOn(days), zone)
          const target = start.toPlainDateTime().add({ days })
          const found = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(zone)
          const possible = [-1, 1].some((side) =>
            target
              .toZonedDateTime(zone, { disambiguation: side < 0 ? 'earlier' : 'later' })
              .toPlainDateTime()
              .equals(target),
          )
          checked++
          if (!possible) gaps++
          const right = possible
            ? found.toPlainDateTime().equals(target) &&
              !shiftedByDst &&
              found.equals(target.toZonedDateTime(zone, { disambiguation: 'earlier' }))
            : shiftedByDst && found.equals(target.toZonedDateTime(zone, { disambiguation: 'later' }))
          if (!right) wrong.push(`${zone} ${start.toString()} ${days}: ${found.toString()}`)
        }
      }
      transition = transition.getTimeZoneTransition('next')
    }
  }
  expect(wrong).toEqual([])
  expect(checked).toBeGreaterThan(5_000)
  expect(gaps).toBeGreaterThan(500)
})

describe('the same clock of another timezone', () => {
  const clock = (time: string, to: string) => sameClockIn(at(time), { from: BERLIN, to }).toISOString()
  test('shows the same day and time', () => {
    expect(clock('2027-06-01T07:00:00Z', 'Asia/Tokyo')).toBe('2027-06-01T00:00:00.000Z')
    expect(clock('2027-06-01T07:00:00Z', 'America/New_York')).toBe('2027-06-01T13:00:00.000Z')
    expect(clock('2027-06-01T07:00:00Z', BERLIN)).toBe('2027-06-01T07:00:00.000Z')
  })

  test('moves forward by a gap, takes the first of two times, and keeps the second where the timezone is the same', () => {
    // 14 March 2027 in New York: 2:30 is skipped. 7 November 2027: 1:30 comes twice.
    expect(clock('2027-03-14T01:30:00Z', 'America/New_York')).toBe('2027-03-14T07:30:00.000Z')
    expect(clock('2027-11-07T00:30:00Z', 'America/New_York')).toBe('2027-11-07T05:30:00.000Z')
    expect(clock('2026-10-25T01:30:00Z', BERLIN)).toBe('2026-10-25T01:30:00.000Z')
  })
})
