import type { Session } from '#contract'
import { type CalendarFilters, isIn } from './filters.ts'

/** Months that are named: those that are nearest. */
const MOST_NAMED = 3

interface Month {
  /** `2026-12` */
  month: string
  count: number
  /** Time of the first. */
  first: string
}

/** What the filters of the screen leave, by month. */
export function monthsOf(
  groups: readonly (Month & Parameters<typeof isIn>[0])[],
  filters: CalendarFilters,
  viewer: Pick<Session, 'rights'>,
): Month[] {
  const months = new Map<string, Month>()
  for (const group of groups.filter((each) => isIn(each, filters, viewer))) {
    const { month, count, first } = group
    const known = months.get(month)
    months.set(month, {
      month,
      count: count + (known?.count ?? 0),
      first: known && known.first < first ? known.first : first,
    })
  }
  return [...months.values()]
}

/** The months that are nearest to one, in their order. */
export function nearest(months: readonly Month[], to: string): Month[] {
  const number = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
  const distance = ({ month }: Month) => Math.abs(number(month) - number(to))
  return months
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, MOST_NAMED)
    .toSorted((a, b) => (a.month < b.month ? -1 : 1))
}
