import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import { type CSSProperties, memo, useEffect, useRef } from 'react'
import { clockChange } from '../planning/dates/dates.ts'
import { longDay, weekdayName } from '../planning/dates/titles.ts'
import { DayItems } from './day-items.tsx'
import type { PlannedDay } from './days.ts'
import classes from './list.module.css'
import { useScene } from './scene.ts'

interface AgendaViewProps {
  days: readonly PlannedDay[]
  /** The day that is looked at. */
  date: Temporal.PlainDate
  /** What the strip of days is called. */
  label: string
  picking: boolean
  onOpen: (id: string) => void
  onNote: (id: string) => void
  onDay: (date: string) => void
}

/** Below a day of the strip: one for each card. */
const MOST_DOTS = 3

const idOf = (date: string) => `agenda-${date}`
const scrollTo = (id: string) => document.getElementById(id)?.scrollIntoView({ block: 'start' })

/** The calendar of narrow screens: a strip of days, and below it what is planned, day after day. */
export const AgendaView = memo(function AgendaView({
  days,
  date,
  label,
  picking,
  onOpen,
  onNote,
  onDay,
}: AgendaViewProps) {
  const { t } = useLingui()
  const { zone, preferences } = useScene()
  const strip = useRef<HTMLUListElement>(null)
  const chosen = date.toString()
  const todayText = Temporal.Now.plainDateISO(zone).toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the day is looked for in what is drawn
  useEffect(() => {
    const list = strip.current
    const day = list?.querySelector<HTMLElement>('[aria-current]')
    if (list && day) list.scrollLeft = day.offsetLeft - list.clientWidth / 2 + day.clientWidth / 2
  }, [chosen, days[0]?.date])
  // The day that the address names is where reading begins, or the next one with something on it.
  const begin = useRef(chosen)
  const planned = days.filter(({ notes, cards }) => notes.length + cards.length > 0)
  const hasDays = days.some(({ cards }) => cards.length > 0)
  const first = planned.find(({ date: other }) => other >= begin.current) ?? planned[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as there is something
  useEffect(() => {
    if (hasDays && first && first !== planned[0]) scrollTo(idOf(first.date))
  }, [hasDays])
  return (
    <div>
      <ul className={classes.strip} ref={strip} aria-label={label}>
        {days.map((day) => {
          const plain = Temporal.PlainDate.from(day.date)
          const change = clockChange(plain, zone)
          const parts = [
            longDay(plain, preferences.locale),
            plural(day.cards.length, { one: '# post', other: '# posts' }),
            ...(day.date === todayText ? [t`today`] : []),
            ...(change ? [change] : []),
          ]
          return (
            <li key={day.date}>
              <button
                type="button"
                className={classes.stripDay}
                aria-current={day.date === chosen ? 'date' : undefined}
                aria-label={parts.join(', ')}
                onClick={() => {
                  onDay(day.date)
                  if (!picking) scrollTo(idOf(day.date))
                }}
              >
                <span className={classes.stripWeekday} data-words={weekdayName(plain, preferences.locale)} />
                <span className={classes.stripNumber}>{plain.day}</span>
                <span
                  className={classes.count}
                  style={{ '--count': Math.min(MOST_DOTS, day.cards.length) } as CSSProperties}
                />
              </button>
            </li>
          )
        })}
      </ul>
      <div className={classes.agenda}>
        {planned.map((day) => {
          const plain = Temporal.PlainDate.from(day.date)
          const change = clockChange(plain, zone)
          return (
            <section
              key={day.date}
              id={idOf(day.date)}
              className={classes.agendaDay}
              aria-label={longDay(plain, preferences.locale)}
            >
              <Text component="h2" fw={600} mt="md">
                {longDay(plain, preferences.locale)}
                {day.date === todayText && ` · ${t`today`}`}
              </Text>
              {change && <Text size="sm">{change}.</Text>}
              <DayItems day={day} onOpen={onOpen} onNote={onNote} />
            </section>
          )
        })}
      </div>
    </div>
  )
})
