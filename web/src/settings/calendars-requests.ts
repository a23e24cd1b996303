import { queryOptions } from '@tanstack/react-query'
import type { ImportedCalendar } from '#contract'
import { change } from '../api/change.ts'
import { type Body, call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The calendars of others of a brand. Live events make it stale whenever one is read. */
export const importedCalendarsQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.importedCalendars.list({ socialSetId }),
    queryFn: ({ signal }) => call('GET /imported-calendars', { query: { socialSetId }, signal }),
  })

export async function addCalendar(body: Body<'POST /imported-calendars'>, file?: File): Promise<void> {
  await change('POST /imported-calendars', { body, file })
}

export async function changeCalendar(
  id: string,
  body: Body<'PATCH /imported-calendars/:id'>,
  file?: File,
): Promise<void> {
  await change('PATCH /imported-calendars/:id', { params: { id }, body, file })
}

/** Has it read as soon as possible. */
export async function fetchCalendar({ id }: ImportedCalendar): Promise<void> {
  await change('POST /imported-calendars/:id/fetch', { params: { id } })
}

/** How many of its notes go with it, and how many stay. */
export function removalOf({ id }: ImportedCalendar) {
  return call('GET /imported-calendars/:id/removal', { params: { id } })
}

export async function removeCalendar({ id }: ImportedCalendar): Promise<void> {
  await change('DELETE /imported-calendars/:id', { params: { id } })
}
