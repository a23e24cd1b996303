import type { HashtagGroup } from '#contract'
import type { HashtagGroupRow } from '#persistence'

/** A group as it is answered. */
export function answerHashtagGroup({ createdAt, updatedAt, ...group }: HashtagGroupRow): HashtagGroup {
  return { ...group, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() }
}
