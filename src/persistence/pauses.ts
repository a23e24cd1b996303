import { sql } from 'kysely'
import { DAY_MS } from '#contract/durations'
import type { Pause } from '#domain'
import type { Database } from './database.ts'

/** No pause is longer: even when the network has named a later time, it is asked again then. */
const LONGEST_MS = DAY_MS

/**
 * Pauses the identity of a connection, whose heads wait from now on, or closes a lane for new work. A pause that lasts longer
 * stays. `until` is by a clock that says `at`. In the transaction that stores the delivery which has learned of it. What all demo accounts share is no app of a
 * network: each of them waits for itself.
 */
export async function pause(
  trx: Database,
  { connectionId, lane }: { connectionId: string; lane: string },
  { scope, until: time, message }: Pause,
  at: Date,
): Promise<void> {
  const until = sql<Date>`least(${time}::timestamptz, ${new Date(at.getTime() + LONGEST_MS)}::timestamptz)`
  const identity = await trx
    .selectFrom('connections')
    .innerJoin('network_identities', 'network_identities.id', 'connections.identity_id')
    .select(['network_identities.id', 'network_identities.sandbox'])
    .where('connections.id', '=', connectionId)
    .executeTakeFirst()
  if (!identity) return
  if (scope === 'app' && !identity.sandbox) {
    await sql`
      insert into lanes (name, not_before, not_before_message, paused_at) values (${lane}, ${until}, ${message}, ${at})
      on conflict (name) do update set not_before = excluded.not_before, not_before_message = excluded.not_before_message,
        paused_at = excluded.paused_at
      where coalesce(lanes.not_before < excluded.not_before, true)`.execute(trx)
    return
  }
  await sql`
    update network_identities set not_before = ${until}, not_before_message = ${message}, paused_at = ${at}
    where id = ${identity.id} and coalesce(not_before < ${until}, true)`.execute(trx)
  // A head that is being taken at the moment meets the pause in its turn.
  await sql`
    with heads as (
      select id from deliveries
      where connection_id in (select id from connections where identity_id = ${identity.id}) and place = 'HEAD'
        and result is null
      for update skip locked
    )
    update deliveries set place = 'WAITING' from heads where deliveries.id = heads.id`.execute(trx)
}
