import { sql } from 'kysely'
import { type Database, now } from './database.ts'

/** What an address was answered with last. */
interface KeptFeed {
  version: string
  etag: string
  /** Of the text. */
  bytes: number
  /** It was compared with what there is within the last minute. */
  isFresh: boolean
  /** So within the last ten minutes: it may be answered when it cannot be compared now. */
  isRecent: boolean
}

/** A clock that was set back makes nothing fresh. */
const IS_FRESH = sql<boolean>`coalesce(
  kept.checked_at > ${now} - interval '1 minute' and kept.checked_at <= ${now}, false)`

const IS_RECENT = sql<boolean>`coalesce(
  kept.checked_at > ${now} - interval '10 minutes' and kept.checked_at <= ${now}, false)`

const COLUMNS = sql`kept.version, kept.etag, kept.bytes, ${IS_FRESH} as "isFresh", ${IS_RECENT} as "isRecent"`

/** What is kept of a feed, without its text; null for nothing. */
export async function findKeptFeed(db: Database, feedId: string): Promise<KeptFeed | null> {
  const { rows } = await sql<KeptFeed>`
    select ${COLUMNS} from kept_calendar_feeds as kept where feed_id = ${feedId} and version is not null`.execute(db)
  return rows[0] ?? null
}

/**
 * What is kept of a feed, for who may write it: others, in all processes, wait until the transaction is over. `version` is null
 * while nothing is kept. Null: the feed was closed.
 */
export async function lockKeptFeed(
  trx: Database,
  feedId: string,
): Promise<{ version: string | null; isFresh: boolean } | null> {
  // One statement: what is removed because no one reads it is there again.
  const { rows } = await sql<{ version: string | null; isFresh: boolean }>`
    insert into kept_calendar_feeds as kept (feed_id)
    select id from calendar_feeds where id = ${feedId}
    on conflict (feed_id) do update set feed_id = excluded.feed_id
    returning kept.version, ${IS_FRESH} as "isFresh"`.execute(trx)
  return rows[0] ?? null
}

/** Notes that what is kept is what there is now. */
export async function keepFeedAsItIs(trx: Database, feedId: string): Promise<void> {
  await trx.updateTable('kept_calendar_feeds').set({ checked_at: now }).where('feed_id', '=', feedId).execute()
}

/** Keeps another text. `body` is compressed by gzip. */
export async function keepFeed(
  trx: Database,
  feedId: string,
  { version, etag, bytes, body }: Pick<KeptFeed, 'version' | 'etag' | 'bytes'> & { body: Uint8Array },
): Promise<void> {
  await trx
    .updateTable('kept_calendar_feeds')
    .set({ version, etag, bytes, body: Buffer.from(body), checked_at: now })
    .where('feed_id', '=', feedId)
    .execute()
}

/** The text that is kept, compressed by gzip, with what belongs to it; null for none. */
export async function readKeptFeed(
  db: Database,
  feedId: string,
): Promise<{ etag: string; bytes: number; body: Buffer } | null> {
  const { rows } = await sql<{ etag: string; bytes: number; body: Buffer }>`
    select etag, bytes, body from kept_calendar_feeds where feed_id = ${feedId} and version is not null`.execute(db)
  return rows[0] ?? null
}
