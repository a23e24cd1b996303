import {
  type AccountType,
  accountTypeEntry,
  type ErrorCode,
  entryAt,
  type MediaType,
  type Plan,
  type ProblemEntry,
} from '#contract'

type PlannedMedia = MediaType | null

/** A post as plans see it. */
export interface PlannedPost {
  accountType: AccountType
  fields: Readonly<Record<string, unknown>>
  /** What each media item is; null for one that is not known. */
  media: readonly PlannedMedia[]
  /** The same of its further parts. */
  thread: readonly (readonly PlannedMedia[])[]
}

/** What a request wants that not every plan has. */
export interface PlannedWrite {
  /** The request sets or changes the approval state. */
  approval: boolean
  /** The request makes a series. */
  repeat: boolean
  posts: readonly PlannedPost[]
}

interface PlanEntry extends ProblemEntry {
  code: ErrorCode
}

/**
 * What of a request the plan does not include, each with its place. The monthly post limit is not among it: it is
 * counted where it is raised.
 */
export function planProblems(plan: Plan, { approval, repeat, posts }: PlannedWrite): PlanEntry[] {
  const entries: PlanEntry[] = []
  const refuse = (code: ErrorCode, steps: (string | number)[], what: string, accountType?: AccountType) => {
    const message = `${what} not part of the account's plan. Choose another plan, or leave it out.`
    entries.push({ ...entryAt(steps, code, message, accountType ? { accountType } : {}), code })
  }
  if (approval && !plan.approvals) refuse('plan:approvals_not_available', ['approval'], 'Approvals are')
  if (repeat && !plan.repeats) refuse('post-set:repeats_not_available', ['repeat'], 'Repeats are')
  posts.forEach((post, index) => {
    const at = ['posts', index]
    if (!plan.video && isVideo(post)) refuse('post-set:videos_not_available', at, 'Video is', post.accountType)
    if (!plan.carousels && isCarousel(post)) {
      refuse('post-set:carousels_not_available', at, 'Carousels are', post.accountType)
    }
  })
  return entries
}

function isVideo({ accountType, fields, media, thread }: PlannedPost): boolean {
  const { video = [] } = accountTypeEntry(accountType)
  return (
    [media, ...thread].some((part) => part.includes('VIDEO')) || video === 'all' || video.includes(String(fields.type))
  )
}

function isCarousel({ accountType, fields, media, thread }: PlannedPost): boolean {
  const { carousel } = accountTypeEntry(accountType)
  if (!carousel) return false
  return (
    carousel.types.includes(String(fields.type)) ||
    (carousel.severalItems && [media, ...thread].some((part) => part.length > 1))
  )
}
