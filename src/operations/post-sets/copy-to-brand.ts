import { type BulkAction, NO_QUERY, ProblemError } from '#contract'
import { type MediaContent, newId, type PostContent, sameClockIn } from '#domain'
import { claimStorage } from '#importing'
import { fieldsForOtherAccount, type Networks } from '#networks'
import {
  closeUnusedMedia,
  copyMediaItems,
  createPostSetRow,
  type DatabaseTransaction,
  findPostSetCopy,
  findSameMedia,
  holdTimezone,
  insertPostSetCopy,
  type PostSetRow,
  placeOfRemoved,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { planProblem } from '../media/uploads/begin.ts'
import { refused } from '../refused.ts'
import { requirePlaceForPosts, socialSetNotFound } from '../social-sets/require.ts'
import type { Changed, ChangeOptions, Undone } from './changed.ts'
import { countPostSets, requirePlan, requireRoom } from './check-plan.ts'
import { holdFacts, plannedPosts, requireValidPosts } from './check-posts.ts'
import { applyRemoval } from './delete.ts'
import { holdPostSet } from './guards.ts'
import { applyRestore } from './restore.ts'

type CopyTo = Extract<BulkAction, { copyTo: unknown }>['copyTo']
type Deps = { networks: Networks }

/**
 * Copies a post set into another brand, or moves it there, in the caller's transaction: README.md, "Another brand".
 * Returns the original as it was, and the copy.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `social-set:not_found`, `request:refused` for the same
 *   brand, of a move what refuses to delete the original, what refuses to duplicate it, `plan:storage_exceeded`
 */
export async function applyCopy(
  trx: DatabaseTransaction,
  { networks }: Deps,
  caller: Caller,
  id: string,
  { copyTo, ...options }: ChangeOptions & { copyTo: CopyTo },
): Promise<Changed> {
  requireRight(caller, 'post-sets:write')
  const original = await holdPostSet(trx, caller, id)
  const { id: socialSetId } = await requirePlaceForPosts(trx, caller, copyTo.socialSetId)
  if (socialSetId === original.socialSetId) throw refused('why:same_brand')
  // First: what cannot go is not copied. Its posts and files stay in their tables.
  if (copyTo.move) await applyRemoval(trx, caller, id, { ...options, query: NO_QUERY, movedTo: socialSetId })
  const facts = await holdFacts(trx, original.socialSetId, original.posts, new Map())
  requirePlan(caller.plan, { approval: false, repeat: false, posts: plannedPosts(original.posts, facts) })
  if (!copyTo.move) await requireRoom(trx, caller, 1)
  const { posts: from, socialSetId: old } = original
  await requireValidPosts(trx, networks, { socialSetId: old, posts: from, facts }, { scheduled: false })
  const timezone = await holdTimezone(trx, socialSetId)
  if (timezone === null) throw socialSetNotFound()
  const { items, made } = await bringFiles(trx, caller, { socialSetId, facts })
  const after = await writeCopy(trx, caller, {
    original,
    posts: from.map((post) => copied(networks, post, items)),
    place: { socialSetId, timezone },
    moved: copyTo.move,
  })
  await insertPostSetCopy(trx, after.id, { originalId: original.id, moved: copyTo.move, mediaIds: made })
  // What is moved is no new post: its place in the month went with it.
  if (!copyTo.move) await countPostSets(trx, caller, 1)
  return { before: original, after }
}

/** The files as items of the other library: those that it has already, and the others made there and counted. */
async function bringFiles(
  trx: DatabaseTransaction,
  { accountId, plan }: Caller,
  { socialSetId, facts }: { socialSetId: string; facts: ReadonlyMap<string, { bytes: number }> },
): Promise<{ items: ReadonlyMap<string, string>; made: string[] }> {
  if (facts.size === 0) return { items: new Map(), made: [] }
  // With the account's lock: of two that bring one file, the second finds what the first has made.
  const claim = await claimStorage(trx, plan, accountId, async () => {
    const there = await findSameMedia(trx, socialSetId, [...facts.keys()])
    const missing = [...facts].filter(([id]) => !there.has(id))
    return { value: { there, missing }, bytes: missing.reduce((sum, [, { bytes }]) => sum + bytes, 0) }
  })
  if (claim.kind === 'failed') throw planProblem(claim)
  const { there, missing } = claim.value
  const made = await copyMediaItems(
    trx,
    socialSetId,
    missing.map(([id]) => id),
  )
  return { items: new Map([...there, ...made]), made: [...made.values()] }
}

function copied(networks: Networks, post: PostContent, items: ReadonlyMap<string, string>): PostContent {
  const copyOf = (item: MediaContent): MediaContent => {
    const mediaId = items.get(item.mediaId)
    if (mediaId === undefined) throw new Error('A file of a post was not copied.')
    return { ...item, id: newId(), mediaId }
  }
  return {
    ...post,
    id: newId(),
    fields: fieldsForOtherAccount(networks, post),
    media: post.media.map(copyOf),
    thread: post.thread.map((part) => ({ ...part, id: newId(), media: part.media.map(copyOf) })),
  }
}

async function writeCopy(
  trx: DatabaseTransaction,
  { accountId, actor }: Caller,
  {
    original,
    posts,
    place: { socialSetId, timezone },
    moved,
  }: { original: PostSetRow; posts: PostContent[]; place: { socialSetId: string; timezone: string }; moved: boolean },
): Promise<PostSetRow> {
  const scheduledAt = sameClockIn(original.scheduledAt, { from: original.timezone, to: timezone })
  const set = { id: newId(), accountId, socialSetId, scheduledAt, status: 'DRAFT', approval: 'NONE' } as const
  const { status, approval } = set
  const accountTypes = posts.map(({ accountType }) => accountType)
  const changes = {
    ...{ status, scheduledAt: scheduledAt.toISOString(), approval, accountTypes, copyOf: original.id },
    ...(moved ? { movedFrom: { id: original.socialSetId } } : {}),
  }
  const row = await createPostSetRow(
    trx,
    { ...set, startsSeries: null, externalId: null, posts },
    { timezone, actor, event: { action: 'created', changes }, count: 0 },
  )
  if (!row) throw new Error('The timezone of a social set has changed while it was held.')
  return row
}

/**
 * Undoes an unchanged copy, in the caller's transaction: removes it from the calendar with the files that came
 * along, and restores a moved original. The caller holds its row. Returns what the person should know about what
 * came back.
 *
 * @throws ProblemError `request:refused` for what was not copied from another brand, and where the original is back or gone,
 *   `post-set:version_conflict`, what refuses to delete a post set
 */
export async function undoCopy(
  trx: DatabaseTransaction,
  deps: Deps,
  caller: Caller,
  { current, version }: { current: PostSetRow; version: number },
): Promise<Undone> {
  const copy = await findPostSetCopy(trx, current.id)
  if (!copy) throw refused('why:not_undoable')
  if (current.version !== version) {
    throw new ProblemError(
      'post-set:version_conflict',
      `The post set was changed since, so it stays as it is now (version ${current.version}).`,
    )
  }
  const place = copy.moved ? await placeOfRemoved(trx, caller, copy.originalId) : null
  if (copy.moved && place === null) throw refused('why:original_not_deleted')
  const movedTo = place === null ? {} : { movedTo: place }
  await applyRemoval(trx, caller, current.id, { seen: [version], query: NO_QUERY, ...movedTo })
  await closeUnusedMedia(trx, copy.mediaIds)
  if (!copy.moved) return { before: current, after: current, gone: true }
  const back = { query: NO_QUERY, undoesMove: true }
  const { row, message } = await applyRestore(trx, deps, caller, copy.originalId, back)
  return { before: current, after: row, gone: true, message }
}
