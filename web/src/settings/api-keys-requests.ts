import { queryOptions } from '@tanstack/react-query'
import type { ApiKey, ApiKeyBody, ApiKeyUpdateBody, CreatedApiKey } from '#contract'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

export const apiKeysQuery = queryOptions({
  queryKey: queryKeys.apiKeys.list(),
  queryFn: ({ signal }) => call('GET /api-keys', { signal }),
})

export async function createApiKey(body: ApiKeyBody): Promise<CreatedApiKey> {
  const made = await call('POST /api-keys', { body })
  await readAgain()
  return made
}

export async function updateApiKey(id: string, body: ApiKeyUpdateBody): Promise<void> {
  await call('PATCH /api-keys/:id', { params: { id }, body })
  await readAgain()
}

export async function actOnApiKey(
  { id }: Pick<ApiKey, 'id'>,
  verb: 'disable' | 'enable' | 'revoke',
  password: string,
): Promise<void> {
  await call(`POST /api-keys/:id/${verb}`, { params: { id }, body: { password } })
  await readAgain()
}

async function readAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.apiKeys.all }),
    queryClient.invalidateQueries({ queryKey: queryKeys.plan.all }),
  ])
}
