import type { ColumnType, Generated } from 'kysely'
import type { PlanName, Preferences, Scope } from '#contract'

/** What a link that was sent to a person does. */
export type UserLinkPurpose = 'password-reset' | 'email-change'

/** A JSON column that has a default: read as its value, written as text. */
export type GeneratedJson<T> = ColumnType<T, string | undefined, string>

/** Accounts, who belongs to them, and how people and programs come in. */
export interface PeopleTables {
  users: {
    id: string
    name: string
    email: string
    email_verified: Generated<boolean>
    image: string | null
    two_factor_enabled: Generated<boolean>
    is_operator: Generated<boolean>
    preferences: GeneratedJson<Partial<Preferences>>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  accounts: {
    id: string
    name: string
    slug: string
    logo: string | null
    metadata: string | null
    plan: PlanName
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  user_credentials: {
    id: string
    user_id: string
    provider_id: string
    provider_account_id: string
    password: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  /** Written by the sign-in library, too. */
  sessions: {
    id: string
    token: string
    user_id: string
    active_account_id: string | null
    expires_at: Date
    ip_address: string | null
    user_agent: string | null
    last_used_at: Generated<Date>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  two_factors: { id: string; user_id: string; secret: string; backup_codes: string; verified: boolean }
  user_links: {
    token_hash: Buffer
    user_id: string
    purpose: UserLinkPurpose
    email: string | null
    expires_at: Date
  }
  email_changes: {
    user_id: string
    email: string
    requested_at: Generated<Date>
    confirmed_in: Generated<string[]>
    refused_by: string | null
  }
  memberships: {
    id: string
    account_id: string
    user_id: string
    role: string
    social_set_ids: string[] | null
    created_at: Generated<Date>
    /** Brands by their ids, each with when the member could last see its addresses and then lost the right to. */
    addresses_seen: Generated<Record<string, string>>
  }
  invitations: {
    id: string
    account_id: string
    email: string
    role: string
    social_set_ids: string[] | null
    token_hash: Buffer
    invited_by: string | null
    inviter_name: string
    created_at: Generated<Date>
    expires_at: Date
    accepted_at: Date | null
    revoked_at: Date | null
  }
  api_keys: {
    id: string
    account_id: string
    name: string
    prefix: string
    secret_hash: Buffer
    scopes: Scope[]
    social_set_ids: string[] | null
    created_by: string | null
    created_at: Generated<Date>
    last_used_at: Date | null
    last_used_address: string | null
    expires_at: Date | null
    disabled_at: Date | null
    revoked_at: Date | null
    /** Name of the person, or `operator`. */
    revoked_by: string | null
  }
}
