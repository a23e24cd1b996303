import type { Noun } from '#contract'
import { call, type EndpointName } from './client.ts'
import { queryClient } from './query-client.ts'

/**
 * Calls an endpoint, and reads again what is on the screen of what it touches, as its row in the contract says: answers when that is
 * there. Throws ApiError.
 */
export const change: typeof call = async (name, ...given) => {
  const answer = await call(name, ...given)
  await readAgain(name)
  return answer
}

/**
 * Reads again what an endpoint touches. Which that is comes with the first change, not with the first screen; where it does not come,
 * as after an update of the server, everything is read again. Who the member is comes first: it decides what else is asked for.
 *
 * @param later what is open of these is not asked for now, but when it is opened again
 */
export async function readAgain(name: EndpointName, later: readonly Noun[] = []): Promise<void> {
  const rows = await import('./touches.ts').catch(() => null)
  if (!rows) return queryClient.invalidateQueries()
  const nouns = rows.TOUCHES[name] ?? []
  const read = (noun: Noun) =>
    queryClient.invalidateQueries({ queryKey: [noun], refetchType: later.includes(noun) ? 'none' : 'active' })
  if (nouns.includes('session')) await read('session')
  await Promise.all(nouns.filter((noun) => noun !== 'session').map(read))
}
