const DATE = '\\d{4}-\\d{2}-\\d{2}'
const TIME = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d+)?)?'
const OFFSET = 'Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?'
/** More digits behind the seconds than programs write. */
const LONGEST = 60
const FORM = new RegExp(`^(?<date>${DATE})(T(?<time>${TIME})(?<offset>${OFFSET})?)?$`)

/**
 * Reads an ISO 8601 time, cut to milliseconds. Without an offset it is read in the timezone (IANA name): of an hour that
 * summer time repeats it is the first, or the second where the first is past by `now` and the second is ahead; one that it
 * skips is moved forward by the gap; a bare date is the start of that day. Null for what is no time, impossible dates
 * included.
 */
export function parseTime(text: string, timezone: string, now: Date): Date | null {
  if (text.length > LONGEST) return null
  const parts = FORM.exec(text)?.groups
  if (!parts?.date) return null
  const { date, time, offset } = parts
  try {
    if (time === undefined) {
      return fromInstant(Temporal.PlainDate.from(date, { overflow: 'reject' }).toZonedDateTime(timezone).toInstant())
    }
    const wall = Temporal.PlainDateTime.from(`${date}T${cut(time)}`, { overflow: 'reject' })
    if (offset === undefined) return momentOf(wall, timezone, now)
    return fromInstant(Temporal.Instant.from(`${wall.toString()}${offset}`))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function momentOf(wall: Temporal.PlainDateTime, timezone: string, now: Date): Date {
  const first = wall.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  const second = wall.toZonedDateTime(timezone, { disambiguation: 'later' })
  const isPast = first.epochMilliseconds < now.getTime() && second.epochMilliseconds > now.getTime()
  return fromInstant((isPast ? second : first).toInstant())
}

/**
 * The wall-clock time that a text names by itself, without an offset; null for one with an offset. It may be one that
 * summer time skips.
 */
export function wallTimeOf(text: string): Temporal.PlainDateTime | null {
  const parts = FORM.exec(text)?.groups
  if (!parts?.date || parts.offset !== undefined) return null
  return Temporal.PlainDateTime.from(`${parts.date}T${cut(parts.time ?? '00:00')}`)
}

/** So many calendar days later, at the same wall-clock time of the timezone (IANA name). */
export function daysAfter(time: Date, days: number, timezone: string): Date {
  return fromInstant(
    Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timezone).add({ days }).toInstant(),
  )
}

/** A time with three digits behind the seconds at most. */
function cut(time: string): string {
  return time.replace(/[.,](\d{1,3})\d*$/, '.$1')
}

function fromInstant(instant: Temporal.Instant): Date {
  return new Date(instant.epochMilliseconds)
}
