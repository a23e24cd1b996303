import type { EventInput } from '@fullcalendar/react'
import { useMemo, useRef } from 'react'
import { clockText } from './dates.ts'
import type { DayItem } from './days.ts'

export interface DayWithItems {
  day: { date: string }
  items: readonly DayItem[]
}

interface Part {
  days: readonly DayWithItems[]
  events: EventInput[]
}

/**
 * What the library shows, in one list for each week of a month and for each day of a week. It draws a list that it has
 * not seen before anew, with all of its cards: so a part in which nothing has changed keeps its list.
 */
export function useGridEvents(days: readonly DayWithItems[], view: 'month' | 'week'): EventInput[][] {
  const before = useRef<ReadonlyMap<string, Part>>(new Map())
  return useMemo(() => {
    const size = view === 'month' ? 7 : 1
    const next = new Map<string, Part>()
    for (let at = 0; at < days.length; at += size) {
      const part = days.slice(at, at + size)
      const key = `${view} ${part[0]?.day.date}`
      const known = before.current.get(key)
      const events =
        known && isSamePart(known.days, part)
          ? known.events
          : part.flatMap(({ day, items }) => items.map((item, order) => eventOf(day.date, item, order, view)))
      next.set(key, { days: part, events })
    }
    before.current = next
    return [...next.values()].map(({ events }) => events)
  }, [days, view])
}

function isSamePart(before: readonly DayWithItems[], now: readonly DayWithItems[]): boolean {
  return now.every(({ items }, day) => {
    const known = before[day]?.items ?? []
    return known.length === items.length && items.every((item, index) => isSameItem(item, known[index]))
  })
}

function isSameItem(item: DayItem, before: DayItem | undefined): boolean {
  if (item.kind === 'card') {
    return before?.kind === 'card' && before.card === item.card && before.minutes === item.minutes
  }
  if (item.kind === 'note') return before?.kind === 'note' && before.note === item.note
  return before?.kind === 'more' && before.id === item.id && before.count === item.count
}

function eventOf(date: string, item: DayItem, order: number, view: 'month' | 'week'): EventInput {
  const common = { id: item.id, title: '', extendedProps: { item, date, order } }
  if (view === 'month' || item.kind === 'note') return { ...common, start: date, allDay: true }
  // What begins late ends with its day: nothing runs on into the next one.
  const end = Math.min(item.minutes + 30, 24 * 60 - 1)
  return { ...common, start: `${date}T${clockText(item.minutes)}`, end: `${date}T${clockText(end)}` }
}
