import { sql } from 'kysely'
import type { Database } from './database.ts'
import { isVisible, type Visible } from './visible.ts'

/** The stream of a window. */
interface PresenceRow {
  streamId: string
  /** Of the connection. */
  holder: string
  accountId: string
  userId: string
}

/** What is not renewed lapses after this. By the real clock, as all that lives with a process. */
const LASTS = sql`clock_timestamp() + interval '2 minutes'`

/** Begins the row of a stream, or goes on with that of a stream of the same window; removes what has lapsed of any. */
export async function beginPresence(db: Database, row: PresenceRow): Promise<void> {
  await sql`
    with lapsed as (
      delete from presences where stream_id = any(array(
        select stream_id from presences where until < clock_timestamp() and stream_id <> ${row.streamId}::uuid
        limit 500 for update skip locked)))
    insert into presences (stream_id, holder, account_id, user_id, until)
    values (${row.streamId}, ${row.holder}, ${row.accountId}, ${row.userId}, ${LASTS})
    on conflict (stream_id) do update set holder = excluded.holder, until = excluded.until, account_id = excluded.account_id,
      post_set_id = case when presences.account_id = excluded.account_id then presences.post_set_id end
    where presences.user_id = excluded.user_id`.execute(db)
}

export async function renewPresence(db: Database, { streamId, holder }: PresenceRow): Promise<void> {
  await sql`update presences set until = ${LASTS} where stream_id = ${streamId} and holder = ${holder}`.execute(db)
}

/** Ends the row with its stream, unless a newer one has it. */
export async function endPresence(db: Database, { streamId, holder }: PresenceRow): Promise<void> {
  await sql`delete from presences where stream_id = ${streamId} and holder = ${holder}`.execute(db)
}

/** Writes which post set a member's window has open. False: it has no stream now, or one of another account. */
export async function sayPresence(
  db: Database,
  { streamId, userId, postSetId }: { streamId: string; userId: string; postSetId: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update presences set post_set_id = ${postSetId}::uuid,
      social_set_id = (select social_set_id from post_sets where id = ${postSetId}::uuid)
    where stream_id = ${streamId} and user_id = ${userId} and (${postSetId}::uuid is null or exists (
      select from post_sets where id = ${postSetId}::uuid and account_id = presences.account_id))`.execute(db)
  return numAffectedRows === 1n
}

/** Whether a post set is on a calendar that is seen. */
export async function isOnCalendar(db: Database, visible: Visible, id: string): Promise<boolean> {
  const seen = isVisible(visible, { account: 'account_id', socialSet: 'social_set_id' })
  const { rows } = await sql`select from post_sets where id = ${id} and ${seen}`.execute(db)
  return rows.length > 0
}

/** More are not shown. */
const MOST = 20

const wants = (preferences: string) => sql`coalesce((${sql.ref(preferences)} ->> 'presence')::boolean, true)`

/** Who else has a post set open, by name: members who see its social set now and want to be seen. No one for who does not. */
export async function listPresent(
  db: Database,
  { postSetId, userId }: { postSetId: string; userId: string },
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select person.id, person.name from users person
    where person.id <> ${userId} and ${wants('person.preferences')}
      and exists (select from users me where me.id = ${userId} and ${wants('me.preferences')})
      and exists (
        select from presences presence join memberships membership
          on membership.user_id = presence.user_id and membership.account_id = presence.account_id
        where presence.user_id = person.id and presence.post_set_id = ${postSetId} and presence.until > clock_timestamp()
          and (membership.social_set_ids is null or presence.social_set_id = any(membership.social_set_ids)))
    order by person.name, person.id limit ${MOST}`.execute(db)
  return rows
}
