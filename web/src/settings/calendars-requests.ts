import { queryOptions } from '@tanstack/react-query'
import type { ImportedCalendar } from '#contract'
import { type Body, call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The calendars of others of a brand. Live events make it stale whenever one is read. */
export const importedCalendarsQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.importedCalendars.list({ socialSetId }),
    queryFn: ({ signal }) => call('GET /imported-calendars', { query: { socialSetId }, signal }),
  })

export async function addCalendar(body: Body<'POST /imported-calendars'>, file?: File): Promise<void> {
  await call('POST /imported-calendars', { body, file })
  await readAgain()
}

export async function changeCalendar(
  id: string,
  body: Body<'PATCH /imported-calendars/:id'>,
  file?: File,
): Promise<void> {
  await call('PATCH /imported-calendars/:id', { params: { id }, body, file })
  await readAgain()
}

/** Has it read as soon as possible. */
export async function fetchCalendar({ id }: ImportedCalendar): Promise<void> {
  await call('POST /imported-calendars/:id/fetch', { params: { id } })
  await readAgain()
}

/** How many of its notes go with it, and how many stay. */
export function removalOf({ id }: ImportedCalendar) {
  return call('GET /imported-calendars/:id/removal', { params: { id } })
}

export async function removeCalendar({ id }: ImportedCalendar): Promise<void> {
  await call('DELETE /imported-calendars/:id', { params: { id } })
  await readAgain()
}

async function readAgain(): Promise<void> {
  await Promise.all(
    [queryKeys.importedCalendars, queryKeys.calendar, queryKeys.notes].map(({ all }) =>
      queryClient.invalidateQueries({ queryKey: all }),
    ),
  )
}
