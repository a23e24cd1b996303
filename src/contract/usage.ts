import Type from 'typebox'
import { PLAN_NAMES } from './plans.ts'
import { closed, orNull } from './schema.ts'

/** How much of a number of the plan is used. */
export const Used = closed({
  used: Type.Integer({ minimum: 0 }),
  limit: orNull(Type.Integer({ minimum: 0 }), { description: 'Null: none.' }),
})
export type Used = Type.Static<typeof Used>

/** Features that a plan has or does not have. */
export const PLAN_FEATURES = ['video', 'carousels', 'repeats', 'approvals', 'apiAccess'] as const
export type PlanFeature = (typeof PLAN_FEATURES)[number]

/** The plan of an account and its usage. */
export const AccountUsage = closed({
  accountId: Type.String(),
  plan: Type.Enum([...PLAN_NAMES]),
  month: Type.String({ description: 'The current calendar month in UTC, `2026-03`.' }),
  resetsAt: Type.String({ description: 'When the month ends and monthly counts restart at zero.' }),
  postSets: Used,
  uploadBytes: Used,
  storageBytes: Used,
  socialSets: Used,
  connections: Used,
  members: Used,
  activeKeys: Used,
  requestsPerSecond: Type.Integer({ description: 'Over all keys of the account.' }),
  features: Type.Array(Type.Enum([...PLAN_FEATURES]), { description: 'Those that the plan has.' }),
})
export type AccountUsage = Type.Static<typeof AccountUsage>
