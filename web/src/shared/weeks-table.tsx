import type { ReactNode } from 'react'
import { type DayRange, daysOf } from '../planning/dates/dates.ts'
import { weekdayName } from '../planning/dates/titles.ts'

interface WeeksTableProps {
  className: string | undefined
  /** Whole weeks. */
  range: DayRange
  isWeek?: boolean
  /** The cell of a day, with its key. */
  cell: (day: Temporal.PlainDate) => ReactNode
}

/** Weeks of seven days side by side, below the names of the weekdays. */
export function WeeksTable({ className, range, isWeek = false, cell }: WeeksTableProps) {
  const days = daysOf(range)
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <table className={className} data-week={isWeek || undefined}>
      <thead>
        <tr>
          {days.slice(0, 7).map((day) => (
            <th key={day.dayOfWeek} scope="col">
              {weekdayName(day, null)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={String(week[0])}>{week.map(cell)}</tr>
        ))}
      </tbody>
    </table>
  )
}
