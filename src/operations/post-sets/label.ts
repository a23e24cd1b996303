import {
  type AskedBody,
  type HistoryEvent,
  type MoveScope,
  type PostSet,
  type PostSetLabels,
  ProblemError,
} from '#contract'
import { isId } from '#domain'
import {
  type Actor,
  addHistory,
  type Database,
  type DatabaseTransaction,
  holdLabels,
  type LabelRow,
  labelsOfPostSet,
  listLabels,
  type MarkedPostSet,
  markLabels,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { Refusal } from '../refusal.ts'
import { type Changed, type ChangeOptions, changedFrom, changeInTransaction } from './changed.ts'
import { holdPostSet, requireVersion } from './guards.ts'
import { changePostSet, marked } from './lock.ts'
import { holdScope, othersOf } from './series-scope.ts'

/**
 * Adds a label to a post set, or removes it with `remove`, for the operator. The label is given by id or name.
 *
 * @throws Refusal
 */
export async function labelPostSet(
  deps: { db: Database },
  input: { postSetId: string; label: string; remove: boolean },
  actor: Actor,
): Promise<void> {
  await changePostSet(deps.db, input.postSetId, async (trx, set) => {
    const labels = await listLabels(trx, set.accountId)
    const label = labels.find(({ id, name }) => id === input.label.toLowerCase() || name === input.label)
    const others = label ? (await labelsOfPostSet(trx, set.id)).filter((id) => id !== label.id) : []
    const done = label && (await setLabels(trx, set, input.remove ? others : [...others, label.id], actor))
    if (!done) throw new Refusal(`The account of the post set has no label ${input.label}.`)
  })
}

/**
 * Replaces the labels of a post set with `{ labelsId, scope? }`, for a member, and with a `scope` those of others in
 * its series, all in one transaction. Allowed for published and locked sets too: labels do not change what is
 * published.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `post-set:version_conflict`,
 *   `request:invalid_query`, `request:invalid_body`, `label:not_found`
 */
export async function putLabels(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  { body, seen }: ChangeOptions & { body: AskedBody<PostSetLabels> },
): Promise<PostSet> {
  requireRight(caller, 'labels:apply')
  return changeInTransaction(deps, async (trx) => {
    let scope: MoveScope = 'this'
    if (body.peek().scope !== undefined) await holdScope(trx, caller, id)
    const wanted = () => {
      const read = body.read()
      scope = read.scope ?? 'this'
      return read.labelsId
    }
    const changed = await applyLabels(trx, caller, id, { seen, wanted })
    const { after } = changed
    for (const other of await othersOf(trx, caller, after, scope)) {
      await setLabels(trx, await marked(trx, other.id), after.labelsId, caller.actor)
    }
    return changed
  })
}

/** The same in the caller's transaction, starting from the set's current labels. */
export async function applyLabels(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { seen, wanted: wantedOf }: ChangeOptions & { wanted(has: readonly string[]): readonly string[] },
): Promise<Changed> {
  requireRight(caller, 'labels:apply')
  const before = await holdPostSet(trx, caller, id)
  requireVersion(before, seen)
  const wanted = wantedOf(before.labelsId).map((label) => label.toLowerCase())
  if (!(await setLabels(trx, await marked(trx, before.id), wanted, caller.actor))) {
    throw new ProblemError('label:not_found', 'No label has this id.')
  }
  return changedFrom(trx, caller, before)
}

/**
 * Gives a set whose row is held the wanted labels. Nothing is written when it has them. False, and nothing is written,
 * when its account does not have one of them.
 */
async function setLabels(
  trx: DatabaseTransaction,
  set: MarkedPostSet,
  wanted: readonly string[],
  actor: Actor,
): Promise<boolean> {
  const has = await labelsOfPostSet(trx, set.id)
  const missing = [...new Set(wanted)].filter((id) => !has.includes(id))
  // Held: one that is being removed at the same time is either gone by now or stays until this is written.
  const added = await holdLabels(trx, set.accountId, missing.filter(isId))
  if (added.length < missing.length) return false
  const removed = (await listLabels(trx, set.accountId)).filter(({ id }) => has.includes(id) && !wanted.includes(id))
  if (added.length + removed.length === 0) return true
  await markLabels(trx, set.id, { added: added.map(({ id }) => id), removed: removed.map(({ id }) => id) })
  const entry = { accountId: set.accountId, postSetId: set.id, actor, ...reported(added, removed) }
  await addHistory(trx, [entry])
  return true
}

/** One label is reported by itself. */
function reported(added: readonly LabelRow[], removed: readonly LabelRow[]): HistoryEvent {
  const plain = ({ id, name }: LabelRow) => ({ id, name })
  const [first] = [...added, ...removed]
  if (first && added.length + removed.length === 1) {
    return { action: added.length === 1 ? 'label added' : 'label removed', changes: { label: plain(first) } }
  }
  return { action: 'labels changed', changes: { added: added.map(plain), removed: removed.map(plain) } }
}
