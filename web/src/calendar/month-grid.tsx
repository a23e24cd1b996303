// biome-ignore-all lint/a11y/useSemanticElements: elements of tables that are laid out as a grid lose their roles in some browsers
// biome-ignore-all lint/a11y/useFocusableInteractive: what takes the focus is inside of the cells
import { memo, use, useRef } from 'react'
import { dayAndMonth, weekdayName } from '../planning/dates/titles.ts'
import { CalendarGrid, type GridProps } from './calendar-grid.tsx'
import { Card, MoreButton } from './card.tsx'
import { formOf, lowWeeks, MIN_ROW_PX, sharedRowPx } from './day-forms.ts'
import { DayButton, DayMarks } from './day-head.tsx'
import { drawnOf, moreItem, type PlannedDay } from './days.ts'
import classes from './grid.module.css'
import { InSightContext, useScene } from './scene.ts'
import { useHeight } from './use-height.ts'

/** Above a month: its toolbar and weekdays. */
const ABOVE_PX = 110

/** A month, day by day. Its weeks share the height of the window: how high they are decides how much cards show. */
export const MonthGrid = memo(function MonthGrid({ partial, ...props }: GridProps & { partial: boolean }) {
  const { days, date } = props
  const { zone, preferences } = useScene()
  const body = useRef<HTMLDivElement>(null)
  const height = useHeight(body, window.innerHeight - ABOVE_PX)
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  const today = Temporal.Now.plainDateISO(zone).toString()
  const even = useWasPartial(partial, days[0]?.date)
  const low = lowWeeks(
    weeks.map((week) => ({
      cards: week.reduce((sum, { cards }) => sum + cards.length, 0),
      isOver: !even && (week.at(-1)?.date ?? today) < today,
    })),
  )
  const sharedPx = sharedRowPx(low, height)
  return (
    <CalendarGrid {...props} view="month" hours={null}>
      <div role="table" className={classes.month}>
        <div role="rowgroup" className={classes.weekdays}>
          <div role="row" className={classes.row}>
            {weeks[0]?.map((day) => {
              const plain = Temporal.PlainDate.from(day.date)
              return (
                <div role="columnheader" key={day.date} data-weekend={isWeekend(plain) || undefined}>
                  {weekdayName(plain, preferences.locale)}
                </div>
              )
            })}
          </div>
        </div>
        <div
          role="rowgroup"
          ref={body}
          className={classes.weeks}
          style={{ gridTemplateRows: low.map((px) => (px ? `${px}px` : `minmax(${MIN_ROW_PX}px, 1fr)`)).join(' ') }}
        >
          {weeks.map((week, index) => (
            <div role="row" key={week[0]?.date} className={classes.row}>
              {week.map((day) => (
                <MonthDay
                  key={day.date}
                  day={day}
                  month={date.month}
                  first={day === days[0]}
                  today={today}
                  rowPx={low[index] ?? sharedPx}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
    </CalendarGrid>
  )
})

/**
 * Whether the page was drawn before all of it was known. Then its weeks stay as high as each other: which of them are low
 * could only be seen when it is looked at, and would move what the pointer is on its way to.
 */
function useWasPartial(partial: boolean, page: string | undefined): boolean {
  const first = useRef({ page, partial })
  if (first.current.page !== page) first.current = { page, partial }
  return first.current.partial
}

interface MonthDayProps {
  day: PlannedDay
  /** That is looked at. */
  month: number
  /** Of all that are shown. */
  first: boolean
  today: string
  rowPx: number
}

function MonthDay({ day, month, first, today, rowPx }: MonthDayProps) {
  const { preferences } = useScene()
  const date = Temporal.PlainDate.from(day.date)
  const outside = date.month !== month
  const named = outside && (first || date.day === 1)
  const form = formOf(day.cards.length, rowPx)
  const { cards, more } = drawnOf(day.cards, form.lines.length, use(InSightContext))
  return (
    <div
      role="cell"
      className={classes.day}
      data-date={day.date}
      data-today={day.date === today || undefined}
      data-weekend={isWeekend(date) || undefined}
      data-outside={outside || undefined}
    >
      <div className={classes.head}>
        <DayButton day={day} text={named ? dayAndMonth(date, preferences.locale) : String(date.day)} />
        <DayMarks day={day} />
      </div>
      {day.cards.length > 0 && (
        <ul className={classes.posts} data-tight={form.tight || undefined}>
          {form.lines.map((lines, index) => {
            const card = cards[index]
            return (
              card && (
                <li key={card.id}>
                  <Card card={card} lines={lines} tight={form.tight} />
                </li>
              )
            )
          })}
        </ul>
      )}
      {more > 0 && <MoreButton id={moreItem(day.date, 0)} count={more} />}
    </div>
  )
}

export const isWeekend = (date: Temporal.PlainDate) => date.dayOfWeek > 5
