import type { Approval } from '#contract'

/** What is said of each state of the approval. */
export const APPROVAL_WORDS: Readonly<Record<Approval, string>> = {
  NONE: 'Not needed',
  PENDING: 'Waiting for approval',
  EXTERNAL_PENDING: 'Waiting for somebody outside',
  APPROVED: 'Approved',
  DENIED: 'Changes requested',
}
