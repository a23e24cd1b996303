import { type RawBuilder, sql } from 'kysely'
import type { Approval, Decision } from '#contract'

/** Tables have a decision as the approval that it came to. */
export const STORED_AS = { approve: 'APPROVED', 'request-changes': 'DENIED' } as const satisfies Record<
  Decision,
  Approval
>

/** SQL: the decision that a column has. */
export const decisionIn = (column: RawBuilder<unknown>): RawBuilder<Decision> =>
  sql<Decision>`case ${column} when ${sql.lit(STORED_AS.approve)} then 'approve' else 'request-changes' end`
