/** The names of the months in a language, January first, in small letters. */
export function monthNames(locale: string | undefined): string[] {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2030, month, 15)).toLocaleLowerCase(locale))
}

/**
 * The day that a person has typed: `2030-06-12`, `12.6.`, `12 June`, `jun 12 2030`. Without a year it is the next one of that name.
 * Null for what is no day.
 */
export function typedDay(
  text: string,
  today: Temporal.PlainDate,
  months: readonly string[],
): Temporal.PlainDate | null {
  const typed = text.trim().toLocaleLowerCase()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const parts =
    /^(?<day>\d{1,2})\.\s*(?<month>\d{1,2})\.?\s*(?<year>\d{4})?$/.exec(typed) ??
    /^(?<day>\d{1,2})\.?\s*(?<name>\p{L}{3,})\.?,?\s*(?<year>\d{4})?$/u.exec(typed) ??
    /^(?<name>\p{L}{3,})\.?\s*(?<day>\d{1,2})\.?,?\s*(?<year>\d{4})?$/u.exec(typed)
  const { day, month, name, year } = parts?.groups ?? {}
  const found = name === undefined ? Number(month) : months.findIndex((each) => each.startsWith(name)) + 1
  if (day === undefined || !(found > 0)) return null
  if (year !== undefined) return dayOf(Number(year), found, Number(day))
  const next = dayOf(today.year, found, Number(day))
  return next && Temporal.PlainDate.compare(next, today) < 0 ? dayOf(today.year + 1, found, Number(day)) : next
}

function dayOf(year: number, month: number, day: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' })
  } catch {
    return null
  }
}
