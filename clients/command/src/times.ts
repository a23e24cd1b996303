import { casual, type ParsedComponents } from 'chrono-node'
import { Temporal } from 'temporal-polyfill'
import { type Io, WrongUse } from './io.ts'

export interface WhenOptions {
  /** IANA name: by its clocks times are read. */
  timezone: string
  now: Date
  /** Asks which of the two a time is that clocks show twice; null: there is no one to ask. */
  ask: Io['ask']
}

/** What was typed without an offset. */
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?))$/
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/i

/**
 * The moment that words mean by the clocks of a zone: `tomorrow 9:00`, `friday at 5pm`, `in 2 hours`, `2030-06-01 09:00`, `now`.
 *
 * Only the components of what chrono finds are used. Its reference is the wall clock of the zone, written as if it were UTC, so that the
 * machine's own zone plays no part; the moment is made by Temporal. `in 2 hours` is exact time. A time that clocks skip moves forward
 * by what they skip; of one that they show twice the person is asked which is meant.
 *
 * @throws WrongUse when the words are no time, or not one alone
 */
export async function readWhen(text: string, options: WhenOptions): Promise<Temporal.ZonedDateTime> {
  const { timezone, now } = options
  const words = text.trim()
  const start = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone)
  if (/^now$/i.test(words)) return start
  if (WITH_OFFSET.test(words)) return fromOffset(words, timezone)
  const iso = ISO.exec(words)
  if (iso) return fromClock(plainOf(`${iso[1]}T${(iso[2] ?? '').padStart(5, '0')}`, words), words, options)
  const wall = start.toPlainDateTime()
  const found = parse(words, wall)
  const clock = clockOf(found)
  if (found.tags().has('result/relativeDateAndTime')) {
    return start.add(wall.until(clock, { largestUnit: 'hour' }))
  }
  if (found.isCertain('timezoneOffset')) {
    const offset = Temporal.Duration.from({ minutes: found.get('timezoneOffset') ?? 0 })
    return clock.subtract(offset).toZonedDateTime('UTC').withTimeZone(timezone)
  }
  return fromClock(clock, words, options)
}

/** `Fri, 1 June 2030, 09:00 (Europe/Berlin, +02:00)` */
export function shownTime(time: Temporal.ZonedDateTime): string {
  const shown = time.toLocaleString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return `${shown} (${time.timeZoneId}, ${time.offset})`
}

/** A moment of an answer, by the clocks of a zone: `2030-06-01 09:00`. */
export function shownMoment(moment: string, timezone: string): string {
  const clock = Temporal.Instant.from(moment).toZonedDateTimeISO(timezone).toPlainDateTime()
  return clock.toString({ smallestUnit: 'minute' }).replace('T', ' ')
}

function parse(words: string, wall: Temporal.PlainDateTime): ParsedComponents {
  const reference = { instant: new Date(wall.toZonedDateTime('UTC').epochMilliseconds), timezone: 0 }
  const [found, another] = inUtc(() => casual.parse(words, reference, { forwardDate: true }))
  const rest = found ? words.replace(found.text, '').replace(/^(?:at|on)\b|[\s,]/gi, '') : words
  if (!found || another || rest !== '' || found.end) {
    throw new WrongUse(`“${words}” is not a time. Write it like “tomorrow 9:00”, “in 2 hours” or “2030-06-01 09:00”.`)
  }
  if (!found.start.isCertain('hour')) throw new WrongUse(`“${words}” has no time of day: “${words} 9:00”.`)
  return found.start
}

/** Chrono counts by the clocks of the machine: over the night in which those change, it would be an hour off. UTC has no such night. */
function inUtc<T>(work: () => T): T {
  const { TZ } = process.env
  process.env.TZ = 'UTC'
  try {
    return work()
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
}

function clockOf(found: ParsedComponents): Temporal.PlainDateTime {
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second') => found.get(name) ?? 0
  return Temporal.PlainDateTime.from({
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: found.isCertain('second') ? part('second') : 0,
  })
}

function fromOffset(words: string, timezone: string): Temporal.ZonedDateTime {
  try {
    return Temporal.Instant.from(words.replace(' ', 'T')).toZonedDateTimeISO(timezone)
  } catch {
    throw new WrongUse(`There is no time ${words}.`)
  }
}

function plainOf(text: string, words: string): Temporal.PlainDateTime {
  try {
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' })
  } catch {
    throw new WrongUse(`There is no time ${words}.`)
  }
}

async function fromClock(
  clock: Temporal.PlainDateTime,
  words: string,
  { timezone, ask }: WhenOptions,
): Promise<Temporal.ZonedDateTime> {
  const first = clock.toZonedDateTime(timezone, { disambiguation: 'earlier' })
  const second = clock.toZonedDateTime(timezone, { disambiguation: 'later' })
  // What clocks skip moves forward by it.
  if (first.equals(second) || !first.toPlainDateTime().equals(clock)) return second
  const both = `In ${timezone} clocks show ${words} twice: at ${first.offset} and an hour later at ${second.offset}.`
  if (!ask) {
    const times = [first, second].map((time) => time.toString({ timeZoneName: 'never', smallestUnit: 'minute' }))
    throw new WrongUse(`${both} Write ${times.join(' or ')}.`)
  }
  for (;;) {
    const answer = (await ask(`${both} Which one? [1/2] `)).trim()
    if (answer === '1') return first
    if (answer === '2') return second
  }
}
