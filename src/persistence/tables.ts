import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type {
  AccountType,
  ActorType,
  Approval,
  ApprovalRuleName,
  ConnectionStatus,
  MediaCrop,
  MediaFacts,
  MediaTag,
  MediaUploadErrorCode,
  MediaUploadStatus,
  NoteColor,
  NoteSource,
  NoteType,
  PostResult,
  PostSetStatus,
  RepeatInterval,
  SavedTime,
} from '#contract'
import type { DeliveryState } from '#domain'
import type { CalendarTables } from './calendar-tables.ts'
import type { StoredPart } from './delivery-parts.ts'
import type { HeldStartsTable, HoldsTable } from './holds-table.ts'
import type { NewsTables } from './news-tables.ts'
import type { GeneratedJson, PeopleTables } from './people-tables.ts'
import type { PlanningTables } from './planning-tables.ts'
import type { RequestTables } from './request-tables.ts'
import type { ReviewTables } from './review-tables.ts'
import type { SharedTables } from './shared-tables.ts'

export type { DeliveryState } from '#domain'

/** A JSON column: read as its value, written as text. */
type Json<T> = ColumnType<T, string, string>

/**
 * Where an open delivery is in its lane: it waits behind others of its connection, can be taken, is under way (begun, or in
 * the hands of a worker), or sleeps until its time.
 */
export const DELIVERY_PLACES = ['WAITING', 'HEAD', 'UNDER_WAY', 'ASLEEP'] as const
export type DeliveryPlace = (typeof DELIVERY_PLACES)[number]

/** A sign-in on the pages of a network; operations/connections/README.md tells what moves it. */
export const AUTHORIZATION_STATUSES = ['STARTED', 'RETURNED', 'CHOOSING', 'CONNECTED', 'FAILED'] as const
export type AuthorizationStatus = (typeof AUTHORIZATION_STATUSES)[number]

/** Of a direct upload, `RECEIVING` comes first: bytes are missing. */
export type MediaUploadState = MediaUploadStatus | 'RECEIVING'

interface PostSets {
  id: string
  account_id: string
  social_set_id: string
  scheduled_at: Date
  schedule_requested_at: Generated<Date>
  status: PostSetStatus
  approval: Approval
  locked_at: Date | null
  locked_by: string | null
  version: Generated<number>
  content_version: Generated<number>
  claimed_at: Date | null
  published_at: Date | null
  series_id: string | null
  starts_series: Generated<boolean>
  /** What a search looks through. */
  search_text: Generated<string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface Notes {
  id: string
  account_id: string
  social_set_id: string
  type: NoteType
  source: NoteSource
  content: string
  hex_color: NoteColor
  scheduled_at: Date
  series_id: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** What a member removed keeps its row; the views leave it out. */
interface Removable {
  removed_at: Date | null
  removed_by: string | null
}

export interface Tables
  extends CalendarTables,
    NewsTables,
    PeopleTables,
    PlanningTables,
    RequestTables,
    ReviewTables,
    SharedTables {
  installation: { name: string; value: Json<unknown> }
  data_folders: {
    id: string
    inode: string
    born_at: string | null
    changed_at: string
    noted_at: ColumnType<Date, Date | undefined, Date>
    writing: Generated<number | null>
    counter: Generated<number>
  }
  social_sets: {
    id: string
    account_id: string
    name: string
    timezone: string
    saved_times: GeneratedJson<SavedTime[]>
    approval_rule: Generated<ApprovalRuleName>
    approval_reviewers: Generated<number>
    authors_may_approve: Generated<boolean>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  network_identities: {
    id: string
    account_id: string
    network: string
    external_id: string
    sandbox: Generated<boolean>
    endpoints: GeneratedJson<Record<string, string>>
    secret: Buffer | null
    secret_key_id: string | null
    expires_at: Date | null
    refreshed_at: Date | null
    refresh_owner: Generated<string | null>
    refresh_until: Generated<Date | null>
    renew_after: Generated<Date | null>
    renew_failures: Generated<number>
    /** The network has asked to wait until then with all posts of the identity. */
    not_before: Generated<Date | null>
    not_before_message: Generated<string | null>
    paused_at: Generated<Date | null>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  authorizations: {
    id: string
    account_id: string
    social_set_id: string
    network: string
    account_type: AccountType
    sandbox: boolean
    status: Generated<AuthorizationStatus>
    state_hash: Buffer
    redirect_uri: string
    secret: Buffer | null
    secret_key_id: string | null
    connection_id: string | null
    message: string | null
    started_by: string | null
    session_id: string | null
    created_at: Generated<Date>
    expires_at: Date
  }
  connections: {
    id: string
    account_id: string
    social_set_id: string
    identity_id: string
    account_type: AccountType
    name: string
    username: string | null
    profile_url: string | null
    avatar_url: string | null
    status: Generated<ConnectionStatus>
    status_reason: string | null
    defaults: GeneratedJson<Record<string, unknown>>
    connected_at: Generated<Date>
    closed_at: Date | null
    sign_in: string | null
  }
  held_starts: HeldStartsTable
  holds: HoldsTable
  network_apps: {
    id: string
    network: string
    prefix: string
    secret: Buffer
    secret_key_id: string
    set_by: string | null
    set_by_name: string
    set_at: Generated<Date>
  }
  media_items: {
    id: string
    account_id: string
    social_set_id: string
    name: string
    alt_text: string | null
    facts: Json<MediaFacts>
    bytes: number
    sha256: Buffer
    storage_key: string
    thumbnail_key: string | null
    source: 'UPLOAD' | 'URL'
    source_url: string | null
    created_at: Generated<Date>
    closed_at: Date | null
  }
  media_renditions: {
    id: string
    media_id: string
    spec: string
    facts: Json<MediaFacts>
    storage_key: string
    created_at: Generated<Date>
  }
  media_uploads: {
    id: string
    account_id: string
    social_set_id: string
    /** Null of a direct upload. */
    url: string | null
    name: string | null
    alt_text: string | null
    status: Generated<MediaUploadState>
    bytes_received: Generated<number>
    bytes_total: number | null
    media_id: string | null
    error_code: MediaUploadErrorCode | null
    error_message: string | null
    attempts: Generated<number>
    lease_owner: string | null
    lease_until: Date | null
    /** What a direct upload keeps of the month's allowance; null of an import, as the next one. */
    reserved_bytes: number | null
    /** When its bytes arrived last. */
    received_at: Date | null
    requests: Generated<number>
    /** The user or the key. Null: begun by a version that did not write it down. */
    begun_by: string | null
    begun_by_name: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  labels: {
    id: string
    account_id: string
    name: string
    color: string | null
    /** By whom it was removed; null of a label that is there. */
    removed_by: Json<{ type: ActorType; id: string | null; name: string }> | null
    /** Of a removed label: the one that its post sets get instead. */
    merged_into: string | null
    created_at: Generated<Date>
  }
  /** A view: what is on the calendar. */
  post_sets: PostSets
  /** Those that were removed, too. Only `removed.ts`, and what the architecture test names, may know it. */
  all_post_sets: PostSets & Removable & { removed_connections: Json<unknown> | null }
  series: {
    id: string
    account_id: string
    social_set_id: string
    repeat_interval: RepeatInterval
    occurrences: number
    created_at: Generated<Date>
  }
  /** A view: what is on the calendar. */
  notes: Notes
  /** As `all_post_sets`. */
  all_notes: Notes & Removable
  account_usage: {
    account_id: string
    /** First day of a month. */
    month: string
    post_sets: Generated<number>
    upload_bytes: Generated<number>
  }
  /** More post sets of a month, of an account without a limit. */
  account_usage_parts: { account_id: string; month: string; part: number; post_sets: number }
  heartbeat: {
    only_row: Generated<boolean>
    beaten_at: Date
    clock_seen_at: Date | null
    clock_ahead_ms: string | null
    clock_boot: string | null
    clock_boottime_ms: number | null
    clock_believed_at: Date | null
  }
  posts: {
    id: string
    post_set_id: string
    /** That of the set: search looks within one social set. */
    social_set_id: string
    position: number
    account_type: AccountType
    caption: string
    fields: Json<Record<string, unknown>>
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  post_media: {
    id: string
    post_id: string
    media_id: string
    position: number
    alt_text: string | null
    title: string | null
    description: string | null
    link: string | null
    tags: GeneratedJson<MediaTag[]>
    crop: Json<MediaCrop> | null
  }
  post_set_labels: { post_set_id: string; label_id: string }
  deliveries: {
    id: string
    post_set_id: string
    post_id: string
    content_version: number
    /** Which sending of the post it is: 0 for the first, then one for each retry by a person. */
    retry: Generated<number>
    account_type: AccountType
    connection_id: string | null
    state: DeliveryState
    handles: GeneratedJson<Record<string, unknown>>
    attempts: Generated<number>
    lookups: Generated<number>
    missed_looks: Generated<number>
    next_at: Date
    gives_up_at: Date
    lease_owner: string | null
    lease_until: Date | null
    lease_ms: number | null
    /** Null of what is done since before there were lanes, as the next ones. */
    account_id: string | null
    lane: string | null
    /** When it should have gone out: the later of the set's time and the request that scheduled it. */
    due_at: Date | null
    place: DeliveryPlace | null
    class: number | null
    turn: number | null
    first_fenced_at: Date | null
    /** The first fence, where a clock wrote it that was wrong by no one knows how much. */
    doubted_fence_at: Date | null
    fenced_at: Date | null
    /** The identity of its last fence. Null of what never had one, and of what a version before has fenced. */
    identity_id: string | null
    /** The network's id of the post as soon as it is known: that of one delivery of an identity. Null of what earlier versions ended. */
    provider_id: string | null
    /** What its words come to, as a key: those of others that have the same may be taken for it. As the identity. */
    words_key: string | null
    unknown_since: Date | null
    last_message: string | null
    warnings: GeneratedJson<{ code: string; message: string }[]>
    result: ColumnType<PostResult | null, string | null, string | null>
    /** Of one that failed: nothing of the post is live for certain. Null of what an earlier version ended. */
    surely_absent: Generated<boolean | null>
    parts: GeneratedJson<StoredPart[]>
    /** How often the address of a post that is live was looked for since. */
    permalink_looks: Generated<number>
    created_at: Generated<Date>
    updated_at: Generated<Date>
    finished_at: Date | null
  }
  /** Failed deliveries that no one has retried. Triggers add to it. */
  post_failures: {
    delivery_id: string
    post_set_id: string
    social_set_id: string
    account_type: AccountType
    scheduled_at: Date
    failed_at: Date
  }
  results_seen: { user_id: string; social_set_id: string; seen_at: Date }
  lanes: {
    name: string
    turn: Generated<number>
    /** The network has asked to wait until then with all posts of the app. */
    not_before: Generated<Date | null>
    not_before_message: Generated<string | null>
    paused_at: Generated<Date | null>
  }
  history: {
    id: string
    account_id: string
    post_set_id: string
    sequence: GeneratedAlways<number>
    at: Generated<Date>
    actor_type: ActorType
    actor_id: string | null
    actor_name: string
    /** One of `HISTORY`, or what another version has stored. */
    action: string
    changes: GeneratedJson<Record<string, unknown>>
    /** `changes` without texts, which a trigger writes; null where they have none, and in rows from before. */
    outline: GeneratedAlways<Record<string, unknown> | null>
    /** Of the post set, that the change led to; null when the set was gone, and of what was before versions were kept. */
    version: number | null
  }
}
