import {
  type Approval,
  type ApprovalRuleName,
  isWritable,
  type PostSetStatus,
  type ReviewBar,
  type ReviewStep,
} from '#contract'

/** Whose approval the posts of a brand need. */
export interface BrandRule {
  rule: ApprovalRuleName
  /** Different members who have to approve; of a rule that binds. */
  reviewers: number
}

/** Binds no one. */
export const NO_RULE: BrandRule = { rule: 'OPTIONAL', reviewers: 1 }

export const isBinding = ({ rule }: BrandRule) => rule !== 'OPTIONAL'

/** Whom an approval is of: of the team, or of the client when it is the client who is asked. */
export const stepOf = (approval: Approval): ReviewStep => (approval === 'EXTERNAL_PENDING' ? 'CLIENT' : 'TEAM')

/** What an approval leads to. `given`: approvals of the team that count, this one included. */
export function afterApproval({ rule, reviewers }: BrandRule, approval: Approval, given: number): Approval {
  if (rule === 'OPTIONAL' || stepOf(approval) === 'CLIENT') return 'APPROVED'
  if (given < reviewers) return 'PENDING'
  return rule === 'TEAM_THEN_CLIENT' ? 'EXTERNAL_PENDING' : 'APPROVED'
}

/**
 * Whether a change of a set is one of its content, which is what people approve: all of its posts, and that it repeats.
 * Its time, status, labels and lock are none. `almanac_changes_content` says the same of rows of history.
 */
export const changesContent = ({ posts, repeat }: { posts?: unknown; repeat?: unknown }) =>
  (posts ?? null) !== null || (repeat ?? null) !== null

/** What the approval of a set is when a member has changed its content. */
export function afterEdit(rule: BrandRule, approval: Approval): Approval {
  const decided = approval === 'APPROVED' || (approval === 'EXTERNAL_PENDING' && isBinding(rule))
  return decided ? 'PENDING' : approval
}

/** A set as the rule sees it, and a member in front of it. */
interface ReviewFacts {
  rule: BrandRule
  status: PostSetStatus
  approval: Approval
  /** The member has the right to review. */
  reviews: boolean
  /** The content is as the member left it: no one's approval counts for what they changed last. */
  changedLast: boolean
  /** An approval of the member's counts already. */
  hasApproved: boolean
}

/** Why a member cannot approve a set now; null when nothing is in the way. */
export function approvalBar({
  rule,
  status,
  approval,
  reviews,
  changedLast,
  hasApproved,
}: ReviewFacts): ReviewBar | null {
  if (!reviews) return 'role'
  if (!isWritable(status)) return 'status'
  if (approval === 'APPROVED') return 'not-waiting'
  if (changedLast) return 'changed-last'
  return isBinding(rule) && hasApproved && stepOf(approval) === 'TEAM' ? 'given' : null
}

/**
 * Whether an admin may approve with a reason what no one is left to approve: the team's step as a whole, never the client's.
 *
 * @param bar why the admin cannot approve it like others
 * @param left members who can
 */
export function needsReason(approval: Approval, { bar, left }: { bar: ReviewBar | null; left: number }): boolean {
  return stepOf(approval) === 'TEAM' && (bar === 'changed-last' || bar === 'given') && left === 0
}

/** The same of requesting changes. */
export function refusalBar({ status, approval, reviews }: ReviewFacts): ReviewBar | null {
  if (!reviews) return 'role'
  if (!isWritable(status)) return 'status'
  return approval === 'DENIED' && status === 'DRAFT' ? 'not-waiting' : null
}
