import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandRule, TooComplexError, UnreadableError } from './expand-rule.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const
const day = (text: string) => Date.parse(text) / DAY_MS
const iso = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)

/** A rule in parts, and an event of whole days. */
interface Rule {
  freq: 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'DAILY'
  interval: number
  start: number
  wkst: (typeof WEEKDAYS)[number]
  byMonth?: number[] | undefined
  byMonthDay?: number[] | undefined
  byYearDay?: number[] | undefined
  byWeekNo?: number[] | undefined
  byDay?: string[] | undefined
  bySetPos?: number[] | undefined
  count?: number | undefined
  until?: number | undefined
}

function written({ freq, interval, wkst, count, until, ...by }: Rule): string {
  const lists = (['byMonth', 'byMonthDay', 'byYearDay', 'byWeekNo', 'byDay', 'bySetPos'] as const).flatMap((name) => {
    const list = by[name]
    return list ? [`${name.toUpperCase()}=${list.join(',')}`] : []
  })
  return [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    `WKST=${wkst}`,
    ...lists,
    ...(count === undefined ? [] : [`COUNT=${count}`]),
    ...(until === undefined ? [] : [`UNTIL=${iso(until).replaceAll('-', '')}`]),
  ].join(';')
}

/** The same by looking at every day, one after the other. */
function daysByLooking(rule: Rule, from: number, last: number): number[] {
  const { freq, interval, start, wkst, count, until } = rule
  const first = new Date(start * DAY_MS)
  const weekOf = (at: number) => Math.floor((at + 4 - WEEKDAYS.indexOf(wkst)) / 7)
  const periodOf = (at: number) => {
    const date = new Date(at * DAY_MS)
    if (freq === 'YEARLY') return date.getUTCFullYear()
    if (freq === 'MONTHLY') return date.getUTCFullYear() * 12 + date.getUTCMonth()
    return freq === 'WEEKLY' ? weekOf(at) : at
  }
  const chooses = rule.byMonthDay ?? rule.byYearDay ?? rule.byDay ?? rule.byWeekNo
  const implied = {
    byMonth: freq === 'YEARLY' && !chooses ? (rule.byMonth ?? [first.getUTCMonth() + 1]) : rule.byMonth,
    byMonthDay: (freq === 'YEARLY' || freq === 'MONTHLY') && !chooses ? [first.getUTCDate()] : rule.byMonthDay,
    byDay:
      !rule.byDay && (freq === 'WEEKLY' || (rule.byWeekNo && !rule.byMonthDay && !rule.byYearDay))
        ? [WEEKDAYS[first.getUTCDay()] ?? 'SU']
        : rule.byDay,
  }
  const fits = (at: number) => {
    const date = new Date(at * DAY_MS)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    const ofMonth = Date.UTC(year, month + 1, 0) / DAY_MS - Date.UTC(year, month, 1) / DAY_MS + 1
    const ofYear = Date.UTC(year + 1, 0, 1) / DAY_MS - Date.UTC(year, 0, 1) / DAY_MS
    const dayOfYear = at - Date.UTC(year, 0, 1) / DAY_MS + 1
    const either = (list: number[] | undefined, value: number, size: number) =>
      !list || list.includes(value) || list.includes(value - size - 1)
    const inMonth = freq === 'MONTHLY' || (freq === 'YEARLY' && rule.byMonth !== undefined)
    const [place, size] = inMonth ? [date.getUTCDate(), ofMonth] : [dayOfYear, ofYear]
    const weekday = WEEKDAYS[date.getUTCDay()] ?? 'SU'
    const nth = [Math.ceil(place / 7), -Math.ceil((size - place + 1) / 7)]
    const chosen =
      !implied.byDay || implied.byDay.some((text) => text === weekday || nth.some((n) => text === `${n}${weekday}`))
    // The first week of a year has four of its days.
    const firstWeek = weekOf(Date.UTC(year, 0, 4) / DAY_MS)
    return (
      (!implied.byMonth || implied.byMonth.includes(month + 1)) &&
      either(implied.byMonthDay, date.getUTCDate(), ofMonth) &&
      either(rule.byYearDay, dayOfYear, ofYear) &&
      (!rule.byWeekNo || rule.byWeekNo.includes(weekOf(at) - firstWeek + 1)) &&
      chosen
    )
  }
  const end = Math.min(last, until ?? last)
  const found: number[] = []
  let period: number[] = []
  const close = () => {
    const { bySetPos } = rule
    const chosen = bySetPos
      ? period.filter((_, index) => bySetPos.includes(index + 1) || bySetPos.includes(index - period.length))
      : period
    found.push(...chosen.filter((at) => at >= start))
    period = []
  }
  // Whole periods: a year before the first day and after the last one.
  for (let at = start - 400; at <= end + 400; at++) {
    const steps = periodOf(at) - periodOf(start)
    if (steps >= 0 && steps % interval === 0 && fits(at)) period.push(at)
    if (periodOf(at + 1) !== periodOf(at)) close()
  }
  const all = count === undefined ? found : [...new Set([start, ...found])].slice(0, count)
  return all.filter((at) => at >= from && at <= end)
}

const some = <T>(values: fc.Arbitrary<T>, most = 3) =>
  fc.option(fc.uniqueArray(values, { minLength: 1, maxLength: most }), { nil: undefined, freq: 2 })
const signed = (most: number) => fc.integer({ min: -most, max: most }).filter((number) => number !== 0)

const rules: fc.Arbitrary<Rule> = fc
  .record({
    freq: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'),
    interval: fc.integer({ min: 1, max: 4 }),
    start: fc.integer({ min: day('2015-01-01'), max: day('2026-12-31') }),
    wkst: fc.constantFrom('MO', 'SU'),
    byMonth: some(fc.integer({ min: 1, max: 12 })),
    byMonthDay: some(signed(31)),
    byYearDay: some(signed(366)),
    byWeekNo: some(fc.integer({ min: 2, max: 51 })),
    byDay: some(fc.tuple(fc.option(signed(5), { nil: null }), fc.constantFrom(...WEEKDAYS))),
    bySetPos: some(signed(4), 2),
    ends: fc.oneof(
      fc.constant({}),
      fc.record({ count: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ until: fc.integer({ min: day('2020-01-01'), max: day('2027-12-31') }) }),
    ),
  })
  .map(({ byDay, ends, ...rule }): Rule => {
    const { freq } = rule
    const numbered = freq === 'MONTHLY' || (freq === 'YEARLY' && !rule.byWeekNo)
    const names = byDay?.map(([number, name]) => (numbered && number !== null ? `${number}${name}` : name))
    // What the format does not allow together (RFC 5545, 3.3.10), and what is refused.
    const plain = names?.filter((name) => name.length === 2) ?? []
    const isMixed = plain.length > 0 && plain.length < (names?.length ?? 0)
    const chosen = rule.byMonthDay || (freq === 'YEARLY' && isMixed) ? plain : (names ?? [])
    const days = chosen.length === 0 || (freq === 'YEARLY' && rule.byYearDay) ? undefined : chosen
    return {
      ...rule,
      ...ends,
      byDay: days && [...new Set(days)],
      byMonthDay: freq === 'WEEKLY' || (freq === 'YEARLY' && rule.byYearDay) ? undefined : rule.byMonthDay,
      byYearDay: freq === 'YEARLY' ? rule.byYearDay : undefined,
      byWeekNo: freq === 'YEARLY' && !rule.byYearDay && !rule.byMonthDay ? rule.byWeekNo : undefined,
      bySetPos: rule.byMonth || days || rule.byMonthDay ? rule.bySetPos : undefined,
    }
  })

describe('a rule', () => {
  test('calendars-08: gives the days that one finds by looking at each', () => {
    const windows = fc.record({
      from: fc.integer({ min: day('2014-01-01'), max: day('2027-01-01') }),
      days: fc.integer({ min: 1, max: 430 }),
    })
    fc.assert(
      fc.property(rules, windows, (rule, { from, days }) => {
        const start = rule.start * DAY_MS
        const about = { start, isDate: true, wallOf: (moment: number) => moment }
        const window = { from: from * DAY_MS, until: (from + days) * DAY_MS }
        const times = expandRule(written(rule), about, window).map((wall) => iso(wall / DAY_MS))
        // Whether the first day belongs to the rule is asked of the event.
        const others = (list: string[]) => list.filter((each) => each !== iso(rule.start))
        expect(others(times), written(rule)).toEqual(others(daysByLooking(rule, from, from + days).map(iso)))
      }),
      { numRuns: 400 },
    )
  })

  const about = { start: Date.parse('2026-01-01T09:00Z'), isDate: false, wallOf: (moment: number) => moment }
  const window = { from: Date.parse('2026-01-01'), until: Date.parse('2027-01-31') }

  test.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY',
    'FREQ=SECONDLY;INTERVAL=7;COUNT=999999999',
    'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,5,10,15,20,25,30,35,40,45,50,55',
  ])('that gives more times than anyone can mean is refused: %s', (rule) => {
    expect(() => expandRule(rule, about, window)).toThrow(TooComplexError)
  })

  test.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31',
  ])('that never comes gives no times, at once: %s', (rule) => {
    expect(expandRule(rule, about, window)).toEqual([])
  })

  test.each([
    '',
    'FREQ=',
    'FREQ=FORTNIGHTLY',
    'INTERVAL=2',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=-1',
    'FREQ=MONTHLY;BYMONTHDAY=0',
    'FREQ=MONTHLY;BYMONTHDAY=32',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=WEEKLY;BYDAY=2MO',
    'FREQ=DAILY;UNTIL=tomorrow',
    'FREQ=DAILY;FREQ=WEEKLY',
    'FREQ=DAILY;BYEASTER=1',
    'FREQ=YEARLY;RSCALE=CHINESE',
    'FREQ=YEARLY;BYYEARDAY=1;BYDAY=MO',
    'FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=1MO',
    'FREQ=YEARLY;BYDAY=MO,1TU',
  ])('that breaks the format is refused: %s', (rule) => {
    expect(() => expandRule(rule, about, window)).toThrow(UnreadableError)
  })
})
