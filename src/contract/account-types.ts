import Type, { type TSchema } from 'typebox'
import * as LIMITS from './limits.ts'
import { FITS } from './picture-fit.ts'
import { closed, orNull } from './schema.ts'

/**
 * The closed list of account types of the API: which folder of `networks/` serves each, under which name the
 * post-set list filters it, and which fields of a post belong to it. A new network is its folder plus an entry here.
 */
export interface AccountTypeEntry {
  /** Folder name below `src/networks/`. */
  network: string
  /** Value of `filters[socialNetworks][]` that means this account type. */
  filter: string
  /** Fields of a post besides `accountType`, `caption` and `media`. */
  fields: Record<string, FieldEntry>
  /** A post may have further parts, which are published as replies, each to the one before. */
  thread?: true
  /** Posts that plans count as video although no item is one: all, or those of these types. */
  video?: 'all' | readonly string[]
  /** Posts that plans count as carousels: those of these types, and perhaps all with several items. */
  carousel?: { types: readonly string[]; severalItems: boolean }
}

/**
 * How a person enters a value if its schema does not say: text of several lines, a moment of the video in seconds
 * (`moment`) or milliseconds (`millisecond`), or a list of what the account has or of everything there is. Only
 * programs choose a track, because networks identify it by a number; people can only remove it.
 */
export const PICKERS = [
  'lines',
  'moment',
  'millisecond',
  'photo',
  'track',
  'board',
  'category',
  'audience',
  'language',
] as const
export type Picker = (typeof PICKERS)[number]

/**
 * The groups in the form of a post, in order: what it is, who sees it, what others may do, and what the law or the
 * network requires to be disclosed.
 */
export const FIELD_GROUPS = ['post', 'audience', 'interaction', 'disclosure'] as const
export type FieldGroup = (typeof FIELD_GROUPS)[number]

interface FieldEntry {
  required: boolean
  schema: TSchema
  /** Answered for a stored post that lacks the field. */
  missing: unknown
  picker?: Picker
  /** Default: `post`. */
  group?: FieldGroup
  /** It does something only where another field of the post has one of these values. Absent: always. */
  when?: FieldCondition
}

interface FieldCondition {
  field: string
  values: readonly string[]
}

/** Handles without a leading @. The only pattern of the API; check-shape.ts puts it into words. */
export const NO_LEADING_AT = '^(?!@)'

const required = (schema: TSchema, missing: unknown): FieldEntry => ({ required: true, schema, missing })
const optional = (schema: TSchema): FieldEntry => ({
  required: false,
  schema: orNull(schema),
  missing: null,
})

/** A text of one line or a few: what networks take is far less. */
const text = () => Type.String({ maxLength: LIMITS.metadataCodePoints })

/** A piece of a rich caption: plain text, or text that may mention an account of the network. */
export const RichCaptionSegment = Type.Union([
  Type.String({ maxLength: LIMITS.captionCodePoints }),
  closed({
    text: Type.String({ maxLength: LIMITS.captionCodePoints }),
    mention: Type.Optional(orNull(closed({ id: text(), name: text() }))),
  }),
])
export type RichCaptionSegment = Type.Static<typeof RichCaptionSegment>

const richCaption = required(
  Type.Array(RichCaptionSegment, {
    maxItems: LIMITS.richCaptionSegments,
    description: 'The caption as segments. Simplest form: one segment with the whole caption.',
  }),
  [],
)
const seconds = (description: string): FieldEntry => ({
  ...optional(Type.Number({ minimum: 0, description })),
  picker: 'moment',
})

/** Extension: settings of the network that have no field in the API. `GET /v1/networks` has their names and schemas. */
export const PostOptions = Type.Record(
  Type.String(),
  Type.Union([
    Type.String({ maxLength: LIMITS.optionCodePoints }),
    Type.Number(),
    Type.Boolean(),
    Type.Array(Type.String({ maxLength: LIMITS.metadataCodePoints }), { maxItems: LIMITS.optionEntries }),
    Type.Null(),
  ]),
  {
    maxProperties: LIMITS.optionsPerPost,
    description:
      'Extension: choices for this post that override publishing defaults of the connected account. `GET /v1/networks` has the names and schemas for each account type; null uses the default.',
  },
)
export type PostOptions = Readonly<Type.Static<typeof PostOptions>>

export const ACCOUNT_TYPES = {
  INSTAGRAM: {
    network: 'instagram',
    filter: 'INSTAGRAM',
    fields: {
      type: required(Type.Enum(['IMAGE', 'CAROUSEL', 'REEL', 'STORY']), 'IMAGE'),
      collaborators: required(
        Type.Array(Type.String({ maxLength: LIMITS.metadataCodePoints, pattern: NO_LEADING_AT }), {
          maxItems: LIMITS.collaborators,
          description: 'Handles without @. An empty array means none.',
        }),
        [],
      ),
      firstComment: { ...optional(text()), picker: 'lines' },
      audio: { ...optional(text()), picker: 'track' },
      audioName: optional(text()),
      videoCoverImage: seconds('Seconds into the first video.'),
    },
    video: ['REEL'],
    carousel: { types: ['CAROUSEL'], severalItems: true },
  },
  FACEBOOK: {
    network: 'facebook',
    filter: 'FACEBOOK',
    fields: {
      type: required(Type.Enum(['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL', 'MULTI_IMAGE', 'REEL', 'STORY']), 'TEXT'),
      richCaption,
      videoCoverImageSeconds: seconds('Seconds into the video.'),
    },
    video: ['VIDEO', 'REEL'],
    carousel: { types: ['CAROUSEL'], severalItems: false },
  },
  TWITTER: { network: 'x', filter: 'TWITTER', fields: {}, thread: true },
  LINKEDIN_PAGE: { network: 'linkedin', filter: 'LINKEDIN', fields: { richCaption } },
  LINKEDIN_PERSONAL: { network: 'linkedin', filter: 'LINKEDIN', fields: { richCaption } },
  GMB: {
    network: 'google-business',
    filter: 'GMB',
    fields: {
      ctaType: required(Type.Enum(['NONE', 'SIGN_UP', 'CALL', 'SHOP', 'LEARN_MORE', 'ORDER', 'BOOK']), 'NONE'),
      // CALL dials the number of the profile.
      ctaUrl: {
        ...optional(text()),
        when: { field: 'ctaType', values: ['SIGN_UP', 'SHOP', 'LEARN_MORE', 'ORDER', 'BOOK'] },
      },
    },
  },
  PINTEREST: {
    network: 'pinterest',
    filter: 'PINTEREST',
    fields: {
      title: required(text(), ''),
      website: required(text(), ''),
      board: { ...optional(closed({ id: text(), name: text() })), picker: 'board' },
    },
  },
  TIKTOK: { network: 'tiktok', filter: 'TIKTOK', fields: {} },
  YOUTUBE: {
    network: 'youtube',
    filter: 'YOUTUBE',
    fields: {
      title: required(text(), ''),
      privacy: { ...required(Type.Enum(['PUBLIC', 'PRIVATE', 'UNLISTED']), 'PRIVATE'), group: 'audience' },
    },
    video: 'all',
  },
  THREADS: { network: 'threads', filter: 'THREADS', fields: {}, thread: true },
  BLUESKY: { network: 'bluesky', filter: 'BLUESKY', fields: {}, thread: true },
} as const satisfies Record<string, AccountTypeEntry>

export type AccountType = keyof typeof ACCOUNT_TYPES
export const accountTypes = Object.keys(ACCOUNT_TYPES) as [AccountType, ...AccountType[]]
/** Every network, each once. */
export const NETWORKS: readonly string[] = [...new Set(accountTypes.map((type) => ACCOUNT_TYPES[type].network))]

/** The entry of an account type, with its fields as a plain record. */
export function accountTypeEntry(accountType: AccountType): AccountTypeEntry {
  return ACCOUNT_TYPES[accountType]
}

/** Whether posts of an account type may have further parts. */
export const takesThread = (accountType: AccountType): boolean => accountTypeEntry(accountType).thread === true

/** What happens to a picture whose shape the network does not accept. */
export const PostFit = Type.Enum([...FITS], {
  description:
    'Extension: a picture whose shape the network does not accept is cropped to its middle, placed on a blurred copy of itself, or refused. A crop takes precedence. Null: the value of the brand for a new post, unchanged for a kept one.',
})
/** Of what is stored, absent is `REFUSE`. */
const fit: FieldEntry = { ...optional(PostFit), missing: 'REFUSE' }

/**
 * Fields of a post besides `accountType`, `caption` and `media`: those of its account type, and those that all have.
 */
export const POST_FIELDS = Object.fromEntries(
  accountTypes.map((type) => [type, { ...ACCOUNT_TYPES[type].fields, options: optional(PostOptions), fit }]),
) as Record<string, Record<string, FieldEntry>> as Record<AccountType, Readonly<Record<string, FieldEntry>>>

/** Values of `filters[socialNetworks][]`, each once: `LINKEDIN` means page or personal. */
export const networkFilters = [...new Set(accountTypes.map((type) => ACCOUNT_TYPES[type].filter))] as [
  NetworkFilter,
  ...NetworkFilter[],
]
type NetworkFilter = (typeof ACCOUNT_TYPES)[AccountType]['filter']

/** The account types that a value of `filters[socialNetworks][]` means. */
export function accountTypesOf(filter: NetworkFilter): AccountType[] {
  return accountTypes.filter((type) => ACCOUNT_TYPES[type].filter === filter)
}

/** Every field name that belongs to some account type. */
export const networkFieldNames = [...new Set(accountTypes.flatMap((type) => Object.keys(ACCOUNT_TYPES[type].fields)))]
