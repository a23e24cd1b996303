import { sql } from 'kysely'
import type { AccountType, Approval, Outcome, PostSetStatus } from '#contract'
import { type Database, now } from './database.ts'
import { lastOutcome, lastResult } from './post-sets.ts'
import { wholeTextOfPost } from './whole-text.ts'

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
      conflict.column(column).doUpdateSet({
        token_hash: feed.tokenHash,
        created_by: feed.createdBy,
        renewed_at: now,
        last_read_at: null,
      }),
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
interface OpenedFeed {
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
type FeedPostSets = { statuses: readonly PostSetStatus[]; waitingForClient: boolean } | { ids: readonly string[] }

/** What a feed shows: of which social sets, which post sets, and all notes or these alone. */
export interface FeedContent {
  socialSetIds: readonly string[]
  postSets: FeedPostSets
  notes: 'ALL' | readonly string[]
}

interface FeedBounds {
  daysBack: number
  daysAhead: number
  /** The most post sets, and the most notes: those nearest to now. */
  entries: number
  /** Of each caption, the beginning. */
  captionCodePoints: number
  /** The most that post sets, and notes, have in all: rows that would pass it, and all that are farther from now, are left out. */
  bytes: number
}

/** A post set of the text of `readFeedRows`. Times are ISO 8601. */
export interface FeedPostSetRow {
  id: string
  socialSetId: string
  scheduledAt: string
  status: PostSetStatus
  approval: Approval
  createdAt: string
  updatedAt: string
  version: number
  posts: { accountType: AccountType; caption: string; result: Outcome | null; permalink: string | null }[]
}

/** A note of the text of `readFeedRows`. Times are ISO 8601. */
export interface FeedNoteRow {
  id: string
  content: string
  scheduledAt: string
  timezone: string
  createdAt: string
  updatedAt: string
}

const DISTANCE = sql`abs(extract(epoch from scheduled_at - ${now}))`

const inWindow = ({ daysBack, daysAhead }: FeedBounds) => sql`
  scheduled_at between ${now} - make_interval(days => ${daysBack}::integer) and ${now} + make_interval(days => ${daysAhead}::integer)`

/** SQL: the rows of post_sets that a feed shows. */
function chosenPostSets({ socialSetIds, postSets }: FeedContent, bounds: FeedBounds) {
  const chosen =
    'ids' in postSets
      ? sql`id = any(${[...postSets.ids]}::uuid[])`
      : sql`(status = any(${[...postSets.statuses]}::text[])
          or (${postSets.waitingForClient} and approval = 'EXTERNAL_PENDING' and status in ('DRAFT', 'SCHEDULED')))`
  return sql`(
    select *, ${DISTANCE} as distance from post_sets
    where social_set_id = any(${[...socialSetIds]}::uuid[]) and ${inWindow(bounds)} and ${chosen}
    order by distance, id limit ${bounds.entries})`
}

/** SQL: the rows of notes that a feed shows. */
function chosenNotes({ socialSetIds, notes }: FeedContent, bounds: FeedBounds) {
  return sql`(
    select *, ${DISTANCE} as distance from notes
    where social_set_id = any(${[...socialSetIds]}::uuid[]) and ${inWindow(bounds)}
      and ${notes === 'ALL' ? sql`true` : sql`id = any(${[...notes]}::uuid[])`}
    order by distance, id limit ${bounds.entries})`
}

/** Rows of `all_rows`, with their `distance` and `row` as JSON, as one text: the nearest ones that have room, by time. */
const asText = (bounds: FeedBounds) => sql`
  select coalesce(json_agg(row order by scheduled_at, id), '[]')::text from (
    select *, sum(octet_length(row::text)) over (order by distance, id) as running from all_rows
  ) as measured where running <= ${bounds.bytes}`

/**
 * What a feed shows, each as a text that is an array of JSON (`FeedPostSetRow`, `FeedNoteRow`), by time: it is parsed where the
 * calendar is written.
 */
export async function readFeedRows(
  db: Database,
  content: FeedContent,
  bounds: FeedBounds,
): Promise<{ postSets: string; notes: string }> {
  const { rows } = await sql<{ postSets: string; notes: string }>`
    select (
      with all_rows as (
        select post_set.id, post_set.scheduled_at, post_set.distance, json_build_object(
          'id', post_set.id, 'socialSetId', post_set.social_set_id, 'scheduledAt', post_set.scheduled_at,
          'status', post_set.status, 'approval', post_set.approval, 'createdAt', post_set.created_at,
          'updatedAt', post_set.updated_at, 'version', post_set.version, 'posts', coalesce((
            select json_agg(json_build_object(
              'accountType', post.account_type, 'caption', left(${wholeTextOfPost}, ${bounds.captionCodePoints + 1}::integer),
              'result', ${sql.raw(lastOutcome)}, 'permalink', ${sql.raw(lastResult)} ->> 'permalink'
            ) order by post.position)
            from posts post where post.post_set_id = post_set.id
          ), '[]')) as row
        from ${chosenPostSets(content, bounds)} as post_set
      ) ${asText(bounds)}
    ) as "postSets", (
      with all_rows as (
        select note.id, note.scheduled_at, note.distance, json_build_object(
          'id', note.id, 'content', note.content, 'scheduledAt', note.scheduled_at,
          'timezone', (select timezone from social_sets where id = note.social_set_id), 'createdAt', note.created_at,
          'updatedAt', note.updated_at) as row
        from ${chosenNotes(content, bounds)} as note
      ) ${asText(bounds)}
    ) as notes`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A query for one row gave none.')
  return row
}

/**
 * A hash of what a feed shows, from what changes with it: another one means that `readFeedRows` may give something else. Reads no
 * captions.
 */
export async function readFeedVersion(db: Database, content: FeedContent, bounds: FeedBounds): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select (
      select coalesce(md5(string_agg(concat_ws(' ', post_set.id, post_set.version, post_set.updated_at,
        post_set.scheduled_at, post_set.status, post_set.approval,
        case when post_set.status in ('PUBLISHING', 'PUBLISHED') then (
          select string_agg(concat_ws(' ', ${sql.raw(lastOutcome)}, ${sql.raw(lastResult)} ->> 'permalink'),
            ' ' order by post.position)
          from posts post where post.post_set_id = post_set.id
        ) end), ',' order by post_set.id)), '')
      from ${chosenPostSets(content, bounds)} as post_set
    ) || ' ' || (
      select coalesce(md5(string_agg(concat_ws(' ', note.id, note.updated_at, note.scheduled_at, social_set.timezone,
        hashtextextended(note.content, 0)), ',' order by note.id)), '')
      from ${chosenNotes(content, bounds)} as note join social_sets as social_set on social_set.id = note.social_set_id
    ) as version`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A query for one row gave none.')
  return row.version
}
