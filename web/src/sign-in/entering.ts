import { useNavigate } from '@tanstack/react-router'
import { dashboardPath } from '../api/base.ts'
import { queryClient } from '../api/query-client.ts'
import { refreshSession } from '../api/session.ts'
import { safeReturnPath } from '../frame/return-path.ts'

/** Goes to the dashboard as the person who is signed in now: to that path of it, or to the calendar. */
export function useEnter(): (wanted?: string) => Promise<void> {
  const navigate = useNavigate()
  return async (wanted) => {
    // Nothing that was read before is of the one who is signed in now.
    queryClient.clear()
    await refreshSession()
    await navigate({ href: dashboardPath + safeReturnPath(wanted), replace: true })
  }
}
