import type { AccountType, MediaCrop, MediaTag, Repeat } from '#contract'

/** A picture or video in a post. */
export interface DraftMedia {
  /** Of this place in this draft: the same file may be in a post twice. */
  uid: string
  /** Empty while the file is on its way. */
  mediaLibraryId: string
  /** The key of the upload that it comes by; null when it is in the library. */
  upload: string | null
  /** Its place among the files of the post that is edited; null for a new one. */
  place: number | null
  name: string
  type: 'IMAGE' | 'VIDEO' | 'DOCUMENT'
  url: string | null
  thumbnailUrl: string | null
  /** Pixels of the original. */
  width: number
  height: number
  /** Of a video or an animation; null while it is not known. */
  durationMs: number | null
  altText: string
  tags: readonly MediaTag[]
  /** The part that the post shows; the file stays as it is. */
  crop: MediaCrop | null
  title: string | null
  description: string | null
  link: string | null
}

/** A part of a post behind the first, which is the post's own text: it is published as a reply to the one before. */
export interface DraftPart {
  /** Of this part in this draft. */
  uid: string
  /** Null of a new one. */
  id: string | null
  caption: string
  media: readonly DraftMedia[]
}

export interface DraftPost {
  accountType: AccountType
  /** Null: the caption that all share. */
  caption: string | null
  /** Null: the files that all share. */
  media: readonly DraftMedia[] | null
  /** Fields of the network, by their names in the API. */
  fields: Record<string, unknown>
  /** The kind of post was chosen; otherwise it follows from the files. */
  typeChosen: boolean
  /** The switch of a disclosure was used: what it shows may be undecided yet. */
  discloses?: boolean
  /** Further parts; empty: none. */
  thread: readonly DraftPart[]
}

export interface Draft {
  caption: string
  media: readonly DraftMedia[]
  posts: DraftPost[]
  /** ISO 8601 in UTC. */
  at: string
  repeat: Repeat | null
  /** Ids of labels. */
  labels: readonly string[]
}

/** Whether there are neither words nor files; null: those that all share. */
export const isBlank = ({ caption, media }: { caption: string | null; media: readonly unknown[] | null }) =>
  (caption ?? '').trim() === '' && (media ?? []).length === 0

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
