/** Names of the plans. An account has one from the start. */
export const PLAN_NAMES = ['FREE', 'STARTER', 'PRO', 'AGENCY', 'SCALE'] as const
export type PlanName = (typeof PLAN_NAMES)[number]
