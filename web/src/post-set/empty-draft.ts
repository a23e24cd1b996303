import type { Draft, DraftMedia, DraftPost } from './draft.ts'

export function emptyDraft(at: string): Draft {
  return { caption: '', media: [], posts: [], at, repeat: null, labels: [] }
}

export const NEW_MEDIA = {
  mediaLibraryId: '',
  upload: null,
  place: null,
  name: '',
  url: null,
  thumbnailUrl: null,
  width: 0,
  height: 0,
  durationMs: null,
  altText: '',
  tags: [],
  crop: null,
  title: null,
  description: null,
  link: null,
} as const

/** A draft that was kept, perhaps by another version of this page: what it lacks is as in an empty one. Null of what is none. */
export function readDraft(value: unknown): Draft | null {
  if (typeof value !== 'object' || value === null) return null
  // Versions before kept the approval that the post had then, which is no part of what is written.
  const { approval: _, ...draft } = value as Draft & { approval?: unknown }
  const { caption, at, posts, media } = draft
  if (typeof caption !== 'string' || typeof at !== 'string' || !Array.isArray(posts) || !Array.isArray(media))
    return null
  const whole = (items: readonly DraftMedia[]) =>
    items.map((item, index) => ({ ...NEW_MEDIA, ...item, uid: item.uid ?? `${item.mediaLibraryId} ${index}` }))
  return {
    ...emptyDraft(at),
    ...draft,
    media: whole(media),
    posts: posts.map((post: DraftPost) => ({
      ...post,
      media: post.media && whole(post.media),
      thread: (post.thread ?? []).map((part) => ({ ...part, media: whole(part.media) })),
    })),
  }
}
