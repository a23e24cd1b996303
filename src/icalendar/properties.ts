import ICAL from 'ical.js'
import { MAX_LINE } from './components.ts'
import { datedLines } from './dated-lines.ts'
import { UnreadableError, type WallTime } from './expand-rule.ts'
import { newRule } from './old-rules.ts'

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
    if (EMPTY.test(line)) continue
    const [, name, rest] = RULE.exec(line) ?? []
    if (name === undefined || rest === undefined) others.push(...datedLines(offsetLine(line)))
    else {
      const text = newRule(rest.slice(rest.indexOf(':') + 1))
      if (text !== null) rules.push({ name: name.toLowerCase(), parameters: {}, type: 'recur', values: [text], text })
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

/** Nothing stands behind the name: as if the line was not there. */
const EMPTY = /^(?:DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID)(?:;[^:]*)?:[\s,;]*$/i
const OFFSET = /^(TZOFFSETFROM|TZOFFSETTO)(?:;[^:]*)?:\s*([+-]?)(\d{1,2}):?(\d\d)?:?(\d\d)?\s*$/i

/** How far a zone is from UTC as RFC 5545, 3.3.14 has it: programs write `+01:30`, `0200` and `+02`. */
function offsetLine(line: string): string {
  const [, name, sign, hours = '', minutes = '00', seconds = ''] = OFFSET.exec(line) ?? []
  return name === undefined ? line : `${name}:${sign || '+'}${hours.padStart(2, '0')}${minutes}${seconds}`
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
