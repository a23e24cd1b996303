import type { Generated } from 'kysely'
import type { AccountType, AlertKind, Reason } from '#contract'

/** src/alerting/README.md has the states. */
export interface AlertTables {
  alerts: {
    id: string
    account_id: string
    social_set_id: string
    kind: AlertKind
    account_type: AccountType
    connection_id: string | null
    post_set_id: string | null
    post_id: string | null
    reason: Reason
    message: string
    created_at: Generated<Date>
    addressed_at: Date | null
  }
  alert_sends: {
    id: string
    alert_id: string
    /** Null: the receiver. */
    user_id: string | null
    state: Generated<'WAITING' | 'SENT' | 'GIVEN_UP'>
    attempts: Generated<number>
    next_at: Date
    error: string | null
    ended_at: Date | null
  }
}
