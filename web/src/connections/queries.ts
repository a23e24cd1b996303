import { queryOptions } from '@tanstack/react-query'
import type { ConnectionDefaults, ConnectionOverview, ConnectionSignIn, ConnectionsAttention } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** What a social set is connected to, and what it can be connected to. */
export const connectionsQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.connections.list({ socialSetId }),
    queryFn: ({ signal }) => api.get<ConnectionOverview>('/connections', { query: { socialSetId }, signal }),
  })

/** What must be renewed, in every social set that the member sees. */
export const attentionQuery = queryOptions({
  queryKey: queryKeys.connections.list({ attention: true }),
  queryFn: ({ signal }) => api.get<ConnectionsAttention>('/connections/attention', { signal }),
})

const WORKING_MS = 1_000

/** What became of a sign-in on a network. Asked again while the network is still being asked. */
export const signInQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.connections.list({ signIn: id }),
    queryFn: ({ signal }) =>
      api.get<ConnectionSignIn>(`/connections/authorizations/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'WORKING' ? WORKING_MS : false),
  })

/** The publishing defaults of a connection. The network is asked what it offers: not again and again. */
export const defaultsQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.connections.one(id), 'defaults'],
    queryFn: ({ signal }) => api.get<ConnectionDefaults>(`/connections/${encodeURIComponent(id)}/defaults`, { signal }),
    staleTime: 5 * 60_000,
    refetchOnWindowFocus: false,
    retry: false,
  })

/** Everything that shows connections is read again. */
export async function connectionsChanged(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.connections.all }),
    queryClient.invalidateQueries({ queryKey: queryKeys.socialSets.all }),
  ])
}
