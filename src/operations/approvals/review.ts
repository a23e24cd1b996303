import { type Approval, entryAt, isWritable, LIMITS, type PostSet, PostSetReview, readOnlyWords } from '#contract'
import {
  type Actor,
  addHistory,
  type Database,
  type DatabaseTransaction,
  type MarkedPostSet,
  markReviewed,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { holdPostSet, requireVersion, requireWritable } from '../post-sets/changeable.ts'
import { type Changed, type ChangeOptions, changedFrom, changeInTransaction } from '../post-sets/changed.ts'
import { requirePlan } from '../post-sets/check-plan.ts'
import type { PostSetDeps } from '../post-sets/deps.ts'
import { changePostSet, marked } from '../post-sets/lock.ts'
import { readShape, refuseBody, refuseQuery } from '../read-body.ts'
import { Refusal } from '../refusal.ts'

export interface Verdict {
  approval: Approval
  /** A scheduled set becomes a draft. */
  parks: boolean
  /** As history calls it. */
  action: 'approved' | 'changes requested' | 'review taken back'
  /** What the reviewer says; kept in history alone. */
  message: string | null
}

/** The set is as it should be; its status stays. */
export function approval(message: string | null): Verdict {
  return { approval: 'APPROVED', parks: false, action: 'approved', message }
}

/** The set is sent back; `message` tells what to change. */
export function refusal(message: string | null): Verdict {
  return { approval: 'DENIED', parks: true, action: 'changes requested', message }
}

/** What is wrong with a reviewer's message; null when nothing is. */
export function messageProblem(message: string | null): string | null {
  if (message === null) return null
  if ([...message].length > LIMITS.metadataCodePoints) {
    return `A message has at most ${LIMITS.metadataCodePoints} characters.`
  }
  const printable = message.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(message)
  return printable ? null : 'A message must not have control characters.'
}

/**
 * Writes what the operator decided about a post set in a reviewer's place. Its row is held from the look at its status
 * on, so either the review or the publisher comes first, and the other one sees what was done.
 *
 * @throws Refusal
 */
export async function review(db: Database, id: string, actor: Actor, verdict: Verdict): Promise<void> {
  await changePostSet(db, id, async (trx, set) => {
    if (!isWritable(set.status)) {
      throw new Refusal(`The post set ${readOnlyWords(set.status)} and cannot be reviewed any more.`)
    }
    await giveVerdict(trx, set, actor, verdict)
  })
}

/**
 * What a member decides about a post set, also about one of their own and about a locked one: `{ decision, message? }`.
 * Who asks for changes says which.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `post-set:read_only`,
 *   `post-set:version_conflict`, `request:invalid_query`, `request:invalid_body`, `plan:approvals_not_available`
 */
export async function reviewPostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  request: ChangeOptions & { body: unknown; query: string },
): Promise<PostSet> {
  return changeInTransaction(deps, (trx) => applyReview(trx, caller, id, request))
}

async function applyReview(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { body, query, ifMatch }: ChangeOptions & { body: unknown; query: string },
): Promise<Changed> {
  requireRight(caller, 'post-sets:review')
  const before = await holdPostSet(trx, caller, id)
  requireWritable(before)
  requireVersion(before, ifMatch)
  refuseQuery(query)
  const verdict = readVerdict(body)
  requirePlan(caller.plan, { approval: true, repeat: false, posts: [] })
  await giveVerdict(trx, await marked(trx, before.id), caller.actor, verdict)
  return changedFrom(trx, caller, before)
}

function readVerdict(body: unknown): Verdict {
  const { decision, message: text } = readShape(PostSetReview, body)
  const message = text?.replaceAll('\r\n', '\n').trim() || null
  const missing = decision === 'request-changes' && message === null ? 'Say what is to be changed.' : null
  const wrong = missing ?? messageProblem(message)
  refuseBody(wrong === null ? [] : [entryAt(['message'], 'request:invalid_body', wrong)])
  return decision === 'approve' ? approval(message) : refusal(message)
}

/** Writes a verdict about a set whose row is held. One that changes nothing and says nothing writes nothing. */
export async function giveVerdict(
  trx: DatabaseTransaction,
  set: MarkedPostSet,
  actor: Actor,
  { parks, action, message, approval }: Verdict,
): Promise<void> {
  await writeReview(trx, set, actor, { action, message, approval, status: parks ? 'DRAFT' : set.status })
}

/** Writes what a review leads to, or what it leads back to. */
export async function writeReview(
  trx: DatabaseTransaction,
  set: MarkedPostSet,
  actor: Actor,
  { approval, status, action, message }: Pick<MarkedPostSet, 'approval' | 'status'> & Omit<Verdict, 'parks'>,
): Promise<void> {
  const changes = {
    ...(approval === set.approval ? {} : { approval: { from: set.approval, to: approval } }),
    ...(status === set.status ? {} : { status: { from: set.status, to: status } }),
  }
  const changed = Object.keys(changes).length > 0
  if (!changed && message === null) return
  if (changed) await markReviewed(trx, set.id, { approval, status })
  const said = message === null ? {} : { message }
  await addHistory(trx, [
    { accountId: set.accountId, postSetId: set.id, actor, action, changes: { ...changes, ...said } },
  ])
}
