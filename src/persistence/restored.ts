import { sql } from 'kysely'
import { newId } from '#domain'
import type { Database } from './database.ts'
import { closeWebhooksOfEndedKeys } from './webhooks.ts'

/** The fact that tells of which moment the newest backup of this database is. */
export const LAST_BACKUP = 'last-backup'
/** The fact that tells which backup this database was filled with. */
const RESTORED = 'restored'

/** What was closed since a backup was made may be open again. The newest of each, five at the most. */
export interface Reopened {
  takenAt: Date
  keys: { count: number; newest: string[] }
  members: { count: number; newest: string[] }
  links: { count: number; newest: string[] }
  webhooks: { count: number; newest: string[] }
}

/** What is open in a database that was filled with a backup; null in another one. */
export async function readReopened(db: Database): Promise<Reopened | null> {
  const { rows } = await sql<{ takenAt: Date }>`
    select (value ->> 'takenAt')::timestamptz as "takenAt" from installation where name = ${RESTORED}`.execute(db)
  const [restored] = rows
  if (!restored) return null
  const read = async (open: ReturnType<typeof sql>) => {
    const found = await sql<{ count: number; newest: string[] | null }>`
      with open as (${open})
      select (select count(*)::int from open) as count,
        (select array_agg(name order by since desc) from (select * from open order by since desc limit 5) as five) as newest`.execute(
      db,
    )
    return { count: found.rows[0]?.count ?? 0, newest: found.rows[0]?.newest ?? [] }
  }
  return {
    ...restored,
    keys: await read(sql`
      select api_keys.name || ' (' || accounts.name || ')' as name, api_keys.created_at as since
      from api_keys join accounts on accounts.id = account_id where ${OPEN_KEY}`),
    members: await read(sql`
      select users.email || ' (' || accounts.name || ')' as name, memberships.created_at as since
      from memberships join users on users.id = user_id join accounts on accounts.id = account_id`),
    links: await read(sql`
      select shared_calendars.name || ' (' || accounts.name || ')' as name, shared_calendars.created_at as since
      from shared_calendars join accounts on accounts.id = account_id where ${OPEN_LINK}`),
    // Of their addresses, which may hold secrets, the hosts.
    webhooks: await read(sql`
      select substring(webhooks.url from '^[a-z]+://([^/?#]+)') || ' (' || accounts.name || ')' as name, webhooks.created_at as since
      from webhooks join accounts on accounts.id = account_id where ${OPEN_WEBHOOK}`),
  }
}

const OPEN_KEY = sql`revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > almanac_now())`
const OPEN_LINK = sql`closed_at is null and (shared_calendars.expires_at is null or shared_calendars.expires_at > almanac_now())`

const OPEN_WEBHOOK = sql`closed_at is null and enabled`

/**
 * Closes all keys with their webhooks, or all shared calendars with what was entered by them and all feeds, and switches all webhooks
 * off. @returns how many of each
 */
export async function closeReopened(
  trx: Database,
  { keys, links }: { keys: boolean; links: boolean },
  by: string,
): Promise<{ keys: number; links: number; webhooks: number }> {
  const closed = { keys: 0, links: 0, webhooks: 0 }
  if (keys) {
    const { numAffectedRows } = await sql`
      update api_keys set revoked_at = almanac_now(), revoked_by = ${by} where ${OPEN_KEY}`.execute(trx)
    closed.keys = Number(numAffectedRows ?? 0)
    await closeWebhooksOfEndedKeys(trx)
  }
  if (links) {
    const { numAffectedRows } = await sql`
      update shared_calendars set closed_at = almanac_now() where ${OPEN_LINK}`.execute(trx)
    closed.links = Number(numAffectedRows ?? 0)
    await sql`delete from shared_keys`.execute(trx)
    await sql`delete from calendar_feeds`.execute(trx)
    const webhooks = await sql`update webhooks set enabled = false where ${OPEN_WEBHOOK}`.execute(trx)
    closed.webhooks = Number(webhooks.numAffectedRows ?? 0)
  }
  return closed
}

/** More events than an account has in the time that a backup is behind. */
const POSITIONS_APART = 1_000_000

type Query = (text: string, values?: unknown[]) => Promise<unknown>

/**
 * What belongs to the transaction that fills a database with a backup: its start is held until a person answers, all sessions and what
 * was begun in them end, and what was to be mailed or sent to receivers is not sent again.
 */
export async function afterRestore(
  query: Query,
  { takenAt, forget }: { takenAt: Date; forget: readonly string[] },
): Promise<void> {
  const taken = takenAt.toISOString()
  await query('delete from sessions')
  await query('delete from user_links')
  await query('delete from authorizations')
  await query('delete from installation where name = any($1::text[])', [[...forget]])
  for (const table of ['news_sends', 'alert_sends']) {
    await query(`
      update ${table} set state = 'GIVEN_UP', ended_at = almanac_now(), error = 'A backup was restored before it was sent.'
      where state = 'WAITING'`)
  }
  // What happened after the backup had positions too: who has seen them finds out that they are none any more.
  await query(`update event_positions set newest = newest + ${POSITIONS_APART}`)
  await query(
    `insert into held_starts (id, why, signs, last_ran_at) values ($1, 'COPY', $2::jsonb, $3)
    on conflict do nothing`,
    [newId(), JSON.stringify([`It was restored from the backup of ${taken}.`]), takenAt],
  )
  await query(
    `insert into installation (name, value) values ($1, jsonb_build_object('takenAt', $2::text, 'at', almanac_now()))
    on conflict (name) do update set value = excluded.value`,
    [RESTORED, taken],
  )
}
