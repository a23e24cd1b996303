import Type, { type TProperties } from 'typebox'
import { type AccountType, accountTypes, NO_LEADING_AT, POST_FIELDS, takesThread } from './account-types.ts'
import * as LIMITS from './limits.ts'
import { MEDIA_TYPES, MediaCrop } from './media.ts'
import { ProblemEntry } from './problem.ts'
import { repeatOf } from './repeat.ts'
import { closed, orNull } from './schema.ts'
import {
  APPROVALS,
  POST_SET_STATUSES,
  REASONS,
  RESULT_DELIVERIES,
  RESULT_STATUSES,
  WRITABLE_STATUSES,
} from './states.ts'

/** The same schema with a type by hand, where it is put together from the table of account types. */
const typed = <T>(schema: Type.TSchema) => schema as Type.TUnsafe<T>

/** Position of a tag on an image, as fractions of its size. */
export const MediaTag = closed({
  x: Type.Number({ minimum: 0, maximum: 1, description: '0 is the left edge, 1 the right edge.' }),
  y: Type.Number({ minimum: 0, maximum: 1, description: '0 is the top edge, 1 the bottom edge.' }),
  text: Type.String({
    minLength: 1,
    maxLength: LIMITS.metadataCodePoints,
    pattern: NO_LEADING_AT,
    description: 'Handle to tag, without a leading @.',
  }),
})
export type MediaTag = Type.Static<typeof MediaTag>

const mediaMetadata = {
  altText: Type.Optional(orNull(Type.String({ maxLength: LIMITS.metadataCodePoints }))),
  title: Type.Optional(orNull(Type.String({ maxLength: LIMITS.metadataCodePoints }))),
  description: Type.Optional(orNull(Type.String({ maxLength: LIMITS.metadataCodePoints }))),
  link: Type.Optional(orNull(Type.String({ maxLength: LIMITS.metadataCodePoints }))),
  tags: Type.Optional(orNull(Type.Array(MediaTag, { maxItems: LIMITS.tagsPerMedia }))),
  crop: Type.Optional(
    orNull(MediaCrop, {
      description:
        'Extension: the part of the picture that this post shows; the file does not change. Tags are placed on that part.',
    }),
  ),
}

/** Measures that answers carry; taken back unread, so that a client may send what it read. */
const measures = {
  type: Type.Optional(Type.Unknown({ description: 'On update: ignored, may be sent as answered.' })),
  url: Type.Optional(Type.Unknown({ description: 'On update: ignored, may be sent as answered.' })),
  thumbnailUrl: Type.Optional(Type.Unknown({ description: 'On update: ignored, may be sent as answered.' })),
  width: Type.Optional(Type.Unknown({ description: 'On update: ignored, may be sent as answered.' })),
  height: Type.Optional(Type.Unknown({ description: 'On update: ignored, may be sent as answered.' })),
  durationMs: Type.Optional(Type.Unknown({ description: 'On update: ignored, may be sent as answered.' })),
}

export const MEASURE_NAMES = Object.keys(measures)

export const PostMediaInput = closed({
  id: Type.Optional(orNull(Type.String({ description: 'On update: keeps this media item of the set.' }))),
  mediaLibraryId: Type.Optional(
    orNull(Type.String({ description: 'Item of the media library of the same social set.' })),
  ),
  ...mediaMetadata,
  ...measures,
})
export type PostMediaInput = Type.Static<typeof PostMediaInput>

export const PostMedia = closed({
  id: Type.String(),
  mediaLibraryId: Type.String(),
  altText: orNull(Type.String()),
  title: orNull(Type.String()),
  description: orNull(Type.String()),
  link: orNull(Type.String()),
  tags: Type.Array(MediaTag),
  crop: orNull(MediaCrop, {
    description: 'Extension: the part of the picture that this post shows; null for all of it.',
  }),
  type: Type.Enum([...MEDIA_TYPES]),
  url: Type.String(),
  thumbnailUrl: orNull(Type.String()),
  width: Type.Integer(),
  height: Type.Integer(),
  pages: Type.Optional(Type.Integer({ description: 'Extension: only for documents.' })),
  durationMs: orNull(Type.Integer(), {
    description: 'Extension: length of a video or an animation in milliseconds; null for still images.',
  }),
})
export type PostMedia = Type.Static<typeof PostMedia>

const ThreadPartInput = closed({
  id: Type.Optional(orNull(Type.String({ description: 'On update: keeps this part of the set.' }))),
  caption: Type.String({ maxLength: LIMITS.captionCodePoints }),
  media: Type.Array(PostMediaInput, { maxItems: LIMITS.mediaPerPost }),
})
type ThreadPartInput = Type.Static<typeof ThreadPartInput>

/** The further parts of a post as they are sent; none for account types without. */
const threadInput = (accountType: AccountType): TProperties =>
  takesThread(accountType)
    ? {
        thread: Type.Optional(
          orNull(Type.Array(ThreadPartInput, { maxItems: LIMITS.threadParts }), {
            description:
              'Extension: further parts, published in this order, each as a reply to the one before. On update, omitted parts stay; null or an empty array removes them.',
          }),
        ),
      }
    : {}

/** The further parts of a post as they are answered. */
const threadOutput = (accountType: AccountType, media: Type.TSchema): TProperties =>
  takesThread(accountType)
    ? {
        thread: Type.Optional(
          Type.Array(closed({ id: Type.String(), caption: Type.String(), media }), {
            description: 'Extension: further parts, published as replies. Absent: none.',
          }),
        ),
      }
    : {}

/** Parts of a post that are live. */
const liveParts = (description: string) =>
  Type.Array(closed({ providerId: Type.Optional(Type.String()), permalink: Type.Optional(Type.String()) }), {
    description,
  })

export const PostResult = closed({
  status: Type.Enum([...RESULT_STATUSES]),
  delivery: Type.Optional(
    Type.Enum([...RESULT_DELIVERIES], {
      description:
        "Extension: `INBOX`: not public; waits in the account's inbox for its creator. `INBOX_ENDED`: was not finished there. Absent: `DIRECT`.",
    }),
  ),
  providerId: Type.Optional(Type.String()),
  permalink: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  reason: Type.Optional(Type.Enum([...REASONS])),
  warnings: Type.Optional(
    Type.Array(closed({ code: Type.String(), message: Type.String() }), {
      description: 'Extension: what went wrong besides the post itself, such as its first comment.',
    }),
  ),
  thread: Type.Optional(
    liveParts(
      'Extension: the parts of `thread` that are live, in their order. Warnings say what is missing behind them.',
    ),
  ),
  stories: Type.Optional(
    liveParts(
      'Extension: of a story of several items each that is live, the first one included. Warnings say what is missing behind them.',
    ),
  ),
})
export type PostResult = Type.Static<typeof PostResult>

function inputFields(accountType: AccountType): TProperties {
  const entries = Object.entries(POST_FIELDS[accountType])
  return Object.fromEntries(
    entries.map(([name, field]) => [name, field.required ? field.schema : Type.Optional(field.schema)]),
  )
}

function outputFields(accountType: AccountType): TProperties {
  return Object.fromEntries(Object.entries(POST_FIELDS[accountType]).map(([name, field]) => [name, field.schema]))
}

/** The shape of a post in a request, per account type. `result` is accepted and ignored. */
export const postInputs = Object.fromEntries(
  accountTypes.map((accountType) => [
    accountType,
    closed({
      id: Type.Optional(orNull(Type.String({ description: 'On update: keeps this post.' }))),
      accountType: Type.Literal(accountType),
      caption: Type.String({ maxLength: LIMITS.captionCodePoints }),
      media: Type.Array(PostMediaInput, { maxItems: LIMITS.mediaPerPost }),
      result: Type.Optional(Type.Unknown({ description: 'On update: ignored, may be sent as answered.' })),
      ...threadInput(accountType),
      ...inputFields(accountType),
    }),
  ]),
) as unknown as Record<AccountType, Type.TObject>

/** A post of a request once its shape is checked: network-specific fields beside the common ones. */
export interface PostInput {
  id?: string | null
  accountType: AccountType
  caption: string
  media: PostMediaInput[]
  thread?: ThreadPartInput[] | null
  [field: string]: unknown
}

/** The shape of a post in an answer, per account type. */
export const postOutputs = postOutputsWith({ media: Type.Array(PostMedia), result: Type.Optional(PostResult) })

/** The shape of a post, per account type, with additional reported fields. */
export function postOutputsWith({ media, ...more }: TProperties & { media: Type.TSchema }): Type.TObject[] {
  return accountTypes.map((accountType) =>
    closed(
      {
        id: Type.String(),
        accountType: Type.Literal(accountType),
        caption: Type.String(),
        media,
        ...threadOutput(accountType, media),
        ...more,
        ...outputFields(accountType),
      },
      { title: `Post ${accountType}` },
    ),
  )
}

export interface Post {
  id: string
  accountType: AccountType
  caption: string
  media: PostMedia[]
  thread?: { id: string; caption: string; media: PostMedia[] }[] | null
  result?: PostResult
  [field: string]: unknown
}

const postInputUnion = typed<PostInput>(Type.Union(accountTypes.map((accountType) => postInputs[accountType])))
const posts = Type.Array(postInputUnion, { minItems: LIMITS.postsPerSet.min, maxItems: LIMITS.postsPerSet.max })
const time = (description: string) => Type.String({ description })

/** How a set repeats. */
export const PostSetRepeat = repeatOf(LIMITS.postSetOccurrences)

/** The name that a program gives to a post set. */
const ExternalId = Type.String({ minLength: 1, maxLength: LIMITS.externalIdCodePoints })
const externalId = Type.Optional(
  orNull(ExternalId, {
    description:
      'Extension: the name of the set in the system it comes from, unique in the social set. Copies and further sets of a series have none.',
  }),
)

/** Body of `POST /v1/post-sets`, for the documentation; the check goes post by post (`check-post-set.ts`). */
export const PostSetCreate = closed({
  socialSetId: Type.String(),
  scheduledAt: time('ISO 8601. Without an offset it is read in the timezone of the social set.'),
  status: Type.Enum([...WRITABLE_STATUSES]),
  posts,
  approval: Type.Enum([...APPROVALS]),
  repeat: Type.Optional(orNull(PostSetRepeat)),
  externalId,
})
export type PostSetCreate = Type.Static<typeof PostSetCreate>

/** Body of `PATCH /v1/post-sets/{id}`. Read-only fields are accepted with the value that they have. */
export const PostSetUpdate = closed({
  scheduledAt: Type.Optional(PostSetCreate.properties.scheduledAt),
  status: Type.Optional(Type.Enum([...WRITABLE_STATUSES])),
  approval: Type.Optional(Type.Enum([...APPROVALS])),
  posts: Type.Optional(posts),
  repeat: Type.Optional(orNull(PostSetRepeat)),
  externalId,
  seriesId: Type.Optional(orNull(Type.String({ description: 'Read-only.' }))),
  id: Type.Optional(Type.String({ description: 'Read-only.' })),
  socialSetId: Type.Optional(Type.String({ description: 'Read-only.' })),
  labelsId: Type.Optional(Type.Array(Type.String(), { description: 'Read-only.' })),
  isLocked: Type.Optional(Type.Boolean({ description: 'Read-only.' })),
  createdAt: Type.Optional(Type.Unknown({ description: 'Ignored; may be sent as answered.' })),
  updatedAt: Type.Optional(Type.Unknown({ description: 'Ignored; may be sent as answered.' })),
  version: Type.Optional(Type.Unknown({ description: 'Ignored; may be sent as answered.' })),
})
export type PostSetUpdate = Type.Static<typeof PostSetUpdate>

export const PostSet = closed({
  id: Type.String(),
  socialSetId: Type.String(),
  scheduledAt: Type.String(),
  status: Type.Enum([...POST_SET_STATUSES]),
  posts: Type.Array(typed<Post>(Type.Union(postOutputs))),
  seriesId: Type.Optional(Type.String({ description: 'Shared by all sets of a series.' })),
  repeat: Type.Optional(PostSetRepeat),
  labelsId: Type.Array(Type.String()),
  approval: Type.Enum([...APPROVALS]),
  isLocked: Type.Boolean(),
  externalId: Type.Optional(Type.String({ description: 'Extension: the name that a program gave it. Absent: none.' })),
  version: Type.Integer({ description: 'Extension: increased by every change. The ETag contains it.' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})
/** A post set as answered. */
export type PostSet = Type.Static<typeof PostSet>

/** How long a caption is, as its network counts. */
export const CaptionCount = closed({
  path: Type.String({ description: 'Which one, as `posts[0].caption`.' }),
  accountType: Type.Enum([...accountTypes]),
  actual: Type.Integer(),
  limit: Type.Integer(),
  fits: Type.Optional(
    Type.Integer({
      description:
        'Extension. If it is too long: how many UTF-16 code units from its start the network accepts, without splitting an address.',
    }),
  ),
})
export type CaptionCount = Type.Static<typeof CaptionCount>

/** The answer of `POST /v1/post-sets/validate`. */
export const PostSetValidation = closed({
  valid: Type.Boolean({ description: 'Whether a key with the needed scopes could create this set.' }),
  problems: Type.Array(ProblemEntry, { description: 'What would be refused, and why.' }),
  warnings: Type.Array(ProblemEntry, {
    description: 'What would be accepted, but is worth knowing; for a draft, what stops it from being scheduled.',
  }),
  counts: Type.Array(CaptionCount, {
    description: 'The length of each caption that its network shows. Empty if the shape of the body is wrong.',
  }),
})
export type PostSetValidation = Type.Static<typeof PostSetValidation>
