import {
  type AskedBody,
  type BulkAction,
  entryAt,
  given,
  givenQuery,
  NO_QUERY,
  type PostSetBulk,
  type PostSetBulkDone,
  type PostSetMarks,
  type Right,
  refuseBody,
} from '#contract'
import { daysOn, movedBy } from '#domain'
import { type DatabaseTransaction, databaseNow, type PostSetRow } from '#persistence'
import { applyApproval } from '../approvals/decide.ts'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { type ErrorLog, problemOfOne } from '../one-of-many.ts'
import { refused } from '../refused.ts'
import { applyFailuresDone } from '../results/done.ts'
import type { ChangeOptions, Undone } from './changed.ts'
import { applyCopy } from './copy-to-brand.ts'
import { applyRemoval } from './delete.ts'
import { holdPostSet } from './guards.ts'
import { applyLabels } from './label.ts'
import { applyLock } from './lock.ts'
import { applyReplacement } from './replace-media.ts'
import { applyRestore } from './restore.ts'
import { applyUndo } from './undo.ts'
import { applyUpdate } from './update.ts'

type Item = PostSetBulk['ids'][number]
type Done = PostSetBulkDone['done'][number]

interface BulkDeps extends PostSetDeps {
  log: ErrorLog
}

/**
 * Applies one action to up to 100 post sets, each in its own transaction and checked as if it were alone. A failure
 * of one is reported and does not affect the others, even if it is an error of ours: the answer must say what was
 * done. A set that already is as requested is in neither list.
 *
 * @throws ProblemError in this order: `request:invalid_query`, `request:invalid_body`, `auth:insufficient_role`
 */
export async function changePostSets(
  deps: BulkDeps,
  caller: Caller,
  body: AskedBody<PostSetBulk>,
): Promise<PostSetBulkDone> {
  const { ids, action } = body.read()
  refuseBody(checkIds(ids, action))
  const right = rightOf(action)
  if (right) requireRight(caller, right)
  const answer: PostSetBulkDone = { done: [], refused: [] }
  for (const item of ids) {
    try {
      const done = await deps.db.transaction().execute((trx) => doOne(trx, deps, caller, item, action))
      if (done) answer.done.push(done)
    } catch (error) {
      const words = {
        about: { postSetId: item.id },
        failed: 'A bulk action failed',
        advice: 'Read the post set again.',
      }
      const { code, message, why } = problemOfOne(error, deps.log, words)
      answer.refused.push({ id: item.id, code, message, ...(why ? { why } : {}) })
    }
  }
  return answer
}

function checkIds(ids: readonly Item[], action: BulkAction) {
  return ids.flatMap(({ id, version }, index) => {
    const twice = ids.findIndex((other) => other.id.toLowerCase() === id.toLowerCase()) < index
    const code = 'request:invalid_body'
    return [
      ...(twice ? [entryAt(['ids', index, 'id'], code, `ids[${index}].id is given twice.`)] : []),
      ...(('undo' in action || 'approve' in action) && !version
        ? [
            entryAt(
              ['ids', index, 'version'],
              code,
              `ids[${index}].version is required: ${'undo' in action ? 'the version that the change led to' : 'the version that was seen'}.`,
            ),
          ]
        : []),
    ]
  })
}

/** What may be done at all; undoing needs the rights of what is undone. */
function rightOf(action: BulkAction): Right | null {
  if ('undo' in action) return null
  if ('lock' in action) return 'post-sets:lock'
  if ('done' in action) return 'post-sets:publish'
  if ('approve' in action) return 'post-sets:review'
  return 'addLabel' in action || 'removeLabel' in action ? 'labels:apply' : 'post-sets:write'
}

async function doOne(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  { id, version }: Item,
  action: BulkAction,
): Promise<Done | null> {
  const options: ChangeOptions = { seen: version ? [version] : null }
  if ('delete' in action) {
    const before = await applyRemoval(trx, caller, id, { ...options, query: NO_QUERY })
    return { id: before.id, version: before.version, before: marksOf(before), message: null }
  }
  if ('restore' in action) {
    const { row, message } = await applyRestore(trx, deps, caller, id, { query: NO_QUERY })
    return { id: row.id, version: row.version, before: null, message }
  }
  if ('done' in action) {
    const row = await applyFailuresDone(trx, caller, id, action.done)
    return row && { id: row.id, version: row.version, before: null, message: null }
  }
  const {
    before,
    after,
    gone,
    message = null,
  } = await change(trx, deps, caller, id, action, {
    ...options,
    version: version ?? 0,
  })
  if (!gone && after.id === before.id && after.version === before.version) return null
  return { id: after.id, version: after.version, before: marksOf(before), message }
}

async function change(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  action: Exclude<BulkAction, { delete: true } | { restore: true } | { done: boolean }>,
  { version, ...options }: ChangeOptions & { version: number },
): Promise<Undone> {
  if ('undo' in action) return applyUndo(trx, deps, caller, id, version)
  if ('copyTo' in action) return applyCopy(trx, deps, caller, id, { ...options, ...action })
  if ('approve' in action) return applyApproval(trx, caller, id, options)
  if ('lock' in action) return applyLock(trx, caller, id, { ...options, body: given({ locked: action.lock }) })
  if ('addLabel' in action) {
    return applyLabels(trx, caller, id, { ...options, wanted: (has) => [...has, action.addLabel] })
  }
  if ('removeLabel' in action) {
    const gone = action.removeLabel.toLowerCase()
    return applyLabels(trx, caller, id, { ...options, wanted: (has) => has.filter((label) => label !== gone) })
  }
  if ('replaceMedia' in action) return applyReplacement(trx, deps, caller, id, { ...action.replaceMedia, ...options })
  const query = givenQuery({})
  if ('requestApproval' in action) {
    return applyUpdate(trx, deps, caller, id, { ...options, query, body: given({ approval: 'PENDING' }) })
  }
  const { status, scheduledAt, timezone } = await holdPostSet(trx, caller, id)
  const { time } = movedBy(scheduledAt, daysOn(action.move.days), timezone)
  if (status === 'SCHEDULED' && time <= (await databaseNow(trx))) {
    throw refused('why:in_the_past')
  }
  return applyUpdate(trx, deps, caller, id, { ...options, query, body: given({ scheduledAt: time.toISOString() }) })
}

function marksOf(row: PostSetRow): PostSetMarks {
  const { scheduledAt, status, approval, isLocked, lockedBy, labelsId } = row
  return { scheduledAt: scheduledAt.toISOString(), status, approval, isLocked, lockedBy, labelsId }
}
