import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ClockJump } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** A start that is held and a jump of the clock come and go for everybody, and no event says so. */
const LOOK_MS = 60_000
const LOOK_WHILE_MS = 20_000

/** Where publishing is stopped, of everything that the member sees; a start that is held, and a clock that has jumped ahead. */
export const holdsQuery = queryOptions({
  queryKey: queryKeys.holds.list(),
  queryFn: ({ signal }) => call('GET /holds', { signal }),
  refetchInterval: ({ state }) => (state.data?.start || state.data?.clock ? LOOK_WHILE_MS : LOOK_MS),
})

/** The clock that has jumped ahead; null while it is believed. */
export function useClockJump(): ClockJump | null {
  return useQuery(holdsQuery).data?.clock ?? null
}
