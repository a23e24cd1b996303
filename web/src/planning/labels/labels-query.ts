import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Label } from '#contract'
import { call } from '../../api/client.ts'
import { readEveryPage } from '../../api/every-page.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** All labels of the account, by id. */
export function useLabels(): ReadonlyMap<string, Label> {
  const { data } = useQuery(labelsQuery)
  return useMemo(() => new Map(data?.map((label) => [label.id, label])), [data])
}

export const labelsQuery = queryOptions({
  queryKey: queryKeys.labels.list({ all: true }),
  queryFn: ({ signal }) => readEveryPage((query) => call('GET /labels', { query, signal })),
  staleTime: 60_000,
})
