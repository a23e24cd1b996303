import { t } from '@lingui/core/macro'
import { queryOptions } from '@tanstack/react-query'
import type { SharedCalendar } from '#contract'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { showError, showNews } from '../../design/toast.tsx'

/** The links for guests of which the member sees all brands. For members who may manage them. */
export const sharedCalendarsQuery = queryOptions({
  queryKey: queryKeys.sharedCalendars.list(),
  queryFn: async ({ signal }) => (await call('GET /shared-calendars', { signal })).data,
})

/** Opens a shared calendar as its guests see it, in a tab of its own. */
export async function openAsGuest({ id }: Pick<SharedCalendar, 'id'>): Promise<void> {
  // While the click is fresh: a browser blocks what opens later.
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  try {
    const { address } = await call('POST /shared-calendars/:id/look', { params: { id } })
    if (tab) tab.location.replace(address)
    else showNews(t`The browser did not let us open a tab.`, { label: t`Open`, run: () => window.open(address) })
  } catch (error) {
    tab?.close()
    showError(error)
  }
}
