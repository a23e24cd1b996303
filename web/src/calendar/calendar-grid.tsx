import FullCalendar, {
  type CalendarOptions,
  type CalendarRef,
  type EventDisplayInfo,
  type PluginInput,
} from '@fullcalendar/react'
import '@fullcalendar/react/skeleton.css'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { count } from '../design/words.ts'
import { formatTime } from '../time/zones.ts'
import { Card, MoreButton, NoteBar } from './card.tsx'
import { clockChange, clockText } from './dates.ts'
import { type DayItem, dayItem, monthItems, type PlannedDay, weekItems } from './days.ts'
import { type DragOptions, type DropPlace, watchDrags } from './drag.ts'
import classes from './grid.module.css'
import { useGridEvents } from './grid-events.ts'
import { type GridFocus, useGridFocus } from './grid-focus.ts'
import { useScene } from './scene.ts'
import { longDay, shortDay, weekdayName } from './titles.ts'
import { useDrawn } from './use-drawn.ts'
import { useScroller } from './use-scroller.ts'

/** What a grid tells about. `id` is that of a post set. */
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
}

export interface CalendarGridProps {
  view: 'month' | 'week'
  /** Those of the library that draw the view. The same array between renders. */
  plugins: PluginInput[]
  date: Temporal.PlainDate
  days: readonly PlannedDay[]
  /** 0 for Sunday to 6 for Saturday. */
  firstDay: number
  /** Of a day in the month; more are told as a number. */
  maxCards: number
  /** What the table is called. */
  label: string
  /** A click chooses a day to move to. */
  picking: boolean
  /** The same object between renders. */
  on: GridEvents
  focusRef: Ref<GridFocus>
}

/**
 * A month or a week. The library gets clock times without a zone: what is where, and what a move means, is reckoned here
 * in the zone of the social set.
 */
export function CalendarGrid({
  view,
  plugins,
  date,
  days,
  firstDay,
  maxCards,
  label,
  picking,
  on,
  focusRef,
}: CalendarGridProps) {
  const scene = useScene()
  const { zone, preferences } = scene
  const root = useRef<HTMLElement>(null)
  const calendar = useRef<CalendarRef>(null)
  const items = useMemo(
    () =>
      days.map((day) => ({ day, items: view === 'month' ? monthItems(day, zone, maxCards) : weekItems(day, zone) })),
    [days, view, zone, maxCards],
  )
  const eventSources = useGridEvents(items, view)

  const weekHeights = useMemo(
    () => (view === 'month' ? heightsOf(items.map(({ items }) => items.length)) : {}),
    [view, items],
  )
  const gridDays = useMemo(
    () => items.map(({ day, items }) => ({ date: day.date, ids: [dayItem(day.date), ...items.map(({ id }) => id)] })),
    [items],
  )
  const standIn = (id: string) => {
    const at = items.find(({ day }) => day.cards.some((card) => id === `card-${card.id}`))
    return at?.items.find(({ kind }) => kind === 'more')?.id ?? (at ? dayItem(at.day.date) : null)
  }
  const todayText = Temporal.Now.plainDateISO(zone).toString()
  const hasToday = days.some((day) => day.date === todayText)
  const focus = useGridFocus({
    root,
    days: gridDays,
    dayLinkClass: classes.dayLink ?? '',
    first: dayItem(hasToday ? todayText : date.toString()),
    standIn,
    onOutside: on.onOutside,
  })
  useImperativeHandle(focusRef, () => focus, [focus])
  useScroller(root, classes.lane ?? '', days)
  const drawn = useDrawn(root, classes.lane ?? '', view)

  const place = useRef((_: DropPlace): string => '')
  place.current = (at) => {
    const day = shortDay(Temporal.PlainDate.from(at.date), preferences.locale)
    return at.minutes === null
      ? day
      : `${day}, ${formatTime(`${at.date}T${clockText(at.minutes)}Z`, 'UTC', preferences)}`
  }
  useEffect(() => {
    if (!root.current) return
    const options: DragOptions = {
      laneClass: classes.lane ?? '',
      whyNot: on.whyNot,
      placeWords: (at) => place.current(at),
      onRefused: on.onRefused,
      onDrop: on.onDrop,
      onTurn: on.onTurn,
    }
    return watchDrags(root.current, () => options)
  }, [on])

  const day = date.toString()
  useLayoutEffect(() => calendar.current?.getApi().gotoDate(day), [day])

  const counts = useRef<ReadonlyMap<string, number>>(new Map())
  // A day of a month is drawn anew when something of it changes, and reads its number then. The head of a week is not.
  const headed = view === 'week' ? days : null
  counts.current = useMemo(() => new Map(days.map((planned) => [planned.date, planned.cards.length])), [days])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the numbers of a week are read from
  const options = useMemo<CalendarOptions>(() => {
    const { locale, hourCycle } = preferences
    return {
      ...LOOKS,
      plugins,
      initialView: view === 'month' ? 'dayGridMonth' : 'timeGridWeek',
      height: view === 'month' ? 'auto' : 'var(--week-height)',
      timeZone: 'UTC',
      now: () => Temporal.Now.plainDateTimeISO(zone).toString({ smallestUnit: 'second' }),
      locale: locale ?? new Intl.DateTimeFormat().resolvedOptions().locale,
      firstDay,
      navLinkHint: (_, at) => {
        const planned = Temporal.PlainDate.from(isoDate(at))
        const change = clockChange(planned, zone)
        return [longDay(planned, locale), count(counts.current.get(planned.toString()) ?? 0, 'post set'), change ?? '']
          .filter((part) => part !== '')
          .join(', ')
      },
      navLinkDayClick: (at) => on.onDay(isoDate(at)),
      dayCellTopContent: ({ date: at, dayNumberText, monthText }) => (
        <DayNumber date={isoDate(at)} number={dayNumberText} month={monthText} zone={zone} />
      ),
      dayHeaderContent: ({ date: at, text }) =>
        view === 'week' ? (
          <DayHead
            date={isoDate(at)}
            text={text}
            zone={zone}
            weekday={weekdayName(Temporal.PlainDate.from(isoDate(at)), locale)}
          />
        ) : (
          text
        ),
      slotHeaderFormat: {
        hour: 'numeric',
        minute: '2-digit',
        ...(hourCycle === 'auto' ? {} : { hour12: hourCycle === 'h12' }),
      },
    }
  }, [view, plugins, zone, preferences, firstDay, headed, on])

  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    const at = placeOf(event)
    // The link of a day has told its day already.
    const onDayLink = event.target.closest(`.${classes.dayLink}`) !== null
    if (picking) return at && !onDayLink && on.onPlace(at)
    const data = (name: string) => (event.target as Element).closest<HTMLElement>(`[data-${name}]`)?.dataset[name]
    const menu = data('menu')
    if (menu) return on.onMenu(menu, belowOf(event.target))
    const more = data('more')
    if (more) return on.onDay(more)
    const item = data('item')
    if (item?.startsWith('note-')) return on.onNote(item.slice('note-'.length))
    if (item) {
      const id = item.slice('card-'.length)
      if (event.ctrlKey || event.metaKey) return on.onSelect(id, 'toggle')
      return event.shiftKey ? on.onSelect(id, 'span') : on.onOpen(id)
    }
    if (at && !onDayLink && !event.target.closest('[data-card]')) on.onPlace(at)
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
      if (!id?.startsWith('card-')) return
      event.preventDefault()
      on.onNudge(id.slice('card-'.length), event.key)
    } else if (!event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && focus.step(event.key)) {
      event.preventDefault()
    } else if (picking && event.key === 'Enter' && id) {
      const planned = gridDays.find(({ ids }) => ids.includes(id))
      if (!planned) return
      event.preventDefault()
      event.stopPropagation()
      on.onPlace({ date: planned.date, minutes: null })
    }
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its buttons and links are heard here in one place, and each has its key
    <section
      ref={root}
      tabIndex={-1}
      className={classes.root}
      data-view={view}
      data-picking={picking || undefined}
      data-measuring={!drawn || undefined}
      style={weekHeights}
      aria-label={label}
      onClick={onClick}
      onContextMenu={onContextMenu}
      onKeyDownCapture={onKeyDown}
    >
      <FullCalendar ref={calendar} key={view} initialDate={day} eventSources={eventSources} {...options} />
    </section>
  )
}

/** Of a day of the month: what stands above its items, and an item with the room around it. */
const TOP_PX = 29
const ITEM_PX = 28

/**
 * How high each week of a month will be, as properties for the style sheet: the library measures its rows only after
 * they are drawn, and what is below would jump.
 */
function heightsOf(itemsOfDays: readonly number[]): CSSProperties {
  const weeks = Array.from({ length: Math.ceil(itemsOfDays.length / 7) }, (_, week) =>
    Math.max(...itemsOfDays.slice(week * 7, week * 7 + 7)),
  )
  return Object.fromEntries(weeks.map((most, week) => [`--week-${week + 1}`, `${TOP_PX + most * ITEM_PX}px`]))
}

/** A click's day, and in a scale of hours its half hour. */
function placeOf({ target, clientY }: MouseEvent): DropPlace | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-date]') : null
  if (!element?.dataset.date) return null
  if (!element.classList.contains(classes.lane ?? '')) return { date: element.dataset.date, minutes: null }
  const { top, height } = element.getBoundingClientRect()
  const minutes = Math.floor((((clientY - top) / height) * 24 * 60) / 30) * 30
  return { date: element.dataset.date, minutes: Math.min(24 * 60 - 30, Math.max(0, minutes)) }
}

function belowOf(element: Element): { x: number; y: number } {
  const { left, bottom } = element.getBoundingClientRect()
  return { x: left, y: bottom }
}

/** The library's dates are of UTC. */
const isoDate = (date: Date) => date.toISOString().slice(0, 10)

function eventContent({ event }: EventDisplayInfo) {
  const { item, date } = event.extendedProps as { item: DayItem; date: string }
  if (item.kind === 'card') return <Card card={item.card} />
  if (item.kind === 'note') return <NoteBar note={item.note} />
  return <MoreButton id={item.id} count={item.count} date={date} />
}

function DayNumber({ date, number, month, zone }: { date: string; number: string; month: string; zone: string }) {
  return (
    <>
      <ClockBadge date={date} zone={zone} />
      <span className={classes.number}>{month ? `${month} ${number}` : number}</span>
    </>
  )
}

/** The weekday is written by the style sheet: the link around it is named by its date, which has no weekday. */
function DayHead({ date, text, zone, weekday }: { date: string; text: string; zone: string; weekday: string }) {
  return (
    <>
      <span className={classes.number} data-weekday={weekday}>
        {text}
      </span>
      <ClockBadge date={date} zone={zone} />
    </>
  )
}

/** Its words are written by the style sheet: the link around it is named in full, and says more. */
function ClockBadge({ date, zone }: { date: string; zone: string }) {
  const change = clockChange(Temporal.PlainDate.from(date), zone)
  return change && <span className={classes.badge} data-words="clocks change" title={change} />
}

/** Looks that never change. The library's own classes are hashed; these are ours. */
const LOOKS: CalendarOptions = {
  headerToolbar: false,
  editable: false,
  eventInteractive: false,
  navLinks: true,
  fixedWeekCount: false,
  dayMaxEvents: false,
  eventOrder: 'order',
  eventOrderStrict: true,
  // The style sheet reckons with it.
  aspectRatio: 1.35,
  displayEventTime: false,
  nowIndicator: true,
  slotDuration: '00:30:00',
  slotHeaderInterval: '01:00:00',
  slotMinHeight: 28,
  eventMinHeight: 26,
  slotEventOverlap: false,
  scrollTime: '07:00:00',
  scrollTimeReset: false,
  allDayText: 'Notes',
  nextDayThreshold: '06:00:00',
  eventContent,
  ...classOptions(),
  views: {
    dayGridMonth: {
      dayHeaderFormat: { weekday: 'short' },
      dayCellFormat: { day: 'numeric' },
      monthStartFormat: { month: 'short', day: 'numeric' },
    },
    timeGridWeek: {
      dayHeaderFormat: { day: 'numeric', month: 'long' },
    },
  },
}

function classOptions(): CalendarOptions {
  const { calendar, cell, today, other, head, lane } = classes
  return {
    class: calendar,
    dayHeaderClass: ({ isToday }) => [cell, head, isToday ? today : ''].join(' '),
    dayHeaderInnerClass: classes.headInner,
    dayHeaderDividerClass: classes.headDivider,
    dayRowClass: [cell, classes.week].join(' '),
    dayCellClass: ({ isToday, isOther }) => [cell, classes.day, isToday ? today : '', isOther ? other : ''].join(' '),
    dayCellTopClass: classes.dayTop,
    dayCellTopInnerClass: classes.dayTopInner,
    dayCellInnerClass: classes.dayItems,
    navLinkClass: classes.dayLink,
    eventClass: classes.event,
    eventInnerClass: classes.eventInner,
    dayLaneClass: ({ isToday }) => [cell, lane, isToday ? today : ''].join(' '),
    slotLaneClass: ({ isMinor }) => [cell, isMinor ? classes.minor : ''].join(' '),
    slotHeaderClass: classes.slotHead,
    slotHeaderInnerClass: classes.slotHeadInner,
    slotHeaderDividerClass: classes.divider,
    allDayHeaderClass: classes.slotHead,
    allDayHeaderInnerClass: classes.slotHeadInner,
    allDayDividerClass: classes.allDayDivider,
    tableHeaderClass: classes.tableHeader,
    nowIndicatorLineClass: classes.now,
  }
}
