import {
  type AskedQuery,
  type GuestCalendar,
  type GuestCalendarQuery,
  type GuestCard,
  kindsOfPosts,
  LIMITS,
} from '#contract'
import { excerptOf, isId } from '#domain'
import {
  type Database,
  listSharedCards,
  listSharedNotes,
  noteLook,
  type SharedCardRow,
  type SharedNoteRow,
  socialSetPlaces,
} from '#persistence'
import { goodTime } from '../read-body.ts'
import { checkCursor, checkRange, placeOfCursor } from '../read-query.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import type { Guest } from './guest.ts'
import { type Below, cardFacts, thumbnailPath } from './post.ts'

/** A month with the weeks around it, and room for a month before or after. */
const RANGE_DAYS = 62
const PAGE = LIMITS.guestVisits.cardsPerPage
/**
 * A page of what a link shows between two times; the first page includes the notes of its guests. The visit is
 * recorded.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readGuestCalendar(
  { db, base }: { db: Database } & Below,
  guest: Guest,
  query: AskedQuery<GuestCalendarQuery>,
): Promise<GuestCalendar> {
  const { after, ...asked } = await readAsked(db, guest, query)
  const range = { ...asked, limit: PAGE + 1 }
  const captionCodePoints = LIMITS.excerpt.readCodePoints
  const cards = await listSharedCards(db, guest.calendar, { ...range, guestId: guest.id, captionCodePoints, after })
  const notes = after ? [] : await listSharedNotes(db, guest.calendar, range)
  if (guest.preview === null) await noteLook(db, guest.id, LIMITS.guestVisits.lookMinutes)
  const last = cards.length > PAGE ? cards[PAGE - 1] : undefined
  return {
    cards: cards.slice(0, PAGE).map((row) => cardAnswer(row, guest, base)),
    notes: notes.slice(0, PAGE).map(guestNoteAnswer),
    truncated: notes.length > PAGE,
    next: last ? `${last.scheduledAt.toISOString()}_${last.id}` : null,
  }
}

/** Times without an offset are those of the first brand. */
async function readAsked(db: Database, guest: Guest, query: AskedQuery<GuestCalendarQuery>) {
  const socialSetIds = brandsOf(query.peek().socialSetId, guest)
  const [brand] = await socialSetPlaces(db, socialSetIds.slice(0, 1))
  const timezone = brand?.timezone ?? 'UTC'
  const { from, to, cursor } = query.read((read, problem) => {
    checkCursor(read, problem)
    checkRange(read, problem, { timezone, days: RANGE_DAYS })
  })
  return { socialSetIds, from: goodTime(from, timezone), before: goodTime(to, timezone), after: placeOfCursor(cursor) }
}

function brandsOf(named: unknown, { calendar }: Guest): readonly string[] {
  if (typeof named !== 'string') return calendar.socialSetIds
  const id = named.toLowerCase()
  if (!isId(named) || !calendar.socialSetIds.includes(id)) throw socialSetNotFound()
  return [id]
}

function cardAnswer(row: SharedCardRow, guest: Guest, base: string): GuestCard {
  const { accountTypes, mediaType, mediaCount, picture, caption } = row
  return {
    ...cardFacts(row, guest),
    ...{ accountTypes, mediaType, mediaCount },
    kinds: kindsOfPosts(row.forms),
    excerpt: excerptOf(caption, LIMITS.excerpt.codePoints),
    thumbnailUrl: picture && thumbnailPath(base, guest, picture),
  }
}

export function guestNoteAnswer({ scheduledAt, ...note }: SharedNoteRow) {
  return { ...note, scheduledAt: scheduledAt.toISOString() }
}
