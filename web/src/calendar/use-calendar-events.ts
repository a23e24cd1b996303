import { t } from '@lingui/core/macro'
import { useMemo, useRef } from 'react'
import type { CalendarCard } from '#contract'
import { announce } from '../design/announce.tsx'
import { showWhyNot } from '../design/toast.tsx'
import type { CalendarView } from '../planning/dates/calendar-views.ts'
import {
  type DayRange,
  isWithin,
  minutesOf,
  nextFreeTime,
  readDate,
  startOfDay,
  timeOfMinutes,
  today,
  turn,
} from '../planning/dates/dates.ts'
import type { PostSetSubject } from '../planning/posts/subject.ts'
import type { PostSetActions } from '../post-set-actions/post-set-actions.tsx'
import { clockTime } from '../time/zones.ts'
import type { AddressChange } from './address.ts'
import type { GridEvents } from './calendar-grid.tsx'
import type { MenuPlace } from './card-menu.tsx'
import type { DropPlace } from './drag.ts'
import type { Over } from './over.ts'
import { select, span, toggleSelected } from './selection.ts'

interface Deps {
  zone: string
  date: Temporal.PlainDate
  view: CalendarView
  /** What the cards stand in, while the view of the address is not drawn yet. */
  drawnView: CalendarView
  /** As they are shown, by time. */
  cards: readonly CalendarCard[]
  /** All that is known of the page, filtered or not. */
  planned: readonly CalendarCard[]
  go: (change: AddressChange) => void
  actions: PostSetActions
  picked: PostSetSubject | null
  onPicked: () => void
  onMenu: (place: MenuPlace) => void
  onDay: (date: string) => void
  whyNot: (card: CalendarCard) => string | null
  focusDay: (date: string) => void
  /** Days of the page that the address names. */
  range: DayRange
  /** Whether the member may write post sets. */
  mayWrite: boolean
  /** Where the calendar is over all brands. */
  over: Over | null
}

export interface CalendarEvents extends GridEvents {
  /** Begins a new post: on a day; without one on `dayInSight`. */
  create: (date: string | null, minutes?: number | null, brands?: readonly string[]) => void
  createNote: (date: string | null) => void
}

const QUARTER = 15

/** Where something begins that is on no day yet: today, when that is in sight, or else the day that is looked at. */
export function dayInSight({ zone, date, range }: Pick<Deps, 'zone' | 'date' | 'range'>): Temporal.PlainDate {
  return isWithin(today(zone), range) ? today(zone) : date
}

/** What happens when something is done in the calendar. The same object for as long as the calendar is there. */
export function useCalendarEvents(deps: Deps): CalendarEvents {
  const latest = useRef(deps)
  latest.current = deps
  const anchor = useRef<string | null>(null)
  /** What is being dragged: the page may be turned under it. */
  const dragged = useRef<CalendarCard | null>(null)
  return useMemo<CalendarEvents>(() => {
    const cardOf = (id: string) => latest.current.cards.find((card) => card.id === id)
    const shownDate = () => latest.current.date.toString()

    const dayFor = (asked: string | null) =>
      asked === null ? dayInSight(latest.current) : readDate(asked, latest.current.zone)
    const create: CalendarEvents['create'] = (date, minutes = null, brands) => {
      const { zone, go, mayWrite, planned, over } = latest.current
      if (!mayWrite) return showWhyNot(t`Your role does not write posts.`)
      if (over) return over.begin({ kind: 'post', date, minutes, ...(brands ? { brands } : {}) })
      // A time in the address is one that was asked for.
      const at = date === null ? undefined : timeOn(dayFor(date), minutes, { zone, planned })
      go({ post: 'new', note: undefined, at, date: shownDate() })
    }
    const drop = (subject: PostSetSubject, place: DropPlace) => {
      const { date, minutes } = place
      const { actions, over } = latest.current
      const here = minutes === null ? ({ to: 'day', date } as const) : ({ to: 'time', date, minutes } as const)
      void actions.move(subject, over ? over.target(subject, place) : here)
    }
    return {
      create,
      createNote: (date) => {
        const { zone, go, over } = latest.current
        if (over) return over.begin({ kind: 'note', date, minutes: null })
        go({ note: 'new', post: undefined, at: startOfDay(dayFor(date), zone), date: shownDate() })
      },
      onOpen: (id) => latest.current.go({ post: id, note: undefined, at: undefined, date: shownDate() }),
      onNote: (id) => latest.current.go({ note: id, post: undefined, at: undefined, date: shownDate() }),
      onSelect: (id, how) => {
        const ids = latest.current.cards.map((card) => card.id)
        if (how === 'span') select(span(ids, anchor.current, id))
        else toggleSelected(id)
        anchor.current = id
      },
      onMenu: (id, { x, y }) => latest.current.onMenu({ id, x, y }),
      onDay: (date) => {
        const { picked, onPicked, onDay } = latest.current
        if (!picked) return onDay(date)
        onPicked()
        drop(picked, { date, minutes: null })
      },
      onPlace: (place) => {
        const { picked, onPicked } = latest.current
        if (!picked) return create(place.date, place.minutes, place.brands)
        onPicked()
        drop(picked, place)
      },
      onOutside: (date) => {
        latest.current.go({ date, replace: true })
        latest.current.focusDay(date)
      },
      onNudge: (id, key) => {
        const card = cardOf(id)
        if (!card) return
        const { drawnView, actions } = latest.current
        const vertical = key === 'ArrowUp' || key === 'ArrowDown'
        const forward = key === 'ArrowRight' || key === 'ArrowDown' ? 1 : -1
        const target =
          vertical && drawnView === 'week'
            ? ({ to: 'minutes', minutes: forward * QUARTER } as const)
            : ({ to: 'days', days: forward * (vertical ? 7 : 1) } as const)
        void actions.move(card, target)
      },
      onDrop: (id, place) => {
        const card = cardOf(id) ?? (dragged.current?.id === id ? dragged.current : undefined)
        if (card) drop(card, place)
      },
      onTurn: (pages) => {
        const { view, date, go } = latest.current
        go({ date: turn(view, date, pages).toString(), replace: true })
      },
      onRefused: (_, why) => announce(why),
      whyNot: (id) => {
        const card = cardOf(id)
        dragged.current = card ?? null
        return card ? latest.current.whyNot(card) : null
      },
      landing: (id, place) => {
        const card = cardOf(id) ?? dragged.current
        const { zone, over } = latest.current
        if (!card || place.minutes !== null) return place
        return over ? over.landing(card, place) : { ...place, minutes: minutesOf(card.scheduledAt, zone) }
      },
    }
  }, [])
}

/** The instant of a place; of a time that the clock skips or shows twice, the earlier one: the editor shows which. */
function timeOn(
  day: Temporal.PlainDate,
  minutes: number | null,
  { zone, planned }: Pick<Deps, 'zone' | 'planned'>,
): string {
  if (minutes === null) return nextFreeTime(day, zone, planned)
  const clock = clockTime(day.toPlainDateTime(timeOfMinutes(minutes)), zone)
  if (clock.kind === 'exact') return clock.instant
  return clock.kind === 'gap' ? clock.later : clock.first
}
