import { msg } from '@lingui/core/macro'
import type { Approval } from '#contract'
import { translated } from '../../language/translated.ts'

/** Each state of the approval, by the one name that it has on all screens. */
export const APPROVAL_WORDS: Readonly<Record<Approval, string>> = translated({
  NONE: msg`Not needed`,
  PENDING: msg`Waiting for approval`,
  EXTERNAL_PENDING: msg`Waiting for the client`,
  APPROVED: msg`Approved`,
  DENIED: msg`Changes requested`,
})
