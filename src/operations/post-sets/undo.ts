import {
  type Approval,
  given,
  givenQuery,
  type HistoryChanges,
  isWritable,
  type PostInput,
  type PostMediaInput,
  type PostSetStatus,
  ProblemError,
  type Right,
} from '#contract'
import { allMedia } from '#domain'
import {
  countReviewersLeft,
  type DatabaseTransaction,
  databaseNow,
  findFieldsBefore,
  findOwnChange,
  findSince,
  isApprovedWithReason,
  type MarkedPostSet,
  type PostSetRow,
  readRound,
  removeDecision,
  type Since,
} from '#persistence'
import { writeReview } from '../approvals/review.ts'
import { requireByRule, ruleFor } from '../approvals/rule.ts'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { refused } from '../refused.ts'
import { type Changed, changedFrom, type Undone } from './changed.ts'
import { requireValidSet } from './check-posts.ts'
import { undoCopy } from './copy-to-brand.ts'
import { holdPostSet, requireChangeable, requireWritable } from './guards.ts'
import { applyLabels } from './label.ts'
import { marked, setLock } from './lock.ts'
import { postInput } from './replace-media.ts'
import { applyUpdate } from './update.ts'

/** What changes of the set and reviews have in common. */
type MarkChanges = Pick<HistoryChanges['updated'], 'scheduledAt' | 'status' | 'approval'>

/** How the set relates to the change that is to be undone. */
interface UndoContext {
  before: PostSetRow
  marks: MarkedPostSet
  since: Since
  /** It says the same at the same time, no one else has decided about it since, and it is as decided as it was then. */
  same: boolean
  /** Its lock is the one that it had then, or it has none and had none. */
  sameLock: boolean
}

/**
 * Takes a change back that the member has made: the one that led to the given version, from what history knows of it.
 * Undo needs only the rights of the change itself: what was parked is scheduled again even by a member who may not schedule,
 * and although the set was locked then, as long as it is what it was. It is not any more when it says something else, when it
 * was moved, and when anybody else has changed its status or its approval, even if they are the same again: who parks a set, or
 * asks for changes of it, counts on that.
 *
 * @throws ProblemError `post-set:not_found`, `request:refused` for what is no such change or would publish at once,
 *   `post-set:version_conflict` when the same thing was changed since, and what refuses the change itself
 */
export async function applyUndo(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  version: number,
): Promise<Undone> {
  const { userId } = requireMember(caller)
  const before = await holdPostSet(trx, caller, id)
  const change = await findOwnChange(trx, { postSetId: before.id, version, userId })
  if (!change) throw refused('why:nothing_to_undo')
  const marks = await marked(trx, before.id)
  const since = await findSince(trx, { postSetId: before.id, sequence: change.sequence, userId })
  const context = { before, marks, since, same: isSame(before, since), sameLock: isSameLock(marks, since) }
  switch (change.action) {
    case 'locked':
      return undoLocking(trx, caller, context)
    case 'unlocked':
      return undoUnlocking(trx, caller, context, change.changes)
    case 'label added':
      return undoLabels(trx, caller, before, { added: [change.changes.label], removed: [] })
    case 'label removed':
      return undoLabels(trx, caller, before, { added: [], removed: [change.changes.label] })
    case 'labels changed':
      return undoLabels(trx, caller, before, change.changes)
    case 'approved':
    case 'changes requested':
    case 'review taken back':
      return undoReview(
        trx,
        deps,
        context.same ? withRights(caller, 'post-sets:publish', 'post-sets:publish-unapproved') : caller,
        context,
        change,
      )
    case 'updated':
    case 'scheduled':
    case 'moved to drafts': {
      const rights: Right[] = context.same
        ? ['post-sets:publish', 'post-sets:publish-unapproved', 'post-sets:review']
        : []
      return undoUpdate(trx, deps, withRights(caller, ...rights), context, change)
    }
    case 'created':
      return undoCopy(trx, deps, caller, { current: before, version })
    case 'deleted':
    case 'restored':
    case 'publishing':
    case 'post published':
    case 'post failed':
    case 'post delivered':
    case 'post not finished':
    case 'published':
    case 'retried':
    case 'thread continued':
    case 'webhooks slowed':
    case 'failure done':
    case 'failure reopened':
    case 'released':
    case 'other':
      throw refused('why:not_undoable')
    default:
      throw neverUndone(change)
  }
}

/** Does not compile while an action of history is missing above. */
function neverUndone(change: never): Error {
  return new Error(`Undo does not know ${JSON.stringify(change)}.`)
}

function isSame({ scheduledAt, status, approval }: PostSetRow, since: Since): boolean {
  if (since.contentChanged || since.statusByOthers || since.approvalByOthers) return false
  const is = (value: string, then: string | null) => then === null || then === value
  return is(scheduledAt.toISOString(), since.scheduledAt) && is(status, since.status) && is(approval, since.approval)
}

/** By when it was set: two people can have one name, and one person can get another. */
function isSameLock({ lock }: MarkedPostSet, { lockChanged, lockedAt }: Since): boolean {
  return !lockChanged || lockedAt === (lock?.at.toISOString() ?? null)
}

async function undoLocking(
  trx: DatabaseTransaction,
  caller: Caller,
  { before, marks, sameLock }: UndoContext,
): Promise<Changed> {
  requireRight(caller, 'post-sets:lock')
  if (!sameLock) throw changedSince(before)
  await setLock(trx, marks, null, { actor: caller.actor })
  return changedFrom(trx, caller, before)
}

async function undoUnlocking(
  trx: DatabaseTransaction,
  caller: Caller,
  { before, marks }: UndoContext,
  { lock }: HistoryChanges['unlocked'],
): Promise<Changed> {
  requireRight(caller, 'post-sets:lock')
  if (before.isLocked) throw changedSince(before)
  if (!lock) throw refused('why:locker_unknown')
  await setLock(trx, marks, { by: lock.by, at: new Date(lock.at) }, { actor: caller.actor })
  return changedFrom(trx, caller, before)
}

async function undoLabels(
  trx: DatabaseTransaction,
  caller: Caller,
  before: PostSetRow,
  changes: HistoryChanges['labels changed'],
): Promise<Changed> {
  const added = changes.added.map(({ id }) => id)
  const removed = changes.removed.map(({ id }) => id)
  return applyLabels(trx, caller, before.id, {
    seen: null,
    wanted(has) {
      const asLeft = added.every((id) => has.includes(id)) && removed.every((id) => !has.includes(id))
      if (!asLeft) throw changedSince(before)
      return [...has.filter((id) => !added.includes(id)), ...removed]
    },
  })
}

async function undoReview(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  context: UndoContext,
  { sequence, action, changes }: { sequence: number; action: string; changes: HistoryChanges['approved'] },
): Promise<Changed> {
  requireRight(caller, 'post-sets:review')
  const { before, marks, since, same, sameLock } = context
  requireWritable(before)
  const status: PostSetStatus = fromOf(context, changes, 'status', before.status) ?? before.status
  const approval: Approval = fromOf(context, changes, 'approval', before.approval) ?? before.approval
  if (action === 'review taken back' && (approval === 'APPROVED' || approval === 'EXTERNAL_PENDING')) {
    // Whose approvals count now is asked when one is given.
    throw refused(changes.reason === undefined ? 'why:approve_again' : 'why:approve_again_with_reason')
  }
  const counts = changes.given !== undefined
  // One approval of several, which changed nothing else, and the set has gone on since.
  if (counts && !changes.approval && before.approval !== 'PENDING') throw changedSince(before)
  if (!counts && status === before.status && approval === before.approval) throw refused('why:changed_nothing')
  const schedules = status === 'SCHEDULED' && status !== before.status
  requireByRule(await ruleFor(trx, caller, before.socialSetId), caller, {
    before,
    after: { approval, status },
    edits: since.contentChanged,
    touches: schedules,
    undoes: same,
    restores: !since.contentChanged,
  })
  if (schedules) {
    requireRight(caller, 'post-sets:publish')
    requireChangeable(before, caller, { seen: null, parks: sameLock })
    await refusePast(trx, before.scheduledAt)
    await requireValidSet(trx, deps.networks, before)
  }
  const taken = 'review taken back'
  const more = changes.reason === undefined ? {} : { reason: changes.reason }
  await writeReview(trx, marks, caller.actor, { approval, status, action: taken, message: null, counts, more })
  await removeDecision(trx, before.id, sequence)
  await requireStillApproved(trx, caller, { before, approval })
  return changedFrom(trx, caller, before)
}

async function undoUpdate(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  context: UndoContext,
  change: { sequence: number; changes: HistoryChanges['updated'] },
): Promise<Changed> {
  const { changes } = change
  const { before, since, same, sameLock } = context
  if (changes.replaced) return undoReplacement(trx, deps, caller, context, change)
  const known = ['scheduledAt', 'status', 'approval'] satisfies (keyof MarkChanges)[] as string[]
  if (Object.keys(changes).some((name) => !known.includes(name))) {
    throw refused('why:content_not_undoable')
  }
  const scheduledAt = fromOf(context, changes, 'scheduledAt', before.scheduledAt.toISOString())
  const status = fromOf(context, changes, 'status', before.status)
  const approval = fromOf(context, changes, 'approval', before.approval)
  if (status !== null && !isWritable(status)) throw refused('why:not_undoable')
  if ((status ?? before.status) === 'SCHEDULED' && (status ?? scheduledAt) !== null && isWritable(before.status)) {
    await refusePast(trx, scheduledAt === null ? before.scheduledAt : new Date(scheduledAt))
  }
  const body = {
    ...(scheduledAt === null ? {} : { scheduledAt }),
    ...(status === null ? {} : { status }),
    ...(approval === null ? {} : { approval }),
  }
  const unparks = same && sameLock && Object.keys(body).join() === 'status'
  const changed = await applyUpdate(trx, deps, caller, before.id, {
    body: given(body),
    query: givenQuery({}),
    seen: null,
    unparks,
    undoes: same,
    restores: !since.contentChanged,
  })
  await requireStillApproved(trx, caller, { before, approval })
  return changed
}

/**
 * Puts the files back that were replaced, each where it was and with all that the post said of it. Only while the content is what the
 * replacement left, and no one else has decided about it: then it is what was approved before, and so the approval comes back too.
 */
async function undoReplacement(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  { before, since, same }: UndoContext,
  { sequence, changes }: { sequence: number; changes: HistoryChanges['updated'] },
): Promise<Changed> {
  if (since.contentChanged || since.statusByOthers || since.approvalByOthers) throw changedSince(before)
  const fields = await findFieldsBefore(trx, { postSetId: before.id, sequence })
  if (!fields) throw refused('why:not_undoable')
  const posts = before.posts.map((post) => postBefore(postInput(post), fields.get(post.id) ?? {}))
  const approval = same && !(await isForOthers(trx, before.id)) ? changes.approval?.from : undefined
  return applyUpdate(trx, deps, caller, before.id, {
    body: given({ posts, ...(approval ? { approval } : {}) }),
    query: givenQuery({}),
    seen: null,
    undoes: same,
    ...(changes.replaced ? { replaced: { from: changes.replaced.to, to: changes.replaced.from } } : {}),
  })
}

/** It was approved with a reason, because no one else was left to approve it, and now someone is. */
async function isForOthers(trx: DatabaseTransaction, id: string): Promise<boolean> {
  return (await isApprovedWithReason(trx, id)) && (await countReviewersLeft(trx, id)) > 0
}

/** A post with fields as they were. Places of files that are gone are new ones: no id comes back. */
function postBefore(post: PostInput, fields: Readonly<Record<string, unknown>>): PostInput {
  const known = new Set(allMedia({ media: post.media, thread: post.thread ?? [] }).map(({ id }) => id))
  const placed = ({ id = null, ...item }: PostMediaInput): PostMediaInput => (known.has(id) ? { id, ...item } : item)
  const { media, thread, ...others } = fields as Partial<PostInput>
  return {
    ...post,
    ...others,
    ...(media ? { media: media.map(placed) } : {}),
    ...(thread ? { thread: thread.map((part) => ({ ...part, media: part.media.map(placed) })) } : {}),
  }
}

/**
 * What is approved again by taking something back, as it is then: not by the member who changed it last, and what was approved with a reason
 * only while no one else is left.
 */
async function requireStillApproved(
  trx: DatabaseTransaction,
  caller: Caller,
  { before, approval }: { before: PostSetRow; approval: Approval | null },
): Promise<void> {
  if (approval !== 'APPROVED' || before.approval === 'APPROVED') return
  const { changedBy } = await readRound(trx, before.id)
  if (changedBy === requireMember(caller).userId) {
    throw refused('why:changed_last')
  }
  if ((await isApprovedWithReason(trx, before.id)) && (await countReviewersLeft(trx, before.id)) > 0) {
    throw refused('why:approved_alone')
  }
}

/**
 * What a field was before the change; null when it was not part of it. The set must still be as the change left it, and
 * no one else may have decided it again since.
 */
function fromOf<N extends keyof MarkChanges>(
  { before, since }: UndoContext,
  changes: MarkChanges,
  name: N,
  current: string,
): NonNullable<MarkChanges[N]>['from'] | null {
  const change = changes[name]
  if (!change) return null
  const again = (name === 'status' && since.statusByOthers) || (name === 'approval' && since.approvalByOthers)
  if (change.to !== current || again) throw changedSince(before)
  return change.from
}

async function refusePast(trx: DatabaseTransaction, time: Date): Promise<void> {
  if (time > (await databaseNow(trx))) return
  throw refused('why:time_passed')
}

function withRights(caller: Caller, ...rights: readonly Right[]): Caller {
  return { ...caller, rights: [...caller.rights, ...rights] }
}

function changedSince({ version }: PostSetRow): ProblemError {
  return new ProblemError(
    'post-set:version_conflict',
    `The post set was changed since, so it stays as it is now (version ${version}).`,
  )
}
