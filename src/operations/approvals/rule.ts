import {
  type Approval,
  type ApprovalRule,
  type ApprovalRuleBody,
  type AskedBody,
  type AskedQuery,
  type Plan,
  type PostSetStatus,
  ProblemError,
  rolesWith,
} from '#contract'
import { type BrandRule, isBinding, NO_RULE } from '#domain'
import { type Database, findBrandRule, listMembersOfSet, writeBrandRule } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { requirePlan } from '../post-sets/check-plan.ts'
import { requireSocialSet } from '../social-sets/require.ts'

interface Deps {
  db: Database
}

/** The rule that applies: none if the plan has no approvals. */
export const effectiveRule = (plan: Plan, stored: BrandRule): BrandRule => (plan.approvals ? stored : NO_RULE)

/** The rule that applies to a caller in a social set; none applies to a key. */
export async function ruleFor(db: Database, { member, plan }: Caller, socialSetId: string): Promise<BrandRule> {
  return member ? effectiveRule(plan, await findBrandRule(db, socialSetId)) : NO_RULE
}

/**
 * The rule of approval of a brand.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function readApprovalRule(
  { db }: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<ApprovalRule> {
  const socialSet = await requireSocialSet(db, caller, id)
  query.read()
  return ruleAnswer(db, caller, socialSet.id)
}

/**
 * Changes a brand's approval rule. The next approval of a waiting set is counted by the new rule.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `plan:approvals_not_available`
 */
export async function changeApprovalRule(
  { db }: Deps,
  caller: Caller,
  id: string,
  body: AskedBody<ApprovalRuleBody>,
): Promise<ApprovalRule> {
  requireRight(caller, 'social-sets:manage')
  const socialSet = await requireSocialSet(db, caller, id)
  const rule = body.read()
  requirePlan(caller.plan, { approval: isBinding(rule), repeat: false, posts: [] })
  await writeBrandRule(db, socialSet.id, rule)
  return ruleAnswer(db, caller, socialSet.id)
}

async function ruleAnswer(db: Database, { accountId, plan }: Caller, socialSetId: string): Promise<ApprovalRule> {
  const stored = await findBrandRule(db, socialSetId)
  const reviewers = await listMembersOfSet(db, { accountId, socialSetId, roles: rolesWith('post-sets:review') })
  return { ...stored, binding: isBinding(effectiveRule(plan, stored)), eligible: reviewers.length }
}

/** What a member's request would make of a set, as far as the rule of its brand is concerned. */
interface ReviewedChange {
  /** Null of a new set. */
  before: { approval: Approval } | null
  after: { approval: Approval; status: PostSetStatus }
  /** The content is another. */
  edits: boolean
  /** The request schedules, moves, edits or repeats the set. */
  touches: boolean
  /** It takes the member's own change back, and nothing else has happened since. */
  undoes?: boolean
  /** It takes the member's own decision back, and the content is what it was then. */
  restores?: boolean
}

/**
 * Why a member may not make a change to a set: approved content was reviewed, under any rule of the brand, and a
 * rule may apply in addition. Null if the change is allowed, as it always is for a key.
 */
export function ruleProblem(
  rule: BrandRule,
  { member, rights }: Pick<Caller, 'member' | 'rights'>,
  change: ReviewedChange,
): string | null {
  if (!member || change.undoes) return null
  const { before, after, edits, touches, restores = false } = change
  const approves = after.approval === 'APPROVED' && before?.approval !== 'APPROVED'
  if (approves && !(restores && !isBinding(rule))) return 'A post is approved by reviewing it.'
  if (!isBinding(rule)) return null
  if (after.approval !== (before?.approval ?? 'NONE')) {
    const asksAgain = before?.approval === 'APPROVED' && !edits
    if (after.approval === 'EXTERNAL_PENDING' && !asksAgain) {
      return 'This brand requires approval: the client is asked about what is approved. Ask the team for its approval first.'
    }
  }
  const unapproved = touches && after.status === 'SCHEDULED' && after.approval !== 'APPROVED'
  if (!unapproved || rights.includes('post-sets:publish-unapproved')) return null
  return before?.approval === 'APPROVED'
    ? 'This brand requires approval, and a change of the post takes its approval away. Move it to drafts with the change.'
    : 'This brand requires approval before a post is scheduled. Keep it as a draft and ask for approval.'
}

/** @throws ProblemError `post-set:approval_required` */
export function requireByRule(
  rule: BrandRule,
  caller: Pick<Caller, 'member' | 'rights'>,
  change: ReviewedChange,
): void {
  const problem = ruleProblem(rule, caller, change)
  if (problem !== null) throw new ProblemError('post-set:approval_required', problem)
}
