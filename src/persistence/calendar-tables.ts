import type { Generated } from 'kysely'
import type { ImportedCalendarFailureCode, NoteColor } from '#contract'

/** Calendars that come in, and addresses at which others read ours. */
export interface CalendarTables {
  imported_calendars: {
    id: string
    account_id: string
    social_set_id: string
    name: string
    hex_color: NoteColor
    secret: Buffer | null
    secret_key_id: string | null
    host: string | null
    /** Compressed by gzip. */
    file: Buffer | null
    file_name: string | null
    created_by: string | null
    paused_at: Date | null
    next_at: Generated<Date>
    lease_owner: string | null
    lease_until: Date | null
    tried_at: Date | null
    etag: string | null
    last_modified: string | null
    read_day: string | null
    read_timezone: string | null
    fetched_at: Date | null
    left_out: Generated<number>
    unreadable: Generated<number>
    failures: Generated<number>
    failing_since: Date | null
    failure_code: ImportedCalendarFailureCode | null
    failure_message: string | null
    reported_at: Date | null
    created_at: Generated<Date>
  }
  imported_notes: {
    calendar_id: string
    key: Buffer
    note_id: string
    day: string
    content: string
    hex_color: NoteColor
  }
  calendar_feeds: {
    id: string
    account_id: string
    social_set_id: string | null
    shared_calendar_id: string | null
    token_hash: Buffer
    created_by: string | null
    created_at: Generated<Date>
    renewed_at: Date | null
    last_read_at: Date | null
  }
  /** What is not null is so together. */
  kept_calendar_feeds: {
    feed_id: string
    checked_at: Date | null
    version: string | null
    etag: string | null
    /** Compressed by gzip. */
    body: Buffer | null
    bytes: number | null
  }
}
