// What it means to let a post go out that is not approved yet.
import { t } from '@lingui/core/macro'
import type { ApprovalRule } from '#contract'
import type { PostSetSubject } from './subject.ts'

export type Waiting = Pick<PostSetSubject, 'approval'>
export type Rule = Pick<ApprovalRule, 'rule' | 'reviewers' | 'binding'> | null

/** Who has to approve yet: the client, or the team and perhaps the client after it. */
export function missing({ approval }: Waiting, rule: Rule): 'client' | 'team' | 'team-then-client' {
  if (approval === 'EXTERNAL_PENDING') return 'client'
  return rule?.binding && rule.rule === 'TEAM_THEN_CLIENT' ? 'team-then-client' : 'team'
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
