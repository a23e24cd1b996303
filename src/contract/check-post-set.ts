import Type from 'typebox'
import { type AccountType, accountTypes, networkFieldNames, POST_FIELDS, takesThread } from './account-types.ts'
import { type Checked, checkShape, checkTexts, codePointsOf, unchangeable, validatorOf } from './check-shape.ts'
import * as LIMITS from './limits.ts'
import { MediaCrop } from './media.ts'
import { MEASURE_NAMES, type PostInput, PostSetCreate, PostSetUpdate, postInputs } from './post-sets.ts'
import { entryAt, type ProblemEntry, pathOf } from './problem.ts'
import type { Repeat } from './repeat.ts'
import { closed } from './schema.ts'
import type { Approval, WritableStatus } from './states.ts'

const CODE = 'request:invalid_body'

interface PostSetCreateInput {
  socialSetId: string
  /** As sent: a time without an offset is read in the timezone of the social set. */
  scheduledAt: string
  status: WritableStatus
  approval: Approval
  posts: PostInput[]
  /** Null: it stands alone. */
  repeat: Repeat | null
  externalId: string | null
}

/** The requested changes. Read-only fields have been compared and removed. */
export type PostSetUpdateInput = Partial<Omit<PostSetCreateInput, 'socialSetId'>>

/** What a set says of itself that no request may change. */
interface ReadOnlyFields {
  id: string
  socialSetId: string
  labelsId: readonly string[]
  isLocked: boolean
  seriesId: string | null
  /** Of the set that started a series. */
  repeat: Repeat | null
}

// Posts are checked one by one, each by the schema of its account type: a union of all would explain nothing.
const anyPosts = Type.Array(Type.Unknown(), { minItems: LIMITS.postsPerSet.min, maxItems: LIMITS.postsPerSet.max })
const createEnvelope = closed({ ...PostSetCreate.properties, posts: anyPosts })
const updateEnvelope = closed({ ...PostSetUpdate.properties, posts: Type.Optional(anyPosts) })

/** Checks the body of `POST /v1/post-sets`; all problems of all posts are reported at once. */
export function checkPostSetCreate(body: unknown): Checked<PostSetCreateInput> {
  const envelope = checkShape(createEnvelope, body)
  const posts = checkPostList(body, 'create')
  const entries = [...faultsOf(envelope), ...faultsOf(posts), ...checkPostTexts(body)]
  if (!envelope.ok || !posts.ok || entries.length > 0) return { ok: false, entries }
  const { repeat = null, externalId = null, ...others } = envelope.value
  const value = { ...others, posts: posts.value ?? [], repeat, externalId }
  return { ok: true, value }
}

/**
 * Checks the body of `PATCH /v1/post-sets/{id}`. Sending back what was read is no problem: read-only fields are
 * accepted with their current value.
 */
export function checkPostSetUpdate(body: unknown, current: ReadOnlyFields): Checked<PostSetUpdateInput> {
  const envelope = checkShape(updateEnvelope, body)
  const posts = checkPostList(body, 'update')
  const entries = [
    ...faultsOf(envelope),
    ...(envelope.ok ? checkReadOnly(envelope.value, current) : []),
    ...(envelope.ok ? checkRepeat(envelope.value.repeat, current) : []),
    ...faultsOf(posts),
    ...checkPostTexts(body),
  ]
  if (!envelope.ok || !posts.ok || entries.length > 0) return { ok: false, entries }
  const { scheduledAt, status, approval, externalId } = envelope.value
  const value: PostSetUpdateInput = {}
  if (scheduledAt !== undefined) value.scheduledAt = scheduledAt
  if (status !== undefined) value.status = status
  if (approval !== undefined) value.approval = approval
  if (externalId !== undefined) value.externalId = externalId
  if (posts.value !== null) value.posts = posts.value
  if (envelope.value.repeat && current.seriesId === null) value.repeat = envelope.value.repeat
  return { ok: true, value }
}

/** Problems of texts; those of a post name its account type. */
function checkPostTexts(body: unknown): ProblemEntry[] {
  const posts = isObject(body) && Array.isArray(body.posts) ? body.posts : []
  return checkTexts(body).map((entry) => {
    const post: unknown = posts[Number(/^posts\[(\d+)\]/.exec(entry.path)?.[1])]
    const accountType = isObject(post) ? accountTypes.find((type) => type === post.accountType) : undefined
    return accountType ? { ...entry, accountType } : entry
  })
}

function faultsOf(checked: Checked<unknown>): ProblemEntry[] {
  return checked.ok ? [] : checked.entries
}

function checkReadOnly(
  given: { id?: string; socialSetId?: string; labelsId?: string[]; isLocked?: boolean; seriesId?: string | null },
  current: ReadOnlyFields,
): ProblemEntry[] {
  const changed: string[] = []
  if (given.id !== undefined && given.id.toLowerCase() !== current.id) changed.push('id')
  if (given.socialSetId !== undefined && given.socialSetId.toLowerCase() !== current.socialSetId) {
    changed.push('socialSetId')
  }
  const labelsId = given.labelsId?.map((id) => id.toLowerCase())
  if (labelsId && !sameMembers(labelsId, current.labelsId)) changed.push('labelsId')
  if (given.isLocked !== undefined && given.isLocked !== current.isLocked) changed.push('isLocked')
  if (given.seriesId !== undefined && (given.seriesId?.toLowerCase() ?? null) !== current.seriesId) {
    changed.push('seriesId')
  }
  return unchangeable(changed)
}

function sameMembers(some: readonly string[], others: readonly string[]): boolean {
  return new Set(some).symmetricDifference(new Set(others)).size === 0
}

/** A set turns into a series once. What it answers may be sent back. */
function checkRepeat(given: Repeat | null | undefined, { seriesId, repeat }: ReadOnlyFields): ProblemEntry[] {
  if (given === undefined || seriesId === null) return []
  const same = given?.interval === repeat?.interval && given?.occurrences === repeat?.occurrences
  if (same) return []
  const words = 'The set belongs to a series, whose repeat rule cannot be changed. Leave repeat out.'
  return [entryAt(['repeat'], 'post-set:repeat_not_updatable', words)]
}

type Mode = 'create' | 'update'

/**
 * The posts of a body; null when it has none. A list that is none, or too long to be looked through, is reported by the
 * envelope. Posts behind the first 100 problems are not looked at.
 */
function checkPostList(body: unknown, mode: Mode): Checked<PostInput[] | null> {
  const given = isObject(body) ? body.posts : undefined
  if (!Array.isArray(given) || given.length > LIMITS.postsPerSet.max) return { ok: true, value: null }
  const entries: ProblemEntry[] = []
  const posts: PostInput[] = []
  for (const [index, post] of given.entries()) {
    if (entries.length >= LIMITS.problems) break
    const checked = checkPost(post, ['posts', index], mode)
    if (checked.ok) posts.push(checked.value)
    else entries.push(...checked.entries)
  }
  if (entries.length > 0) return { ok: false, entries }
  const together = checkCaptionsTogether(posts)
  return together.length > 0 ? { ok: false, entries: together } : { ok: true, value: posts }
}

function checkCaptionsTogether(posts: readonly PostInput[]): ProblemEntry[] {
  const limit = LIMITS.captionsOfSetCodePoints
  const captions = posts.flatMap(({ caption, thread }) => [caption, ...(thread ?? []).map((part) => part.caption)])
  const actual = captions.reduce((sum, caption) => sum + codePointsOf(caption), 0)
  if (actual <= limit) return []
  const message = `The captions of a set have at most ${limit} characters together; these have ${actual}.`
  return [entryAt(['posts'], CODE, message, { limit, actual })]
}

function checkPost(post: unknown, at: readonly (string | number)[], mode: Mode): Checked<PostInput> {
  if (!isObject(post)) return { ok: false, entries: [problem(at, 'must be an object')] }
  const accountType = accountTypes.find((type) => type === post.accountType)
  if (!accountType) {
    const words = post.accountType === undefined ? 'is required' : `must be one of ${accountTypes.join(', ')}`
    return { ok: false, entries: [problem([...at, 'accountType'], words)] }
  }
  const tooMany = checkCounts(post, at)
  if (tooMany) return { ok: false, entries: [{ ...tooMany, accountType }] }
  const own = [...Object.keys(POST_FIELDS[accountType]), ...(takesThread(accountType) ? ['thread'] : [])]
  const foreign = [...networkFieldNames, 'thread'].filter((name) => !own.includes(name) && Object.hasOwn(post, name))
  const parts = partsIn(post, at)
  const rest = Object.fromEntries(Object.entries(post).filter(([name]) => !foreign.includes(name)))
  const entries = [
    ...foreign
      .filter((name) => !isEmpty(post[name]))
      .map((name) => problem([...at, name], `does not belong to ${accountType}`, accountType)),
    ...(mode === 'create' ? parts.flatMap((each) => checkAnsweredFields(each.part, each.at)) : []),
    ...faultsOf(checkShape(postInputs[accountType], rest, { at })).map((entry) => ({ ...entry, accountType })),
    ...parts.flatMap((each) => checkMediaReferences(each.part.media, each.at)),
    ...parts.flatMap((each) => checkCrops(each.part.media, each.at)),
  ]
  return entries.length > 0 ? { ok: false, entries } : { ok: true, value: rest as PostInput }
}

type Steps = readonly (string | number)[]

/** The post itself and what is written like it: its further parts, where they are such. */
function partsIn(post: Record<string, unknown>, at: Steps): { part: Record<string, unknown>; at: Steps }[] {
  const thread: unknown[] = Array.isArray(post.thread) ? post.thread : []
  const further = thread.map((part, nth) => ({ part, at: [...at, 'thread', nth] }))
  return [{ part: post, at }, ...further.flatMap(({ part, at }) => (isObject(part) ? [{ part, at }] : []))]
}

/** Lists that are too long to be looked through: parts, media of one, and of all together. */
function checkCounts(post: Record<string, unknown>, at: Steps): ProblemEntry | null {
  const tooMany = (steps: Steps, limit: number, actual: number, more = '') => {
    const words = `${pathOf(steps)} must have at most ${limit} elements${more}.`
    return actual > limit ? entryAt(steps, CODE, words, { limit, actual }) : null
  }
  const parts = Array.isArray(post.thread) ? post.thread.length : 0
  const long = tooMany([...at, 'thread'], LIMITS.threadParts, parts)
  if (long) return long
  const counts = partsIn(post, at).map((each) => (Array.isArray(each.part.media) ? each.part.media.length : 0))
  const [own = 0, ...others] = counts
  const all = others.reduce((sum, each) => sum + each, own)
  return (
    tooMany([...at, 'media'], LIMITS.mediaPerPost, own) ??
    tooMany([...at, 'thread'], LIMITS.mediaPerPost, all, ' in the media of all its parts together')
  )
}

/** What only answers carry is taken back on an update, where it may have been read, and nowhere else. */
function checkAnsweredFields(post: Record<string, unknown>, at: readonly (string | number)[]): ProblemEntry[] {
  const words = 'is not a known field'
  const entries = Object.hasOwn(post, 'result') ? [problem([...at, 'result'], words)] : []
  const media = Array.isArray(post.media) ? post.media : []
  media.forEach((item, index) => {
    if (!isObject(item)) return
    const found = MEASURE_NAMES.filter((name) => Object.hasOwn(item, name))
    entries.push(...found.map((name) => problem([...at, 'media', index, name], words)))
  })
  return entries
}

function checkMediaReferences(media: unknown, at: readonly (string | number)[]): ProblemEntry[] {
  if (!Array.isArray(media)) return []
  return media.flatMap((item, index) => {
    if (!isObject(item) || isGiven(item.id) || isGiven(item.mediaLibraryId)) return []
    return [problem([...at, 'media', index, 'mediaLibraryId'], 'is required')]
  })
}

/** Fractions such as 0.7 + 0.3 may be more than 1 by what a computer rounds. */
const ROUNDING = 1e-6

function checkCrops(media: unknown, at: readonly (string | number)[]): ProblemEntry[] {
  if (!Array.isArray(media)) return []
  return media.flatMap((item, index) => {
    const crop: unknown = isObject(item) ? item.crop : null
    if (!validatorOf(MediaCrop).Check(crop)) return []
    const { x, y, width, height } = crop as MediaCrop
    if (x + width <= 1 + ROUNDING && y + height <= 1 + ROUNDING) return []
    return [
      problem([...at, 'media', index, 'crop'], 'must lie within the picture: x + width and y + height are at most 1'),
    ]
  })
}

function problem(at: readonly (string | number)[], words: string, accountType?: AccountType): ProblemEntry {
  return entryAt(at, CODE, `${pathOf(at)} ${words}.`, accountType ? { accountType } : {})
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** A field of another account type may be there when it says nothing. */
function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
