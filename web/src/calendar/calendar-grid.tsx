import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { clockText } from '../planning/dates/dates.ts'
import { shortDay } from '../planning/dates/titles.ts'
import { formatTime } from '../time/zones.ts'
import { cardItem, dayItem, type PlannedDay } from './days.ts'
import { type DropPlace, type Hours, watchDrags } from './drag.ts'
import classes from './grid.module.css'
import { type GridFocus, useGridFocus } from './grid-focus.ts'
import { useScene } from './scene.ts'

/** What a grid reports. `id` is that of a post set. */
export interface GridEvents {
  onOpen: (id: string) => void
  /** Ctrl (on a Mac Command) or Shift was held. */
  onSelect: (id: string, how: 'toggle' | 'span') => void
  onMenu: (id: string, at: { x: number; y: number }) => void
  onNote: (id: string) => void
  /** All that is planned on a day is asked for. */
  onDay: (date: string) => void
  /** An empty place was clicked on. */
  onPlace: (place: DropPlace) => void
  /** The focus leads to a day that is not shown. */
  onOutside: (date: string) => void
  /** Alt and an arrow, on a card. */
  onNudge: (id: string, key: string) => void
  onDrop: (id: string, place: DropPlace) => void
  onTurn: (pages: 1 | -1) => void
  onRefused: (id: string, why: string) => void
  whyNot: (id: string) => string | null
  /** Where a card would be that is dropped on a place. */
  landing: (id: string, place: DropPlace) => DropPlace
}

/** Of a month or a week. */
export interface GridProps {
  date: Temporal.PlainDate
  days: readonly PlannedDay[]
  /** What the grid is called. */
  label: string
  /** A click chooses a day to move to. */
  picking: boolean
  /** Id of the card whose panel is open. */
  open: string | undefined
  /** The same object between renders. */
  on: GridEvents
  focusRef: Ref<GridFocus>
}

interface CalendarGridProps extends GridProps {
  view: 'month' | 'week'
  /** Of elements with `data-hours`. */
  hours: Hours | null
  children: ReactNode
}

/**
 * Around the days of a month or a week: what is done in them is heard here, by the attributes `data-date`, `data-hours`,
 * `data-card`, `data-item` and `data-menu` of what is drawn.
 */
export function CalendarGrid(props: CalendarGridProps) {
  const { view, hours, date, days, label, picking, open, on, focusRef, children } = props
  const { zone, preferences } = useScene()
  const root = useRef<HTMLElement>(null)
  const todayText = Temporal.Now.plainDateISO(zone).toString()
  const focus = useGridFocus({
    root,
    first: dayItem(days.some((day) => day.date === todayText) ? todayText : date.toString()),
    standIn(id) {
      const at = days.find(({ cards }) => cards.some((card) => id === cardItem(card.id)))
      const more = root.current?.querySelector<HTMLElement>(`[data-date="${at?.date}"] [data-item^="more-"]`)
      return more?.dataset.item ?? (at ? dayItem(at.date) : null)
    },
    onOutside: on.onOutside,
  })
  useImperativeHandle(focusRef, () => focus, [focus])

  const latest = useRef({ hours, preferences })
  latest.current = { hours, preferences }
  useEffect(() => {
    if (!root.current) return
    return watchDrags(root.current, {
      ...on,
      hours: () => latest.current.hours,
      words: ({ date, minutes }) => ({
        day: shortDay(Temporal.PlainDate.from(date), latest.current.preferences.locale),
        time: minutes === null ? null : formatTime(`${date}T${clockText(minutes)}Z`, 'UTC', latest.current.preferences),
      }),
    })
  }, [on])

  // By hand: only one of all cards is drawn differently.
  useLayoutEffect(() => {
    const card = root.current?.querySelector(`[data-card="${CSS.escape(open ?? '')}"]`)
    card?.setAttribute('data-open', '')
    return () => card?.removeAttribute('data-open')
  })

  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    const at = placeOf(event, hours)
    if (picking) return at && on.onPlace(at)
    const data = (name: string) => (event.target as Element).closest<HTMLElement>(`[data-${name}]`)?.dataset[name]
    const menu = data('menu')
    if (menu) return on.onMenu(menu, belowOf(event.target))
    const item = data('item') ?? ''
    const id = item.slice(item.indexOf('-') + 1)
    if (item.startsWith('note-')) return on.onNote(id)
    if (item.startsWith('card-')) {
      if (event.ctrlKey || event.metaKey) return on.onSelect(id, 'toggle')
      return event.shiftKey ? on.onSelect(id, 'span') : on.onOpen(id)
    }
    if (!at) return
    if (item !== '') on.onDay(at.date)
    else if (!event.target.closest('[data-card]')) on.onPlace(at)
  }
  const onContextMenu = (event: MouseEvent) => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-card]') : null
    if (!card?.dataset.card || event.defaultPrevented) return
    event.preventDefault()
    // The key for menus has no place on the screen.
    const byKey = event.clientX === 0 && event.clientY === 0
    on.onMenu(card.dataset.card, byKey ? belowOf(card) : { x: event.clientX, y: event.clientY })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const id = focus.focused()
    if (event.altKey && !event.ctrlKey && !event.metaKey && event.key.startsWith('Arrow')) {
      if (id === null) return
      // Also where it moves nothing: the browser would leave the page.
      event.preventDefault()
      if (id.startsWith('card-')) on.onNudge(id.slice('card-'.length), event.key)
    } else if (!event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && focus.step(event.key)) {
      event.preventDefault()
    } else if (picking && event.key === 'Enter' && id && event.target instanceof Element) {
      const day = event.target.closest<HTMLElement>('[data-date]')?.dataset.date
      if (day === undefined) return
      event.preventDefault()
      event.stopPropagation()
      on.onPlace({ date: day, minutes: null })
    }
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its buttons are heard here in one place, and each has its key
    <section
      ref={root}
      tabIndex={-1}
      className={classes.root}
      data-view={view}
      data-picking={picking || undefined}
      aria-label={label}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onKeyDownCapture={onKeyDown}
    >
      {children}
    </section>
  )
}

/** A click's day, and among hours its half hour, or the time of a free slot. */
function placeOf({ target, clientY }: MouseEvent, hours: Hours | null): DropPlace | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-date]') : null
  if (!element?.dataset.date) return null
  if (!hours || !('hours' in element.dataset)) return { date: element.dataset.date, minutes: null }
  const slot = (target as Element).closest<HTMLElement>('[data-minutes]')?.dataset
  if (slot) {
    const { minutes, brands } = slot
    return { date: element.dataset.date, minutes: Number(minutes), ...(brands ? { brands: brands.split(' ') } : {}) }
  }
  const minutes = Math.floor(hours.minutesAt(clientY - element.getBoundingClientRect().top) / 30) * 30
  return { date: element.dataset.date, minutes: Math.min(24 * 60 - 30, minutes) }
}

function belowOf(element: Element): { x: number; y: number } {
  const { left, bottom } = element.getBoundingClientRect()
  return { x: left, y: bottom }
}
