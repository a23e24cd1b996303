import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { type DatabaseMetadata, generate, IdentifierNode, PostgresDialect, RawExpressionNode } from 'kysely-codegen'
import type { Database } from '#persistence'

const root = join(import.meta.dirname, '../../..')

/** What columns hold where PostgreSQL knows less. A name without a table is a column of any table. */
const COLUMNS: Readonly<Record<string, string>> = {
  account_type: 'AccountType',
  actor_type: 'ActorType',
  asked_by_type: 'ActorType',
  held_by_type: 'ActorType',
  released_by_type: 'ActorType',
  cause: 'NewsCause',
  hex_color: 'NoteColor',
  late: 'LateChoice',
  'account_usage.month': 'string',
  'account_usage_parts.month': 'string',
  'accounts.plan': 'PlanName',
  'all_notes.source': 'NoteSource',
  'all_notes.type': 'NoteType',
  'all_post_sets.approval': 'Approval',
  'all_post_sets.removed_connections': 'Json<unknown>',
  'all_post_sets.status': 'PostSetStatus',
  'api_keys.scopes': 'Scope[]',
  'authorizations.status': 'AuthorizationStatus',
  'comments.audience': 'ColumnType<CommentAudience, CommentAudience, never>',
  'comments.author_type': "'USER' | 'REVIEWER'",
  'authorizations.why': 'Json<Why>',
  'connections.defaults': 'Json<Record<string, unknown>>',
  'connections.status': 'ConnectionStatus',
  'deliveries.handles': 'Json<Record<string, unknown>>',
  'deliveries.parts': 'Json<StoredPart[]>',
  'deliveries.place': 'DeliveryPlace',
  'deliveries.result': 'Json<PostResult>',
  'deliveries.state': 'DeliveryState',
  'deliveries.warnings': 'Json<{ code: string; message: string }[]>',
  'events.data': 'Json<Record<string, unknown>>',
  'events.type': 'EventType',
  'happened.data': 'Json<Record<string, unknown>>',
  'happened.sequence': 'GeneratedAlways<number>',
  'held_starts.held_at': 'ColumnType<Date, Date, never>',
  'held_starts.signs': 'ColumnType<string[], string, never>',
  'held_starts.why': 'HeldStartWhy',
  'history.changes': 'Json<Record<string, unknown>>',
  'history.outline': 'GeneratedAlways<Record<string, unknown>>',
  'history.sequence': 'GeneratedAlways<number>',
  'holds.held_at': 'ColumnType<Date, Date, never>',
  'idempotency_keys.headers': 'Json<Record<string, string>>',
  'imported_calendars.failure_code': 'ImportedCalendarFailureCode',
  'imported_calendars.read_day': 'string',
  'imported_notes.day': 'string',
  'installation.value': 'Json<unknown>',
  'key_usage.day': 'string',
  'kept_drafts.content': 'Json<Record<string, unknown>>',
  'labels.removed_by': 'Json<{ type: ActorType; id: string | null; name: string }>',
  'media_covers.state': "'DRAWN' | 'NONE'",
  'media_items.facts': 'Json<MediaFacts>',
  'media_items.frame_state': "'DRAWN' | 'NONE'",
  'media_items.source': "'UPLOAD' | 'URL'",
  'media_renditions.facts': 'Json<MediaFacts>',
  'media_uploads.error_code': 'MediaUploadErrorCode',
  'media_uploads.status': 'MediaUploadState',
  'memberships.addresses_seen': 'ColumnType<Record<string, string>>',
  'network_identities.endpoints': 'Json<Record<string, string>>',
  'news.facts': 'Json<NewsFacts>',
  'news.kind': 'NewsKind',
  'news_choices.choice': 'NewsChoice',
  'news_sends.state': "'WAITING' | 'SENT' | 'GIVEN_UP'",
  'news_sends.way': 'NewsWay',
  'post_media.crop': 'Json<MediaCrop>',
  'post_media.tags': 'Json<MediaTag[]>',
  'posts.fields': 'Json<Record<string, unknown>>',
  'posts.thread': 'Json<{ id: string; caption: string }[]>',
  'review_decisions.decision': "'APPROVED' | 'DENIED'",
  'review_decisions.step': 'ReviewStep',
  'series.repeat_interval': 'RepeatInterval',
  'shared_calendars.last_day': 'Date | string',
  'shared_decisions.approval': "'APPROVED' | 'DENIED'",
  'shared_keys.purpose': "'enter' | 'confirm' | 'begin'",
  'social_sets.approval_rule': 'ApprovalRuleName',
  'social_sets.saved_times': 'Json<SavedTime[]>',
  'user_links.purpose': 'UserLinkPurpose',
  'users.preferences': 'Json<Partial<Preferences>>',
  'webhook_sends.event': 'Json<Record<string, unknown>>',
  'webhook_sends.state': "'WAITING' | 'SENT' | 'FAILED' | 'KEPT' | 'LEFT_OUT'",
  'webhooks.closed_why': "'GONE' | 'FAILING' | 'KEY_ENDED' | 'MAKER_LEFT'",
  'webhooks.types': 'EventType[]',
}

/** What names and types do not say. */
const WORDS: Readonly<Record<string, string>> = {
  'account_usage.month': 'First day of a month.',
  'all_post_sets.search_text': 'What a search looks through.',
  'api_keys.revoked_by': 'Name of the person, or `operator`.',
  'comments.shared_calendar_id': 'Of a guest; null of what was written before that was kept.',
  'deliveries.account_id':
    'Null of what is done since before there were lanes, as `lane`, `due_at`, `place`, `class` and `turn`.',
  'deliveries.continues':
    'Of one that goes on with a thread that ended early: how many parts, the post among them, are live from before it. Else null.',
  'deliveries.cover_looks': 'How often its cover was looked after since the post is live. Null: none is waited for.',
  'deliveries.doubted_fence_at': 'The first fence, where a clock wrote it that was wrong by no one knows how much.',
  'deliveries.due_at': "When it should have gone out: the later of the set's time and the request that scheduled it.",
  'deliveries.identity_id':
    'The identity of its last fence. Null of what never had one, and of what a version before has fenced.',
  'deliveries.lease_ms': 'How long the lease was made for.',
  'deliveries.part_looks':
    'How often its last part, which is unsure, was looked for since its result was given. Null: none is looked for.',
  'deliveries.permalink_looks': 'How often the address of a post that is live was looked for since.',
  'deliveries.provider_id':
    "The network's id of the post as soon as it is known: that of one delivery of an identity. Null of what earlier versions ended.",
  'deliveries.retry': 'Which sending of the post it is: 0 for the first, then one for each retry by a person.',
  'deliveries.surely_absent':
    'Of one that failed: nothing of the post is live for certain. Null of what an earlier version ended.',
  'deliveries.words_key':
    'What its words come to, as a key: those of others that have the same may be taken for it. Null as `identity_id` is.',
  'happened.what': 'An action of the history of a post set, or the type of an event.',
  'event_positions.newest': 'Also of an event that is gone.',
  'events.social_set_id': 'Null: of the whole account.',
  'history.action': 'One of `HISTORY`, or what another version has stored.',
  'history.by_agent': 'By the key of the row. False also of what was before agents had tools.',
  'history.outline':
    '`changes` without texts, which a trigger writes; null where they have none, and in rows from before.',
  'history.version':
    'Of the post set, that the change led to; null when the set was gone, and of what was before versions were kept.',
  'holds.social_set_id': 'Null: the whole account.',
  'imported_calendars.file': 'Compressed by gzip.',
  'kept_calendar_feeds.body': 'Compressed by gzip.',
  'labels.merged_into': 'Of a removed label: the one that its post sets get instead.',
  'labels.removed_by': 'By whom it was removed; null of a label that is there.',
  'lanes.not_before': 'The network has asked to wait until then with all posts of the app.',
  'media_covers.state': 'Null while it may still be drawn.',
  'media_items.frame_state': 'Of a video: whether the server has drawn its thumbnail; null while it may still do so.',
  'all_notes.made_by_agent': 'Name of the key by which an agent made it.',
  'api_keys.asks': 'Of an agent: it may ask people to schedule.',
  'api_keys.daily_post_sets': 'Null: the key was made for a program.',
  'api_keys.daily_upload_bytes': 'Null as `daily_post_sets` is.',
  'key_calls.problem': 'Code of what it was refused with; null when it was done.',
  'key_usage.day': 'In UTC. What is of an earlier one counts no more.',
  'media_items.brought_by_agent': 'Name of the key by which an agent brought it.',
  'media_uploads.begun_by': 'The user or the key. Null: begun by a version that did not write it down.',
  'media_uploads.poster_key': 'The file that stands for the video, also after its item has it; null without one.',
  'media_uploads.received_at': 'When its bytes arrived last.',
  'media_uploads.reserved_bytes':
    "What a direct upload keeps of the month's allowance; null of an import, as `received_at`.",
  'media_uploads.url': 'Null of a direct upload.',
  'memberships.addresses_seen':
    'Brands by their ids, each with when the member could last see its addresses and then lost the right to.',
  'network_identities.not_before': 'The network has asked to wait until then with all posts of the identity.',
  'news.social_set_id': 'Null: of the whole account.',
  'posts.social_set_id': 'That of the set: search looks within one social set.',
  'shared_keys.user_id': 'Of the member who looks.',
}

/** Where the types that `COLUMNS` names come from. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  kysely: ['GeneratedAlways'],
  '#contract': [
    'AccountType',
    'ActorType',
    'Approval',
    'ApprovalRuleName',
    'CommentAudience',
    'EventType',
    'ConnectionStatus',
    'ImportedCalendarFailureCode',
    'LateChoice',
    'MediaCrop',
    'MediaFacts',
    'MediaTag',
    'MediaUploadErrorCode',
    'NewsCause',
    'NewsChoice',
    'NewsKind',
    'NoteColor',
    'NoteSource',
    'NoteType',
    'PlanName',
    'PostResult',
    'PostSetStatus',
    'Preferences',
    'RepeatInterval',
    'ReviewStep',
    'SavedTime',
    'Scope',
    'Why',
  ],
  '#domain': ['DeliveryState', 'HeldStartWhy'],
  './columns.ts': [
    'AuthorizationStatus',
    'DeliveryPlace',
    'Json',
    'MediaUploadState',
    'NewsFacts',
    'NewsWay',
    'UserLinkPurpose',
  ],
  './delivery-parts.ts': ['StoredPart'],
}

/**
 * The types of all tables and views as a module of TypeScript, from what the database says and `COLUMNS` adds. Kept as
 * `src/persistence/tables.ts`, beside `schema.sql`.
 *
 * @throws Error when `COLUMNS` or `WORDS` name a column that is not there, or none says what a JSON column holds
 */
export async function tableTypes(db: Database): Promise<string> {
  const dialect = new PostgresDialect()
  const scalars: Record<string, IdentifierNode | RawExpressionNode> = dialect.adapter.scalars
  Object.assign(scalars, { timestamptz: new IdentifierNode('Date'), int8: new IdentifierNode('number') })
  for (const [name, type] of Object.entries(COLUMNS)) scalars[name] = new RawExpressionNode(type)
  const text = await generate({
    db,
    dialect,
    outFile: null,
    excludePattern: 'public.migrations*',
    skipAutogeneratedFileComment: true,
    postprocess: async ({ metadata }) => describe(metadata),
  })
  const own = text
    .replaceAll(/^export (?!interface DB\b)/gm, '')
    .replace('export interface DB ', 'export interface Tables ')
    .replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */')
  return styled(
    `// What the migrations make, as types. Written by the schema test, with schema.sql.\n${importsOf(own)}\n${own}`,
  )
}

const importsOf = (text: string) =>
  Object.entries(IMPORTS)
    .map(([from, names]) => [from, names.filter((name) => new RegExp(`\\b${name}\\b`).test(text))] as const)
    .map(([from, names]) => `import type { ${names.join(', ')} } from '${from}'`)
    .join('\n')

/** Names what each column holds, and gives a view the columns of the table it shows: of a view PostgreSQL says less. */
function describe(metadata: DatabaseMetadata): DatabaseMetadata {
  const unknown = new Set([...Object.keys(COLUMNS), ...Object.keys(WORDS)])
  for (const table of metadata.tables.filter(({ isView }) => !isView)) {
    for (const column of table.columns) {
      const path = `${table.name}.${column.name}`
      const name = path in COLUMNS ? path : column.name in COLUMNS ? column.name : null
      column.comment = WORDS[path] ?? null
      for (const known of [path, column.name]) unknown.delete(known)
      if (name === null && column.dataType.startsWith('json')) throw new Error(`What does ${path} hold?`)
      if (name !== null) Object.assign(column, { dataType: name, isArray: false })
    }
  }
  if (unknown.size > 0) throw new Error(`There are no columns ${[...unknown].join(', ')}.`)
  for (const view of metadata.tables.filter(({ isView }) => isView)) {
    const shown = metadata.tables.find(({ name }) => name === `all_${view.name}`)?.columns ?? []
    view.columns = view.columns.map((column) => shown.find(({ name }) => name === column.name) ?? column)
  }
  return metadata
}

const styled = (text: string) =>
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'check',
      '--write',
      '--stdin-file-path=src/persistence/tables.ts',
    ],
    { cwd: root, input: text, encoding: 'utf8' },
  )
