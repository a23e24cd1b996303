import type { Generated } from 'kysely'

/** Links of accounts for people outside of them, and who comes by them. */
export interface SharedTables {
  shared_calendars: {
    id: string
    account_id: string
    name: string
    social_set_ids: string[]
    token_hash: Buffer
    passcode_hash: string | null
    shows_scheduled: boolean
    shows_drafts: boolean
    shows_published: boolean
    allows_comment: boolean
    allows_decide: boolean
    allows_notes: boolean
    last_day: Date | string | null
    expires_at: Date | null
    created_by: string | null
    created_by_name: string
    created_at: Generated<Date>
    renewed_at: Date | null
    renewed_by: Generated<string | null>
    closed_at: Date | null
  }
  shared_guests: {
    id: string
    shared_calendar_id: string
    name: string | null
    device: string
    email: string | null
    locale: string | null
    created_at: Generated<Date>
    first_look_at: Date | null
    last_look_at: Date | null
    looks: Generated<number>
  }
  shared_visits: { token_hash: Buffer; guest_id: string; expires_at: Date }
  shared_keys: {
    token_hash: Buffer
    purpose: 'enter' | 'confirm' | 'begin'
    shared_calendar_id: string
    guest_id: string | null
    email: string | null
    expires_at: Date
    /** Of the member who looks. */
    user_id: string | null
  }
  shared_seen: {
    guest_id: string
    post_set_id: string
    version: number
    before_version: Generated<number | null>
    content_version: number
    scheduled_at: Date
  }
  shared_decisions: {
    shared_calendar_id: string
    post_set_id: string
    guest_id: string | null
    guest_name: string
    approval: 'APPROVED' | 'DENIED'
    message: string | null
    content_version: number
    decided_at: Generated<Date>
  }
  shared_notes: { note_id: string; shared_calendar_id: string; guest_id: string | null; guest_name: string }
}
