import { plural } from '@lingui/core/macro'
import { IconClockExclamation } from '@tabler/icons-react'
import { clockChange } from '../planning/dates/dates.ts'
import { longDay } from '../planning/dates/titles.ts'
import { NoteBar } from './card.tsx'
import { dayItem, type PlannedDay } from './days.ts'
import classes from './grid.module.css'
import { useScene } from './scene.ts'

/**
 * A day by its number; opens all that is planned on it. What is seen of it is written by the style sheet: the button's name
 * says it in full, in another order. `weekday`: in front of the number.
 */
export function DayButton({ day, text, weekday }: { day: PlannedDay; text: string; weekday?: string }) {
  const { zone, preferences } = useScene()
  const date = Temporal.PlainDate.from(day.date)
  const change = clockChange(date, zone)
  const posts = plural(day.cards.length, { one: '# post', other: '# posts' })
  const name = [longDay(date, preferences.locale), posts, ...(change ? [change] : [])].join(', ')
  return (
    <button
      type="button"
      className={classes.dayButton}
      data-item={dayItem(day.date)}
      tabIndex={-1}
      aria-haspopup="dialog"
      aria-label={name}
    >
      {weekday && <span className={classes.weekday} data-words={weekday} />}
      <span className={classes.number} data-words={text} />
    </button>
  )
}

/** What is said of a day beside its number: that its clocks change, and its notes. */
export function DayMarks({ day }: { day: PlannedDay }) {
  const { zone } = useScene()
  const change = clockChange(Temporal.PlainDate.from(day.date), zone)
  const [first, ...others] = day.notes
  return (
    <>
      {change && (
        <span className={classes.clock} title={change}>
          <IconClockExclamation size={14} aria-hidden />
        </span>
      )}
      {first && <NoteBar note={first} />}
      {others.length > 0 && (
        <button
          type="button"
          className={classes.moreNotes}
          data-item={`notes-${day.date}`}
          data-more
          tabIndex={-1}
          aria-haspopup="dialog"
          aria-label={plural(others.length, { one: '# more note', other: '# more notes' })}
        >
          +{others.length}
        </button>
      )}
    </>
  )
}
