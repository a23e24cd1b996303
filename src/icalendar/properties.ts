import ICAL from 'ical.js'
import { MAX_LINE } from './components.ts'
import { UnreadableError, type WallTime } from './expand-rule.ts'

/** A property of a component; `values` as jCal has them (RFC 7265). */
export interface Property {
  /** In lower case. */
  name: string
  parameters: Readonly<Record<string, unknown>>
  type: string
  values: readonly unknown[]
  /** The first value as a text; of a rule, as it was written. */
  text: string
}

/** Their values are read by the expansion itself, which is stricter. */
const RULE = /^(RRULE|EXRULE)([;:].*)$/i

/**
 * Reads the lines of a component.
 *
 * @throws UnreadableError a line breaks the format
 */
export function readProperties(lines: readonly string[]): Property[] {
  const rules: Property[] = []
  const others: string[] = []
  for (const line of lines) {
    if (line.length >= MAX_LINE && !/^SUMMARY\b/i.test(line))
      throw new UnreadableError('An event has a line without end.')
    const [, name, rest] = RULE.exec(line) ?? []
    if (name === undefined || rest === undefined) others.push(...datedLines(line))
    else {
      const text = rest.slice(rest.indexOf(':') + 1)
      rules.push({ name: name.toLowerCase(), parameters: {}, type: 'recur', values: [text], text })
    }
  }
  const [, properties] = parse(['BEGIN:VEVENT', ...others, 'END:VEVENT'].join('\n'))
  return [
    ...rules,
    ...properties.map(([name, parameters, type, ...values]) => {
      const [first] = values
      return { name, parameters, type, values, text: typeof first === 'string' ? first : '' }
    }),
  ]
}

const DATED = /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)((?:;.*)?):\s*((?:\d{8}(?:T\d{4,6}Z?)?[,\s]*)+)$/i

/**
 * Dates and times each with what they are, whatever the line calls them: `DTSTART:20270329` is a day. The name of a timezone that is
 * not in quotes, as it has to be with a colon in it, gets them.
 */
function datedLines(line: string): string[] {
  const [, name, parameters = '', list] = DATED.exec(line) ?? []
  if (name === undefined || list === undefined) return [line]
  const [, quoted, plain] = /;TZID=(?:"([^"]*)"|([^;]*))/i.exec(parameters) ?? []
  const rest = parameters.replace(/;TZID=(?:"[^"]*"|[^;]*)/i, '').replace(/;VALUE=[^;]*/i, '')
  const isDay = /;VALUE=DATE(?:;|$)/i.test(parameters)
  const zone = quoted ?? plain?.replaceAll('"', '')
  const days: string[] = []
  const times: string[] = []
  for (const value of list
    .toUpperCase()
    .split(/[,\s]+/)
    .filter((each) => each !== '')) {
    if (value.length === 8 || (isDay && /T0000(00)?Z?$/.test(value))) days.push(value.slice(0, 8))
    else times.push(/T\d{4}Z?$/.test(value) ? value.replace(/(T\d{4})/, '$100') : value)
  }
  return [
    ...(days.length > 0 ? [`${name}${rest};VALUE=DATE:${days.join(',')}`] : []),
    ...(times.length > 0 ? [`${name}${rest}${zone === undefined ? '' : `;TZID="${zone}"`}:${times.join(',')}`] : []),
  ]
}

type JCalProperty = [name: string, parameters: Record<string, unknown>, type: string, ...values: unknown[]]

function parse(text: string): [string, JCalProperty[]] {
  try {
    return ICAL.parse(text) as unknown as [string, JCalProperty[]]
  } catch {
    // Its words quote the line.
    throw new UnreadableError('An event cannot be read.')
  }
}

/** A date, or a time on a clock. */
export interface TimeValue {
  wall: WallTime
  isDate: boolean
  /** The clock is that of UTC. */
  isUtc: boolean
  /** Name of its timezone; null: none is named. */
  tzid: string | null
}

/**
 * The times of all properties of a name; of a period its beginning.
 *
 * @throws UnreadableError one of them is no time
 */
export function valuesOf(properties: readonly Property[], name: string): TimeValue[] {
  return properties
    .filter((property) => property.name === name)
    .flatMap(({ parameters, values }) => {
      const tzid = typeof parameters.tzid === 'string' ? parameters.tzid.trim() : null
      return values.map((value) => readTime(Array.isArray(value) ? value[0] : value, tzid))
    })
}

function readTime(value: unknown, tzid: string | null): TimeValue {
  const text = String(value)
  const isDate = !text.includes('T')
  const isUtc = text.endsWith('Z')
  try {
    const time = Temporal.PlainDateTime.from(text.replace(/Z$/, ''), { overflow: 'reject' })
    return { wall: time.toZonedDateTime('UTC').epochMilliseconds, isDate, isUtc, tzid: isUtc || isDate ? null : tzid }
  } catch {
    throw new UnreadableError('An event has a time that is none.')
  }
}
