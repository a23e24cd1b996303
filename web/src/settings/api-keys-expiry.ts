import { AGENT_KEY_DAYS } from '#contract/agent-keys'

/** Days that a key lives by default. */
export const DEFAULT_DAYS = { program: 90, agent: AGENT_KEY_DAYS } as const

/** The date that a field shows for an instant: `2027-03-01`, on the calendar of the zone. */
export function dateOf(instant: string, zone: string): string {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
}

/** The instant at which a key of that last day expires: a minute before midnight in the zone. Null: it is no date. */
export function endOfDay(date: string, zone: string): string | null {
  try {
    const wall = Temporal.PlainDate.from(date).toPlainDateTime('23:59')
    return wall.toZonedDateTime(zone).toInstant().toString({ fractionalSecondDigits: 3 })
  } catch {
    return null
  }
}

export function today(zone: string): string {
  return Temporal.Now.plainDateISO(zone).toString()
}

export function defaultLastDay(zone: string, user: keyof typeof DEFAULT_DAYS = 'program'): string {
  return Temporal.Now.plainDateISO(zone).add({ days: DEFAULT_DAYS[user] }).toString()
}
