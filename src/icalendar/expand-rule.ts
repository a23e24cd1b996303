import { type RRuleOptions, RRuleTemporal } from 'rrule-temporal'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from '#contract/durations'

/** A rule, or a whole calendar, gives more than anyone can mean: one that repeats each second for a year. */
export class TooComplexError extends Error {
  override name = 'TooComplexError'
}

/** A rule that breaks the format. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

/**
 * A time on a clock without a timezone, as the milliseconds that UTC would have then: rules are about clocks (RFC 5545, 3.3.10),
 * and a zone comes in when an occurrence becomes a moment.
 */
export type WallTime = number

interface RuleStart {
  start: WallTime
  /** Of a day without a time. */
  isDate: boolean
  /** The clock of the event at a moment: what an UNTIL in UTC means. */
  wallOf(moment: number): WallTime
}

const STEP_MS = { WEEKLY: WEEK_MS, DAILY: DAY_MS, HOURLY: HOUR_MS, MINUTELY: MINUTE_MS, SECONDLY: SECOND_MS } as const
const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const

/** Steps that are taken from the beginning of a rule, or from the window's, to the window's end. */
const MAX_STEPS = { counted: 100_000, uncounted: 20_000 } as const
/** More occurrences of one rule inside a window: each hour, with the month before it, are 10,300. */
const MAX_OCCURRENCES = 11_000
/** Times that a rule has on one day: each minute are 1,440. */
const MAX_OF_DAY = 1_440

/**
 * The times of a recurrence rule (the value of an RRULE) from `from` to `until`, both included, in order. The first time of the
 * event is among them only when the rule gives it.
 *
 * @throws UnreadableError the rule breaks the format
 * @throws TooComplexError it gives too many times
 */
export function expandRule(
  rule: string,
  { start, ...about }: RuleStart,
  { from, until }: { from: WallTime; until: WallTime },
): WallTime[] {
  const { options, ends } = readRule(rule, { start, ...about })
  const last = Math.min(until, ends)
  if (last < start || last < from) return []
  const counted = options.count !== undefined
  const begin = counted || options.skip !== undefined ? start : alignedStart(options, start, from)
  try {
    const times = new RRuleTemporal({
      ...options,
      dtstart: zoned(begin),
      until: zoned(last),
      maxIterations: counted ? MAX_STEPS.counted : MAX_STEPS.uncounted,
      includeDtstart: counted,
      cache: false,
    }).all()
    const within = times.map(({ epochMilliseconds }) => epochMilliseconds).filter((at) => at >= from && at >= start)
    if (within.length > MAX_OCCURRENCES) throw tooMany()
    return within
  } catch (error) {
    if (error instanceof TooComplexError) throw error
    if (error instanceof Error && error.message.startsWith('Maximum iterations')) throw tooMany()
    throw new UnreadableError('The rule of an event cannot be used.')
  }
}

const tooMany = () => new TooComplexError('An event repeats too often.')

const zoned = (at: WallTime) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC')

type ManualOptions = Exclude<RRuleOptions, { rruleString: string }>
type RuleOptions = Omit<ManualOptions, 'dtstart' | 'until'>
type ListName = 'bySecond' | 'byMinute' | 'byHour' | 'byMonthDay' | 'byYearDay' | 'byWeekNo' | 'byMonth' | 'bySetPos'

/** Numbers of each list: the lowest and highest, without zero when below it others count from the end. */
const LISTS: Readonly<Record<string, { name: ListName; min: number; max: number }>> = {
  BYSECOND: { name: 'bySecond', min: 0, max: 60 },
  BYMINUTE: { name: 'byMinute', min: 0, max: 59 },
  BYHOUR: { name: 'byHour', min: 0, max: 23 },
  BYMONTHDAY: { name: 'byMonthDay', min: -31, max: 31 },
  BYYEARDAY: { name: 'byYearDay', min: -366, max: 366 },
  BYWEEKNO: { name: 'byWeekNo', min: -53, max: 53 },
  BYMONTH: { name: 'byMonth', min: 1, max: 12 },
  BYSETPOS: { name: 'bySetPos', min: -366, max: 366 },
}

/** Reads the parts of a rule (RFC 5545, 3.3.10), strictly: a part that is not understood changes what it means. */
function readRule(rule: string, about: RuleStart): { options: RuleOptions; ends: WallTime } {
  const parts = new Map<string, string>()
  for (const part of rule.replaceAll(/\s/g, '').toUpperCase().split(';')) {
    const [name = '', value = '', more] = part.split('=')
    // What programs add for themselves, and parts that say nothing.
    if (part === '' || (value === '' && part.endsWith('=')) || name.startsWith('X-')) continue
    if (value === '' || more !== undefined || parts.has(name)) throw unreadable(name)
    parts.set(name, value)
  }
  const freq = FREQUENCIES.find((each) => each === parts.get('FREQ'))
  if (!freq) throw unreadable('FREQ')
  const options: RuleOptions = { freq }
  let ends = Number.POSITIVE_INFINITY
  for (const [name, value] of parts) {
    const list = LISTS[name]
    if (list) {
      Object.assign(options, { [list.name]: numbersOf(name, value, list) })
    } else if (name === 'INTERVAL') {
      options.interval = /^0+$/.test(value) ? 1 : wholeNumber(name, value)
    } else if (name === 'COUNT') {
      options.count = wholeNumber(name, value)
    } else if (name === 'UNTIL') {
      ends = endOf(value, about)
    } else if (name === 'BYDAY') {
      options.byDay = daysOf(value, freq)
    } else if (name === 'WKST') {
      options.wkst = WEEKDAYS.find((day) => day === value) ?? refuse(name)
    } else if (name === 'SKIP') {
      // The rule of RFC 7529 for days that a month does not have.
      if (value !== 'OMIT') Object.assign(options, { rscale: 'GREGORIAN', skip: value })
    } else if (!(name === 'RSCALE' && value === 'GREGORIAN') && name !== 'FREQ') {
      throw unreadable(name)
    }
  }
  refuseRareMixes(options)
  const { byHour = [0], byMinute = [0], bySecond = [0] } = options
  // Before a single step of it is taken: that has all times of a year.
  if (byHour.length * byMinute.length * bySecond.length > MAX_OF_DAY) throw tooMany()
  return { options: withImplied(options, about), ends }
}

/** Mixes of days that no program writes and the library does not understand: an event too few is better than wrong days. */
function refuseRareMixes({ freq, byYearDay, byMonthDay, byDay }: RuleOptions): void {
  const numbered = byDay?.filter((day) => day.length > 2) ?? []
  if (byYearDay && (byMonthDay || byDay)) throw unreadable('BYYEARDAY')
  if (byMonthDay && numbered.length > 0) throw unreadable('BYMONTHDAY')
  if (freq === 'YEARLY' && numbered.length > 0 && numbered.length < (byDay?.length ?? 0)) throw unreadable('BYDAY')
}

const unreadable = (what: string) =>
  new UnreadableError(`The rule of an event has a part that cannot be used: ${what}.`)
const refuse = (what: string): never => {
  throw unreadable(what)
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) === 0) throw unreadable(name)
  return Number(value)
}

function numbersOf(name: string, value: string, { min, max }: { min: number; max: number }): number[] {
  const numbers = value.split(',').map((text) => {
    const number = /^[+-]?\d{1,3}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= min && number <= max) || (min < 0 && number === 0)) throw unreadable(name)
    // A leap second.
    return name === 'BYSECOND' ? Math.min(number, 59) : number
  })
  return [...new Set(numbers)]
}

function daysOf(value: string, freq: string): string[] {
  const days = value.split(',').map((text) => {
    const [, number, day] = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/.exec(text) ?? refuse('BYDAY')
    if (number === undefined) return text
    if ((freq !== 'MONTHLY' && freq !== 'YEARLY') || Number(number) === 0) throw unreadable('BYDAY')
    return `${Number(number)}${day}`
  })
  return [...new Set(days)]
}

/** The last time that UNTIL allows. Programs give days for times and times for days; both mean the whole day. */
function endOf(value: string, { isDate, wallOf }: RuleStart): WallTime {
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})(Z)?)?$/.exec(value) ?? refuse('UNTIL')
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (isDate || hour === undefined) return date + DAY_MS - 1
  const at = date + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000
  return utc ? wallOf(at) : at
}

/** What a rule leaves out is as in the first time: written down, so that it does not depend on where the expansion begins. */
function withImplied(options: RuleOptions, { start }: RuleStart): RuleOptions {
  const { freq, byMonth, byWeekNo, byYearDay, byMonthDay, byDay } = options
  const first = new Date(start)
  const day = [first.getUTCDate()]
  const weekday = [WEEKDAYS[first.getUTCDay()] ?? 'SU']
  if (freq === 'YEARLY' && !byYearDay && !byMonthDay && !byDay) {
    if (byWeekNo) return { ...options, byDay: weekday }
    return { ...options, byMonth: byMonth ?? [first.getUTCMonth() + 1], byMonthDay: day }
  }
  if (freq === 'MONTHLY' && !byMonthDay && !byDay && !byYearDay && !byWeekNo) return { ...options, byMonthDay: day }
  if (freq === 'WEEKLY' && !byDay) return { ...options, byDay: weekday }
  return options
}

/**
 * A beginning near the window from which the rule gives the same times: whole periods of the rule later than its own, at the
 * first day of a year or month for rules that choose days in these.
 */
function alignedStart({ freq, interval = 1 }: RuleOptions, start: WallTime, from: WallTime): WallTime {
  if (from <= start) return start
  const [first, wanted] = [new Date(start), new Date(from)]
  const timeOfDay = start - Math.floor(start / DAY_MS) * DAY_MS
  if (freq === 'YEARLY' || freq === 'MONTHLY') {
    const unit = freq === 'YEARLY' ? 12 : 1
    const months = (at: Date) => Math.floor((at.getUTCFullYear() * 12 + at.getUTCMonth()) / unit)
    // One period earlier: the first week of a year may begin in the one before.
    const steps = Math.floor((months(wanted) - 1 - months(first)) / interval)
    if (steps <= 0) return start
    const month = (months(first) + steps * interval) * unit
    return Date.UTC(Math.floor(month / 12), month % 12, 1) + timeOfDay
  }
  const step = STEP_MS[freq as keyof typeof STEP_MS] * interval
  const steps = Math.floor((from - start) / step) - 1
  return steps <= 0 ? start : start + steps * step
}
