import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { CalendarView } from '../shell/calendar-views.ts'
import { changedSearch } from '../shell/search.ts'
import { readDate } from './dates.ts'
import { readFilters } from './filters.ts'

const route = getRouteApi('/member/scheduling/calendar/$view')

export type CalendarSearch = ReturnType<typeof route.useSearch>

/** Parts of the address to change; undefined takes a part out. */
export type AddressChange = { [Name in keyof CalendarSearch]?: CalendarSearch[Name] | undefined } & {
  view?: CalendarView
  /** The entry of the browser's history is changed instead of a new one made. */
  replace?: boolean
}

/** What the address says about the calendar, and how to change it. */
export function useCalendarAddress(zone: string) {
  const { view: named } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate()
  const view = named as CalendarView
  const { date: dateText } = search
  const date = useMemo(() => readDate(dateText, zone), [dateText, zone])
  const { net, status, label, author, q } = search
  const filters = useMemo(
    () => readFilters(changedSearch<CalendarSearch>({}, { net, status, label, author, q })),
    [net, status, label, author, q],
  )
  const go = useCallback(
    ({ view: to, replace = false, ...change }: AddressChange) =>
      void navigate({
        to: '/scheduling/calendar/$view',
        params: { view: to ?? view },
        search: (now) => changedSearch<CalendarSearch>(now, change),
        replace,
      }),
    [navigate, view],
  )
  return { view, date, filters, search, go }
}
