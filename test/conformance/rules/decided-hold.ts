import type { Rule } from '../conformance.ts'

/** `hold`. */
export const decidedHoldRules: readonly Rule[] = [
  {
    id: 'hold-01',
    rule: 'Social sets and their accounts answer hold: null, or since, by and reason.',
  },
  {
    id: 'hold-02',
    rule: 'Due sets of a held account or social set stay SCHEDULED; posts of a held connection wait.',
  },
  {
    id: 'hold-03',
    rule: 'No visible call begins after a hold is answered, and the answer counts the posts that a network has already got.',
  },
  {
    id: 'hold-04',
    rule: 'What is fenced is confirmed and looked up while it is held.',
  },
  {
    id: 'hold-05',
    rule: 'Held time counts neither as late nor toward the 24 hours.',
  },
  {
    id: 'hold-06',
    rule: 'A release publishes what is late now or parks it as drafts.',
  },
  {
    id: 'hold-07',
    rule: 'Members who may publish, and the operator, hold and release; API keys do not.',
  },
  {
    id: 'hold-08',
    rule: 'An account that is connected in place of a held one is held.',
  },
]
