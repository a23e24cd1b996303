import { describe, expect, test } from 'vitest'
import { shiftByDays, wallTime } from '../../time/zones.ts'
import { dayOf } from '../dates/dates.ts'
import { brandClock, dayOfNote, daysOn, instantOn, landingOf, newPostAt } from './brand-days.ts'

const TOKYO = 'Asia/Tokyo'
const BERLIN = 'Europe/Berlin'
const KOLKATA = 'Asia/Kolkata'
const NEW_YORK = 'America/New_York'
const AUCKLAND = 'Pacific/Auckland'
const LORD_HOWE = 'Australia/Lord_Howe'
const ZONES = [TOKYO, BERLIN, KOLKATA, NEW_YORK, AUCKLAND, LORD_HOWE]

describe('a move to another day of the viewer', () => {
  test('moves the date of the brand by as many days, although that is another date', () => {
    // 01:00 on 9 November in Tokyo is 17:00 on the 8th in Berlin.
    const at = '2026-11-08T16:00:00.000Z'
    expect(daysOn(at, BERLIN, '2026-11-10')).toBe(2)
    expect(landingOf(at, { brand: TOKYO, viewer: BERLIN }, '2026-11-10')).toEqual({
      date: '2026-11-10',
      minutes: 17 * 60,
    })
    expect(shiftByDays(at, TOKYO, 2)).toEqual({ kind: 'exact', instant: '2026-11-10T16:00:00.000Z' })
  })

  test('goes back over the ends of months and years', () => {
    expect(daysOn('2027-01-01T12:00:00Z', KOLKATA, '2026-12-31')).toBe(-1)
    expect(daysOn('2028-03-01T12:00:00Z', KOLKATA, '2028-02-01')).toBe(-29)
  })

  test('lands where it was dropped at another hour, where clocks changed in one of the two zones', () => {
    // Berlin puts its clocks back on 25 October, New York a week later: nine in Berlin is three in New York, then four.
    const at = '2026-10-24T07:00:00.000Z'
    expect(landingOf(at, { brand: BERLIN, viewer: NEW_YORK }, '2026-10-26')).toEqual({
      date: '2026-10-26',
      minutes: 4 * 60,
    })
  })

  test('says the day that it lands on, where that is another one', () => {
    // 05:30 in Berlin is 23:30 of the evening before in New York; with the clocks of Berlin put back it is half past midnight.
    const at = '2026-10-24T03:30:00.000Z'
    const clocks = { brand: BERLIN, viewer: NEW_YORK }
    expect(dayOf(at, NEW_YORK)).toBe('2026-10-23')
    expect(landingOf(at, clocks, '2026-10-24')).toEqual({ date: '2026-10-25', minutes: 30 })
    expect(landingOf(at, clocks, '2026-10-23')).toEqual({ date: '2026-10-23', minutes: 23 * 60 + 30 })
    // Half an hour is enough on Lord Howe.
    const lord = '2026-10-03T13:15:00.000Z'
    expect(landingOf(lord, { brand: TOKYO, viewer: LORD_HOWE }, '2026-10-04')).toEqual({
      date: '2026-10-05',
      minutes: 15,
    })
  })

  test('keeps the clock time of the brand from every zone to every other, and lands where it says, each day of a year', () => {
    let elsewhere = 0
    for (const brand of ZONES) {
      for (const viewer of ZONES) {
        for (let day = 0; day < 365; day += 1) {
          const at = new Date(Date.UTC(2026, 0, 1, (day * 7) % 24, 15) + day * 86_400_000).toISOString()
          const target = Temporal.PlainDate.from(dayOf(at, viewer)).add({ days: 1 }).toString()
          const clock = shiftByDays(at, brand, daysOn(at, viewer, target))
          const landing = landingOf(at, { brand, viewer }, target)
          if (clock.kind !== 'exact') continue
          expect(wallTime(clock.instant, brand).toPlainTime().equals(wallTime(at, brand).toPlainTime())).toBe(true)
          expect(landing.date).toBe(dayOf(clock.instant, viewer))
          if (landing.date !== target) elsewhere += 1
          if (brand === viewer) expect(landing.date).toBe(target)
        }
      }
    }
    // Seldom, and only around a night in which clocks change.
    expect(elsewhere).toBeLessThan(20)
  })
})

test('a time of the viewer is an instant, also where their clock skips or repeats it', () => {
  expect(instantOn('2026-11-08', 9 * 60, AUCKLAND)).toBe('2026-11-07T20:00:00.000Z')
  expect(instantOn('2026-03-29', 150, BERLIN)).toBe('2026-03-29T01:30:00.000Z')
  expect(instantOn('2026-10-25', 150, BERLIN)).toBe('2026-10-25T00:30:00.000Z')
})

test('a note without a time is on the date of its brand, one with a time on the day of the viewer', () => {
  const midnight = '2026-11-07T15:00:00Z'
  expect(dayOfNote(midnight, { brand: TOKYO, viewer: NEW_YORK })).toBe('2026-11-08')
  expect(dayOfNote('2026-11-07T15:30:00Z', { brand: TOKYO, viewer: NEW_YORK })).toBe('2026-11-07')
  expect(dayOfNote('2026-11-08T05:00:00Z', { brand: NEW_YORK, viewer: TOKYO })).toBe('2026-11-08')
})

test('a new post is on the date of the brand that has the name of the day, or at the time of the viewer', () => {
  const now = Temporal.ZonedDateTime.from('2026-11-01T12:00[Pacific/Auckland]')
  const clocks = { brand: AUCKLAND, viewer: NEW_YORK }
  const at = newPostAt('2026-11-08', null, clocks, now)
  expect(dayOf(at, AUCKLAND)).toBe('2026-11-08')
  expect(newPostAt('2026-11-08', 600, clocks, now)).toBe('2026-11-08T15:00:00.000Z')
})

test('the clock of a brand is told where it shows something else', () => {
  const at = '2026-11-08T16:00:00Z'
  expect(brandClock(at, { brand: BERLIN, viewer: 'Europe/Paris' })).toBeNull()
  expect(brandClock(at, { brand: KOLKATA, viewer: BERLIN })).toEqual({ date: null })
  expect(brandClock(at, { brand: TOKYO, viewer: BERLIN })).toEqual({ date: '2026-11-09' })
})
