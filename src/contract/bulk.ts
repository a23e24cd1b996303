import Type from 'typebox'
import { type Checked, checkShape } from './check-shape.ts'
import * as LIMITS from './limits.ts'
import { PostSet, PostSetCreate } from './post-sets.ts'
import { entryAt, ProblemEntry } from './problem.ts'
import { closed } from './schema.ts'

/** Body of `POST /v1/post-sets/bulk`, for the documentation; each set is checked as if it were alone. */
export const PostSetsCreate = closed({
  mode: Type.Optional(
    Type.Enum(['ATOMIC', 'EACH'] as const, {
      description:
        'ATOMIC, the default: all or none. EACH: every set that can be created, with a reason for each of the others.',
    }),
  ),
  onConflict: Type.Optional(
    Type.Enum(['UNCHANGED', 'UPDATE'] as const, {
      description:
        'What happens to a set whose externalId is already on the calendar. UNCHANGED, the default: it stays. UPDATE: it is changed to what is sent, while it is DRAFT or SCHEDULED.',
    }),
  ),
  postSets: Type.Array(PostSetCreate, { minItems: 1, maxItems: LIMITS.bulk.postSets }),
})
export type PostSetsCreate = Type.Static<typeof PostSetsCreate>

/** The outcome for one set of a request. */
export const BulkEntry = closed({
  index: Type.Integer({ description: 'Position of the set in the request, from 0.' }),
  status: Type.Enum(['CREATED', 'UPDATED', 'UNCHANGED', 'REFUSED'] as const),
  postSet: Type.Optional(PostSet),
  problem: Type.Optional(
    closed({ code: Type.String(), status: Type.Integer(), message: Type.String(), errors: Type.Array(ProblemEntry) }),
  ),
})
export type BulkEntry = Type.Static<typeof BulkEntry>

/** One entry for each set of the request, in its order. */
export const PostSetsCreated = closed({ data: Type.Array(BulkEntry) })
export type PostSetsCreated = Type.Static<typeof PostSetsCreated>

/** Whether the sets of a request are created independently of each other. */
export const isEach = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'mode' in body && body.mode === 'EACH'

const anySets = Type.Array(Type.Unknown(), { minItems: 1, maxItems: LIMITS.bulk.postSets })
const envelope = closed({ ...PostSetsCreate.properties, postSets: anySets })
const CODE = 'request:invalid_body'

/**
 * Checks the request around its sets, whose shape is not checked yet. Two sets of one request cannot have the same
 * name.
 */
export function checkPostSetsCreate(body: unknown): Checked<Required<PostSetsCreate>> {
  const checked = checkShape(envelope, body)
  if (!checked.ok) return checked
  const { mode = 'ATOMIC', onConflict = 'UNCHANGED' } = checked.value
  const postSets = checked.value.postSets as PostSetCreate[]
  const entries = [...checkPosts(postSets), ...checkNames(postSets)]
  return entries.length > 0 ? { ok: false, entries } : { ok: true, value: { mode, onConflict, postSets } }
}

function checkPosts(sets: readonly PostSetCreate[]): ProblemEntry[] {
  const { posts: limit } = LIMITS.bulk
  const actual = sets.reduce((sum, set) => sum + (Array.isArray(set?.posts) ? set.posts.length : 0), 0)
  if (actual <= limit) return []
  const words = `The sets have at most ${limit} posts together; these have ${actual}. Send them in several requests.`
  return [entryAt(['postSets'], CODE, words, { limit, actual })]
}

function checkNames(sets: readonly PostSetCreate[]): ProblemEntry[] {
  const first = new Map<string, number>()
  return sets.flatMap((set, index) => {
    const name = placedName(set)
    if (!name) return []
    const key = JSON.stringify(name)
    const other = first.get(key)
    if (other === undefined) first.set(key, index)
    if (other === undefined) return []
    const words = `postSets[${index}].externalId is that of postSets[${other}] too. Send each set once.`
    return [entryAt(['postSets', index, 'externalId'], CODE, words)]
  })
}

/** The external id of a set together with its social set, if both are texts; null if it has none. */
export function placedName(set: Partial<PostSetCreate> | null): { socialSetId: string; externalId: string } | null {
  const { socialSetId, externalId } = set ?? {}
  const named = typeof socialSetId === 'string' && typeof externalId === 'string'
  return named ? { socialSetId: socialSetId.toLowerCase(), externalId } : null
}
