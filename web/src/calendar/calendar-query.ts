import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Calendar } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { has } from '../design/searched.ts'
import type { CalendarView } from '../planning/dates/calendar-views.ts'
import { type DayRange, rangeOf, startOfDay, turn } from '../planning/dates/dates.ts'
import { applyPending, usePending } from '../post-set-actions/pending.ts'
import { type CalendarPlace, placeOf } from './calendar-place.ts'
import { type CalendarFilters, serverFilters } from './filters.ts'

/** What is read at once, and what the server filters it by. */
interface CalendarRequest {
  socialSet: CalendarPlace
  range: DayRange
  filters: CalendarFilters
}

/** What a reading is kept by. */
type ListKey = {
  socialSetId: string | null
  from: string
  to: string
  authorIds: string[]
  search: string | null
}

function calendarQuery({ socialSet, range, filters }: CalendarRequest) {
  const { authorIds, search } = serverFilters(filters)
  const from = startOfDay(range.first, socialSet.timezone)
  const to = startOfDay(range.end, socialSet.timezone)
  const key: ListKey = { socialSetId: socialSet.id, from, to, authorIds, search }
  return queryOptions({
    queryKey: queryKeys.calendar.list(key),
    queryFn: ({ signal }) =>
      call('GET /calendar', {
        query: { ...placeOf(socialSet), from, to, 'filters[authors][]': authorIds, 'filters[search]': search },
        signal,
      }),
  })
}

interface Page extends Omit<CalendarRequest, 'range'> {
  view: CalendarView
  date: Temporal.PlainDate
  firstDay: number
}

/**
 * What a page of the calendar shows, with the changes that are on their way to the server. While a page is read for the
 * first time, it shows what the pages beside it have of it. The pages before and after are read ahead.
 */
export function useCalendar({ view, date, firstDay, socialSet, filters }: Page) {
  const queryClient = useQueryClient()
  const pending = usePending()
  const day = date.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `day` is the date, as a value that can be compared
  const range = useMemo(() => rangeOf(view, date, firstDay), [view, day, firstDay])
  const query = calendarQuery({ socialSet, range, filters })
  const read = () => queryClient.getQueriesData<Calendar>({ queryKey: queryKeys.calendar.all })
  const result = useQuery({ ...query, placeholderData: () => knownOf(read(), { socialSet, filters }) })
  const { data, isSuccess, isPlaceholderData } = result
  /** Only a part of it is known: what is not may come above what is, or between. */
  const isPartial = isPlaceholderData && !isCovered(read(), query.queryKey)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for all that it is made of
  useEffect(() => {
    // Those of all brands are large.
    if (!isSuccess || isPlaceholderData || socialSet.id === null) return
    for (const pages of [1, -1] as const) {
      const beside = rangeOf(view, turn(view, date, pages), firstDay)
      void queryClient.prefetchQuery(calendarQuery({ socialSet, range: beside, filters }))
    }
  }, [JSON.stringify(query.queryKey), isSuccess, isPlaceholderData])

  const cards = useMemo(() => applyPending(data?.cards ?? [], pending), [data, pending])
  return { ...result, isPartial, range, cards, notes: data?.notes ?? NOTHING }
}

const NOTHING: Calendar['notes'] = []

/**
 * All that is known of a social set before it is read: of pages that the server filtered alike, and for a search what of
 * the others is seen to match. Nothing when nothing of the set is known.
 */
function knownOf(
  pages: [readonly unknown[], Calendar | undefined][],
  { socialSet, filters }: Pick<CalendarRequest, 'socialSet' | 'filters'>,
): Calendar | undefined {
  const { authorIds, search } = serverFilters(filters)
  const known = pages.flatMap(([key, calendar]) => {
    const asked = key[2] as Partial<ListKey> | undefined
    return calendar && asked?.socialSetId === socialSet.id ? [{ asked, calendar }] : []
  })
  const last = known.at(-1)
  if (!last) return undefined
  const cards = known.flatMap(({ asked, calendar }) => {
    if (String(asked.authorIds) !== String(authorIds)) return []
    if (asked.search === search) return calendar.cards
    return asked.search === null && search !== null ? calendar.cards.filter(({ excerpt }) => has(excerpt, search)) : []
  })
  const notes = known.flatMap(({ calendar }) => calendar.notes)
  return {
    ...last.calendar,
    truncated: false,
    cards: [...new Map(cards.map((card) => [card.id, card])).values()],
    notes: [...new Map(notes.map((note) => [note.id, note])).values()],
  }
}

/** Whether pages that were read, for whichever search, are together all of one. */
function isCovered(
  pages: [readonly unknown[], Calendar | undefined][],
  asked: ReturnType<typeof calendarQuery>['queryKey'],
): boolean {
  const { from, to, socialSetId, authorIds } = keyIn(asked)
  const alike = pages.flatMap(([key, calendar]) => {
    const page = keyIn(key)
    const same = page.socialSetId === socialSetId && String(page.authorIds) === String(authorIds)
    return same && calendar && !calendar.truncated ? [page] : []
  })
  // Instants of one length: they are in the order of their letters.
  const end = alike
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
    .reduce((end, page) => (page.from <= end && page.to > end ? page.to : end), from)
  return end >= to
}

const keyIn = (key: readonly unknown[]) => (key[2] ?? {}) as ListKey

/** Who has made post sets of a social set; null: of all. */
export const authorsQuery = (socialSetId: string | null) =>
  queryOptions({
    queryKey: queryKeys.calendar.one(`authors ${socialSetId}`),
    queryFn: async ({ signal }) => (await call('GET /calendar/authors', { query: { socialSetId }, signal })).data,
    placeholderData: keepPreviousData,
  })
