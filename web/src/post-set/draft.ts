// A post while it is written: what all networks share, and what single ones have instead.
import type {
  AccountType,
  ConnectionCapabilities,
  MediaLibraryItem,
  NetworkDescription,
  Post,
  PostInput,
  PostMedia,
  PostMediaInput,
  PostOptions,
  PostSet,
} from '#contract'
import { isAgreeing, optionsToSend } from '../planning/agreements/agreement.ts'
import { type Draft, type DraftMedia, type DraftPart, type DraftPost, NEW_MEDIA } from './draft-shape.ts'

/** Fields that follow from the caption. */
const NOT_WRITTEN = new Set(['richCaption'])

/** The fields of a network that a person fills in. */
export function writtenFields(network: NetworkDescription): NetworkDescription['fields'] {
  return network.fields.filter(({ name }) => !NOT_WRITTEN.has(name))
}

/** Whether a field does something, by what the others of its post have. */
export function does({ when }: NetworkDescription['fields'][number], { fields }: Pick<DraftPost, 'fields'>): boolean {
  return when === null || when.values.includes(String(fields[when.field]))
}

/** A new post, with what its network demands. */
export function newPost(network: NetworkDescription): DraftPost {
  const fields = Object.fromEntries(
    network.fields
      .filter(({ name, required }) => required && !NOT_WRITTEN.has(name))
      .map(({ name, schema }) => [name, emptyValue(schema)]),
  )
  return { accountType: network.accountType, caption: null, media: null, fields, typeChosen: false, thread: [] }
}

function emptyValue(schema: Record<string, unknown>): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  return schema.type === 'array' ? [] : ''
}

export function captionOf(draft: Draft, post: DraftPost): string {
  return post.caption ?? draft.caption
}

export function mediaOf(draft: Draft, post: DraftPost): readonly DraftMedia[] {
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

/** What networks said of their accounts, as far as it is known. */
type AskedAccounts = ReadonlyMap<AccountType, { data: Pick<ConnectionCapabilities, 'spared'> | undefined }>

/** What the API takes as `posts`. Ids of a set that is edited are kept where something stays. */
export function postsOf(
  draft: Draft,
  networks: readonly NetworkDescription[],
  before: PostSet | null,
  accounts: AskedAccounts = new Map(),
): PostInput[] {
  const left = [...(before?.posts ?? [])]
  return draft.posts.map((post) => {
    const network = networks.find(({ accountType }) => accountType === post.accountType)
    // A draft of a program may have two posts of one account type: each keeps its own.
    const place = left.findIndex(({ accountType }) => accountType === post.accountType)
    const [kept] = place === -1 ? [] : left.splice(place, 1)
    const caption = captionOf(draft, post)
    const media = mediaOf(draft, post).filter(({ upload }) => upload === null)
    const type = network ? typeOf(network, post, media) : null
    const rich = network?.fields.some(({ name }) => name === 'richCaption')
    return {
      ...(kept ? { id: kept.id } : {}),
      accountType: post.accountType,
      caption,
      ...cleaned(usedFields(post, network)),
      ...(isAgreeing(network)
        ? { options: optionsToSend(network, optionsOf(post), accounts.get(post.accountType)?.data) }
        : {}),
      ...(type === null ? {} : { type }),
      ...(rich ? { richCaption: richCaptionOf(caption, kept) } : {}),
      media: keepMedia(media, kept?.media ?? []),
      // Left out they stay, so that none are said too.
      ...(network?.thread && (post.thread.length > 0 || kept?.thread)
        ? { thread: partsToSend(post.thread, kept?.thread) }
        : {}),
    }
  })
}

export const optionsOf = ({ fields }: Pick<DraftPost, 'fields'>) => (fields.options ?? {}) as PostOptions

/** Files keep their ids in the part that they were in. */
function partsToSend(parts: readonly DraftPart[], before: Post['thread']) {
  return parts.map(({ id, caption, media }) => {
    const kept = before?.find((part) => part.id === id)
    const there = media.filter(({ upload }) => upload === null)
    return { ...(kept ? { id: kept.id } : {}), caption, media: keepMedia(there, kept?.media ?? []) }
  })
}

/** Without what does nothing beside the others: it stays in the draft for who changes their mind. */
function usedFields(post: DraftPost, network: NetworkDescription | undefined): Record<string, unknown> {
  const unused = network?.fields.filter((field) => !does(field, post)).map(({ name }) => name) ?? []
  return Object.fromEntries(Object.entries(post.fields).filter(([name]) => !unused.includes(name)))
}

/** Without the empty end of a list that is still being written. */
function cleaned(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((one) => one !== '') : value,
    ]),
  )
}

/** Mentions that a program made stay while the text is not changed. */
function richCaptionOf(caption: string, kept: Post | undefined): unknown {
  return kept?.caption === caption && Array.isArray(kept.richCaption) ? kept.richCaption : [caption]
}

/**
 * A file that stays keeps its id: the one in the place that it came from, else one of the same file. All that is said of
 * it is sent, so that of one picture that is there twice each keeps its own crop.
 */
function keepMedia(media: readonly DraftMedia[], before: readonly PostMedia[]): PostMediaInput[] {
  const taken = new Set<string>()
  const same = ({ mediaLibraryId }: DraftMedia, item: PostMedia | undefined) =>
    item !== undefined && item.mediaLibraryId === mediaLibraryId && !taken.has(item.id)
  const take = (item: PostMedia | undefined) => {
    if (item) taken.add(item.id)
    return item
  }
  const placed = media.map((file) => {
    const item = file.place === null ? undefined : before[file.place]
    return same(file, item) ? take(item) : undefined
  })
  return media.map((file, index) => {
    const item = placed[index] ?? take(before.find((each) => same(file, each)))
    const { mediaLibraryId, altText, crop, title, description, link } = file
    // A person without a handle is still being written.
    const tags = file.tags.filter(({ text }) => text.trim() !== '')
    return {
      ...(item ? { id: item.id } : { mediaLibraryId }),
      altText: altText === '' ? null : altText,
      ...(tags.length > 0 || item ? { tags } : {}),
      ...(crop || item ? { crop } : {}),
      ...(title || item ? { title } : {}),
      ...(description || item ? { description } : {}),
      ...(link || item ? { link } : {}),
    }
  })
}

/** A post that is there, as a draft. What all networks have in common becomes what all share. */
export function draftOf(set: PostSet): Draft {
  const [first] = set.posts
  const caption = first?.caption ?? ''
  const pictures = picturesOfFiles(set)
  const draftMedia = draftMediaWith(pictures)
  const media = (first?.media ?? []).map(draftMedia)
  return {
    caption,
    media,
    at: set.scheduledAt,
    repeat: null,
    labels: set.labelsId,
    posts: set.posts.map(({ id: _, accountType, caption: own, media: files, result: __, thread, ...fields }) => {
      const ownMedia = files.map(draftMedia)
      const { richCaption: ___, ...written } = fields
      return {
        accountType,
        caption: own === caption ? null : own,
        media: JSON.stringify(ownMedia) === JSON.stringify(media) ? null : ownMedia,
        fields: withoutNulls(written),
        typeChosen: 'type' in written,
        thread: (thread ?? []).map((part) => ({
          ...{ uid: part.id, id: part.id, caption: part.caption },
          media: part.media.map(draftMedia),
        })),
      }
    }),
  }
}

const COVER = /\/cover-\d+\?/

/** What stands for each file: of a video that a post shows by its cover, the picture that another post has of it, where there is one. */
function picturesOfFiles({ posts }: PostSet): ReadonlyMap<string, string | null> {
  const items = posts.flatMap(({ media, thread }) => [media, ...(thread ?? []).map((part) => part.media)].flat())
  const own = items.filter(({ thumbnailUrl }) => !COVER.test(thumbnailUrl ?? ''))
  return new Map([...items, ...own].map(({ mediaLibraryId, thumbnailUrl }) => [mediaLibraryId, thumbnailUrl]))
}

/** A file of a post that is there. */
const draftMediaWith = (pictures: ReadonlyMap<string, string | null>) => (item: PostMedia, place: number) => {
  const { mediaLibraryId, type, url, width, height, durationMs, altText, tags, crop } = item
  const { title, description, link } = item
  const thumbnailUrl = pictures.get(mediaLibraryId) ?? null
  const media: DraftMedia = {
    uid: `${mediaLibraryId} ${place}`,
    mediaLibraryId,
    upload: null,
    place,
    name: '',
    ...{ type, url, thumbnailUrl, width, height, durationMs, tags, crop, title, description, link },
    altText: altText ?? '',
  }
  return media
}

/** A file of the library, new in a post. */
export function newMedia(item: MediaLibraryItem): DraftMedia {
  const { id, name, type, url, thumbnailUrl, width, height, durationMs, altText } = item
  return {
    ...NEW_MEDIA,
    uid: crypto.randomUUID(),
    mediaLibraryId: id,
    ...{ name, type, url, thumbnailUrl, width, height, durationMs },
    altText: altText ?? '',
  }
}

/** A file that is on its way into the library. */
export function comingMedia(upload: { key: string; name: string; preview: string | null }): DraftMedia {
  const type = /\.(mp4|mov|m4v|webm)$/i.test(upload.name) ? 'VIDEO' : /\.pdf$/i.test(upload.name) ? 'DOCUMENT' : 'IMAGE'
  return { ...NEW_MEDIA, uid: upload.key, upload: upload.key, name: upload.name, type }
}

/** Every file of a draft, changed or (null) taken out. */
export function mapMedia(draft: Draft, change: (item: DraftMedia) => DraftMedia | null): Draft {
  const all = (media: readonly DraftMedia[]) => media.flatMap((item) => change(item) ?? [])
  return {
    ...draft,
    media: all(draft.media),
    posts: draft.posts.map((post) => ({
      ...post,
      media: post.media && all(post.media),
      thread: post.thread.map((part) => ({ ...part, media: all(part.media) })),
    })),
  }
}

/** Every file of a draft. */
export function mediaIn(draft: Draft): DraftMedia[] {
  const ofPosts = draft.posts.flatMap(({ media, thread }) => [media ?? [], ...thread.map((part) => part.media)])
  return [draft.media, ...ofPosts].flat()
}

/** The files of a draft that are on their way. */
export function comingIn(draft: Draft): DraftMedia[] {
  return mediaIn(draft).filter(({ upload }) => upload !== null)
}

/** Until when a signed address of a file works, in ms since 1970; infinity of one without a signature. */
export function addressEnds(url: string): number {
  const ends = URL.parse(url, 'https://almanac.invalid')?.searchParams.get('e')
  return ends ? Number(ends) * 1_000 : Number.POSITIVE_INFINITY
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined))
}

/**
 * The files of the post at a place, changed. What is said of a file that all share is said of it for all: it is the same picture.
 * Anything else makes them its own.
 */
export function changeMedia(draft: Draft, index: number, media: readonly DraftMedia[]): Draft {
  const silent = (items: readonly DraftMedia[]) => JSON.stringify(items.map((item) => ({ ...item, altText: '' })))
  const isShared = draft.posts[index]?.media === null
  if (isShared && silent(media) === silent(draft.media)) return { ...draft, media }
  return changePost(draft, index, { media })
}

/** A change of the post at a place; what is not named stays. */
export function changePost(draft: Draft, index: number, change: Partial<DraftPost>): Draft {
  return { ...draft, posts: draft.posts.map((post, place) => (place === index ? { ...post, ...change } : post)) }
}
