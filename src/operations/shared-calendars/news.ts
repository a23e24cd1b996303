import { LIMITS } from '#contract'
import { newLinkToken } from '#domain'
import { type Database, findGuestsWithNews, insertWayIn } from '#persistence'
import { sharedAddress } from './serialize.ts'

/** A guest who may get mail now. */
interface GuestToNotify {
  id: string
  name: string
  email: string
  locale: string | null
  formal: boolean
  /** Brands that the link shows. */
  socialSetIds: readonly string[]
  /** Address of the shared calendar for this guest, with that post open; a secret. Null: the calendar alone. */
  urlOf(postSetId: string | null): string
}

/**
 * The given guests who may get mail now: their address is confirmed, and their link open. Each gets a separate way
 * in, valid for 30 days.
 */
export async function findGuestsToNotify(
  { db, publicUrl }: { db: Database; publicUrl: string },
  ids: readonly string[],
): Promise<GuestToNotify[]> {
  const hours = 24 * LIMITS.guestVisits.mailedEntryDays
  const guests: GuestToNotify[] = []
  for (const { sharedCalendarId, ...guest } of await findGuestsWithNews(db, ids)) {
    const { token, hash: tokenHash } = newLinkToken()
    await insertWayIn(db, { tokenHash, sharedCalendarId, guestId: guest.id, hours })
    const address = sharedAddress(publicUrl, token)
    guests.push({ ...guest, urlOf: (postSetId) => (postSetId === null ? address : `${address}?post=${postSetId}`) })
  }
  return guests
}
