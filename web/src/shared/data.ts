// What the page reads. It is read again when the guest comes back to it, and every minute.
import { QueryClient as Client, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { GuestBrand, GuestCalendar, GuestCard, GuestPostSet, GuestVisit } from '#contract'
import { isOutage } from '../api/api-error.ts'
import { callAsGuest } from '../api/guests.ts'
import { addressFormally } from '../language/language.ts'
import { type DayRange, dayOf, isWithin, startOfDay } from '../planning/dates/dates.ts'

const AGAIN_MS = 60_000
/** How soon what could not be read is asked for again. */
const RECOVERY_MS = 5_000
const MAX_RETRIES = 2
/** More of a month are not read on. */
const MOST_CARDS = 2_000

export const queryClient: QueryClient = new Client({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      retry: (failures, error) => failures < MAX_RETRIES && isOutage(error),
      refetchInterval: ({ state }) => (isOutage(state.error) ? RECOVERY_MS : AGAIN_MS),
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

const visitQuery = queryOptions({
  queryKey: ['visit'],
  queryFn: async ({ signal }) => {
    const visit = await callAsGuest('GET /visit', { signal })
    if (visit.formal) await addressFormally()
    return visit
  },
})

/** What guests may do, for a member who looks at that, too. */
export const offersOf = ({ allows, preview }: Pick<GuestVisit, 'allows' | 'preview'>) => preview ?? allows

export const useVisit = () => useQuery(visitQuery)
export const readVisit = () => queryClient.prefetchQuery(visitQuery)

/** The days of a range, in the zone of each brand: a day more on both sides is asked for, and left out again. */
export function useCalendar(range: DayRange, brands: readonly GuestBrand[], socialSetId: string | null) {
  const zone = brands[0]?.timezone ?? 'UTC'
  const query = {
    from: startOfDay(range.first.subtract({ days: 1 }), zone),
    to: startOfDay(range.end.add({ days: 1 }), zone),
    ...(socialSetId === null ? {} : { socialSetId }),
  }
  return useQuery({
    queryKey: ['calendar', query],
    queryFn: ({ signal }) => readCalendar(query, signal),
    enabled: brands.length > 0,
    select: ({ cards, notes, truncated }) => ({
      cards: cards.filter((card) => isOn(card, range, brands)),
      notes: notes.filter((note) => isOn(note, range, brands)),
      truncated,
    }),
  })
}

type Query = { from: string; to: string; socialSetId?: string }

/** All pages, as far as they are shown. */
async function readCalendar(query: Query, signal: AbortSignal): Promise<Omit<GuestCalendar, 'next'>> {
  const { next: second, ...first } = await callAsGuest('GET /calendar', { query, signal })
  const cards = [...first.cards]
  let next = second
  while (next !== null && cards.length < MOST_CARDS) {
    const page = await callAsGuest('GET /calendar', { query: { ...query, cursor: next }, signal })
    cards.push(...page.cards)
    next = page.next
  }
  return { ...first, cards, truncated: first.truncated || next !== null }
}

type Planned = Pick<GuestCard, 'socialSetId' | 'scheduledAt'>

const isOn = (planned: Planned, range: DayRange, brands: readonly GuestBrand[]) =>
  isWithin(Temporal.PlainDate.from(dayIn(planned, brands)), range)

interface ToDo {
  count: number
  /** The earliest of their times that is still to come. */
  nextAt: string | null
  /** How many wait beside these, of the brands that are not shown. */
  ofOtherBrands: number
}

/** What waits for the guest of the brand that is shown; of all where none is chosen, or one that the link does not show. */
export function toDoOf({ waiting, brands }: Pick<GuestVisit, 'waiting' | 'brands'>, brand: string | null): ToDo {
  if (!brands.some(({ id }) => id === brand)) return { ...waiting, ofOtherBrands: 0 }
  const own = waiting.months.filter(({ socialSetId }) => socialSetId === brand)
  const count = own.reduce((sum, month) => sum + month.count, 0)
  const nextAt = own.flatMap((month) => month.nextAt ?? []).toSorted()[0] ?? null
  return { count, nextAt, ofOtherBrands: waiting.count - count }
}

/** The zone of the brand that is shown, or of the first. */
export const shownZone = (brands: readonly GuestBrand[], brand: string | null) =>
  (brands.find(({ id }) => id === brand) ?? brands[0])?.timezone ?? 'UTC'

/** The day of the first post that waits for the guest and is still to come; null where there is none. */
export function firstToDo(visit: Pick<GuestVisit, 'waiting' | 'brands'>, brand: string | null): string | null {
  const { nextAt } = toDoOf(visit, brand)
  return nextAt === null ? null : dayOf(nextAt, shownZone(visit.brands, brand))
}

interface ToDoMonth {
  /** `2030-06` */
  month: string
  count: number
  /** Of the first in it. */
  day: string
}

/** What waits for the guest beside what is listed: in which months, and how much of brands that are not shown. */
export function otherToDo(
  { waiting, brands }: Pick<GuestVisit, 'waiting' | 'brands'>,
  shown: { month: string; brand: string | null },
): { months: ToDoMonth[]; ofOtherBrands: number } {
  const months = new Map<string, ToDoMonth>()
  let ofOtherBrands = 0
  for (const { socialSetId, month, count, firstAt } of waiting.months) {
    if (shown.brand !== null && socialSetId !== shown.brand) ofOtherBrands += count
    else if (month !== shown.month) {
      const known = months.get(month)
      const day = known?.day ?? dayIn({ socialSetId, scheduledAt: firstAt }, brands)
      months.set(month, { month, count: count + (known?.count ?? 0), day })
    }
  }
  return { months: [...months.values()], ofOtherBrands }
}

export const zoneOf = ({ socialSetId }: Pick<GuestCard, 'socialSetId'>, brands: readonly GuestBrand[]) =>
  brands.find(({ id }) => id === socialSetId)?.timezone ?? 'UTC'

/** The day of a post or a note where its brand is: `2030-06-12`. */
export const dayIn = (planned: Planned, brands: readonly GuestBrand[]) =>
  dayOf(planned.scheduledAt, zoneOf(planned, brands))

/** What is planned, by those days: of a full month each is looked at once, not once for each day. */
export const byDay = <T extends Planned>(
  planned: readonly T[],
  brands: readonly GuestBrand[],
): ReadonlyMap<string, T[]> => Map.groupBy(planned, (each) => dayIn(each, brands))

export const postKey = (id: string) => ['post', id]

export const usePost = (id: string) =>
  useQuery({
    queryKey: postKey(id),
    queryFn: ({ signal }) => callAsGuest('GET /posts/:id', { params: { id }, signal }),
    // What was read before it is opened is not put before the guest: `useShownPost`.
    refetchOnMount: 'always',
  })

/** The text of a post that the guest has seen, beside that of now. */
export const useCaption = ({ id, postId, since }: { id: string; postId: string; since: number }) =>
  useQuery({
    queryKey: [...postKey(id), 'caption', postId, since],
    queryFn: ({ signal }) =>
      callAsGuest('GET /posts/:id/changes/:postId', { params: { id, postId }, query: { since }, signal }),
    refetchInterval: false,
    refetchOnWindowFocus: false,
  })

export const commentsKey = (id: string) => ['comments', id]

export const useComments = (id: string) =>
  useQuery({
    queryKey: commentsKey(id),
    queryFn: ({ signal }) => callAsGuest('GET /posts/:id/comments', { params: { id }, signal }),
  })

/** Shows a post as an answer has it, wherever it is shown, before the rest is read again. */
export function showPost(post: GuestPostSet): void {
  queryClient.setQueryData<GuestPostSet>(postKey(post.id), post)
  const { version, status, waiting, decision, changed } = post
  queryClient.setQueriesData<GuestCalendar>({ queryKey: ['calendar'] }, (calendar) =>
    calendar?.cards.some(({ id }) => id === post.id)
      ? {
          ...calendar,
          cards: calendar.cards.map((card) =>
            card.id === post.id ? { ...card, version, status, waiting, decision, changed } : card,
          ),
        }
      : calendar,
  )
}

const again = (queryKey: readonly string[]) => queryClient.invalidateQueries({ queryKey })

/** Reads again what a decision, a note or a name changes, and what else is named. */
export async function readAgain(...also: readonly (readonly string[])[]): Promise<void> {
  await Promise.all([['visit'], ['calendar'], ...also].map(again))
}

export const readCommentsAgain = (id: string) => again(commentsKey(id))

/** What a guest has seen is not shown as changed any more. */
export const readSeenAgain = () => again(['calendar'])
