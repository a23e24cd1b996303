// What a post that is not approved yet waits for.
import { plural, t } from '@lingui/core/macro'
import type { ApprovalItem } from '#contract'
import { missing, type Rule, type Waiting } from './undecided-words.ts'

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
