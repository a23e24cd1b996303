import { type Database, findOpenSharedCalendar, nearestShared } from '#persistence'

/** What a calendar that other programs subscribe to shows of a shared calendar. */
export interface SharedFeed {
  name: string
  socialSetIds: readonly string[]
  postSets: { ids: readonly string[] }
  /** Ids of those that guests of the link have added. */
  notes: readonly string[]
}

/** So many of each, those nearest to now: as many as such a calendar has. */
const MOST = 2_000

/** What the shared calendar of that id shows now; null when it is closed or over. */
export async function sharedFeedScope(db: Database, id: string): Promise<SharedFeed | null> {
  const calendar = await findOpenSharedCalendar(db, id)
  if (!calendar) return null
  const { name, socialSetIds } = calendar
  const { postSetIds, noteIds } = await nearestShared(db, calendar, MOST)
  return { name, socialSetIds, postSets: { ids: postSetIds }, notes: noteIds }
}
