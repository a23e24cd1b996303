import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

export const webhooksQuery = queryOptions({
  queryKey: queryKeys.webhooks.list(),
  queryFn: ({ signal }) => call('GET /webhooks', { signal }),
})
