import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { GuestBrand, GuestCard, GuestNote } from '#contract'
import { type DayRange, daysOf, today } from '../planning/dates/dates.ts'
import { monthAndYear, weekdayName } from '../planning/dates/titles.ts'
import classes from './calendar.module.css'
import controls from './controls.module.css'
import { byDay } from './data.ts'

interface DateStripProps {
  range: DayRange
  brands: readonly GuestBrand[]
  cards: readonly GuestCard[]
  notes: readonly GuestNote[]
  chosen: string | null
  onChoose: (day: string) => void
}

/** The days of a month in one line, with what is on them. One stop of Tab; arrows go from day to day. */
export function DateStrip({ range, brands, cards, notes, chosen, onChoose }: DateStripProps) {
  const { t } = useLingui()
  const days = daysOf(range)
  const now = today(brands[0]?.timezone ?? 'UTC').toString()
  const texts = days.map(String)
  const [cardsOf, notesOf] = [byDay(cards, brands), byDay(notes, brands)]
  const start = [chosen, now].find((day) => day !== null && texts.includes(day)) ?? texts[0] ?? null
  const [at, setAt] = useState(start)
  const current = at !== null && texts.includes(at) ? at : start
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const button = strip.current?.querySelector<HTMLElement>(`[data-day="${start}"]`)
    // Along the line alone: the page stays where it is.
    if (button && strip.current) strip.current.scrollLeft = button.offsetLeft - strip.current.clientWidth / 2
  }, [start])
  const onKeyDown = (event: KeyboardEvent) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const steps: Record<string, number> = {
      ArrowRight: forward,
      ArrowLeft: -forward,
      Home: -texts.length,
      End: texts.length,
    }
    const step = steps[event.key]
    if (step === undefined || current === null) return
    event.preventDefault()
    const next = texts[Math.min(texts.length - 1, Math.max(0, texts.indexOf(current) + step))] ?? current
    setAt(next)
    strip.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus()
  }
  return (
    <div ref={strip} className={classes.strip} role="toolbar" aria-label={t`Days`} onKeyDown={onKeyDown}>
      {days.map((day) => {
        const text = day.toString()
        const own = cardsOf.get(text) ?? []
        const waiting = own.some((card) => card.waiting)
        const marked = own.length > 0 || notesOf.has(text)
        const count = plural(own.length, { one: '# post', other: '# posts' })
        const parts = [monthAndYear(day, null), count, ...(waiting ? [t`needs your answer`] : [])]
        return (
          <button
            key={text}
            type="button"
            data-day={text}
            data-waiting={waiting || undefined}
            data-marked={marked || undefined}
            tabIndex={text === current ? 0 : -1}
            aria-current={text === now ? 'date' : undefined}
            aria-pressed={text === chosen}
            onClick={() => {
              setAt(text)
              onChoose(text)
            }}
          >
            <small>{weekdayName(day, null)}</small> <b>{day.day}</b>
            <i />
            <span className={controls.hidden}> {parts.join(', ')}</span>
          </button>
        )
      })}
    </div>
  )
}
