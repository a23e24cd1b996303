// A post set while somebody writes it: what all networks share, and what single ones have instead.
import type { AccountType, Approval, NetworkDescription, Post, PostMedia, PostSet, Repeat } from '#contract'

/** A file of the media library in a post. */
export interface DraftMedia {
  mediaLibraryId: string
  type: 'IMAGE' | 'VIDEO'
  thumbnailUrl: string | null
  altText: string
}

export interface DraftPost {
  accountType: AccountType
  /** Null: the caption that all share. */
  caption: string | null
  /** Null: the files that all share. */
  media: DraftMedia[] | null
  /** Fields of the network, by their names in the interface. */
  fields: Record<string, unknown>
  /** Somebody chose the kind of post; otherwise it follows from the files. */
  typeChosen: boolean
}

export interface Draft {
  caption: string
  media: DraftMedia[]
  posts: DraftPost[]
  /** ISO 8601 in UTC. */
  at: string
  repeat: Repeat | null
  approval: Approval
}

/** Fields that follow from the caption, or that a person chooses elsewhere. */
const NOT_WRITTEN = new Set(['richCaption', 'board'])

/** The fields of a network that a person fills in. */
export function writtenFields(network: NetworkDescription): NetworkDescription['fields'] {
  return network.fields.filter(({ name }) => !NOT_WRITTEN.has(name))
}

export function emptyDraft(at: string): Draft {
  return { caption: '', media: [], posts: [], at, repeat: null, approval: 'NONE' }
}

/** A new post, with what its network demands. */
export function newPost(network: NetworkDescription): DraftPost {
  const fields = Object.fromEntries(
    network.fields
      .filter(({ name, required }) => required && !NOT_WRITTEN.has(name))
      .map(({ name, schema }) => [name, emptyValue(schema)]),
  )
  return { accountType: network.accountType, caption: null, media: null, fields, typeChosen: false }
}

function emptyValue(schema: Record<string, unknown>): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  return schema.type === 'array' ? [] : ''
}

export function captionOf(draft: Draft, post: DraftPost): string {
  return post.caption ?? draft.caption
}

export function mediaOf(draft: Draft, post: DraftPost): DraftMedia[] {
  return post.media ?? draft.media
}

/** The kind of post: the one that was chosen, or the first that takes these files. */
export function typeOf(network: NetworkDescription, post: DraftPost, media: readonly DraftMedia[]): string | null {
  const kinds = network.forms.filter(({ type }) => type !== null)
  if (kinds.length === 0) return null
  if (post.typeChosen) return String(post.fields.type)
  const videos = media.filter(({ type }) => type === 'VIDEO').length
  const images = media.length - videos
  const fits = kinds.find(
    ({ media: takes }) =>
      media.length >= takes.min &&
      media.length <= takes.max &&
      images <= takes.images &&
      videos <= takes.videos &&
      (takes.mixed || images === 0 || videos === 0),
  )
  return fits?.type ?? kinds[0]?.type ?? null
}

/** What the interface takes as `posts`. Ids of a set that is edited are kept where something stays. */
export function postsOf(draft: Draft, networks: readonly NetworkDescription[], before: PostSet | null): object[] {
  const left = [...(before?.posts ?? [])]
  return draft.posts.map((post) => {
    const network = networks.find(({ accountType }) => accountType === post.accountType)
    // A draft of a program may have two posts of one account type: each keeps its own.
    const place = left.findIndex(({ accountType }) => accountType === post.accountType)
    const [kept] = place === -1 ? [] : left.splice(place, 1)
    const caption = captionOf(draft, post)
    const media = mediaOf(draft, post)
    const type = network ? typeOf(network, post, media) : null
    const rich = network?.fields.some(({ name }) => name === 'richCaption')
    return {
      ...(kept ? { id: kept.id } : {}),
      accountType: post.accountType,
      caption,
      ...cleaned(post.fields),
      ...(type === null ? {} : { type }),
      ...(rich ? { richCaption: richCaptionOf(caption, kept) } : {}),
      media: keepMedia(media, kept?.media ?? []),
    }
  })
}

/** Without the empty end of a list that somebody is still writing. */
function cleaned(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((one) => one !== '') : value,
    ]),
  )
}

/** Mentions that a program made stay while nobody changes the text. */
function richCaptionOf(caption: string, kept: Post | undefined): unknown {
  return kept?.caption === caption && Array.isArray(kept.richCaption) ? kept.richCaption : [caption]
}

/** A file that stays keeps its id, and with it what only programs say of it, such as tags. */
function keepMedia(media: readonly DraftMedia[], before: readonly PostMedia[]): object[] {
  const left = [...before]
  return media.map(({ mediaLibraryId, altText }) => {
    const index = left.findIndex((item) => item.mediaLibraryId === mediaLibraryId)
    const [item] = index === -1 ? [] : left.splice(index, 1)
    return { ...(item ? { id: item.id } : { mediaLibraryId }), altText: altText === '' ? null : altText }
  })
}

/** A set that is there, as a draft. What all posts have in common becomes what all share. */
export function draftOf(set: PostSet): Draft {
  const [first] = set.posts
  const caption = first?.caption ?? ''
  const media = (first?.media ?? []).map(draftMedia)
  return {
    caption,
    media,
    at: set.scheduledAt,
    repeat: null,
    approval: set.approval,
    posts: set.posts.map(({ id: _, accountType, caption: own, media: files, result: __, ...fields }) => {
      const ownMedia = files.map(draftMedia)
      const { richCaption: ___, ...written } = fields
      return {
        accountType,
        caption: own === caption ? null : own,
        media: JSON.stringify(ownMedia) === JSON.stringify(media) ? null : ownMedia,
        fields: withoutNulls(written),
        typeChosen: 'type' in written,
      }
    }),
  }
}

function draftMedia({ mediaLibraryId, type, thumbnailUrl, altText }: PostMedia): DraftMedia {
  return { mediaLibraryId, type, thumbnailUrl, altText: altText ?? '' }
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}

/** A change of the post at a place; what is not named stays. */
export function changePost(draft: Draft, index: number, change: Partial<DraftPost>): Draft {
  return { ...draft, posts: draft.posts.map((post, place) => (place === index ? { ...post, ...change } : post)) }
}

/** Of a body, what differs from another one. */
export function differences<Body extends object>(body: Body, before: Body): Partial<Body> {
  const changed = (Object.keys(body) as (keyof Body)[]).filter(
    (name) => JSON.stringify(body[name]) !== JSON.stringify(before[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, body[name]])) as Partial<Body>
}
