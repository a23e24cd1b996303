import { queryOptions } from '@tanstack/react-query'
import type { NetworkApp, NetworkAppResult } from '#contract'
import { change } from '../api/change.ts'
import { type Body, call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The operator's apps on the networks. */
export const networkAppsQuery = queryOptions({
  queryKey: queryKeys.networkApps,
  queryFn: ({ signal }) => call('GET /network-apps', { signal }),
})

export async function setNetworkApp({ id }: NetworkApp, body: Body<'PUT /network-apps/:id'>): Promise<void> {
  await change('PUT /network-apps/:id', { params: { id }, body })
}

export async function removeNetworkApp({ id }: NetworkApp, password: string): Promise<void> {
  await change('DELETE /network-apps/:id', { params: { id }, body: { password } })
}

/** Asks the network. */
export async function checkNetworkApp({ id }: NetworkApp): Promise<NetworkAppResult> {
  return (await call('POST /network-apps/:id/check', { params: { id } })).result
}
