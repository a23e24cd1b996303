// What the migrations make, as types. Written by the schema test, with schema.sql.
import type { ColumnType, GeneratedAlways } from 'kysely'
import type {
  AccountType,
  ActorType,
  Approval,
  ApprovalRuleName,
  CommentAudience,
  ConnectionStatus,
  EventType,
  ImportedCalendarFailureCode,
  LateChoice,
  MediaCrop,
  MediaFacts,
  MediaTag,
  MediaUploadErrorCode,
  NewsCause,
  NewsChoice,
  NewsKind,
  NoteColor,
  NoteSource,
  NoteType,
  PlanName,
  PostResult,
  PostSetStatus,
  Preferences,
  RepeatInterval,
  ReviewStep,
  SavedTime,
  Scope,
  Why,
} from '#contract'
import type { DeliveryState, HeldStartWhy } from '#domain'
import type {
  AuthorizationStatus,
  DeliveryPlace,
  Json,
  MediaUploadState,
  NewsFacts,
  NewsWay,
  UserLinkPurpose,
} from './columns.ts'
import type { StoredPart } from './delivery-parts.ts'

type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[] ? U[] : ArrayTypeImpl<T>

type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S[], I[], U[]> : T[]

type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

interface Accounts {
  created_at: Generated<Date>
  id: string
  logo: string | null
  metadata: string | null
  name: string
  plan: PlanName
  slug: string
  updated_at: Generated<Date>
}

interface AccountUsage {
  account_id: string
  /** First day of a month. */
  month: string
  post_sets: Generated<number>
  upload_bytes: Generated<number>
}

interface AccountUsageParts {
  account_id: string
  month: string
  part: number
  post_sets: number
}

interface Alerts {
  account_id: string
  account_type: AccountType
  addressed_at: Date | null
  connection_id: string | null
  created_at: Generated<Date>
  id: string
  kind: string
  message: string
  post_id: string | null
  post_set_id: string | null
  reason: string
  social_set_id: string
}

interface AlertSends {
  alert_id: string
  attempts: Generated<number>
  ended_at: Date | null
  error: string | null
  id: string
  next_at: Date
  state: Generated<string>
  user_id: string | null
}

interface AllNotes {
  account_id: string
  content: string
  created_at: Generated<Date>
  hex_color: NoteColor
  id: string
  /** Name of the key by which an agent made it. */
  made_by_agent: string | null
  removed_at: Date | null
  removed_by: string | null
  scheduled_at: Date
  series_id: string | null
  social_set_id: string
  source: NoteSource
  type: NoteType
  updated_at: Generated<Date>
}

interface AllPostSets {
  account_id: string
  approval: Approval
  claimed_at: Date | null
  content_version: Generated<number>
  created_at: Generated<Date>
  external_id: string | null
  id: string
  locked_at: Date | null
  locked_by: string | null
  published_at: Date | null
  removed_at: Date | null
  removed_by: string | null
  removed_connections: Json<unknown> | null
  schedule_requested_at: Generated<Date>
  scheduled_at: Date
  /** What a search looks through. */
  search_text: Generated<string>
  series_id: string | null
  social_set_id: string
  starts_series: Generated<boolean>
  status: PostSetStatus
  updated_at: Generated<Date>
  version: Generated<number>
}

interface ApiKeys {
  account_id: string
  /** Of an agent: it may ask people to schedule. */
  asks: Generated<boolean>
  created_at: Generated<Date>
  created_by: string | null
  /** Null: the key was made for a program. */
  daily_post_sets: number | null
  /** Null as `daily_post_sets` is. */
  daily_upload_bytes: number | null
  disabled_at: Date | null
  expires_at: Date | null
  id: string
  last_used_address: string | null
  last_used_at: Date | null
  name: string
  prefix: string
  revoked_at: Date | null
  /** Name of the person, or `operator`. */
  revoked_by: string | null
  scopes: Scope[]
  secret_hash: Buffer
  social_set_ids: string[] | null
}

interface Attempts {
  began_at: Date
  subject: string
  tries: number
}

interface Authorizations {
  account_id: string
  account_type: AccountType
  connection_id: string | null
  created_at: Generated<Date>
  expires_at: Date
  id: string
  message: string | null
  network: string
  redirect_uri: string
  sandbox: boolean
  secret: Buffer | null
  secret_key_id: string | null
  session_id: string | null
  social_set_id: string
  started_by: string | null
  state_hash: Buffer
  status: Generated<AuthorizationStatus>
  why: Json<Why> | null
}

interface BellItems {
  account_id: string
  at: Date
  cause: NewsCause
  count: Generated<number>
  id: string
  news_id: string
  read_at: Date | null
  social_set_id: string | null
  subject: string
  user_id: string
}

interface CalendarFeeds {
  account_id: string
  created_at: Generated<Date>
  created_by: string | null
  id: string
  last_read_at: Date | null
  renewed_at: Date | null
  shared_calendar_id: string | null
  social_set_id: string | null
  token_hash: Buffer
}

interface CallMarks {
  begun_at: number | null
  boot_id: string
  delivery_id: string
  fenced_at: Date
  lasts_ms: number
  over_at: number
}

interface Chores {
  lease_owner: string | null
  lease_until: Date | null
  name: string
  next_at: Generated<Date>
  ran_at: Date | null
}

interface Comments {
  account_id: string
  audience: ColumnType<CommentAudience, CommentAudience, never>
  author_id: string
  author_name: string
  author_type: 'USER' | 'REVIEWER'
  created_at: Generated<Date>
  edited_at: Date | null
  id: string
  link_name: string | null
  mentions: Generated<string[]>
  post_set_id: string
  resolved_at: Date | null
  resolved_by_name: string | null
  /** Of a guest; null of what was written before that was kept. */
  shared_calendar_id: string | null
  social_set_id: string
  text: string
}

interface Connections {
  account_id: string
  account_type: AccountType
  avatar_url: string | null
  closed_at: Date | null
  connected_at: Generated<Date>
  defaults: Generated<Json<Record<string, unknown>>>
  id: string
  identity_id: string
  name: string
  profile_url: string | null
  sign_in: string | null
  social_set_id: string
  status: Generated<ConnectionStatus>
  status_reason: string | null
  username: string | null
}

interface DataFolders {
  born_at: string | null
  changed_at: string
  counter: Generated<number>
  id: string
  inode: string
  noted_at: Generated<Date>
  writing: number | null
}

interface Deliveries {
  /** Null of what is done since before there were lanes, as `lane`, `due_at`, `place`, `class` and `turn`. */
  account_id: string | null
  account_type: AccountType
  attempts: Generated<number>
  class: number | null
  connection_id: string | null
  content_version: number
  /** Of one that goes on with a thread that ended early: how many parts, the post among them, are live from before it. Else null. */
  continues: number | null
  /** How often its cover was looked after since the post is live. Null: none is waited for. */
  cover_looks: number | null
  created_at: Generated<Date>
  /** The first fence, where a clock wrote it that was wrong by no one knows how much. */
  doubted_fence_at: Date | null
  /** When it should have gone out: the later of the set's time and the request that scheduled it. */
  due_at: Date | null
  fenced_at: Date | null
  finished_at: Date | null
  first_fenced_at: Date | null
  gives_up_at: Date
  handles: Generated<Json<Record<string, unknown>>>
  id: string
  /** The identity of its last fence. Null of what never had one, and of what a version before has fenced. */
  identity_id: string | null
  inbox_id: string | null
  inbox_looks: number | null
  lane: string | null
  last_message: string | null
  /** How long the lease was made for. */
  lease_ms: number | null
  lease_owner: string | null
  lease_until: Date | null
  lookups: Generated<number>
  missed_looks: Generated<number>
  next_at: Date
  /** How often its last part, which is unsure, was looked for since its result was given. Null: none is looked for. */
  part_looks: number | null
  parts: Generated<Json<StoredPart[]>>
  /** How often the address of a post that is live was looked for since. */
  permalink_looks: Generated<number>
  place: DeliveryPlace | null
  post_id: string
  post_set_id: string
  /** The network's id of the post as soon as it is known: that of one delivery of an identity. Null of what earlier versions ended. */
  provider_id: string | null
  result: Json<PostResult> | null
  /** Which sending of the post it is: 0 for the first, then one for each retry by a person. */
  retry: Generated<number>
  state: DeliveryState
  /** Of one that failed: nothing of the post is live for certain. Null of what an earlier version ended. */
  surely_absent: boolean | null
  turn: number | null
  unknown_since: Date | null
  updated_at: Generated<Date>
  warnings: Generated<Json<{ code: string; message: string }[]>>
  /** What its words come to, as a key: those of others that have the same may be taken for it. Null as `identity_id` is. */
  words_key: string | null
}

interface EmailChanges {
  confirmed_in: Generated<string[]>
  email: string
  refused_by: string | null
  requested_at: Generated<Date>
  user_id: string
}

interface EventPositions {
  account_id: string
  /** Also of an event that is gone. */
  newest: number
}

interface Events {
  account_id: string
  at: Date
  data: Json<Record<string, unknown>>
  id: string
  position: number
  /** Null: of the whole account. */
  social_set_id: string | null
  type: EventType
}

interface Happened {
  account_id: string
  at: Generated<Date>
  data: Json<Record<string, unknown>>
  sequence: Generated<GeneratedAlways<number>>
  social_set_id: string | null
  /** An action of the history of a post set, or the type of an event. */
  what: string
}

interface HashtagGroups {
  account_id: string
  created_at: Generated<Date>
  id: string
  name: string
  social_set_id: string
  tags: string[]
  updated_at: Generated<Date>
}

interface Heartbeat {
  beaten_at: Generated<Date>
  clock_ahead_ms: number | null
  clock_believed_at: Date | null
  clock_boot: string | null
  clock_boottime_ms: number | null
  clock_seen_at: Date | null
  only_row: Generated<boolean>
}

interface HeldStarts {
  ended_at: Date | null
  ended_by: string | null
  held_at: Generated<ColumnType<Date, Date, never>>
  id: string
  last_ran_at: Date | null
  late: LateChoice | null
  mailed_at: Date | null
  signs: Generated<ColumnType<string[], string, never>>
  why: HeldStartWhy
}

interface History {
  account_id: string
  /** One of `HISTORY`, or what another version has stored. */
  action: string
  actor_id: string | null
  actor_name: string
  actor_type: ActorType
  at: Generated<Date>
  /** By the key of the row. False also of what was before agents had tools. */
  by_agent: Generated<boolean>
  changes: Generated<Json<Record<string, unknown>>>
  event_written: Generated<boolean>
  id: string
  /** `changes` without texts, which a trigger writes; null where they have none, and in rows from before. */
  outline: GeneratedAlways<Record<string, unknown>> | null
  post_set_id: string
  sequence: Generated<GeneratedAlways<number>>
  /** Of the post set, that the change led to; null when the set was gone, and of what was before versions were kept. */
  version: number | null
}

interface Holds {
  account_id: string
  connection_id: string | null
  held_at: Generated<ColumnType<Date, Date, never>>
  held_by_id: string | null
  held_by_name: string
  held_by_type: ActorType
  id: string
  late: LateChoice | null
  reason: string
  released_at: Date | null
  released_by_id: string | null
  released_by_name: string | null
  released_by_type: ActorType | null
  /** Null: the whole account. */
  social_set_id: string | null
}

interface IdempotencyKeys {
  answered_at: Generated<Date>
  api_key_id: string
  body: string | null
  headers: Json<Record<string, string>>
  key: string
  request_hash: Buffer
  status: number
}

interface ImportedCalendars {
  account_id: string
  created_at: Generated<Date>
  created_by: string | null
  etag: string | null
  failing_since: Date | null
  failure_code: ImportedCalendarFailureCode | null
  failure_message: string | null
  failures: Generated<number>
  fetched_at: Date | null
  /** Compressed by gzip. */
  file: Buffer | null
  file_name: string | null
  hex_color: NoteColor
  host: string | null
  id: string
  last_modified: string | null
  lease_owner: string | null
  lease_until: Date | null
  left_out: Generated<number>
  name: string
  next_at: Generated<Date>
  paused_at: Date | null
  read_day: string | null
  read_timezone: string | null
  reported_at: Date | null
  secret: Buffer | null
  secret_key_id: string | null
  social_set_id: string
  tried_at: Date | null
  unreadable: Generated<number>
}

interface ImportedNotes {
  calendar_id: string
  content: string
  day: string
  hex_color: NoteColor
  key: Buffer
  note_id: string
}

interface Installation {
  name: string
  value: Json<unknown>
}

interface InstallationIdentity {
  counter: Generated<number>
  database_oid: number | null
  id: string | null
  only_row: Generated<boolean>
  raised_at: Date | null
  system_identifier: string | null
  table_oid: number
}

interface Invitations {
  accepted_at: Date | null
  account_id: string
  created_at: Generated<Date>
  email: string
  expires_at: Date
  id: string
  invited_by: string | null
  inviter_name: string
  revoked_at: Date | null
  role: string
  social_set_ids: string[] | null
  token_hash: Buffer
}

interface KeptCalendarFeeds {
  /** Compressed by gzip. */
  body: Buffer | null
  bytes: number | null
  checked_at: Date | null
  etag: string | null
  feed_id: string
  version: string | null
}

interface KeptDrafts {
  account_id: string
  based_on_version: number | null
  content: Json<Record<string, unknown>> | null
  excerpt: string
  id: string
  opened_at: Date | null
  post_set_id: string | null
  saved_sequence: number | null
  sequence: number
  social_set_id: string
  updated_at: Generated<Date>
  user_id: string
  writer: string | null
}

interface KeyCalls {
  api_key_id: string
  at: Generated<Date>
  id: Generated<number>
  /** Code of what it was refused with; null when it was done. */
  problem: string | null
  tool: string
}

interface KeyUsage {
  api_key_id: string
  /** In UTC. What is of an earlier one counts no more. */
  day: string
  post_sets: Generated<number>
  upload_bytes: Generated<number>
}

interface Labels {
  account_id: string
  color: string | null
  created_at: Generated<Date>
  id: string
  /** Of a removed label: the one that its post sets get instead. */
  merged_into: string | null
  name: string
  /** By whom it was removed; null of a label that is there. */
  removed_by: Json<{ type: ActorType; id: string | null; name: string }> | null
}

interface Lanes {
  name: string
  /** The network has asked to wait until then with all posts of the app. */
  not_before: Date | null
  not_before_message: string | null
  paused_at: Date | null
  turn: Generated<number>
}

interface MediaCovers {
  at_ms: number
  attempts: Generated<number>
  created_at: Generated<Date>
  media_id: string
  /** Null while it may still be drawn. */
  state: 'DRAWN' | 'NONE' | null
  storage_key: string | null
}

interface MediaItems {
  account_id: string
  alt_text: string | null
  /** Name of the key by which an agent brought it. */
  brought_by_agent: string | null
  bytes: number
  closed_at: Date | null
  created_at: Generated<Date>
  emptied_at: Date | null
  facts: Json<MediaFacts>
  frame_attempts: Generated<number>
  /** Of a video: whether the server has drawn its thumbnail; null while it may still do so. */
  frame_state: 'DRAWN' | 'NONE' | null
  id: string
  name: string
  search_text: string | null
  sha256: Buffer
  social_set_id: string
  source: 'UPLOAD' | 'URL'
  source_url: string | null
  storage_key: string
  thumbnail_key: string | null
}

interface MediaLabels {
  label_id: string
  media_id: string
}

interface MediaRenditions {
  created_at: Generated<Date>
  facts: Json<MediaFacts>
  id: string
  media_id: string
  spec: string
  storage_key: string
}

interface MediaUploads {
  account_id: string
  alt_text: string | null
  attempts: Generated<number>
  /** The user or the key. Null: begun by a version that did not write it down. */
  begun_by: string | null
  begun_by_name: string | null
  by_agent: Generated<boolean>
  bytes_received: Generated<number>
  bytes_total: number | null
  created_at: Generated<Date>
  error_code: MediaUploadErrorCode | null
  error_message: string | null
  id: string
  lease_owner: string | null
  lease_until: Date | null
  media_id: string | null
  name: string | null
  /** The file that stands for the video, also after its item has it; null without one. */
  poster_key: string | null
  /** When its bytes arrived last. */
  received_at: Date | null
  requests: Generated<number>
  /** What a direct upload keeps of the month's allowance; null of an import, as `received_at`. */
  reserved_bytes: number | null
  social_set_id: string
  status: Generated<MediaUploadState>
  updated_at: Generated<Date>
  /** Null of a direct upload. */
  url: string | null
}

interface Memberships {
  account_id: string
  /** Brands by their ids, each with when the member could last see its addresses and then lost the right to. */
  addresses_seen: Generated<ColumnType<Record<string, string>>>
  created_at: Generated<Date>
  id: string
  role: string
  second_step_removed_at: Date | null
  second_step_removed_by: string | null
  social_set_ids: string[] | null
  user_id: string
}

interface NetworkApps {
  id: string
  network: string
  prefix: string
  secret: Buffer
  secret_key_id: string
  set_at: Generated<Date>
  set_by: string | null
  set_by_name: string
}

interface NetworkIdentities {
  account_id: string
  created_at: Generated<Date>
  endpoints: Generated<Json<Record<string, string>>>
  expires_at: Date | null
  external_id: string
  id: string
  network: string
  /** The network has asked to wait until then with all posts of the identity. */
  not_before: Date | null
  not_before_message: string | null
  paused_at: Date | null
  refresh_owner: string | null
  refresh_until: Date | null
  refreshed_at: Date | null
  renew_after: Date | null
  renew_failures: Generated<number>
  sandbox: Generated<boolean>
  secret: Buffer | null
  secret_key_id: string | null
  updated_at: Generated<Date>
}

interface News {
  account_id: string
  account_type: AccountType | null
  actor_id: string | null
  actor_name: string | null
  actor_type: ActorType | null
  addressed_at: Date | null
  comment_id: string | null
  connection_id: string | null
  created_at: Generated<Date>
  facts: Generated<Json<NewsFacts>>
  id: string
  kind: NewsKind
  once: string | null
  post_id: string | null
  post_set_id: string | null
  /** Null: of the whole account. */
  social_set_id: string | null
  subject: string
}

interface NewsChoices {
  account_id: string
  cause: NewsCause
  choice: NewsChoice
  social_set_id: string | null
  user_id: string
}

interface NewsSends {
  account_id: string
  attempts: Generated<number>
  cause: NewsCause | null
  ended_at: Date | null
  ends_at: Date
  error: string | null
  guest_id: string | null
  id: string
  news_id: string
  next_at: Date
  state: Generated<'WAITING' | 'SENT' | 'GIVEN_UP'>
  user_id: string | null
  way: NewsWay
}

interface NewsStops {
  cause: NewsCause
  guest_id: string
}

interface Notes {
  account_id: string
  content: string
  created_at: Generated<Date>
  hex_color: NoteColor
  id: string
  /** Name of the key by which an agent made it. */
  made_by_agent: string | null
  scheduled_at: Date
  series_id: string | null
  social_set_id: string
  source: NoteSource
  type: NoteType
  updated_at: Generated<Date>
}

interface PostFailures {
  account_type: AccountType
  copy_id: string | null
  delivery_id: string
  done_at: Date | null
  failed_at: Date
  post_set_id: string
  scheduled_at: Date
  social_set_id: string
}

interface PostMedia {
  alt_text: string | null
  crop: Json<MediaCrop> | null
  description: string | null
  id: string
  link: string | null
  media_id: string
  part: Generated<number>
  position: number
  post_id: string
  tags: Generated<Json<MediaTag[]>>
  title: string | null
}

interface Posts {
  account_type: AccountType
  caption: string
  created_at: Generated<Date>
  fields: Json<Record<string, unknown>>
  id: string
  position: number
  post_set_id: string
  /** That of the set: search looks within one social set. */
  social_set_id: string
  thread: Json<{ id: string; caption: string }[]> | null
  updated_at: Generated<Date>
}

interface PostSetCopies {
  media_ids: string[]
  moved: boolean
  original_id: string
  post_set_id: string
}

interface PostSetLabels {
  label_id: string
  post_set_id: string
}

interface PostSets {
  account_id: string
  approval: Approval
  claimed_at: Date | null
  content_version: Generated<number>
  created_at: Generated<Date>
  external_id: string | null
  id: string
  locked_at: Date | null
  locked_by: string | null
  published_at: Date | null
  schedule_requested_at: Generated<Date>
  scheduled_at: Date
  /** What a search looks through. */
  search_text: Generated<string>
  series_id: string | null
  social_set_id: string
  starts_series: Generated<boolean>
  status: PostSetStatus
  updated_at: Generated<Date>
  version: Generated<number>
}

interface Presences {
  account_id: string
  holder: string
  post_set_id: string | null
  social_set_id: string | null
  stream_id: string
  until: Date
  user_id: string
}

interface PurgedPostSets {
  id: string
  purged_at: Generated<Date>
}

interface RateWindows {
  started_at: Date
  subject: string
  used: number
}

interface ResultsSeen {
  seen_at: Date
  social_set_id: string
  user_id: string
}

interface ReviewDecisions {
  actor_id: string | null
  actor_type: ActorType
  content_version: number
  decided_at: Date
  decision: 'APPROVED' | 'DENIED'
  latest: boolean
  post_set_id: string
  sequence: number
  social_set_id: string
  step: ReviewStep
}

interface ReviewReminders {
  hours: number
  post_set_id: string
  scheduled_at: Date
}

interface ReviewRequests {
  asked_at: Date
  asked_by_id: string | null
  asked_by_name: string
  asked_by_type: ActorType
  author_id: string | null
  content_by: string | null
  content_sequence: number | null
  post_set_id: string
  sequence: number
}

interface Series {
  account_id: string
  created_at: Generated<Date>
  id: string
  occurrences: number
  repeat_interval: RepeatInterval
  social_set_id: string
}

interface Sessions {
  active_account_id: string | null
  created_at: Generated<Date>
  expires_at: Date
  id: string
  ip_address: string | null
  last_used_at: Generated<Date>
  token: string
  updated_at: Generated<Date>
  user_agent: string | null
  user_id: string
}

interface SharedCalendarCopies {
  copied_at: Generated<Date>
  id: string
  shared_calendar_id: string
  user_id: string | null
  user_name: string
}

interface SharedCalendars {
  account_id: string
  allows_comment: boolean
  allows_decide: boolean
  allows_files: Generated<boolean>
  allows_notes: boolean
  closed_at: Date | null
  created_at: Generated<Date>
  created_by: string | null
  created_by_name: string
  expires_at: Date | null
  formal: Generated<boolean>
  id: string
  last_day: Date | string | null
  name: string
  passcode_hash: string | null
  renewed_at: Date | null
  renewed_by: string | null
  secret: Buffer | null
  secret_key_id: string | null
  shows_drafts: boolean
  shows_published: boolean
  shows_scheduled: boolean
  social_set_ids: string[]
  token_hash: Buffer
}

interface SharedDecisions {
  approval: 'APPROVED' | 'DENIED'
  content_version: number
  decided_at: Generated<Date>
  guest_id: string | null
  guest_name: string
  message: string | null
  post_set_id: string
  shared_calendar_id: string
}

interface SharedGuests {
  created_at: Generated<Date>
  device: string
  email: string | null
  first_look_at: Date | null
  id: string
  last_look_at: Date | null
  locale: string | null
  looks: Generated<number>
  name: string | null
  shared_calendar_id: string
}

interface SharedKeys {
  email: string | null
  expires_at: Date
  guest_id: string | null
  purpose: 'enter' | 'confirm' | 'begin'
  shared_calendar_id: string
  token_hash: Buffer
  /** Of the member who looks. */
  user_id: string | null
}

interface SharedNotes {
  guest_id: string | null
  guest_name: string
  note_id: string
  shared_calendar_id: string
}

interface SharedSeen {
  before_version: number | null
  content_version: number
  guest_id: string
  post_set_id: string
  scheduled_at: Date
  version: number
}

interface SharedVisits {
  expires_at: Date
  guest_id: string
  token_hash: Buffer
}

interface SocialSets {
  account_id: string
  approval_reviewers: Generated<number>
  approval_rule: Generated<ApprovalRuleName>
  authors_may_approve: Generated<boolean>
  color: Generated<string>
  created_at: Generated<Date>
  fit: Generated<string>
  id: string
  name: string
  saved_times: Generated<Json<SavedTime[]>>
  timezone: string
  updated_at: Generated<Date>
}

interface TwoFactors {
  backup_codes: string
  failed_verification_count: Generated<number>
  id: string
  locked_until: Date | null
  secret: string
  user_id: string
  verified: Generated<boolean>
}

interface UserCredentials {
  access_token: string | null
  access_token_expires_at: Date | null
  created_at: Generated<Date>
  id: string
  id_token: string | null
  password: string | null
  provider_account_id: string
  provider_id: string
  refresh_token: string | null
  refresh_token_expires_at: Date | null
  scope: string | null
  updated_at: Generated<Date>
  user_id: string
}

interface UserLinks {
  email: string | null
  expires_at: Date
  purpose: UserLinkPurpose
  token_hash: Buffer
  user_id: string
}

interface Users {
  created_at: Generated<Date>
  email: string
  email_verified: Generated<boolean>
  id: string
  image: string | null
  is_operator: Generated<boolean>
  name: string
  preferences: Generated<Json<Partial<Preferences>>>
  two_factor_enabled: Generated<boolean>
  updated_at: Generated<Date>
}

interface Verifications {
  created_at: Generated<Date>
  expires_at: Date
  id: string
  identifier: string
  updated_at: Generated<Date>
  value: string
}

interface WatchedSocialSets {
  social_set_id: string
  watched_until: Date
}

interface WebhookAttempts {
  answer: string | null
  at: Date
  duration_ms: number
  failure: string | null
  id: string
  send_id: string
  status: number | null
  webhook_id: string
}

interface WebhookLoops {
  account_id: string
  held_until: Date | null
  position: number | null
  post_set_id: string
  times: ArrayType<Date>
}

interface Webhooks {
  account_id: string
  closed_at: Date | null
  closed_position: number | null
  closed_why: 'GONE' | 'FAILING' | 'KEY_ENDED' | 'MAKER_LEFT' | null
  created_at: Generated<Date>
  created_by: string | null
  created_by_name: string
  description: Generated<string>
  enabled: Generated<boolean>
  failing_since: Date | null
  failures: Generated<number>
  id: string
  ignore_key_ids: Generated<string[]>
  ignore_own: boolean
  key_id: string | null
  lane_at: Generated<Date>
  lease_owner: string | null
  lease_until: Date | null
  old_secret: Buffer | null
  old_secret_key_id: string | null
  old_secret_until: Date | null
  secret: Buffer
  secret_key_id: string
  social_set_ids: Generated<string[]>
  types: Generated<EventType[]>
  url: string
}

interface WebhookSends {
  account_id: string
  attempts: Generated<number>
  created_at: Generated<Date>
  ended_at: Date | null
  event: Json<Record<string, unknown>> | null
  id: string
  next_at: Generated<Date>
  position: number | null
  state: Generated<'WAITING' | 'SENT' | 'FAILED' | 'KEPT' | 'LEFT_OUT'>
  webhook_id: string
}

export interface Tables {
  account_usage: AccountUsage
  account_usage_parts: AccountUsageParts
  accounts: Accounts
  alert_sends: AlertSends
  alerts: Alerts
  all_notes: AllNotes
  all_post_sets: AllPostSets
  api_keys: ApiKeys
  attempts: Attempts
  authorizations: Authorizations
  bell_items: BellItems
  calendar_feeds: CalendarFeeds
  call_marks: CallMarks
  chores: Chores
  comments: Comments
  connections: Connections
  data_folders: DataFolders
  deliveries: Deliveries
  email_changes: EmailChanges
  event_positions: EventPositions
  events: Events
  happened: Happened
  hashtag_groups: HashtagGroups
  heartbeat: Heartbeat
  held_starts: HeldStarts
  history: History
  holds: Holds
  idempotency_keys: IdempotencyKeys
  imported_calendars: ImportedCalendars
  imported_notes: ImportedNotes
  installation: Installation
  installation_identity: InstallationIdentity
  invitations: Invitations
  kept_calendar_feeds: KeptCalendarFeeds
  kept_drafts: KeptDrafts
  key_calls: KeyCalls
  key_usage: KeyUsage
  labels: Labels
  lanes: Lanes
  media_covers: MediaCovers
  media_items: MediaItems
  media_labels: MediaLabels
  media_renditions: MediaRenditions
  media_uploads: MediaUploads
  memberships: Memberships
  network_apps: NetworkApps
  network_identities: NetworkIdentities
  news: News
  news_choices: NewsChoices
  news_sends: NewsSends
  news_stops: NewsStops
  notes: Notes
  post_failures: PostFailures
  post_media: PostMedia
  post_set_copies: PostSetCopies
  post_set_labels: PostSetLabels
  post_sets: PostSets
  posts: Posts
  presences: Presences
  purged_post_sets: PurgedPostSets
  rate_windows: RateWindows
  results_seen: ResultsSeen
  review_decisions: ReviewDecisions
  review_reminders: ReviewReminders
  review_requests: ReviewRequests
  series: Series
  sessions: Sessions
  shared_calendar_copies: SharedCalendarCopies
  shared_calendars: SharedCalendars
  shared_decisions: SharedDecisions
  shared_guests: SharedGuests
  shared_keys: SharedKeys
  shared_notes: SharedNotes
  shared_seen: SharedSeen
  shared_visits: SharedVisits
  social_sets: SocialSets
  two_factors: TwoFactors
  user_credentials: UserCredentials
  user_links: UserLinks
  users: Users
  verifications: Verifications
  watched_social_sets: WatchedSocialSets
  webhook_attempts: WebhookAttempts
  webhook_loops: WebhookLoops
  webhook_sends: WebhookSends
  webhooks: Webhooks
}
