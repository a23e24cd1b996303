import { queryOptions } from '@tanstack/react-query'
import type { ApiKey, ApiKeyBody, ApiKeyUpdateBody, CreatedApiKey } from '#contract'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

export const apiKeysQuery = queryOptions({
  queryKey: queryKeys.apiKeys.list(),
  queryFn: ({ signal }) => call('GET /api-keys', { signal }),
})

/** What a key has done lately. It changes by itself. */
export const keyCallsQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.apiKeys.list({ callsOf: id }),
    queryFn: ({ signal }) => call('GET /api-keys/:id/calls', { params: { id }, signal }),
    refetchInterval: 5_000,
  })

export async function createApiKey(body: ApiKeyBody): Promise<CreatedApiKey> {
  const made = await change('POST /api-keys', { body })
  return made
}

export async function updateApiKey(id: string, body: ApiKeyUpdateBody): Promise<void> {
  await change('PATCH /api-keys/:id', { params: { id }, body })
}

/** Makes a key that replaces another one. */
export async function rotateApiKey(id: string, password: string): Promise<CreatedApiKey> {
  return change('POST /api-keys/:id/rotate', { params: { id }, body: { password } })
}

export async function actOnApiKey(
  { id }: Pick<ApiKey, 'id'>,
  verb: 'disable' | 'enable' | 'revoke',
  password: string,
): Promise<void> {
  await change(`POST /api-keys/:id/${verb}`, { params: { id }, body: { password } })
}
