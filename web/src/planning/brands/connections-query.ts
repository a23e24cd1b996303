import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** What a brand is connected to, and what it can be connected to. */
export const connectionsQuery = (socialSetId: string) =>
  queryOptions({
    queryKey: queryKeys.connections.list({ socialSetId }),
    queryFn: ({ signal }) => call('GET /connections', { query: { socialSetId }, signal }),
  })
