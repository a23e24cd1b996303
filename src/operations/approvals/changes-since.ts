import { type ChangesSince, entryAt, type PostSetChanges, type ProblemEntry, ProblemError, readQuery } from '#contract'
import { isId, mergeChanges } from '#domain'
import { type Database, findPostSet, type HistoryRow, listHistorySince, type PostSetRow } from '#persistence'
import type { Caller } from '../caller.ts'
import { postSetNotFound } from '../post-sets/get.ts'
import { matchesVersion, newestNamed, requireVersion } from '../post-sets/guards.ts'

const MOST_VERSION = 2_147_483_647

/**
 * What is different between a version of a post set that was seen and now. `query` is the query string: `since`.
 *
 * @throws ProblemError `post-set:not_found`, `request:invalid_query`
 */
export async function listChangesSince(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: string,
): Promise<ChangesSince> {
  const set = isId(id) ? await findPostSet(db, caller, id) : null
  if (!set) throw postSetNotFound()
  const reader = readQuery(query)
  const since = reader.integer('since', { max: MOST_VERSION, default: 0 })
  if (reader.text('since') === null) reader.problem('since', 'is required')
  reader.finish()
  const rows = await listHistorySince(db, set.id, since)
  return { since, version: set.version, changes: mergeChanges(rows.map(changesIn)) }
}

/** What a row of history changed of the set itself. */
function changesIn(row: HistoryRow): PostSetChanges {
  switch (row.action) {
    case 'updated':
    case 'scheduled':
    case 'moved to drafts': {
      const { scheduledAt, status, approval, posts } = row.changes
      return {
        ...(scheduledAt ? { scheduledAt } : {}),
        ...(status ? { status } : {}),
        ...(approval ? { approval } : {}),
        ...(posts ? { posts } : {}),
      }
    }
    case 'approved':
    case 'changes requested':
    case 'review taken back': {
      const { status, approval } = row.changes
      return { ...(status ? { status } : {}), ...(approval ? { approval } : {}) }
    }
    case 'publishing':
    case 'published':
      return { status: row.changes.status }
    case 'restored':
      return typeof row.changes.status === 'string' ? {} : { status: row.changes.status }
    default:
      return {}
  }
}

/**
 * A decision is about the version that was seen.
 *
 * @param ifMatch the header If-Match, which must be there
 * @throws ProblemError `post-set:version_conflict`, whose entries name what has changed; `request:invalid_header`
 */
export async function requireSeen(db: Database, set: PostSetRow, ifMatch: string | null): Promise<void> {
  if (ifMatch === null) {
    const words = 'If-Match must name the version of the post set that was seen, as its ETag does.'
    throw new ProblemError('request:invalid_header', words)
  }
  if (matchesVersion(ifMatch, set.version)) return
  const seen = newestNamed(ifMatch)
  if (seen === null || seen > set.version) return requireVersion(set, ifMatch)
  const rows = await listHistorySince(db, set.id, seen)
  const entries = conflictEntries(set, rows)
  const names = [...new Set(entries.map(({ path }) => path))].slice(0, 10).join(', ')
  const what = names === '' ? '' : `: ${names}`
  throw new ProblemError(
    'post-set:version_conflict',
    `The post set has changed since version ${seen} and is version ${set.version} now${what}. Look at it again, then decide.`,
    { entries },
  )
}

const MARKS: Partial<Record<HistoryRow['action'], string>> = {
  locked: 'isLocked',
  unlocked: 'isLocked',
  'label added': 'labelsId',
  'label removed': 'labelsId',
  'labels changed': 'labelsId',
}

function conflictEntries({ posts }: PostSetRow, rows: readonly HistoryRow[]): ProblemEntry[] {
  const changes = mergeChanges(rows.map(changesIn))
  const marks = new Set(rows.flatMap(({ action }) => MARKS[action] ?? []))
  const { added = [], removed = [], changed = [], order } = changes.posts ?? {}
  const steps: (string | number)[][] = [
    ...(['scheduledAt', 'status', 'approval'] as const).filter((name) => changes[name]).map((name) => [name]),
    ...(added.length + removed.length > 0 || order ? [['posts']] : []),
    ...changed.flatMap(({ id, fields }) => {
      const index = posts.findIndex((post) => post.id === id)
      return index < 0 ? [] : Object.keys(fields).map((name) => ['posts', index, name])
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
