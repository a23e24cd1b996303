import type { Calendar, CalendarCard, Note } from '#contract'
import { type DayRange, dayOf, daysOf, minutesOf } from '../planning/dates/dates.ts'

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
  dayOfNote = (note: Note) => dayOf(note.scheduledAt, zone),
): PlannedDay[] {
  const days = new Map<string, PlannedDay>()
  for (const date of daysOf(range)) days.set(date.toString(), { date: date.toString(), notes: [], cards: [] })
  for (const note of notes) days.get(dayOfNote(note))?.notes.push(note)
  for (const card of cards) days.get(dayOf(card.scheduledAt, zone))?.cards.push(card)
  for (const day of days.values()) {
    day.cards.sort(byTime)
    // Those without a time, which are at the start of the day, are first.
    day.notes.sort((a, b) => compareTimes(a, b) || compare(a.content, b.content))
  }
  return [...days.values()]
}

/** Earlier first; of two at the same instant always the same one. */
function byTime(a: Pick<CalendarCard, 'scheduledAt' | 'id'>, b: Pick<CalendarCard, 'scheduledAt' | 'id'>): number {
  return compareTimes(a, b) || compare(a.id, b.id)
}

const compareTimes = (a: Pick<CalendarCard, 'scheduledAt'>, b: Pick<CalendarCard, 'scheduledAt'>) =>
  Date.parse(a.scheduledAt) - Date.parse(b.scheduledAt)

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export const cardItem = (id: string) => `card-${id}`
export const noteItem = (id: string) => `note-${id}`
export const dayItem = (date: string) => `day-${date}`
/** Of the button for what has no room on a day; in a week at a time of it. */
export const moreItem = (date: string, minutes: number) => `more-${date}-${minutes}`

/**
 * The first of some cards, with the one that has to be in sight in place of the last, else one that failed, and the number of the
 * others.
 */
export function drawnOf(
  cards: readonly CalendarCard[],
  count: number,
  inSight: string | null,
): { cards: CalendarCard[]; more: number } {
  const [first, hidden] = [cards.slice(0, count), cards.slice(count)]
  const last = first.at(-1)
  const kept =
    hidden.find(({ id }) => id === inSight) ?? (last && !hasFailed(last) ? hidden.find(hasFailed) : undefined)
  return { cards: kept ? [...first.slice(0, -1), kept] : first, more: cards.length - first.length }
}

const hasFailed = ({ state }: CalendarCard) => state === 'failed' || state === 'partly-published'

/** Cards of one day at one time. Those beyond the ones drawn are a number. */
export interface Stack {
  minutes: number
  cards: CalendarCard[]
  more: number
}

/** Cards of one time that a week draws below each other. */
const MOST_STACKED = 4

/** The cards of a day by the minute that they are at. */
export function stacksOf({ cards }: PlannedDay, zone: string, inSight: string | null = null): Stack[] {
  const byTime = Map.groupBy(cards, ({ scheduledAt }) => minutesOf(scheduledAt, zone))
  return [...byTime].map(([minutes, all]) => {
    return { minutes, ...drawnOf(all, all.length > MOST_STACKED ? MOST_STACKED - 1 : all.length, inSight) }
  })
}

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
