import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Preferences, Right, Session } from '#contract'
import { MINUTE_MS } from '#contract/durations'
import { actAs } from './acting-as.ts'
import { ApiError } from './api-error.ts'
import { call } from './client.ts'
import { queryClient } from './query-client.ts'
import { queryKeys } from './query-keys.ts'

/** Who is signed in; null when no one is. */
export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  queryFn: ({ signal }) => readSession(signal),
  // What changes it invalidates it, and a session that has ended is reported by every answer.
  staleTime: 5 * MINUTE_MS,
})

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    const session = await call('GET /session', { signal })
    actAs(session)
    return session
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    actAs(null)
    return null
  }
}

/** Who is signed in. Below the shell only, where a person always is. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery)
  // While the shell leaves for the page to sign in, the last frame of a screen may still ask.
  return data ?? NOBODY
}

/** Whether the member may do this. The server decides; this only keeps from offering what it refuses. */
export function useMay(right: Right): boolean {
  return useSession().rights.includes(right)
}

/** How the member wants the dashboard to be. Works on the pages to sign in, too. */
export function usePreferences(): Preferences {
  return useQuery({ ...sessionQuery, enabled: false }).data?.preferences ?? NOBODY.preferences
}

/** Reads again who is signed in: after signing in, and after a change of name, account or preferences. */
export function refreshSession(): Promise<Session | null> {
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** No one is signed in any more: nothing that was read for the member stays. */
export function forgetSession(): void {
  actAs(null)
  queryClient.setQueryData(sessionQuery.queryKey, null)
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== queryKeys.session[0] })
}

/** Ends the session on the server. The caller leaves the page. */
export function signOut(): Promise<void> {
  return call('DELETE /session')
}

const NOBODY: Session = {
  user: { id: '', name: '', email: '', twoFactorEnabled: false },
  account: { id: '', name: '', plan: 'FREE' },
  accounts: [],
  role: 'reviewer',
  rights: [],
  operator: false,
  socialSetIds: [],
  preferences: {
    theme: 'auto',
    locale: null,
    hourCycle: 'auto',
    weekStart: 'auto',
    timezone: null,
    shortcuts: true,
    presence: true,
    accountGroups: [],
  },
}
