import {
  type Approval,
  type AskedBody,
  type PostSet,
  type PostSetReview,
  ProblemError,
  type ReviewBar,
  type WhyCode,
} from '#contract'
import { afterApproval, approvalBar, isBinding, needsReason, stepOf } from '#domain'
import { countReviewersLeft, type DatabaseTransaction, type PostSetRow, readRound } from '#persistence'
import type { Seen } from '../asked.ts'
import { type Caller, requireMember, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { type Changed, type ChangeOptions, changedFrom, changeInTransaction } from '../post-sets/changed.ts'
import { requirePlan } from '../post-sets/check-plan.ts'
import { holdPostSet, requireWritable } from '../post-sets/guards.ts'
import { marked } from '../post-sets/lock.ts'
import { refused } from '../refused.ts'
import { requireSeen } from './changes-since.ts'
import { type Decided, readDecision } from './read-decision.ts'
import { giveVerdict, type Verdict, verdictOf } from './review.ts'
import { ruleFor } from './rule.ts'

/**
 * A member's decision about a post set, even a locked one: `{ decision, message?, reason? }`. A request for changes
 * needs a message. If the brand's rule applies, an approval counts as one of those that it needs. If no reviewer is
 * left, an admin approves with a reason (README.md).
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `post-set:read_only`,
 *   `post-set:version_conflict`, `request:invalid_header`, `request:invalid_query`, `request:invalid_body`,
 *   `plan:approvals_not_available`, `post-set:changed_last`; of a reason `auth:insufficient_role`, `request:refused`
 */
export async function reviewPostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  { body, seen }: ChangeOptions & { body: AskedBody<PostSetReview> },
): Promise<PostSet> {
  return changeInTransaction(deps, async (trx) => {
    const before = await holdReviewed(trx, caller, id, seen)
    return decideByMember(trx, caller, before, readDecision(body.read()))
  })
}

/**
 * Approves a post set in the caller's transaction, as one of several.
 *
 * @throws ProblemError as above
 */
export async function applyApproval(
  trx: DatabaseTransaction,
  caller: Caller,
  id: string,
  { seen }: ChangeOptions,
): Promise<Changed> {
  const before = await holdReviewed(trx, caller, id, seen)
  return decideByMember(trx, caller, before, { decision: 'approve', message: null, reason: null })
}

async function holdReviewed(trx: DatabaseTransaction, caller: Caller, id: string, seen: Seen): Promise<PostSetRow> {
  requireRight(caller, 'post-sets:review')
  const before = await holdPostSet(trx, caller, id)
  requireWritable(before)
  await requireSeen(trx, before, seen)
  return before
}

/** Writes a member's decision about a set whose row is held. An approval that was given already writes nothing. */
async function decideByMember(
  trx: DatabaseTransaction,
  caller: Caller,
  before: PostSetRow,
  decided: Decided,
): Promise<Changed> {
  requirePlan(caller.plan, { approval: true, repeat: false, posts: [] })
  const set = await marked(trx, before.id)
  const { decision, message } = decided
  const verdict = decision === 'approve' ? await approvalOf(trx, caller, before, decided) : verdictOf(decision, message)
  await giveVerdict(trx, set, caller.actor, verdict)
  return changedFrom(trx, caller, before)
}

/**
 * An admin approves for the whole team what no one is left to approve.
 *
 * @throws ProblemError `auth:insufficient_role`, `request:refused`
 */
async function requireNoneLeft(
  trx: DatabaseTransaction,
  caller: Caller,
  { id, approval, bar }: { id: string; approval: Approval; bar: ReviewBar | null },
): Promise<void> {
  requireRight(caller, 'post-sets:approve-alone')
  const left = await countReviewersLeft(trx, id)
  if (needsReason(approval, { bar, left })) return
  throw refused(notAlone(approval))
}

function notAlone(approval: Approval): WhyCode {
  if (approval === 'APPROVED') return 'why:approved_already'
  if (stepOf(approval) === 'CLIENT') return 'why:waits_for_client'
  return 'why:others_can_approve'
}

async function approvalOf(
  trx: DatabaseTransaction,
  caller: Caller,
  { id, socialSetId, status, approval: current }: PostSetRow,
  { message, reason }: Decided,
): Promise<Verdict> {
  const { userId } = requireMember(caller)
  const rule = await ruleFor(trx, caller, socialSetId)
  const { changedBy, given } = await readRound(trx, id)
  const hasApproved = given.some((one) => one.type === 'USER' && one.id === userId)
  const changedLast = changedBy === userId
  const bar = approvalBar({ rule, status, approval: current, reviews: true, changedLast, hasApproved })
  const approval = verdictOf('approve', message)
  if (reason !== null) {
    await requireNoneLeft(trx, caller, { id, approval: current, bar })
    return { ...approval, approval: afterApproval(rule, current, rule.reviewers), reason }
  }
  if (bar === 'changed-last') {
    throw new ProblemError(
      'post-set:changed_last',
      'You changed this post last, so your approval of it does not count.',
    )
  }
  // It stays as it is; what is said goes into history.
  if (bar !== null) return { ...approval, approval: current }
  const counts = isBinding(rule) && stepOf(current) === 'TEAM'
  const others = new Set(given.map((one) => `${one.type} ${one.id}`)).size
  return {
    ...approval,
    approval: afterApproval(rule, current, others + 1),
    counts,
    ...(counts ? { given: { count: others + 1, needed: rule.reviewers } } : {}),
  }
}
