import { type GuestCalendar, type GuestCard, LIMITS, type QueryReader, readQuery } from '#contract'
import { daysAfter, excerptOf, isId } from '#domain'
import {
  type Database,
  listSharedCards,
  listSharedNotes,
  noteLook,
  type SharedCardRow,
  type SharedNoteRow,
  socialSetPlaces,
} from '#persistence'
import { readCursor } from '../read-cursor.ts'
import { readTimeFilter } from '../read-time-filter.ts'
import { socialSetNotFound } from '../social-sets/require.ts'
import type { Guest } from './guest.ts'
import { type Below, cardFacts, mediaPath } from './post.ts'

/** A month with the weeks around it, and room for a month before or after. */
const RANGE_DAYS = 62
const PAGE = LIMITS.sharedCalendars.cardsPerPage
const EXCERPT_CODE_POINTS = 120

/**
 * A page of what a link shows between two times, and with the first one the notes of its guests. `query` is a
 * `GuestCalendarQuery`. That a guest looks is noted.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readGuestCalendar(
  { db, base }: { db: Database } & Below,
  guest: Guest,
  query: string,
): Promise<GuestCalendar> {
  const reader = readQuery(query)
  const socialSetIds = readBrand(reader, guest)
  const after = readCursor(reader)
  const { from, before } = await readRange(db, reader, socialSetIds)
  const range = { socialSetIds, from, before, limit: PAGE + 1 }
  const captionCodePoints = 4 * EXCERPT_CODE_POINTS
  const cards = await listSharedCards(db, guest.calendar, { ...range, guestId: guest.id, captionCodePoints, after })
  const notes = after ? [] : await listSharedNotes(db, guest.calendar, range)
  if (guest.preview === null) await noteLook(db, guest.id, LIMITS.sharedCalendars.lookMinutes)
  const last = cards.length > PAGE ? cards[PAGE - 1] : undefined
  return {
    cards: cards.slice(0, PAGE).map((row) => cardAnswer(row, guest, base)),
    notes: notes.slice(0, PAGE).map(guestNoteAnswer),
    truncated: notes.length > PAGE,
    next: last ? `${last.scheduledAt.toISOString()}_${last.id}` : null,
  }
}

function readBrand(reader: QueryReader, { calendar }: Guest): readonly string[] {
  const named = reader.text('socialSetId')
  if (named === null) return calendar.socialSetIds
  const id = named.toLowerCase()
  if (!isId(named) || !calendar.socialSetIds.includes(id)) throw socialSetNotFound()
  return [id]
}

/** Times without an offset are those of the first brand. */
async function readRange(
  db: Database,
  reader: QueryReader,
  socialSetIds: readonly string[],
): Promise<{ from: Date; before: Date }> {
  const [brand] = await socialSetPlaces(db, socialSetIds.slice(0, 1))
  const timezone = brand?.timezone ?? 'UTC'
  const [from, before] = (['from', 'to'] as const).map((name) => {
    const { given, time } = readTimeFilter(reader, name, timezone)
    if (!given) reader.problem(name, 'is required')
    return time
  })
  if (from && before && from > before) reader.problem('from', 'must not be later than to')
  if (from && before && before > daysAfter(from, RANGE_DAYS, timezone)) {
    reader.problem('to', `must be at most ${RANGE_DAYS} days after from`)
  }
  reader.finish()
  if (!from || !before) throw new Error('A query that cannot be used was not refused.')
  return { from, before }
}

function cardAnswer(row: SharedCardRow, guest: Guest, base: string): GuestCard {
  const { accountTypes, mediaType, mediaCount, thumbnailOf, caption } = row
  return {
    ...cardFacts(row, guest),
    ...{ accountTypes, mediaType, mediaCount },
    excerpt: excerptOf(caption, EXCERPT_CODE_POINTS),
    thumbnailUrl: thumbnailOf === null ? null : mediaPath(base, guest, thumbnailOf, 'thumbnail'),
  }
}

export function guestNoteAnswer({ scheduledAt, ...note }: SharedNoteRow) {
  return { ...note, scheduledAt: scheduledAt.toISOString() }
}
