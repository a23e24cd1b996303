import { sql } from 'kysely'
import { type Database, now } from './database.ts'

/** Open endpoints, and how it goes with them, for the operator. */
export interface WebhookFaults {
  open: number
  /** Those of which everything fails for longer than ten minutes. */
  failing: number
  /** Of what waits for these, and for how many days the first one fails. */
  waiting: number
  days: number
  /** Of what waits for the others, how much is due for longer than ten minutes: then no process sends. */
  late: number
}

/** What an operator wants to know of webhooks; null when there are none. */
export async function readWebhookFaults(db: Database): Promise<WebhookFaults | null> {
  const { rows } = await sql<WebhookFaults>`
    with endpoint as (
      select webhooks.id, failing_since, coalesce(failing_since < ${now} - interval '10 minutes', false) as fails
      from webhooks left join api_keys on api_keys.id = key_id
      where closed_at is null and enabled and disabled_at is null
    ), waiting as (
      select fails, count(*) as count, count(*) filter (where next_at < ${now} - interval '10 minutes') as late
      from endpoint join webhook_sends on webhook_id = endpoint.id and state = 'WAITING' group by fails
    )
    select count(*)::int as open, count(*) filter (where fails)::int as failing,
      coalesce((select count from waiting where fails), 0)::int as waiting,
      coalesce(floor(extract(epoch from ${now} - min(failing_since) filter (where fails)) / 86400), 0)::int as days,
      coalesce((select late from waiting where not fails), 0)::int as late
    from endpoint`.execute(db)
  const [faults] = rows
  return faults && faults.open > 0 ? faults : null
}
