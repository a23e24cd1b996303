import { t } from '@lingui/core/macro'
import type { Approval } from '#contract'
import { APPROVAL_WORDS } from '../planning/approvals/approval-words.ts'

/** What a draft waits for. Approval alone does not make it go out. */
export function draftWords(approval: Approval): string {
  switch (approval) {
    case 'APPROVED':
      return t`Approved, not scheduled`
    case 'NONE':
      return t`Draft`
    default:
      return APPROVAL_WORDS[approval]
  }
}

/** The tone of those words. */
export function draftTone(approval: Approval): 'accent' | 'warn' | 'quiet' {
  if (approval === 'APPROVED') return 'accent'
  return approval === 'NONE' ? 'quiet' : 'warn'
}

export const DRAFT_APPROVALS = [
  'NONE',
  'PENDING',
  'EXTERNAL_PENDING',
  'DENIED',
  'APPROVED',
] as const satisfies Approval[]
