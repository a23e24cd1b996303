import type { Noun } from '#contract'
import { call, type EndpointName } from './client.ts'
import { queryClient } from './query-client.ts'
import { TOUCHES } from './touches.ts'

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
 * Reads again what an endpoint touches.
 *
 * @param later what is open of these is not asked for now, but when it is opened again
 */
export async function readAgain(name: EndpointName, later: readonly Noun[] = []): Promise<void> {
  await Promise.all(
    (TOUCHES[name] ?? []).map((noun) =>
      queryClient.invalidateQueries({ queryKey: [noun], refetchType: later.includes(noun) ? 'none' : 'active' }),
    ),
  )
}
