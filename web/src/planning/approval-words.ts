import { msg } from '@lingui/core/macro'
import type { Approval } from '#contract'
import { translated } from '../language/translated.ts'

/** What is said of each state of the approval. */
export const APPROVAL_WORDS: Readonly<Record<Approval, string>> = translated({
  NONE: msg`Not needed`,
  PENDING: msg`Waiting for approval`,
  EXTERNAL_PENDING: msg`Waiting for external approval`,
  APPROVED: msg`Approved`,
  DENIED: msg`Changes requested`,
})
