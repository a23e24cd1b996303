import { type DeliveryState, type EndedPart, isBehindPost } from '#domain'

/**
 * A part in the row of a delivery, which lists what came of each and last the present one (without `outcome`). The list is empty until there
 * is one behind the post.
 */
export type StoredPart = { title: string } & ({ outcome?: never } | (Omit<EndedPart, 'endedAt'> & { endedAt: string }))

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
 * @param titles of those that are stored, the post first: what has not ended is the present one
 */
export const partsToStore = (ended: readonly EndedPart[], titles: readonly string[]): StoredPart[] =>
  titles.map((title, nth) => {
    const part = ended[nth]
    return part ? { title, ...part, endedAt: part.endedAt.toISOString() } : { title }
  })
