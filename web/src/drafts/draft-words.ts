import { t } from '@lingui/core/macro'
import type { Approval } from '#contract'

/** What a draft waits for. Approval alone does not make it go out. */
export function draftWords(approval: Approval): string {
  switch (approval) {
    case 'APPROVED':
      return t`Approved, not scheduled`
    case 'PENDING':
      return t`In review`
    case 'EXTERNAL_PENDING':
      return t`In review by someone outside`
    case 'DENIED':
      return t`Changes requested`
    default:
      return t`Draft`
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
