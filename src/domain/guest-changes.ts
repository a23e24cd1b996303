import { isDeepStrictEqual } from 'node:util'
import type { AccountType, GuestChanges, HistoryRead, PostChanges } from '#contract'
import type { PostContent } from './plan-posts.ts'

/** A post set as it is now. */
interface Current {
  scheduledAt: Date
  posts: readonly PostContent[]
}

type PostChange = GuestChanges['posts'][number]

/**
 * What a guest finds different in a post set, of what happened since the guest has seen it: what was there then, beside
 * what is there now. What it was in between is for the team alone. Null when nothing is different.
 *
 * @param events rows of history since the version that was seen, in their order
 */
export function guestChanges(events: readonly HistoryRead[], now: Current): GuestChanges | null {
  const [firstTime] = events.flatMap((event) => timeBefore(event) ?? [])
  const to = now.scheduledAt.toISOString()
  const posts = postChanges(
    events.flatMap((event) => postsOf(event) ?? []),
    now.posts,
  )
  const scheduledAt = firstTime !== undefined && firstTime !== to ? { from: firstTime, to } : null
  return scheduledAt === null && posts.length === 0 ? null : { scheduledAt, posts }
}

function timeBefore({ changes }: HistoryRead): string | null {
  const time = 'scheduledAt' in changes ? changes.scheduledAt : null
  return typeof time === 'object' && time !== null && 'from' in time ? time.from : null
}

function postsOf({ changes }: HistoryRead): PostChanges | null {
  return 'posts' in changes && changes.posts ? changes.posts : null
}

function postChanges(events: readonly PostChanges[], posts: readonly PostContent[]): PostChange[] {
  const added = new Set<string>()
  const removed = new Map<string, AccountType>()
  /** What fields of posts were when they changed first. */
  const before = new Map<string, Map<string, unknown>>()
  for (const event of events) {
    for (const { id } of event.added ?? []) added.add(id)
    for (const { id, accountType } of event.removed ?? []) if (!added.delete(id)) removed.set(id, accountType)
    for (const { id, fields } of event.changed ?? []) {
      if (added.has(id)) continue
      const known = before.get(id) ?? new Map<string, unknown>()
      for (const [name, { from }] of Object.entries(fields)) if (!known.has(name)) known.set(name, from)
      before.set(id, known)
    }
  }
  const plain = { caption: null, media: false, fields: [] }
  return [
    ...posts.flatMap((post): PostChange[] => {
      const { id, accountType } = post
      if (added.has(id)) return [{ accountType, what: 'added', ...plain }]
      const difference = differences(before.get(id), post)
      return difference ? [difference] : []
    }),
    ...[...removed.values()].map((accountType): PostChange => ({ accountType, what: 'removed', ...plain })),
  ]
}

function differences(before: ReadonlyMap<string, unknown> | undefined, post: PostContent): PostChange | null {
  const different = [...(before ?? [])].filter(([name, from]) => !sameJson(from, fieldOf(post, name)))
  if (different.length === 0) return null
  const from = different.find(([name]) => name === 'caption')?.[1]
  return {
    accountType: post.accountType,
    what: 'changed',
    caption: typeof from === 'string' ? { from, to: post.caption } : null,
    media: different.some(([name]) => name === 'media'),
    fields: different.map(([name]) => name).filter((name) => name !== 'caption' && name !== 'media'),
  }
}

function fieldOf({ caption, media, fields }: PostContent, name: string): unknown {
  if (name === 'caption') return caption
  if (name !== 'media') return fields[name] ?? null
  return media.map(({ id, mediaId, altText, title, description, link, tags, crop }) => {
    return { id, mediaLibraryId: mediaId, altText, title, description, link, tags, crop }
  })
}

/** Whether two values are the same once they have been stored as JSON. */
function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
}
