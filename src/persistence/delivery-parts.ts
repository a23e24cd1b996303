import type { PostResult } from '#contract'
import { type DeliveryState, type EndedPart, isBehindPost, type PartRules } from '#domain'

/**
 * A part in the row of a delivery, which lists what came of each and last the present one (without `outcome`). The list is empty until there
 * is one behind the post.
 */
export type StoredPart = { title: string } & (
  | { outcome?: never; ofThread?: true }
  | (Omit<EndedPart, 'endedAt'> & { endedAt: string })
)

interface PartsRow {
  state: DeliveryState
  handles: Record<string, unknown>
  parts: StoredPart[]
  updated_at: Date
}

/** What came of the parts before the present one, the post first. Of what is done: of all of them, where there were several. */
export function endedParts(row: PartsRow): EndedPart[] {
  const ended = row.parts.flatMap(({ title: _, ...part }) =>
    part.outcome === undefined ? [] : [{ ...part, endedAt: new Date(part.endedAt) }],
  )
  if (ended.length > 0 || !isBehindPost(row.state)) return ended
  // A version before 0063 has written it: of the post it keeps id and address among the handles.
  const { providerId = null, permalink = null } = row.handles as { providerId?: string; permalink?: string | null }
  return [{ outcome: 'live', providerId, permalink, endedAt: row.updated_at }]
}

/** What came of the parts of a delivery that has come to one behind its post, which is the first. */
export function liveParts(row: PartsRow): [EndedPart, ...EndedPart[]] {
  const [post, ...others] = endedParts(row)
  if (!post) throw new Error('The post of a delivery is not known to be live.')
  return [post, ...others]
}

/** What people call the part behind the post that comes next, or is under way. */
export const titleOfPart = ({ parts }: Pick<PartsRow, 'parts'>): string => parts.at(-1)?.title ?? 'first comment'

/**
 * Parts as they are stored.
 *
 * @param rules of those that are stored, the post first: what has not ended is the present one
 */
export const partsToStore = (
  ended: readonly EndedPart[],
  rules: readonly Pick<PartRules, 'title' | 'ofThread'>[],
): StoredPart[] =>
  rules.map(({ title, ofThread }, nth) => {
    const part = ended[nth]
    return part ? { title, ...part, endedAt: part.endedAt.toISOString() } : { title, ...(ofThread ? { ofThread } : {}) }
  })

/** The end of a thread that is not all there: what is live of it, the post first, and what people call the first part that is missing. */
export interface BrokenThread {
  live: StoredPart[]
  missing: string
  /** Nothing of that part is there for certain. */
  surelyAbsent: boolean
}

/**
 * Where the thread of a post that is done and live has ended early; null: it has not, or there is none. Of what was ended by hand its last
 * fence decides.
 *
 * @param delivery.sentAt the first fence of the part that it came to
 */
export function threadLeftBy({
  state,
  result,
  parts,
  sentAt,
}: {
  state: DeliveryState | null
  result: PostResult | null
  parts: readonly StoredPart[]
  sentAt: Date | null
}): BrokenThread | null {
  const nth = parts.findIndex((part) => part.ofThread && part.outcome !== 'live')
  const first = parts[nth]
  if (!first || state !== 'DONE' || result?.status !== 'POSTED') return null
  const { title: missing, outcome } = first
  const surelyAbsent = outcome === undefined ? sentAt === null : outcome === 'absent'
  // The network may have named the address of the post only later.
  const { permalink = null } = result
  const live = parts.slice(0, nth).map((part, at) => (at === 0 && part.outcome ? { ...part, permalink } : part))
  return { live, missing, surelyAbsent }
}
