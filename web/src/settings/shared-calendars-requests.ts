import { queryOptions } from '@tanstack/react-query'
import type { MadeSharedCalendar, SharedCalendar, SharedCalendarBody, SharedCalendarUpdateBody } from '#contract'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Who has looked at a shared calendar, and when. */
export const visitorsQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.sharedCalendars.one(id),
    queryFn: async ({ signal }) => (await call('GET /shared-calendars/:id/visitors', { params: { id }, signal })).data,
    staleTime: 0,
  })

export async function createSharedCalendar(body: SharedCalendarBody): Promise<MadeSharedCalendar> {
  const made = await change('POST /shared-calendars', { body })
  return made
}

export async function updateSharedCalendar(id: string, body: SharedCalendarUpdateBody): Promise<void> {
  await change('PATCH /shared-calendars/:id', { params: { id }, body })
}

/** Answers the address again. */
export async function copySharedCalendar({ id }: SharedCalendar): Promise<string> {
  const { address } = await change('POST /shared-calendars/:id/copy', { params: { id } })
  return address
}

/** Answers the new address. The calendar address ends with the old one. */
export async function renewSharedCalendar({ id }: SharedCalendar): Promise<string> {
  const { address } = await change('POST /shared-calendars/:id/renew', { params: { id } })
  return address
}

export async function closeSharedCalendar({ id }: SharedCalendar): Promise<void> {
  await change('POST /shared-calendars/:id/close', { params: { id } })
}
