const DATED = /^(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)(?=[:;])/i
/** As ISO 8601 writes them, short or long; what stands behind the time is its distance from UTC. */
const STAMP = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/
const DATE_BEGINS = /\s*\d{4}-?\d\d-?\d\d/y

/**
 * Dates and times each with what they are, not what the line calls them: `DTSTART:20270329` is a day. The name of a timezone that is
 * not in quotes, as it has to be with a colon in it, gets them. Lists may be divided by semicolons, as in vCalendar 1.0, and of a period
 * its beginning is left. An end that is none is left out; other lines that are not understood stay as they are.
 */
export function datedLines(line: string): string[] {
  const name = DATED.exec(line)?.[0]
  if (name === undefined) return [line]
  const notRead = name.toUpperCase() === 'DTEND' ? [] : [line]
  const colon = valueAt(line)
  if (colon < 0) return notRead
  const parameters = line.slice(name.length, colon)
  const [, quoted, plain] = /;TZID=(?:"([^"]*)"|([^;]*))/i.exec(parameters) ?? []
  const rest = parameters.replace(/;TZID=(?:"[^"]*"|[^;]*)/i, '').replace(/;VALUE=[^;]*/i, '')
  const isDay = /;VALUE=DATE(?:;|$)/i.test(parameters)
  const zone = quoted ?? plain?.replaceAll('"', '')
  const days: string[] = []
  const times: string[] = []
  for (const value of line
    .slice(colon + 1)
    .toUpperCase()
    .replaceAll(/(\d{4}-\d\d-\d\d) (?=\d\d:)/g, '$1T')
    .split(/[,;\s]+/)
    .filter((each) => each !== '')) {
    const time = shortTime(value.split('/', 1)[0] ?? '')
    if (time === null) return notRead
    if (time.length === 8 || (isDay && /T000000Z?$/.test(time))) days.push(time.slice(0, 8))
    else times.push(time)
  }
  return [
    ...(days.length > 0 ? [`${name}${rest};VALUE=DATE:${days.join(',')}`] : []),
    ...(times.length > 0 ? [`${name}${rest}${zone === undefined ? '' : `;TZID="${zone}"`}:${times.join(',')}`] : []),
  ]
}

/** The colon behind which a date stands: names of timezones without quotes have others. -1: there is none. */
function valueAt(line: string): number {
  for (let at = line.indexOf(':'); at >= 0; at = line.indexOf(':', at + 1)) {
    DATE_BEGINS.lastIndex = at + 1
    if (DATE_BEGINS.test(line)) return at
  }
  return -1
}

/**
 * As iCalendar has it (RFC 5545, 3.3.5): in UTC when it says how far from it it is; midnight at the end of a day is that of the next.
 * Null for what is no time.
 */
function shortTime(value: string): string | null {
  const stamp = STAMP.exec(value)
  if (!stamp) return null
  const [, year = '', month = '', day = '', hour, minute = '', second = '00', away = ''] = stamp
  if (hour === undefined) return `${year}${month}${day}`
  const isEnd = hour === '24' && minute === '00' && second === '00'
  const isAway = away.length > 1
  const time = `${year}${month}${day}T${isEnd ? '00' : hour}${minute}${second}`
  if (!isEnd && !isAway) return `${time}${away}`
  try {
    const clock = Temporal.PlainDateTime.from(time)
      .add({ days: isEnd ? 1 : 0 })
      .toString()
    return isAway ? `${shortOf(Temporal.Instant.from(`${clock}${away}`).toString())}Z` : `${shortOf(clock)}${away}`
  } catch {
    return null
  }
}

/** `2027-03-10T09:00:00Z` without signs: `20270310T090000`. */
const shortOf = (iso: string) => iso.slice(0, 19).replaceAll(/[-:]/g, '')
