import { queryOptions } from '@tanstack/react-query'
import type { ApiKey, ApiKeyBody, ApiKeyList, ApiKeyUpdateBody, CreatedApiKey } from '#contract'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

export const apiKeysQuery = queryOptions({
  queryKey: queryKeys.apiKeys.list(),
  queryFn: ({ signal }) => api.get<ApiKeyList>('/api-keys', { signal }),
})

export async function createApiKey(body: ApiKeyBody): Promise<CreatedApiKey> {
  const made = await api.post<CreatedApiKey>('/api-keys', body)
  await readAgain()
  return made
}

export async function updateApiKey(id: string, body: ApiKeyUpdateBody): Promise<void> {
  await api.patch(`/api-keys/${id}`, body)
  await readAgain()
}

export async function actOnApiKey(
  { id }: Pick<ApiKey, 'id'>,
  verb: 'disable' | 'enable' | 'revoke',
  password: string,
): Promise<void> {
  await api.post(`/api-keys/${id}/${verb}`, { password })
  await readAgain()
}

async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys.all }),
    queryClient.invalidateQueries({ queryKey: queryKeys.plan.all }),
  ])
}
