import type { ColumnType } from 'kysely'

/** What is kept of requests: their answers, and counts of them; and when what is kept was last looked through. */
export interface RequestTables {
  idempotency_keys: {
    api_key_id: string
    key: string
    request_hash: Buffer
    status: number
    headers: ColumnType<Record<string, string>, string, string>
    body: string | null
    answered_at: ColumnType<Date, Date | undefined, Date>
  }
  /** src/housekeeping/README.md says what they are. */
  chores: {
    name: string
    next_at: ColumnType<Date, Date | undefined, Date>
    ran_at: Date | null
    lease_owner: string | null
    lease_until: Date | null
  }
  attempts: { subject: string; tries: number; began_at: Date }
  rate_windows: { subject: string; started_at: Date; used: number }
}
