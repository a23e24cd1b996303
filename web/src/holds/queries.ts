import { queryOptions } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

const HELD_START_MS = 30_000

/** Where publishing is stopped, of everything that the member sees. */
export const holdsQuery = queryOptions({
  queryKey: queryKeys.holds.list(),
  queryFn: ({ signal }) => call('GET /holds', { signal }),
  // A start that is held ends for everybody, and no event says so.
  refetchInterval: ({ state }) => (state.data?.start ? HELD_START_MS : false),
})

/** Everything that says what goes out is read again. */
export async function holdsChanged(): Promise<void> {
  const { holds, socialSets, connections, calendar, postSets } = queryKeys
  await Promise.all(
    [holds, socialSets, connections, calendar, postSets].map(({ all }) =>
      queryClient.invalidateQueries({ queryKey: all }),
    ),
  )
}
