import { queryOptions } from '@tanstack/react-query'
import { MINUTE_MS } from '#contract/durations'
import { readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

export { connectionsQuery } from '../planning/brands/connections-query.ts'

/** What must be reconnected, in every social set that the member sees. */
export const attentionQuery = queryOptions({
  queryKey: queryKeys.connections.list({ attention: true }),
  queryFn: ({ signal }) => call('GET /connections/attention', { signal }),
})

const WORKING_MS = 1_000

/** The outcome of a sign-in on a network. Asked again while the network is still being asked. */
export const signInQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.connections.list({ signIn: id }),
    queryFn: ({ signal }) => call('GET /connections/authorizations/:id', { params: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'WORKING' ? WORKING_MS : false),
  })

/** The publishing defaults of a connection. The network is asked what it offers: not again and again. */
export const defaultsQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.connections.one(id), 'defaults'],
    queryFn: ({ signal }) => call('GET /connections/:id/defaults', { params: { id }, signal }),
    staleTime: 5 * MINUTE_MS,
    refetchOnWindowFocus: false,
    retry: false,
  })

/** A sign-in has ended, here or in another window: what it may have connected is read. */
export const connectionsChanged = () => readAgain('POST /connections/authorizations/:id/choose')
