import { isDeepStrictEqual } from 'node:util'
import type { PostChanges, PostSetChanges } from '#contract'

interface FieldChange {
  from: unknown
  to: unknown
}
type PostRef = NonNullable<PostChanges['added']>[number]

/** The outcome of one post. */
interface PostChange {
  ref: PostRef
  is: 'added' | 'removed' | 'changed'
  fields: Record<string, FieldChange>
}

/**
 * What several changes of a post set, in their order, come to: what a field was before the first and is after the last. What
 * is as it was again is left out.
 */
export function mergeChanges(changes: readonly PostSetChanges[]): PostSetChanges {
  const merged: Record<string, unknown> = {}
  for (const name of ['scheduledAt', 'status', 'approval'] as const) {
    const all = changes.flatMap((change) => change[name] ?? [])
    const [first] = all
    const last = all.at(-1)
    if (first && last && first.from !== last.to) merged[name] = { from: first.from, to: last.to }
  }
  const posts = mergePosts(changes.flatMap((change) => change.posts ?? []))
  if (Object.keys(posts).length > 0) merged.posts = posts
  return merged
}

function mergePosts(changes: readonly PostChanges[]): PostChanges {
  const posts = new Map<string, PostChange>()
  for (const change of changes) {
    for (const ref of change.added ?? []) posts.set(ref.id, { ref, is: 'added', fields: {} })
    for (const { fields, ...ref } of change.changed ?? []) mergeFields(posts, ref, fields)
    for (const ref of change.removed ?? []) {
      if (posts.get(ref.id)?.is === 'added') posts.delete(ref.id)
      else posts.set(ref.id, { ref, is: 'removed', fields: {} })
    }
  }
  const of = (is: PostChange['is']) => [...posts.values()].filter((post) => post.is === is)
  const [added, removed] = [of('added'), of('removed')].map((some) => some.map(({ ref }) => ref))
  const changed = of('changed').flatMap(({ ref, fields }) => {
    const different = Object.entries(fields).filter(([, { from, to }]) => !isDeepStrictEqual(from, to))
    return different.length === 0 ? [] : [{ ...ref, fields: Object.fromEntries(different) }]
  })
  const order = changes.findLast((change) => change.order)?.order
  return {
    ...(added?.length ? { added } : {}),
    ...(removed?.length ? { removed } : {}),
    ...(changed.length > 0 ? { changed } : {}),
    ...(order ? { order } : {}),
  }
}

function mergeFields(posts: Map<string, PostChange>, ref: PostRef, fields: Record<string, FieldChange>): void {
  const post = posts.get(ref.id) ?? { ref, is: 'changed', fields: {} }
  posts.set(ref.id, post)
  for (const [name, { from, to }] of Object.entries(fields)) {
    post.fields[name] = { from: post.fields[name] ? post.fields[name].from : from, to }
  }
}
