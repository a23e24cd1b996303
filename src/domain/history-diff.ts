import { isDeepStrictEqual } from 'node:util'
import type { Approval, PostChanges, PostSetChanges, PostSetStatus } from '#contract'
import type { MediaContent, PartContent, PostContent } from './plan-posts.ts'

/** What a request may change of a post set. */
export interface PostSetContent {
  scheduledAt: Date
  status: PostSetStatus
  approval: Approval
  externalId: string | null
  posts: readonly PostContent[]
}

interface Change {
  from: unknown
  to: unknown
}

type PostRef = Pick<PostContent, 'id' | 'accountType'>

/** What is different, as a row of history says it; empty when nothing is. */
export function diffPostSet(before: PostSetContent, after: PostSetContent): PostSetChanges {
  const changes: PostSetChanges = {}
  if (before.scheduledAt.getTime() !== after.scheduledAt.getTime()) {
    changes.scheduledAt = { from: before.scheduledAt.toISOString(), to: after.scheduledAt.toISOString() }
  }
  if (before.status !== after.status) changes.status = { from: before.status, to: after.status }
  if (before.approval !== after.approval) changes.approval = { from: before.approval, to: after.approval }
  if (before.externalId !== after.externalId) changes.externalId = { from: before.externalId, to: after.externalId }
  const posts = diffPosts(before.posts, after.posts)
  if (Object.keys(posts).length > 0) changes.posts = posts
  return changes
}

function diffPosts(before: readonly PostContent[], after: readonly PostContent[]): PostChanges {
  const changes: PostChanges = {}
  const had = new Map(before.map((post) => [post.id, post]))
  const has = new Set(after.map(({ id }) => id))
  const added = after.filter(({ id }) => !had.has(id))
  const removed = before.filter(({ id }) => !has.has(id))
  const stayed = after.filter(({ id }) => had.has(id))
  const changed = stayed.flatMap((post) => {
    const fields = diffFields(had.get(post.id) ?? post, post)
    return Object.keys(fields).length === 0 ? [] : [{ ...refOf(post), fields }]
  })
  if (added.length > 0) changes.added = added.map(refOf)
  if (removed.length > 0) changes.removed = removed.map(refOf)
  if (changed.length > 0) changes.changed = changed
  const oldOrder = before.filter(({ id }) => has.has(id)).map(({ id }) => id)
  if (stayed.some(({ id }, index) => oldOrder[index] !== id)) changes.order = after.map(({ id }) => id)
  return changes
}

function diffFields(before: PostContent, after: PostContent): Record<string, Change> {
  const fields: Record<string, Change> = {}
  if (before.caption !== after.caption) fields.caption = { from: before.caption, to: after.caption }
  for (const name of Object.keys(after.fields)) {
    const from = before.fields[name] ?? null
    const to = after.fields[name] ?? null
    if (!sameJson(from, to)) fields[name] = { from, to }
  }
  const from = before.media.map(plainMedia)
  const to = after.media.map(plainMedia)
  if (!sameJson(from, to)) fields.media = { from, to }
  const parts = { from: before.thread.map(plainPart), to: after.thread.map(plainPart) }
  if (!sameJson(parts.from, parts.to)) fields.thread = parts
  return fields
}

function refOf({ id, accountType }: PostRef): PostRef {
  return { id, accountType }
}

const plainPart = ({ media, ...part }: PartContent) => ({ ...part, media: media.map(plainMedia) })

function plainMedia({ id, mediaId, altText, title, description, link, tags, crop }: MediaContent) {
  return { id, mediaLibraryId: mediaId, altText, title, description, link, tags, crop }
}

/** Whether two values are the same once they have been stored as JSON. */
function sameJson(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))
}
