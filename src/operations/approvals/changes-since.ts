import {
  type AskedQuery,
  type ChangesQuery,
  type ChangesSince,
  entryAt,
  type HistoryAction,
  type PostSetChanges,
  type PostTextsSince,
  type ProblemEntry,
  ProblemError,
} from '#contract'
import { isId } from '#domain'
import {
  type ChangedPost,
  type Database,
  findChangesSince,
  listTextsSince,
  type MergedChanges,
  type PostSetRow,
} from '#persistence'
import type { Seen } from '../asked.ts'
import type { Caller } from '../caller.ts'
import { requirePostSet } from '../post-sets/get.ts'
import { hasSeen, requireVersion } from '../post-sets/guards.ts'

/**
 * The differences between a seen version of a post set and now; for posts, the names of fields.
 *
 * @throws ProblemError `post-set:not_found`, `request:invalid_query`
 */
export async function listChangesSince(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<ChangesQuery>,
): Promise<ChangesSince> {
  const { set, since } = await readSince(db, caller, id, query)
  const { posts, order, ...merged } = await findChangesSince(db, set.id, since)
  const { scheduledAt, status, approval, earlier } = merged
  const of = (what: ChangedPost['what']) => posts.filter((post) => post.what === what)
  const ref = ({ id: postId, accountType }: ChangedPost) => ({ id: postId, accountType })
  const [added, removed] = [of('added').map(ref), of('removed').map(ref)]
  const changed = of('changed').map((post) => ({ ...ref(post), fields: {}, names: post.names }))
  const inPosts = {
    ...(added.length > 0 ? { added } : {}),
    ...(removed.length > 0 ? { removed } : {}),
    ...(changed.length > 0 ? { changed } : {}),
    ...(order ? { order } : {}),
  }
  const changes: PostSetChanges = {
    ...(scheduledAt ? { scheduledAt } : {}),
    ...(status ? { status } : {}),
    ...(approval ? { approval } : {}),
    ...(Object.keys(inPosts).length > 0 ? { posts: inPosts } : {}),
  }
  return { since, version: set.version, changes, earlier }
}

/**
 * The same for one post, in full: its fields in that version and now. Empty for an unchanged post, and for one that
 * the set does not have.
 *
 * @throws ProblemError `post-set:not_found`, `request:invalid_query`
 */
export async function readPostTextsSince(
  { db }: { db: Database },
  caller: Caller,
  { id, postId, query }: { id: string; postId: string; query: AskedQuery<ChangesQuery> },
): Promise<PostTextsSince> {
  const { set, since } = await readSince(db, caller, id, query)
  const texts = isId(postId) ? await listTextsSince(db, { postSetId: set.id, postId, version: since }) : []
  return { since, fields: Object.fromEntries(texts.map(({ name, ...field }) => [name, field])) }
}

async function readSince(
  db: Database,
  caller: Caller,
  id: string,
  query: AskedQuery<ChangesQuery>,
): Promise<{ set: PostSetRow; since: number }> {
  const set = await requirePostSet(db, caller, id)
  return { set, since: query.read().since }
}

/**
 * Requires that a decision is about the current version.
 *
 * @param seen what the header If-Match names, which must be there
 * @throws ProblemError `post-set:version_conflict`, whose entries name what has changed; `request:invalid_header`
 */
export async function requireSeen(db: Database, set: PostSetRow, seen: Seen): Promise<void> {
  if (seen === null) {
    const words = 'If-Match must name the version of the post set that was seen, as its ETag does.'
    throw new ProblemError('request:invalid_header', words)
  }
  if (seen === 'any' || hasSeen(seen, set.version)) return
  const newest = Math.max(...seen)
  if (seen.length === 0 || newest > set.version) return requireVersion(set, seen)
  const entries = conflictEntries(set, await findChangesSince(db, set.id, newest))
  const names = [...new Set(entries.map(({ path }) => path))].slice(0, 10).join(', ')
  const what = names === '' ? '' : `: ${names}`
  throw new ProblemError(
    'post-set:version_conflict',
    `The post set has changed since version ${newest} and is version ${set.version} now${what}. Look at it again, then decide.`,
    { entries },
  )
}

const MARKS: Partial<Record<string, string>> = {
  locked: 'isLocked',
  unlocked: 'isLocked',
  'label added': 'labelsId',
  'label removed': 'labelsId',
  'labels changed': 'labelsId',
} satisfies Partial<Record<HistoryAction, string>>

function conflictEntries({ posts }: PostSetRow, changes: MergedChanges): ProblemEntry[] {
  const marks = new Set(changes.actions.flatMap((action) => MARKS[action] ?? []))
  const others = changes.posts.some(({ what }) => what !== 'changed')
  const steps: (string | number)[][] = [
    ...(['scheduledAt', 'status', 'approval'] as const).filter((name) => changes[name]).map((name) => [name]),
    ...(others || changes.order ? [['posts']] : []),
    ...changes.posts.flatMap(({ id, names }) => {
      const index = posts.findIndex((post) => post.id === id)
      return index < 0 ? [] : names.map((name) => ['posts', index, name])
    }),
    ...[...marks].map((name) => [name]),
  ]
  return steps.map((path) => {
    const post = typeof path[1] === 'number' ? posts[path[1]] : undefined
    const what = entryAt(path, 'post-set:version_conflict', '').path
    const message = `${what} has changed.`
    return entryAt(path, 'post-set:version_conflict', message, post ? { accountType: post.accountType } : {})
  })
}
