import { sql } from 'kysely'
import type { AccountType, Approval, NoteColor, PostSetStatus } from '#contract'
import { type Database, now } from './database.ts'
import { lastResult } from './post-sets.ts'

/** What an address shows: a social set, or what a shared calendar shows. */
export type FeedOf = { socialSetId: string } | { sharedCalendarId: string }

export interface CalendarFeedRow {
  createdAt: Date
  renewedAt: Date | null
  lastReadAt: Date | null
}

const COLUMNS = ['created_at as createdAt', 'renewed_at as renewedAt', 'last_read_at as lastReadAt'] as const

const placeOf = (of: FeedOf) =>
  'socialSetId' in of
    ? ({ column: 'social_set_id', id: of.socialSetId } as const)
    : ({ column: 'shared_calendar_id', id: of.sharedCalendarId } as const)

/** The address of something; null when it has none. */
export async function findCalendarFeed(db: Database, of: FeedOf): Promise<CalendarFeedRow | null> {
  const { column, id } = placeOf(of)
  const row = await db.selectFrom('calendar_feeds').select(COLUMNS).where(column, '=', id).executeTakeFirst()
  return row ?? null
}

/** Gives something an address, or another one instead of the one that it has, which opens nothing from then on. */
export async function putCalendarFeed(
  trx: Database,
  feed: { id: string; accountId: string; of: FeedOf; tokenHash: Buffer; createdBy: string | null },
): Promise<CalendarFeedRow> {
  const { column, id } = placeOf(feed.of)
  return trx
    .insertInto('calendar_feeds')
    .values({
      id: feed.id,
      account_id: feed.accountId,
      [column]: id,
      token_hash: feed.tokenHash,
      created_by: feed.createdBy,
    })
    .onConflict((conflict) =>
      conflict.column(column).doUpdateSet({ token_hash: feed.tokenHash, renewed_at: now, last_read_at: null }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Takes the address of something away; false when it had none. */
export async function deleteCalendarFeed(trx: Database, of: FeedOf): Promise<boolean> {
  const { column, id } = placeOf(of)
  const { numDeletedRows } = await trx.deleteFrom('calendar_feeds').where(column, '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** What an address opens. */
export interface OpenedFeed {
  id: string
  accountId: string
  /** Null of a shared calendar. */
  socialSetId: string | null
  /** Of the social set. */
  name: string | null
  sharedCalendarId: string | null
}

/** The feed of an address by the hash of its token; notes that it was read, every ten minutes at most. */
export async function openCalendarFeed(db: Database, tokenHash: Buffer): Promise<OpenedFeed | null> {
  const { rows } = await sql<OpenedFeed & { noted: boolean }>`
    select feed.id, feed.account_id as "accountId", feed.social_set_id as "socialSetId", social_set.name,
      feed.shared_calendar_id as "sharedCalendarId",
      coalesce(feed.last_read_at > ${now} - interval '10 minutes', false) as noted
    from calendar_feeds as feed left join social_sets as social_set on social_set.id = feed.social_set_id
    where token_hash = ${tokenHash}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { noted, ...feed } = row
  if (!noted) {
    await db.updateTable('calendar_feeds').set({ last_read_at: now }).where('id', '=', feed.id).execute()
  }
  return feed
}

/** Which post sets a feed shows: those of these statuses, with those that wait for the client; or these alone. */
export type FeedPostSets =
  | { statuses: readonly PostSetStatus[]; waitingForClient: boolean }
  | { ids: readonly string[] }

export interface FeedPostSetRow {
  id: string
  socialSetId: string
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  createdAt: Date
  updatedAt: Date
  version: number
  posts: { accountType: AccountType; caption: string; result: 'POSTED' | 'FAILED' | null; permalink: string | null }[]
}

interface FeedWindow {
  socialSetIds: readonly string[]
  daysBack: number
  daysAhead: number
  /** The most rows: those nearest to now. */
  limit: number
}

const inWindow = ({ daysBack, daysAhead }: FeedWindow) => sql`
  scheduled_at between ${now} - make_interval(days => ${daysBack}::integer) and ${now} + make_interval(days => ${daysAhead}::integer)`
const nearest = ({ limit }: FeedWindow) => sql`
  order by abs(extract(epoch from scheduled_at - ${now})), id limit ${limit}`

/** The post sets of a feed, by time; of each caption the beginning. */
export async function listFeedPostSets(
  db: Database,
  shown: FeedPostSets,
  { captionCodePoints, ...window }: FeedWindow & { captionCodePoints: number },
): Promise<FeedPostSetRow[]> {
  const chosen =
    'ids' in shown
      ? sql`id = any(${[...shown.ids]}::uuid[])`
      : sql`(status = any(${[...shown.statuses]}::text[])
          or (${shown.waitingForClient} and approval = 'EXTERNAL_PENDING' and status in ('DRAFT', 'SCHEDULED')))`
  const { rows } = await sql<FeedPostSetRow>`
    select post_set.id, post_set.social_set_id as "socialSetId", post_set.scheduled_at as "scheduledAt", post_set.status,
      post_set.approval, post_set.created_at as "createdAt", post_set.updated_at as "updatedAt", post_set.version,
      coalesce((
        select json_agg(json_build_object(
          'accountType', post.account_type, 'caption', left(post.caption, ${captionCodePoints + 1}::integer),
          'result', ${sql.raw(lastResult)} ->> 'status', 'permalink', ${sql.raw(lastResult)} ->> 'permalink'
        ) order by post.position)
        from posts post where post.post_set_id = post_set.id
      ), '[]') as posts
    from (
      select * from post_sets
      where social_set_id = any(${[...window.socialSetIds]}::uuid[]) and ${inWindow(window)} and ${chosen} ${nearest(window)}
    ) as post_set
    order by post_set.scheduled_at, post_set.id`.execute(db)
  return rows
}

export interface FeedNoteRow {
  id: string
  content: string
  hexColor: NoteColor
  scheduledAt: Date
  timezone: string
  createdAt: Date
  updatedAt: Date
}

/** The notes of a feed, by time: all of its social sets, or these alone. */
export async function listFeedNotes(
  db: Database,
  shown: 'ALL' | readonly string[],
  window: FeedWindow,
): Promise<FeedNoteRow[]> {
  const { rows } = await sql<FeedNoteRow>`
    select note.id, note.content, note.hex_color as "hexColor", note.scheduled_at as "scheduledAt", social_set.timezone,
      note.created_at as "createdAt", note.updated_at as "updatedAt"
    from (
      select * from notes
      where social_set_id = any(${[...window.socialSetIds]}::uuid[]) and ${inWindow(window)}
        and ${shown === 'ALL' ? sql`true` : sql`id = any(${[...shown]}::uuid[])`} ${nearest(window)}
    ) as note join social_sets as social_set on social_set.id = note.social_set_id
    order by note.scheduled_at, note.id`.execute(db)
  return rows
}
