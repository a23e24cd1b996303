// Words about approvals: how many are given, whose, and why a member cannot decide.
import { plural, t } from '@lingui/core/macro'
import type { ApprovalItem, ApprovalRule, DecisionShown, ReviewBar } from '#contract'
import { listOf } from '../../design/words.ts'
import { actorWords } from '../posts/actor-words.ts'
import { awaitsReview } from '../posts/subject.ts'

/** "1 of 2 approvals"; null where none is needed or counted. */
export function countWords({ rule, approvals, approval }: CountedReview): string | null {
  if (rule === 'OPTIONAL' || approval === 'APPROVED') return null
  const given = approvals.given.length
  const { needed } = approvals
  if (approval === 'EXTERNAL_PENDING') return t`Approved by the team`
  if (given === 0) return t`Not approved yet`
  return plural(needed, { one: `${given} of # approval`, other: `${given} of # approvals` })
}

type CountedReview = Pick<ApprovalItem, 'rule' | 'approvals' | 'approval'>

/** "Approved by Ada and you so far."; null before the first one. */
export function givenWords({ approvals: { given } }: Pick<ApprovalItem, 'approvals'>): string | null {
  if (given.length === 0) return null
  const names = listOf(given.map((one) => whoWords(one)))
  return t`Approved by ${names} so far.`
}

/** Who it was; the reader is "you". */
export function whoWords({ by, byYou }: { by: ApprovalItem['author']; byYou: boolean }): string {
  return byYou ? t`you` : actorWords({ actor: by })
}

/** Whom a rule asks, in a sentence. */
export function ruleWords({ rule, reviewers }: Pick<ApprovalRule, 'rule' | 'reviewers'>): string {
  switch (rule) {
    case 'OPTIONAL':
      return t`Approval is optional.`
    case 'REQUIRED':
      return plural(reviewers, {
        one: 'Each post needs the approval of # reviewer.',
        other: 'Each post needs the approval of # reviewers.',
      })
    case 'TEAM_THEN_CLIENT':
      return plural(reviewers, {
        one: 'Each post needs the approval of # reviewer, then that of the client.',
        other: 'Each post needs the approval of # reviewers, then that of the client.',
      })
  }
}

/** What a button says that approves: a member may decide in the client's place, and reads that. */
export function approveWords({ approval }: Pick<ApprovalItem, 'approval'>): string {
  return approval === 'EXTERNAL_PENDING' ? t`Approve for the client` : t`Approve`
}

/** The same where a draft is scheduled with it. */
export function approveAndScheduleWords({ approval }: Pick<ApprovalItem, 'approval'>): string {
  return approval === 'EXTERNAL_PENDING' ? t`Approve for the client and schedule` : t`Approve and schedule`
}

/** Why the reader cannot approve a post now, and what then; null when they can. */
export function whyNotApproved(
  item: Pick<ApprovalItem, 'cannotApprove' | 'needsReason' | 'reviewersLeft' | 'step' | 'approval' | 'status'>,
): string | null {
  const { cannotApprove: bar, needsReason, reviewersLeft, step } = item
  if (bar === null) return null
  if (needsReason)
    return t`No one else can approve this post. You can approve it with a reason, which the history keeps.`
  const waits = bar === 'changed-last' || bar === 'given' || (bar === 'role' && awaitsReview(item))
  if (waits && step === 'TEAM' && reviewersLeft === 0) return noneLeftWords()
  if (bar === 'changed-last' && step === 'CLIENT')
    return t`You changed this post last, so the client or another member has to approve it.`
  return barWords(bar)
}

export const noneLeftWords = () =>
  t`No reviewer is left who can approve this post. An owner or admin can approve it with a reason.`

/** Why a member cannot approve now, in a sentence. */
export function barWords(bar: ReviewBar): string {
  switch (bar) {
    case 'role':
      return t`Your role does not review posts. Owners, admins, editors and reviewers do.`
    case 'changed-last':
      return t`You changed this post last, so someone else has to approve it.`
    case 'given':
      return t`You have approved this. It waits for others.`
    case 'not-waiting':
      return t`This has been decided.`
    case 'status':
      return t`This post is being published or has been published.`
  }
}

/** "Approved by Ada for the client". */
export function decisionWords(decision: DecisionShown): string {
  const who = whoWords(decision)
  if (decision.decision === 'request-changes') return t`Changes requested by ${who}`
  if (decision.reason !== null) return t`Approved by ${who} with a reason, without another reviewer`
  return decision.step === 'CLIENT' && decision.by.type === 'USER'
    ? t`Approved by ${who} for the client`
    : t`Approved by ${who}`
}
