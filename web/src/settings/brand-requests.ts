import type { SavedTime } from '#contract'
import { change } from '../api/change.ts'
import { call } from '../api/client.ts'

/** Changes the saved times of a brand from what they are now, so that what others changed meanwhile stays. */
export async function changeSavedTimes(id: string, wanted: (now: readonly SavedTime[]) => SavedTime[]): Promise<void> {
  const { times } = await call('GET /social-sets/:id/saved-times', { params: { id } })
  await change('PUT /social-sets/:id/saved-times', { params: { id }, body: { times: wanted(times) } })
}

export const isSame = (one: SavedTime, other: SavedTime) => one.weekday === other.weekday && one.time === other.time
