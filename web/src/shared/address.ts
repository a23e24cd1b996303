// Where the guest is on the page: all of it is in the query of its one address.
import { useSyncExternalStore } from 'react'
import { type CalendarView, isCalendarView } from '../planning/dates/calendar-views.ts'

interface Place {
  view: CalendarView
  /** A day of what is shown, `2030-06-12`; null is today. */
  date: string | null
  /** The post that is open. */
  post: string | null
  /** Only what waits for the guest. */
  waiting: boolean
  /** Of one brand alone. */
  brand: string | null
}

/** Reads a query; what it does not know is left out. */
export function readPlace(query: string): Place {
  const search = new URLSearchParams(query)
  const view = search.get('view') ?? ''
  return {
    view: isCalendarView(view) ? view : 'month',
    date: search.get('date'),
    post: search.get('post'),
    waiting: search.get('waiting') === '1',
    brand: search.get('brand'),
  }
}

/** The query of a place, such as `?view=week&date=2030-06-12`. */
export function queryOf({ view, date, post, waiting, brand }: Place): string {
  const search = new URLSearchParams()
  if (view !== 'month') search.set('view', view)
  if (date) search.set('date', date)
  if (waiting) search.set('waiting', '1')
  if (brand) search.set('brand', brand)
  if (post) search.set('post', post)
  return `?${search}`
}

/** What waits for the guest, from a day on. */
export const toDo = (date: string | null): Partial<Place> => ({ view: 'list', waiting: true, date, post: null })

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/** Where the guest is. */
export function usePlace(): Place {
  return readPlace(useSyncExternalStore(subscribe, () => window.location.search))
}

/** Goes to another place, where what is not named stays. `replace`: Back leads to where the one before would lead. */
export function go(next: Partial<Place>, { replace = false } = {}): void {
  const address = `${window.location.pathname}${queryOf({ ...readPlace(window.location.search), ...next })}`
  if (replace) window.history.replaceState(null, '', address)
  else window.history.pushState(null, '', address)
  for (const listener of listeners) listener()
}
