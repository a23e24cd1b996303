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
  /** Members approve what they created. */
  authorsMayApprove: boolean
}

/** Binds no one. */
export const NO_RULE: BrandRule = { rule: 'OPTIONAL', reviewers: 1, authorsMayApprove: true }

export const isBinding = ({ rule }: BrandRule) => rule !== 'OPTIONAL'

/** Whom an approval is of: of the team, or of the client when it is the client who is asked. */
export const stepOf = (approval: Approval): ReviewStep => (approval === 'EXTERNAL_PENDING' ? 'CLIENT' : 'TEAM')

/** What an approval leads to. `given`: approvals of the team that count, this one included. */
export function afterApproval({ rule, reviewers }: BrandRule, approval: Approval, given: number): Approval {
  if (rule === 'OPTIONAL' || stepOf(approval) === 'CLIENT') return 'APPROVED'
  if (given < reviewers) return 'PENDING'
  return rule === 'TEAM_THEN_CLIENT' ? 'EXTERNAL_PENDING' : 'APPROVED'
}

/** What the approval of a set is when a member has edited its posts. */
export function afterEdit(rule: BrandRule, approval: Approval): Approval {
  const decided = approval === 'APPROVED' || (approval === 'EXTERNAL_PENDING' && isBinding(rule))
  return decided ? 'PENDING' : approval
}

/** A set as the rule sees it, and a member in front of it. */
export interface ReviewFacts {
  rule: BrandRule
  status: PostSetStatus
  approval: Approval
  /** The member has the right to review. */
  reviews: boolean
  /** The member created the set. */
  isAuthor: boolean
  /** An approval of the member's counts already. */
  hasApproved: boolean
}

/** Why a member cannot approve a set now; null when nothing is in the way. */
export function approvalBar({ rule, status, approval, reviews, isAuthor, hasApproved }: ReviewFacts): ReviewBar | null {
  if (!reviews) return 'role'
  if (!isWritable(status)) return 'status'
  if (approval === 'APPROVED') return 'not-waiting'
  if (!isBinding(rule)) return null
  if (isAuthor && !rule.authorsMayApprove) return 'own-post'
  return hasApproved && stepOf(approval) === 'TEAM' ? 'given' : null
}

/** The same of requesting changes. */
export function refusalBar({ status, approval, reviews }: ReviewFacts): ReviewBar | null {
  if (!reviews) return 'role'
  if (!isWritable(status)) return 'status'
  return approval === 'DENIED' && status === 'DRAFT' ? 'not-waiting' : null
}
