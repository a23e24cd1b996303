import { queryOptions } from '@tanstack/react-query'
import type { NetworkApp, NetworkAppResult } from '#contract'
import { type Body, call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The operator's apps on the networks. */
export const networkAppsQuery = queryOptions({
  queryKey: queryKeys.networkApps,
  queryFn: ({ signal }) => call('GET /network-apps', { signal }),
})

export async function setNetworkApp({ id }: NetworkApp, body: Body<'PUT /network-apps/:id'>): Promise<void> {
  await call('PUT /network-apps/:id', { params: { id }, body })
  await readAgain()
}

export async function removeNetworkApp({ id }: NetworkApp, password: string): Promise<void> {
  await call('DELETE /network-apps/:id', { params: { id }, body: { password } })
  await readAgain()
}

/** Asks the network. */
export async function checkNetworkApp({ id }: NetworkApp): Promise<NetworkAppResult> {
  return (await call('POST /network-apps/:id/check', { params: { id } })).result
}

/** What can be connected follows from it. */
async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.networkApps }),
    queryClient.invalidateQueries({ queryKey: queryKeys.connections.all }),
  ])
}
