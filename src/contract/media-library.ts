import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import * as LIMITS from './limits.ts'
import { MEDIA_TYPES, MediaLibraryItem, PostKinds } from './media.ts'
import { UPRIGHT_KINDS } from './post-kinds.ts'
import { closed, Excerpt, Instant, list, orNull } from './schema.ts'
import { POST_SET_STATUSES } from './states.ts'
import { Why } from './why.ts'

/** The media library as the dashboard shows it: the screen, and the picker of the composer. */

/** By width and height: as wide as high, higher (4:5), as a screen of a phone (9:16), wider. */
const MEDIA_SHAPES = ['SQUARE', 'PORTRAIT', 'VERTICAL', 'LANDSCAPE'] as const
export type MediaShape = (typeof MEDIA_SHAPES)[number]

const MEDIA_SORTS = ['NEWEST', 'OLDEST', 'NAME', 'LARGEST'] as const
export type MediaSort = (typeof MEDIA_SORTS)[number]

/** Which files are shown: by whether a post has them, without alternative text, or those that were deleted and can be restored. */
const MEDIA_SHOWN = ['USED', 'UNUSED', 'NO_ALT_TEXT', 'DELETED'] as const
export type MediaShown = (typeof MEDIA_SHOWN)[number]

export const MEDIA_PAGE = { defaultSize: 60, maxSize: 100, uses: 50 } as const

export const MediaBrowseQuery = Type.Object({
  socialSetId: Type.String(),
  search: Type.Optional(Type.String({ minLength: 1, description: 'Part of the name or the alternative text.' })),
  type: Type.Optional(Type.Enum([...MEDIA_TYPES])),
  shape: Type.Optional(Type.Enum([...MEDIA_SHAPES])),
  shown: Type.Optional(Type.Enum([...MEDIA_SHOWN], { description: 'Default: all that are not deleted.' })),
  month: Type.Optional(
    Type.Enum(['THIS', 'LAST'] as const, { description: 'Came in that calendar month of the social set.' }),
  ),
  labelId: Type.Optional(Type.String({ description: 'Has this label.' })),
  sort: Type.Optional(Type.Enum([...MEDIA_SORTS], { description: 'Default: NEWEST.' })),
  'accountTypes[]': list(Type.Enum([...accountTypes]), 'Each file says which of these do not take it.'),
  cursor: Type.Optional(Type.String({ description: '`next` of the page before, with its filters and its sort.' })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: MEDIA_PAGE.maxSize, default: MEDIA_PAGE.defaultSize })),
})
export type MediaBrowseQuery = Type.Static<typeof MediaBrowseQuery>

/** That an account type takes a file in no kind of post, and why: an entry of `post-set:invalid_posts`. */
const UnfitFor = closed({
  accountType: Type.Enum([...accountTypes]),
  code: Type.String(),
  message: Type.String(),
  limit: Type.Optional(Type.Number()),
  actual: Type.Optional(Type.Number()),
})
export type UnfitFor = Type.Static<typeof UnfitFor>

/** A file of the API with the additional fields of the screen. */
export const LibraryFile = closed({
  ...MediaLibraryItem.properties,
  usedIn: Type.Integer({ description: 'How many posts that are not deleted have it.' }),
  labelsId: Type.Array(Type.String(), { description: 'Ids of labels, in order.' }),
  deletedAt: orNull(Instant, { description: 'Null: it is in the library.' }),
  unfit: Type.Array(UnfitFor, { description: 'Of the account types that were asked for.' }),
  fills: Type.Array(Type.Enum([...UPRIGHT_KINDS]), {
    description: 'Kinds of posts of the connected accounts whose screen it fills, and which take it.',
  }),
})
export type LibraryFile = Type.Static<typeof LibraryFile>

export const LibraryPage = closed({
  data: Type.Array(LibraryFile),
  total: orNull(Type.Integer({ description: 'Of all pages; exact up to 10,000. Null behind the first page.' })),
  totalIsExact: Type.Boolean(),
  next: orNull(Type.String({ description: '`cursor` of the next page; null on the last one.' })),
})
export type LibraryPage = Type.Static<typeof LibraryPage>

const MediaUse = closed({
  id: Type.String({ description: 'Of the post set.' }),
  scheduledAt: Instant,
  status: Type.Enum([...POST_SET_STATUSES]),
  excerpt: Excerpt,
  accountTypes: Type.Array(Type.Enum([...accountTypes])),
  kinds: PostKinds,
  blocks: Type.Boolean({ description: 'A draft, scheduled or publishing: the file cannot be deleted.' }),
})
export type MediaUse = Type.Static<typeof MediaUse>

/** Posts that use a file: first those that prevent its deletion, then the newest. */
export const MediaUses = closed({
  data: Type.Array(MediaUse, { description: `At most ${MEDIA_PAGE.uses}.` }),
  total: Type.Integer(),
  agent: orNull(Type.String(), { description: 'Name of the key by which an agent brought the file.' }),
})
export type MediaUses = Type.Static<typeof MediaUses>

/** Pictures of a document's pages, in order; empty for any other file. */
export const MediaPages = closed({
  data: Type.Array(closed({ url: Type.String({ description: 'Signed, valid at least 48 hours.' }) })),
})
export type MediaPages = Type.Static<typeof MediaPages>

/** `GET` and `PUT /internal/media-library/{id}/labels`: the complete list. */
export const MediaLabels = closed({ labelsId: Type.Array(Type.String(), { maxItems: 100 }) })
export type MediaLabels = Type.Static<typeof MediaLabels>

/** `POST /internal/media-library/labels`: adds a label to several files, or removes it from them. */
export const FilesLabel = closed({
  mediaIds: Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.filesAtOnce }),
  labelId: Type.String(),
  has: Type.Boolean({ description: 'Whether they have it from now on.' }),
})
export type FilesLabel = Type.Static<typeof FilesLabel>

export const FilesLabelled = closed({
  mediaIds: Type.Array(Type.String(), { description: 'Of those to which this was a change.' }),
})
export type FilesLabelled = Type.Static<typeof FilesLabelled>

export const MediaReplacementQuery = Type.Object({
  with: Type.String({ description: 'Id of the file that takes its place.' }),
})
export type MediaReplacementQuery = Type.Static<typeof MediaReplacementQuery>

/** A post set in which a file can be replaced, or why not. */
const MediaReplacement = closed({
  ...MediaUse.properties,
  version: Type.Integer({ description: 'What `replaceMedia` of the bulk route is sent with.' }),
  asksAgain: Type.Boolean({ description: 'It is approved, and will wait for approval again.' }),
  describesOld: Type.Boolean({ description: 'It has an alternative text for the old file, and the new one has none.' }),
  refused: orNull(closed({ code: Type.String(), message: Type.String(), why: Type.Optional(Why) })),
})

/** Drafts, scheduled and publishing posts that use a file, with the outcome of replacing it. Nothing is written. */
export const MediaReplacements = closed({
  data: Type.Array(MediaReplacement, { description: `At most ${LIMITS.postSetsAtOnce}, the next to publish first.` }),
  total: Type.Integer({ description: 'Of drafts, scheduled and publishing posts.' }),
  published: Type.Integer({ description: 'Posts that keep the file, because they were published with it.' }),
})
export type MediaReplacements = Type.Static<typeof MediaReplacements>

/** Body of `PATCH /internal/media-library/{id}`. Omitted fields stay. */
export const MediaItemUpdate = closed({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.nameCodePoints })),
  altText: Type.Optional(orNull(Type.String({ maxLength: LIMITS.metadataCodePoints }))),
})
export type MediaItemUpdate = Type.Static<typeof MediaItemUpdate>
