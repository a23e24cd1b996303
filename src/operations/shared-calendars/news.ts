import { LIMITS } from '#contract'
import { newLinkToken } from '#domain'
import type { NewsGuest } from '#news'
import { type Database, findGuestsWithNews, insertWayIn } from '#persistence'
import { sharedAddress } from './serialize.ts'

/**
 * The given guests who may get mail now: their address is confirmed, and their link open. Each gets a separate way
 * in, valid for 30 days.
 */
export async function findGuestsToNotify(
  { db, publicUrl }: { db: Database; publicUrl: string },
  ids: readonly string[],
): Promise<NewsGuest[]> {
  const hours = 24 * LIMITS.guestVisits.mailedEntryDays
  const guests: NewsGuest[] = []
  for (const { sharedCalendarId, ...guest } of await findGuestsWithNews(db, ids)) {
    const { token, hash: tokenHash } = newLinkToken()
    await insertWayIn(db, { tokenHash, sharedCalendarId, guestId: guest.id, hours })
    const address = sharedAddress(publicUrl, token)
    guests.push({ ...guest, urlOf: (postSetId) => (postSetId === null ? address : `${address}?post=${postSetId}`) })
  }
  return guests
}
