import type { Approval, CardState } from '#contract'

/** Names of colors that the palette has, by what they say. */
const DIM = 'gray'
const ACCENT = 'indigo'
const WARN = 'orange'
const OK = 'teal'
const DANGER = 'red'

/** The one color of each state, in panels and lists as on the cards of the calendar. */
export const STATE_TONES: Readonly<Record<CardState, string>> = {
  draft: DIM,
  pending: WARN,
  'changes-requested': WARN,
  approved: ACCENT,
  scheduled: DIM,
  held: WARN,
  publishing: ACCENT,
  published: OK,
  'partly-published': DANGER,
  'in-inbox': WARN,
  'not-finished': WARN,
  failed: DANGER,
}

/** The color of how far an approval is. */
export const APPROVAL_TONES: Readonly<Record<Approval, string>> = {
  NONE: STATE_TONES.draft,
  PENDING: STATE_TONES.pending,
  EXTERNAL_PENDING: STATE_TONES.pending,
  DENIED: STATE_TONES['changes-requested'],
  APPROVED: STATE_TONES.approved,
}
