import type { AccountType, GuestChanges } from '#contract'

/** What of a post set is different, by names. */
interface Different {
  scheduledAt: { from: string; to: string } | null
  earlier: number
  posts: readonly { id: string; accountType: AccountType; what: 'added' | 'removed' | 'changed'; names: string[] }[]
}

/**
 * What a guest finds different in a post set since the version that the guest has seen, in the order of its posts. What it was in
 * between is for the team alone. Null when nothing is different.
 */
export function guestChanges(
  since: number,
  { scheduledAt: moved, posts: changed, earlier }: Different,
  now: { scheduledAt: Date; posts: readonly { id: string }[] },
): GuestChanges | null {
  const to = now.scheduledAt.toISOString()
  const scheduledAt = moved && moved.from !== to ? { from: moved.from, to } : null
  const places = new Map(now.posts.map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: { id: string }) => places.get(id) ?? places.size
  // A post that has gone again is not there to be looked at.
  const there = changed.filter(({ id, what }) => (what === 'removed') !== places.has(id))
  const posts = there.map(({ names, ...post }) => ({ ...post, fields: names }))
  if (scheduledAt === null && posts.length === 0 && earlier === 0) return null
  return { since, earlier, scheduledAt, posts: posts.toSorted((a, b) => placeOf(a) - placeOf(b)) }
}
