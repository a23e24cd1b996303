// What a post that is not approved yet waits for, and what it means to let it go out all the same.
import { plural, t } from '@lingui/core/macro'
import type { ApprovalItem, ApprovalRule } from '#contract'
import type { PostSetSubject } from './subject.ts'

type Waiting = Pick<PostSetSubject, 'approval'>
type Rule = Pick<ApprovalRule, 'rule' | 'reviewers' | 'binding'> | null

/** Who has to approve yet: the client, or the team and perhaps the client after it. */
function missing({ approval }: Waiting, rule: Rule): 'client' | 'team' | 'team-then-client' {
  if (approval === 'EXTERNAL_PENDING') return 'client'
  return rule?.binding && rule.rule === 'TEAM_THEN_CLIENT' ? 'team-then-client' : 'team'
}

/** "Waiting for the team, then the client" */
export function waitingWords(subject: Waiting, rule: Rule, item?: Pick<ApprovalItem, 'approvals'>): string {
  const given = item?.approvals.given.length ?? 0
  const needed = item?.approvals.needed ?? 1
  switch (missing(subject, rule)) {
    case 'client':
      return t`Waiting for the client`
    case 'team-then-client':
      if (needed === 1) return t`Waiting for the team, then the client`
      return plural(needed, {
        one: `Waiting for the team (${given} of # approval), then the client`,
        other: `Waiting for the team (${given} of # approvals), then the client`,
      })
    case 'team':
      if (needed === 1) return t`Waiting for the team`
      return plural(needed, {
        one: `Waiting for the team: ${given} of # approval`,
        other: `Waiting for the team: ${given} of # approvals`,
      })
  }
}

/** Names who has not decided about a post that is about to go out: a sentence. */
export function undecidedWords(subject: Waiting, rule: Rule, name: string): string {
  switch (missing(subject, rule)) {
    case 'client':
      return t`“${name}” still waits for the client.`
    case 'team-then-client':
      return t`“${name}” still waits for the team, then the client.`
    case 'team':
      return t`“${name}” still waits for the team.`
  }
}
