import type { TimePreferences } from '../../time/zones.ts'

type Locale = Pick<TimePreferences, 'locale'>

/** "Wed, 12 Jun 2030", in the order and words of the language. Digits are those that a keyboard has. */
export function dayText(date: Temporal.PlainDate, { locale }: Locale): string {
  return formatOf(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).format(utcOf(date))
}

/** "Wednesday 12 June 2030", for who does not see where it is in the grid. */
export function spokenDay(date: Temporal.PlainDate, { locale }: Locale): string {
  return formatOf(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }).format(utcOf(date))
}

/** "June 2030". */
export function monthText(date: Temporal.PlainDate, { locale }: Locale): string {
  return formatOf(locale, { month: 'long', year: 'numeric' }).format(utcOf(date))
}

const utcOf = ({ year, month, day }: Temporal.PlainDate) => Date.UTC(year, month - 1, day)

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(locale: string | null, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, style])
  const found =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale ?? undefined, {
      ...style,
      timeZone: 'UTC',
      calendar: 'gregory',
      numberingSystem: 'latn',
    })
  formats.set(key, found)
  return found
}

interface Around {
  /** Without a year, the first such day from here on is meant. */
  today: Temporal.PlainDate
  /** A day alone is one of the month of this date. */
  shown: Temporal.PlainDate
}

/**
 * The day that was typed: `2030-06-12`, "12 June", "12.6.", "6/12/30" in the order of the language, or "12" of the month
 * that is shown. Null of what is none.
 */
export function readDay(text: string, { locale }: Locale, { today, shown }: Around): string | null {
  const written = [...text.matchAll(/\d+/g)].map(([digits]) => digits)
  const month = monthIn(text, locale)
  if (written.length === 0 || month === 'unknown') return null
  const order = orderIn(written, locale)
  const named = order.filter((part) => month === null || part !== 'month')
  const parts = written.length === named.length ? named : written.length === 1 ? (['day'] as const) : withoutYear(named)
  if (parts.length !== written.length) return null
  const read: Partial<Record<Part, number>> = month === null ? {} : { month }
  for (const [index, part] of parts.entries()) read[part] = Number(written[index])
  const { day = 0, year } = read
  const inMonth = read.month ?? shown.month
  if (year !== undefined) return dayOf(year < 100 ? 2_000 + year : year, inMonth, day)
  if (read.month === undefined) return dayOf(shown.year, inMonth, day)
  const thisYear = dayOf(today.year, inMonth, day)
  return thisYear !== null && thisYear >= today.toString() ? thisYear : dayOf(today.year + 1, inMonth, day)
}

type Part = 'day' | 'month' | 'year'

/** Four digits are a year, wherever they stand; the rest is as the language writes it in numbers. */
function orderIn(written: readonly string[], locale: string | null): readonly Part[] {
  if (written[0]?.length === 4) return ['year', 'month', 'day']
  const order = orderOf(locale)
  return written.at(-1)?.length === 4 ? [...withoutYear(order), 'year'] : order
}

const withoutYear = (parts: readonly Part[]) => parts.filter((part) => part !== 'year')

function orderOf(locale: string | null): Part[] {
  return formatOf(locale, { day: 'numeric', month: 'numeric', year: 'numeric' })
    .formatToParts(0)
    .flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
}

function dayOf(year: number, month: number, day: number): string | null {
  if (year < 2_000 || year > 2_100) return null
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString()
  } catch {
    return null
  }
}

/** The month that is named, 1 to 12. Null where none is; unknown of a word that is neither a month nor a weekday. */
function monthIn(text: string, locale: string | null): number | null | 'unknown' {
  const words = (
    text
      .normalize('NFC')
      .toLocaleLowerCase(locale ?? undefined)
      .match(/\p{L}+/gu) ?? []
  ).filter(({ length }) => length > 2)
  const { months, weekdays } = namesOf(locale)
  const found = words.flatMap((word) => {
    const fits = months.flatMap((names, index) => (names.some((name) => isCalled(word, name)) ? [index + 1] : []))
    const [only] = fits
    return only !== undefined && fits.length === 1 ? [{ word, month: only }] : []
  })
  const isWeekday = (word: string) => weekdays.some((name) => name.startsWith(word))
  if (words.some((word) => !isWeekday(word) && !found.some((each) => each.word === word))) return 'unknown'
  // "mar. 12 mars": Tuesday in French is called like a month.
  const certain = found.length > 1 ? found.filter(({ word }) => !isWeekday(word)) : found
  return (certain.at(-1) ?? found.at(-1))?.month ?? null
}

/** By its beginning; in Hebrew, what is before the month is written in one with it. */
const isCalled = (word: string, name: string) => name.startsWith(word) || (name.length > 2 && word.endsWith(name))

interface Names {
  months: string[][]
  weekdays: string[]
}

const names = new Map<string | null, Names>()

function namesOf(locale: string | null): Names {
  const known = names.get(locale)
  if (known) return known
  const lower = (text: string) => text.toLocaleLowerCase(locale ?? undefined).replace(/[^\p{L}]+$/u, '')
  const styles = ['long', 'short'] as const
  const made: Names = {
    months: Array.from({ length: 12 }, (_, month) =>
      styles.flatMap((style) => {
        const at = Date.UTC(2024, month, 1)
        const inDate = formatOf(locale, { day: 'numeric', month: style }).formatToParts(at)
        const alone = formatOf(locale, { month: style }).format(at)
        return [alone, inDate.find(({ type }) => type === 'month')?.value ?? alone].map(lower)
      }),
    ),
    weekdays: Array.from({ length: 7 }, (_, day) =>
      styles.map((style) => lower(formatOf(locale, { weekday: style }).format(Date.UTC(2024, 0, day + 1)))),
    ).flat(),
  }
  names.set(locale, made)
  return made
}
