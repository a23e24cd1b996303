import { newId } from '#domain'

/** The fact that tells which backup this database was filled with. */
export const RESTORED = 'restored'

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
