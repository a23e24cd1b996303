import Type from 'typebox'
import { checkShape } from './check-shape.ts'
import { closed, orNull } from './schema.ts'

/** Names of the plans. Every account has one from the start. */
export const PLAN_NAMES = ['FREE', 'STARTER', 'PRO', 'AGENCY', 'SCALE'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

/** Larger ones lose digits on the way through JSON. */
const maximum = Number.MAX_SAFE_INTEGER
const limit = (description: string) => orNull(Type.Integer({ minimum: 0, maximum }), { description })
const feature = (description: string) => Type.Boolean({ description })

/** What a plan allows. A number that is null has no limit. */
export const PlanSchema = closed({
  monthlyPosts: limit('Post sets created in a calendar month (UTC).'),
  video: feature('Posts with video.'),
  carousels: feature('Carousels: posts of that type, and several items where they form one.'),
  repeats: feature('Post sets that repeat.'),
  approvals: feature('Setting the approval of a post set.'),
  monthlyUploadBytes: limit('Bytes that may be added to the media library in a calendar month (UTC).'),
  storageBytes: limit('Bytes that the media library may hold.'),
  socialSets: limit('Social sets of the account.'),
  apiAccess: feature('Keys of the account open the API.'),
  requestsPerSecond: Type.Integer({ minimum: 1, maximum, description: 'Over all keys of the account.' }),
})
export type Plan = Type.Static<typeof PlanSchema>
export type PlanCatalog = Readonly<Record<PlanName, Plan>>

/** A file of plans. */
const PlanCatalogFile = Type.Partial(
  Type.Record(Type.Enum([...PLAN_NAMES]), Type.Partial(PlanSchema, { additionalProperties: false })),
  { additionalProperties: false },
)

const GB = 1_000_000_000
const everything = {
  video: true,
  carousels: true,
  repeats: true,
  approvals: true,
  apiAccess: true,
  requestsPerSecond: 5,
}

/** The plans that apply unless the operator provides others. */
export const SHIPPED_PLANS: PlanCatalog = {
  FREE: {
    ...everything,
    monthlyPosts: 10,
    video: false,
    carousels: false,
    repeats: false,
    approvals: false,
    monthlyUploadBytes: GB / 2,
    storageBytes: GB / 2,
    socialSets: 1,
  },
  STARTER: {
    ...everything,
    monthlyPosts: 100,
    approvals: false,
    monthlyUploadBytes: 5 * GB,
    storageBytes: 10 * GB,
    socialSets: 3,
  },
  PRO: { ...everything, monthlyPosts: 500, monthlyUploadBytes: 20 * GB, storageBytes: 50 * GB, socialSets: 10 },
  AGENCY: { ...everything, monthlyPosts: 5_000, monthlyUploadBytes: 100 * GB, storageBytes: 500 * GB, socialSets: 100 },
  SCALE: { ...everything, monthlyPosts: null, monthlyUploadBytes: null, storageBytes: null, socialSets: null },
}

/**
 * The catalog of a plans file (a JSON object by plan name, parsed), completed with the shipped plans; or all
 * problems, one sentence each that begins with its path.
 */
export function readPlanCatalog(
  json: unknown,
): { ok: true; plans: PlanCatalog } | { ok: false; wrong: readonly string[] } {
  const checked = checkShape(PlanCatalogFile, json)
  if (!checked.ok) {
    const wrong = checked.entries.map(({ path, message }) => (path === '' ? 'It must be a JSON object.' : message))
    return { ok: false, wrong }
  }
  const plans = PLAN_NAMES.map((name) => [name, { ...SHIPPED_PLANS[name], ...checked.value[name] }])
  return { ok: true, plans: Object.fromEntries(plans) as PlanCatalog }
}
