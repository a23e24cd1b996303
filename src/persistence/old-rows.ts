import { type RawBuilder, sql } from 'kysely'
import { LIMITS } from '#contract'
import { type Database, inBatches, settledNow } from './database.ts'

/** Rows that one statement of a removal takes. */
const BATCH = 500

/** How long after their end rows are kept. */
export const KEPT = {
  /** An upload that ended, after its end. */
  uploadDays: 30,
  /** An invitation, after it was accepted or revoked or has expired. */
  invitationDays: 30,
  /** A sign-in on the pages of a network, after its time was over. */
  authorizationDays: 1,
  /** A count of wrong passwords, after its first one. */
  attemptDays: 1,
  /** The history of a post set, after the set has gone for good. */
  historyDays: 365,
  /** A copy of a file that was made for networks. */
  renditionDays: 30,
  /** The secret of an account on a network, after its last connection was closed. */
  secretDays: 1,
  /** What a member has typed and not saved, after it was last changed or opened. */
  keptDraftDays: 90,
  /** A calendar as it was written for its address, after it was last asked for. */
  keptFeedDays: 7,
  /** What is known of the witness of a data folder, after it was last seen, and for so many days of running. */
  folderDays: 30,
  /** For so long after a delivery a network may still fetch its files. */
  fetchDays: 4,
} as const

const daysAgo = (days: number) => sql`${settledNow} - make_interval(days => ${days}::integer)`
/** Of what counts by the real clock. */
const reallyNow = sql`(select least(clock_timestamp(), clock_seen_at + interval '90 seconds') from heartbeat)`
const reallyDaysAgo = (days: number) => sql`${reallyNow} - make_interval(days => ${days}::integer)`

/** A process that runs raises the counter of the installation every five minutes. */
const RAISES_A_DAY = 288

/** Which rows of a table are old. */
const OLD = {
  sessions: sql`expires_at <= ${reallyNow}`,
  verifications: sql`expires_at <= ${reallyNow}`,
  user_links: sql`expires_at <= ${settledNow}`,
  email_changes: sql`requested_at <= ${daysAgo(LIMITS.emailChangeDays)}`,
  authorizations: sql`expires_at < ${daysAgo(KEPT.authorizationDays)}`,
  attempts: sql`began_at < ${reallyDaysAgo(KEPT.attemptDays)}`,
  watched_social_sets: sql`watched_until < ${reallyDaysAgo(1)}`,
  invitations: sql`coalesce(accepted_at, revoked_at, expires_at) < ${daysAgo(KEPT.invitationDays)}`,
  // What is left of a deleted one is small, and needed while requests may be on their way.
  kept_drafts: sql`greatest(updated_at, opened_at) < ${daysAgo(KEPT.keptDraftDays)} or (content is null and updated_at < ${daysAgo(1)})`,
  // Who asks finds it older than a minute, and notes that it was looked at.
  kept_calendar_feeds: sql`checked_at < ${daysAgo(KEPT.keptFeedDays)}`,
  // Not by the clock alone: while nothing runs, nothing could be compared with what is noted (src/operations/installation/README.md).
  data_folders: sql`noted_at < ${daysAgo(KEPT.folderDays)} and
    counter + ${KEPT.folderDays * RAISES_A_DAY}::bigint <= (select counter from installation_identity)`,
  call_marks: sql`not exists (
    select from deliveries where deliveries.id = call_marks.delivery_id
      and (deliveries.state <> 'DONE' or deliveries.part_looks is not null))`,
  // Nothing is kept for them any more.
  webhooks: sql`closed_at < ${daysAgo(LIMITS.webhooks.keptDays)}`,
  events: sql`at < ${daysAgo(LIMITS.events.keptDays)}`,
  // Their attempts go with them.
  webhook_sends: sql`created_at < ${daysAgo(LIMITS.events.keptDays)}`,
  media_uploads: sql`status in ('READY', 'FAILED') and updated_at < ${daysAgo(KEPT.uploadDays)}`,
} satisfies Record<string, RawBuilder<unknown>>

export interface Removal {
  batch?: number
  signal?: AbortSignal
}

/**
 * Removes the old rows of a table, in batches that are transactions of their own. Rows that others hold stay for the next
 * time. Resolves with how many were removed; so do all removals here.
 */
export function removeOldRows(
  db: Database,
  table: keyof typeof OLD,
  { batch = BATCH, signal }: Removal = {},
): Promise<number> {
  return inBatches({ batch, signal }, async () => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${OLD[table]} limit ${batch} for update skip locked))`.execute(db)
    return numAffectedRows
  })
}

/** Empties the handles of deliveries that have ended. Those that end now have none; earlier versions kept them. */
export function clearOldHandles(db: Database, { batch = BATCH, signal }: Removal = {}): Promise<number> {
  return inBatches({ batch, signal }, async () => {
    const { numAffectedRows } = await sql`
      update deliveries set handles = '{}' where id = any(array(
        select id from deliveries where state = 'DONE' and handles <> '{}' and part_looks is null
        order by finished_at limit ${batch} for update skip locked))`.execute(db)
    return numAffectedRows
  })
}

/** Cuts query and fragment off the addresses of imports that have ended, as it is done when one ends; earlier versions kept them. */
export async function cutImportQueries(db: Database, { batch = BATCH, signal }: Removal = {}): Promise<number> {
  const cut = (table: 'media_items' | 'media_uploads', column: string, kept: RawBuilder<unknown>) =>
    inBatches({ batch, signal }, async () => {
      const address = sql.ref(column)
      const { numAffectedRows } = await sql`
        update ${sql.table(table)} set ${address} = regexp_replace(${address}, '[?#].*', '') where id = any(array(
          select id from ${sql.table(table)} where ${kept} limit ${batch} for update skip locked))`.execute(db)
      return numAffectedRows
    })
  // As their indexes say it. While an import may be tried again it needs its address.
  const items = await cut('media_items', 'source_url', sql`source_url ~ '[?#]'`)
  return items + (await cut('media_uploads', 'url', sql`status in ('READY', 'FAILED') and url ~ '[?#]'`))
}

/**
 * Empties the sealed secrets of accounts on networks that have no open connection. One that is connected again meanwhile
 * keeps its new secret: its row has changed, and is not old any more.
 */
export function clearClosedSecrets(db: Database, { batch = BATCH, signal }: Removal = {}): Promise<number> {
  const old = sql`updated_at < ${daysAgo(KEPT.secretDays)} and coalesce(refreshed_at, updated_at) < ${daysAgo(KEPT.secretDays)}`
  return inBatches({ batch, signal }, async () => {
    const { numAffectedRows } = await sql`
      update network_identities set secret = null, secret_key_id = null, expires_at = null, renew_after = null,
        refresh_owner = null, refresh_until = null
      where id = any(array(
        select id from network_identities
        where secret is not null and ${old} and not exists (
          select from connections where connections.identity_id = network_identities.id
            and (connections.closed_at is null or connections.closed_at >= ${daysAgo(KEPT.secretDays)}
              or exists (select from deliveries
                where deliveries.connection_id = connections.id and deliveries.state <> 'DONE')))
        limit ${batch} for update skip locked))`.execute(db)
    return numAffectedRows
  })
}

/**
 * Forgets copies of files that were made long ago and that no network may fetch any more, and gives their keys in the store:
 * their files are the caller's to remove. They are made again when they are wanted again.
 */
export async function forgetOldRenditions(db: Database, batch = BATCH): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    delete from media_renditions where id = any(array(
      select id from media_renditions
      where created_at < ${daysAgo(KEPT.renditionDays)} and not exists (
        select from post_media join deliveries on deliveries.post_id = post_media.post_id
        where post_media.media_id = media_renditions.media_id
          and (deliveries.state <> 'DONE' or deliveries.finished_at >= ${daysAgo(KEPT.fetchDays)}))
      order by created_at limit ${batch} for update skip locked))
    returning storage_key as key`.execute(db)
  return rows.map(({ key }) => key)
}

/** Removes the history of post sets that have been gone for good for long. */
export function removeOldHistory(db: Database, { batch = BATCH, signal }: Removal = {}): Promise<number> {
  return inBatches({ batch, signal }, async () => {
    const { rows } = await sql<{ sets: bigint | number }>`
      with gone as (
        delete from purged_post_sets where id = any(array(
          select id from purged_post_sets where purged_at < ${daysAgo(KEPT.historyDays)}
          order by purged_at limit ${batch} for update skip locked))
        returning id
      ), forgotten as (delete from history using gone where history.post_set_id = gone.id)
      select count(*)::int as sets from gone`.execute(db)
    return BigInt(rows[0]?.sets ?? 0)
  })
}
