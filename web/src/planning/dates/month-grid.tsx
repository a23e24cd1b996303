import { useLingui } from '@lingui/react/macro'
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { usePreferences } from '../../api/session.ts'
import { firstDayOfWeek } from '../../time/zones.ts'
import { daysOf, rangeOf, startOfWeek } from './dates.ts'
import { monthText, spokenDay } from './day-text.ts'
import classes from './month-grid.module.css'
import { weekdayName, weekdaysOf } from './weekdays.ts'

interface MonthGridProps {
  /** The day that is chosen, or where to begin. */
  value: Temporal.PlainDate
  today: Temporal.PlainDate
  onChoose: (date: Temporal.PlainDate) => void
}

const FIRST = '2000-01-01'
const LAST = '2100-12-31'

/** The days of a month to choose from, in weeks as the member prefers them. One stop of Tab; arrows go from day to day. */
export function MonthGrid({ value, today, onChoose }: MonthGridProps) {
  const { t } = useLingui()
  const preferences = usePreferences()
  const firstDay = firstDayOfWeek(preferences)
  const [at, setAt] = useState(value)
  const focused = useRef<HTMLButtonElement>(null)
  /** The focus follows keys, not the buttons that turn the page. */
  const moved = useRef(true)
  const title = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each move
  useEffect(() => {
    if (moved.current) focused.current?.focus()
    moved.current = false
  }, [at])
  const go = (date: Temporal.PlainDate, byKeys: boolean) => {
    const text = date.toString()
    if (text < FIRST || text > LAST) return
    moved.current = byKeys
    setAt(date)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moveOf(event, at, firstDay)
    if (!next) return
    event.preventDefault()
    go(next, true)
  }
  const days = daysOf(rangeOf('month', at, firstDay))
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <div>
      <div className={classes.head}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t`Previous month`}
          onClick={() => go(at.subtract({ months: 1 }), false)}
        >
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
        <p className={classes.title} id={title} aria-live="polite">
          {monthText(at, preferences)}
        </p>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t`Next month`}
          onClick={() => go(at.add({ months: 1 }), false)}
        >
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of days, as ARIA practices have it */}
      <table role="grid" className={classes.grid} aria-labelledby={title} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weekdaysOf(preferences).map((weekday) => (
              <th key={weekday} scope="col" abbr={weekdayName(weekday, preferences)}>
                {weekdayName(weekday, preferences, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={String(week[0])}>
              {week.map((day) => {
                const chosen = day.equals(value)
                return (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: in a grid it is a gridcell, which has it
                  <td key={day.toString()} aria-selected={chosen}>
                    <UnstyledButton
                      ref={day.equals(at) ? focused : undefined}
                      className={classes.day}
                      tabIndex={day.equals(at) ? 0 : -1}
                      data-autofocus={day.equals(at) || undefined}
                      aria-label={spokenDay(day, preferences)}
                      aria-current={day.equals(today) ? 'date' : undefined}
                      data-chosen={chosen || undefined}
                      data-today={day.equals(today) || undefined}
                      data-outside={day.month !== at.month || undefined}
                      onClick={() => onChoose(day)}
                    >
                      {day.day}
                    </UnstyledButton>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Where a key leads; null of all others. */
function moveOf(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  at: Temporal.PlainDate,
  firstDay: number,
): Temporal.PlainDate | null {
  const forward = document.documentElement.dir === 'rtl' ? -1 : 1
  const month = shiftKey ? { years: 1 } : { months: 1 }
  switch (key) {
    case 'ArrowLeft':
      return at.subtract({ days: forward })
    case 'ArrowRight':
      return at.add({ days: forward })
    case 'ArrowUp':
      return at.subtract({ days: 7 })
    case 'ArrowDown':
      return at.add({ days: 7 })
    case 'Home':
      return startOfWeek(at, firstDay)
    case 'End':
      return startOfWeek(at, firstDay).add({ days: 6 })
    case 'PageUp':
      return at.subtract(month)
    case 'PageDown':
      return at.add(month)
    default:
      return null
  }
}
