import { type Approval, isWritable, type PostSetStatus, ProblemError, type Right } from '#contract'
import { type DatabaseTransaction, databaseNow, findOwnChange, type PostSetRow, saysTheSame } from '#persistence'
import { writeReview } from '../approvals/review.ts'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import { holdPostSet, requireWritable } from './changeable.ts'
import { type Changed, changedFrom } from './changed.ts'
import { requireValidSet } from './check-posts.ts'
import type { PostSetDeps } from './deps.ts'
import { applyLabels } from './label.ts'
import { marked, setLock } from './lock.ts'
import { applyUpdate } from './update.ts'

type Changes = Readonly<Record<string, unknown>>

/**
 * Takes a change back that the member has made: the one that led to the given version, from what history knows of it.
 * Whoever may do a thing may take it back. As long as the set says the same at the same time as then, what was parked is
 * scheduled again also by somebody who may not schedule, and although the set is locked: it is what it was.
 *
 * @throws ProblemError `post-set:not_found`, `request:refused` for what is no such change or would publish at once,
 *   `post-set:version_conflict` when somebody has changed the same thing since, and what refuses the change itself
 */
export async function applyUndo(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  version: number,
): Promise<Changed> {
  const { userId } = requireMember(caller)
  const before = await holdPostSet(trx, caller, id)
  const change = await findOwnChange(trx, { postSetId: before.id, version, userId })
  if (!change) throw refused('There is no change of yours that could be taken back.')
  const { sequence } = change
  const same = await saysTheSame(trx, { postSetId: before.id, sequence, scheduledAt: before.scheduledAt })
  switch (change.action) {
    case 'locked':
    case 'unlocked':
      return undoLock(trx, caller, before, change)
    case 'label added':
    case 'label removed':
    case 'labels changed':
      return undoLabels(trx, caller, before, change)
    case 'approved':
    case 'changes requested':
    case 'review taken back':
      return undoReview(trx, deps, same ? withRights(caller, 'post-sets:publish') : caller, before, change.changes)
    case 'updated':
    case 'scheduled':
    case 'moved to drafts': {
      const rights: Right[] = same ? ['post-sets:publish', 'post-sets:review'] : []
      return undoUpdate(trx, deps, withRights(caller, ...rights), before, { changes: change.changes, same })
    }
    default:
      throw refused('This change cannot be taken back.')
  }
}

async function undoLock(
  trx: DatabaseTransaction,
  caller: Caller,
  before: PostSetRow,
  { action, changes }: { action: string; changes: Changes },
): Promise<Changed> {
  requireRight(caller, 'post-sets:lock')
  const { actor } = caller
  const expected = action === 'locked' ? before.lockedBy === actor.name : !before.isLocked
  if (!expected) throw changedSince(before)
  const lock = (changes.lock ?? null) as { by: string; at: string } | null
  if (action === 'unlocked' && !lock) throw refused('It is not known any more who had locked it.')
  const back = lock && action === 'unlocked' ? { by: lock.by, at: new Date(lock.at) } : null
  await setLock(trx, await marked(trx, before.id), back, { actor })
  return changedFrom(trx, caller, before)
}

async function undoLabels(
  trx: DatabaseTransaction,
  caller: Caller,
  before: PostSetRow,
  { action, changes }: { action: string; changes: Changes },
): Promise<Changed> {
  const one = [changes.label] as { id: string }[]
  const ids = (labels: unknown) => (labels as { id: string }[]).map(({ id }) => id)
  const added = ids(action === 'label added' ? one : (changes.added ?? []))
  const removed = ids(action === 'label removed' ? one : (changes.removed ?? []))
  return applyLabels(trx, caller, before.id, {
    ifMatch: null,
    query: '',
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
  before: PostSetRow,
  changes: Changes,
): Promise<Changed> {
  requireRight(caller, 'post-sets:review')
  requireWritable(before)
  const status = (fromOf(changes, 'status', before.status, before) ?? before.status) as PostSetStatus
  const approval = (fromOf(changes, 'approval', before.approval, before) ?? before.approval) as Approval
  if (status === before.status && approval === before.approval) throw refused('It has changed nothing.')
  if (status === 'SCHEDULED' && status !== before.status) {
    requireRight(caller, 'post-sets:publish')
    await refusePast(trx, before.scheduledAt)
    await requireValidSet(trx, deps.networks, before)
  }
  const action = 'review taken back'
  await writeReview(trx, await marked(trx, before.id), caller.actor, { approval, status, action, message: null })
  return changedFrom(trx, caller, before)
}

async function undoUpdate(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  before: PostSetRow,
  { changes, same }: { changes: Changes; same: boolean },
): Promise<Changed> {
  const known = ['scheduledAt', 'status', 'approval']
  if (Object.keys(changes).some((name) => !known.includes(name))) {
    throw refused('Changes of what is written are not taken back like this.')
  }
  const scheduledAt = fromOf(changes, 'scheduledAt', before.scheduledAt.toISOString(), before)
  const status = fromOf(changes, 'status', before.status, before)
  const approval = fromOf(changes, 'approval', before.approval, before)
  if ((status ?? before.status) === 'SCHEDULED' && (status ?? scheduledAt) !== null && isWritable(before.status)) {
    await refusePast(trx, scheduledAt === null ? before.scheduledAt : new Date(scheduledAt))
  }
  const body = {
    ...(scheduledAt === null ? {} : { scheduledAt }),
    ...(status === null ? {} : { status }),
    ...(approval === null ? {} : { approval }),
  }
  const unparks = same && Object.keys(body).join() === 'status'
  return applyUpdate(trx, deps, caller, before.id, { body, query: '', ifMatch: null, unparks })
}

/** What a field was before the change; null when it was not part of it. The set must still be as the change left it. */
function fromOf(changes: Changes, name: string, current: string, before: PostSetRow): string | null {
  const change = changes[name] as { from: string; to: string } | undefined
  if (!change) return null
  if (change.to !== current) throw changedSince(before)
  return change.from
}

async function refusePast(trx: DatabaseTransaction, time: Date): Promise<void> {
  if (time > (await databaseNow(trx))) return
  throw refused('The time that it had has passed: it would be published at once. Move it instead.')
}

function withRights(caller: Caller, ...rights: readonly Right[]): Caller {
  return { ...caller, rights: [...caller.rights, ...rights] }
}

function changedSince({ version }: PostSetRow): ProblemError {
  return new ProblemError('post-set:version_conflict', `The post set has changed since: its version is ${version}.`)
}

function refused(words: string): ProblemError {
  return new ProblemError('request:refused', words)
}
