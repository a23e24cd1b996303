import type { Calendar, CalendarCard, Note } from '#contract'
import { type DayRange, dayOf, daysOf, minutesOf } from './dates.ts'

/** A day of a view with what is planned on it, by time. */
export interface PlannedDay {
  /** `2026-11-08` */
  date: string
  notes: Note[]
  cards: CalendarCard[]
}

/** Everything planned, sorted into the days of a range. What lies outside is left out. */
export function groupByDay(
  { cards, notes }: Pick<Calendar, 'cards' | 'notes'>,
  range: DayRange,
  zone: string,
): PlannedDay[] {
  const days = new Map<string, PlannedDay>()
  for (const date of daysOf(range)) days.set(date.toString(), { date: date.toString(), notes: [], cards: [] })
  for (const note of notes) days.get(dayOf(note.scheduledAt, zone))?.notes.push(note)
  for (const card of cards) days.get(dayOf(card.scheduledAt, zone))?.cards.push(card)
  for (const day of days.values()) {
    day.cards.sort(byTime)
    day.notes.sort((a, b) => compare(a.content, b.content))
  }
  return [...days.values()]
}

/** Earlier first; of two at the same instant always the same one. */
export function byTime(
  a: Pick<CalendarCard, 'scheduledAt' | 'id'>,
  b: Pick<CalendarCard, 'scheduledAt' | 'id'>,
): number {
  return Date.parse(a.scheduledAt) - Date.parse(b.scheduledAt) || compare(a.id, b.id)
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** What stands in a day of a grid, each with an id that the focus finds it by. */
export type DayItem =
  | { kind: 'note'; id: string; note: Note }
  | { kind: 'card'; id: string; card: CalendarCard; minutes: number }
  /** Stands for `count` cards that have no room. */
  | { kind: 'more'; id: string; count: number; minutes: number }

export const cardItem = (id: string) => `card-${id}`
export const noteItem = (id: string) => `note-${id}`
export const dayItem = (date: string) => `day-${date}`

/** A day of the month: all its notes, the first cards, and how many there are more. */
export function monthItems({ date, notes, cards }: PlannedDay, zone: string, maxCards: number): DayItem[] {
  const shown = cards.slice(0, maxCards)
  return [
    ...notes.map(noteOf),
    ...shown.map((card) => cardOf(card, zone)),
    ...(cards.length > shown.length ? [moreOf(date, 0, cards.length - shown.length)] : []),
  ]
}

/** Cards that stand beside each other in a slot of a week; more are told as a number. */
const MAX_SIDE_BY_SIDE = 3
const SLOT_MINUTES = 30

/** A day of the week: of what begins in the same half hour, so many stand side by side. */
export function weekItems({ date, notes, cards }: PlannedDay, zone: string): DayItem[] {
  const slots = Map.groupBy(cards, ({ scheduledAt }) => Math.floor(minutesOf(scheduledAt, zone) / SLOT_MINUTES))
  const items: DayItem[] = notes.map(noteOf)
  for (const [slot, inSlot] of slots) {
    const shown = inSlot.length > MAX_SIDE_BY_SIDE ? inSlot.slice(0, MAX_SIDE_BY_SIDE - 1) : inSlot
    items.push(...shown.map((card) => cardOf(card, zone)))
    if (shown.length < inSlot.length) items.push(moreOf(date, slot * SLOT_MINUTES, inSlot.length - shown.length))
  }
  return items
}

const noteOf = (note: Note): DayItem => ({ kind: 'note', id: noteItem(note.id), note })

const cardOf = (card: CalendarCard, zone: string): DayItem => ({
  kind: 'card',
  id: cardItem(card.id),
  card,
  minutes: minutesOf(card.scheduledAt, zone),
})

const moreOf = (date: string, minutes: number, count: number): DayItem => ({
  kind: 'more',
  id: `more-${date}-${minutes}`,
  count,
  minutes,
})

/**
 * Where the focus goes when cards go: to the card after the first of them, or the one before, as near as there is one.
 * In a grid (`inGrid`) it stays in the day, and goes to the day itself when nothing is left in it.
 *
 * @returns the id of an item; null when there is none
 */
export function besideCards(days: readonly PlannedDay[], gone: readonly string[], inGrid: boolean): string | null {
  const day = days.find(({ cards }) => cards.some(({ id }) => id === gone[0]))
  if (!day) return null
  const all = inGrid ? day.cards : days.flatMap(({ cards }) => cards)
  const at = all.findIndex(({ id }) => id === gone[0])
  const left = ({ id }: CalendarCard) => !gone.includes(id)
  const near = all.slice(at).find(left) ?? all.slice(0, at).findLast(left)
  if (near) return cardItem(near.id)
  return inGrid ? dayItem(day.date) : null
}
