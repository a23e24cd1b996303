import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { changedSearch } from '../frame/search.ts'
import type { CalendarView } from '../planning/dates/calendar-views.ts'
import { readDate } from '../planning/dates/dates.ts'
import { readFilters } from './filters.ts'

const route = getRouteApi('/member/scheduling/calendar/$view')

export type CalendarSearch = ReturnType<typeof route.useSearch>

const CALENDAR = '/scheduling/calendar/'

/** Parts of the address to change; undefined takes a part out. */
export type AddressChange = { [Name in keyof CalendarSearch]?: CalendarSearch[Name] | undefined } & {
  view?: CalendarView
  /** The entry of the browser's history is changed instead of a new one made. */
  replace?: boolean
}

/** What the address says about the calendar, and how to change it. */
export function useCalendarAddress(zone: string) {
  const { view: viewNamed } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  const view = viewNamed as CalendarView
  const { date: dateText } = search
  const date = useMemo(() => readDate(dateText, zone), [dateText, zone])
  const { net, status, label, author, q } = search
  const filters = useMemo(
    () => readFilters(changedSearch<CalendarSearch>({}, { net, status, label, author, q })),
    [net, status, label, author, q],
  )
  const go = useCallback(
    ({ view: to, replace = false, ...change }: AddressChange) => {
      // A person who has left for a screen that is still being loaded is not brought back.
      if (!router.latestLocation.pathname.startsWith(CALENDAR)) return
      // The text that is written is that of one new post, and so is the brand that was chosen for it.
      const named =
        'post' in change && !('draft' in change) ? { draft: undefined, brand: undefined, ...change } : change
      void navigate({
        to: '/scheduling/calendar/$view',
        params: { view: to ?? view },
        search: (now) => changedSearch<CalendarSearch>(now, named),
        replace,
      })
    },
    [navigate, router, view],
  )
  return { view, date, filters, search, go }
}
