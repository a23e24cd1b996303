import type { ColumnType } from 'kysely'

/** What is kept of requests: their answers, and counts of them. */
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
  attempts: { subject: string; tries: number; began_at: Date }
  rate_windows: { subject: string; started_at: Date; used: number }
}
