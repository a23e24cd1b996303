import { type Database, type FeedContent, findOpenSharedCalendar, nearestShared } from '#persistence'

/** What a calendar program is shown of a shared calendar. Without links: guests have none in a calendar. */
export interface SharedFeed {
  name: string
  socialSetIds: readonly string[]
  /** Which post sets and notes those are now. */
  shown(db: Database): Promise<Pick<FeedContent, 'postSets' | 'notes'>>
}

/** So many of each, those nearest to now: as many as such a calendar has. */
const MOST = 2_000

/** What the shared calendar with that id shows; null if it is closed or expired. */
export async function sharedFeedScope(db: Database, id: string): Promise<SharedFeed | null> {
  const calendar = await findOpenSharedCalendar(db, id)
  if (!calendar) return null
  const { name, socialSetIds } = calendar
  return {
    name,
    socialSetIds,
    async shown(now) {
      const { postSetIds, noteIds } = await nearestShared(now, calendar, MOST)
      return { postSets: { ids: postSetIds }, notes: noteIds }
    },
  }
}
