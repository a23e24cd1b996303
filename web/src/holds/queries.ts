import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Everything that says what goes out is read again. */
export async function holdsChanged(): Promise<void> {
  const { holds, socialSets, connections, calendar, postSets } = queryKeys
  await Promise.all(
    [holds, socialSets, connections, calendar, postSets].map(({ all }) =>
      queryClient.invalidateQueries({ queryKey: all }),
    ),
  )
}
