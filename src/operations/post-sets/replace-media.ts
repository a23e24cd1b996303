import { given, givenQuery, type PostInput, type PostMediaInput, ProblemError } from '#contract'
import { allMedia, isId, type MediaContent, type PostContent } from '#domain'
import { type DatabaseTransaction, findMediaItem, type MediaItemRow, type PostSetRow } from '#persistence'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import type { Changed, ChangeOptions } from './changed.ts'
import { holdPostSet } from './guards.ts'
import { applyUpdate, checkUpdate } from './update.ts'

/** Ids of files of the library. */
interface Replaced {
  from: string
  to: string
  /** Where the new file has no alternative text, posts keep theirs for the old one. */
  keepAltTexts?: boolean | undefined
}

/** Fields and options that name a moment of a video: of another video they say nothing. */
const MOMENTS = ['videoCoverImage', 'videoCoverImageSeconds', 'coverMilliseconds']
/** Of how much two shapes may differ, and a crop still fits. */
const SAME_SHAPE = 0.01

/**
 * Replaces a library file by another one in all posts of a set. It is an edit of content like any other: an approved
 * set must be approved again if the brand requires it. A set that does not use the file stays as it is.
 *
 * The new file's alternative text takes the place of the post's text for the old one, which describes another picture: it stays only
 * if the new file has none and the person wants that. Tags stay, and so does a crop if both files have the same shape.
 *
 * @throws ProblemError `media-library:not_found`, and what refuses a change of the set (`updatePostSet`)
 */
export async function applyReplacement(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  { seen, ...ids }: Replaced & ChangeOptions,
): Promise<Changed> {
  const { before, files, posts } = await readReplacement(trx, caller, id, ids)
  if (!posts) return { before, after: before }
  return applyUpdate(trx, deps, caller, id, {
    body: given({ posts }),
    query: givenQuery({}),
    seen,
    replaced: { from: named(files.from), to: named(files.to) },
  })
}

/**
 * Whether the replacement is possible for a set, and whether it removes its approval. Nothing is written.
 *
 * @throws ProblemError as `applyReplacement` does
 */
export async function checkReplacement(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  ids: Replaced,
): Promise<{ asksAgain: boolean; describesOld: boolean }> {
  const { before, files, posts } = await readReplacement(trx, caller, id, ids)
  if (!posts) return { asksAgain: false, describesOld: false }
  const describes = ({ mediaId, altText }: MediaContent) => mediaId === files.from.id && Boolean(altText)
  const describesOld = !files.to.altText && before.posts.some((post) => allMedia(post).some(describes))
  const { changes } = await checkUpdate(trx, deps, caller, id, {
    body: given({ posts }),
    query: givenQuery({}),
    seen: null,
  })
  return { asksAgain: changes.approval !== undefined, describesOld }
}

interface Files {
  from: MediaItemRow
  to: MediaItemRow
}

const named = ({ id, name }: MediaItemRow) => ({ id, name })

async function readReplacement(trx: DatabaseTransaction, caller: Caller, id: string, ids: Replaced) {
  const before = await holdPostSet(trx, caller, id)
  const files = { from: await fileOf(trx, caller, before, ids.from), to: await fileOf(trx, caller, before, ids.to) }
  const has = before.posts.some((post) => allMedia(post).some(({ mediaId }) => mediaId === files.from.id))
  const posts =
    has && files.from.id !== files.to.id
      ? before.posts.map((post) => withFile(post, { ...files, keeps: ids.keepAltTexts === true }))
      : null
  return { before, files, posts }
}

async function fileOf(
  trx: DatabaseTransaction,
  { accountId }: Caller,
  { socialSetId }: PostSetRow,
  id: string,
): Promise<MediaItemRow> {
  const file = isId(id) ? await findMediaItem(trx, accountId, id) : null
  if (file?.socialSetId === socialSetId) return file
  throw new ProblemError('media-library:not_found', 'The library of this brand does not have the file.')
}

function withFile(post: PostContent, files: Files & { keeps: boolean }): PostInput {
  const swapped = (item: MediaContent) => (item.mediaId === files.from.id ? inPlaceOf(item, files) : mediaInput(item))
  const input = postInput(post, swapped)
  const changes = post.media.some(({ mediaId }) => mediaId === files.from.id)
  return changes && files.from.facts.type === 'VIDEO' ? withoutMoments(input) : input
}

function withoutMoments({ options, ...input }: PostInput): PostInput {
  const without = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !MOMENTS.includes(name)))
  return { ...(without(input) as PostInput), ...(options ? { options: without(options) } : {}) }
}

/** Without an id: what a place of a post shows is part of what it is. */
function inPlaceOf(item: MediaContent, { from, to, keeps }: Files & { keeps: boolean }): PostMediaInput {
  const { id: _, ...rest } = mediaInput(item)
  const shape = ({ facts }: MediaItemRow) => facts.width / Math.max(1, facts.height)
  const sameShape = Math.abs(shape(from) / shape(to) - 1) <= SAME_SHAPE
  return {
    ...rest,
    mediaLibraryId: to.id,
    altText: to.altText || (keeps ? item.altText : null),
    crop: sameShape && to.facts.type === 'IMAGE' ? item.crop : null,
  }
}

/** A post as the body of an update that changes only its media. */
export function postInput(
  { id, accountType, caption, fields, media, thread }: PostContent,
  mediaOf: (item: MediaContent) => PostMediaInput = mediaInput,
): PostInput {
  const set = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  const parts = thread.map((part) => ({ id: part.id, caption: part.caption, media: part.media.map(mediaOf) }))
  return {
    ...Object.fromEntries(set),
    ...{ id, accountType, caption, media: media.map(mediaOf) },
    ...(parts.length > 0 ? { thread: parts } : {}),
  }
}

function mediaInput({ id, mediaId, altText, title, description, link, tags, crop }: MediaContent): PostMediaInput {
  return { id, mediaLibraryId: mediaId, altText, title, description, link, tags: [...tags], crop }
}
