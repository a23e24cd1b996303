import type { Fit, PostMediaInput } from '#contract'
import {
  type AccountType,
  entryAt,
  type MediaCrop,
  type MediaTag,
  POST_FIELDS,
  type PostInput,
  type PostOptions,
  type ProblemEntry,
} from '#contract'

/** A media item of a post as it is stored. `mediaId` is the item of the library. */
export interface MediaContent {
  id: string
  mediaId: string
  altText: string | null
  title: string | null
  description: string | null
  link: string | null
  tags: readonly MediaTag[]
  crop: MediaCrop | null
}

/** A post as it is stored. `fields` has every field of the account type, null when unset. */
export interface PostContent {
  id: string
  accountType: AccountType
  caption: string
  fields: Readonly<Record<string, unknown>>
  media: readonly MediaContent[]
  /** Further parts, which are published as replies, in order. */
  thread: readonly PartContent[]
}

/** A further part of a post as it is stored. */
export interface PartContent {
  id: string
  caption: string
  media: readonly MediaContent[]
}

/** The media of a post and of all its further parts, in order. */
export const allMedia = <M>({
  media,
  thread,
}: {
  media: readonly M[]
  thread: readonly { media: readonly M[] }[]
}): M[] => [...media, ...thread.flatMap((part) => part.media)]

type PostPlan = { ok: true; posts: PostContent[] } | { ok: false; entries: ProblemEntry[] }

/**
 * What the posts of a set will be when `inputs` is the complete new list: a post with an id is kept, one without is
 * new; the same holds for further parts and for media items, which may move between the posts of the set and their parts. What a kept
 * media item does not say stays as it is, and so do the further parts of a kept post that does not say any; optional fields that a kept post does not say are unset. The shape of pictures is that of the brand for a new post that does not say it. Ids that come twice, that are not of this set, and account types that would change are problems.
 */
export function planPosts(
  inputs: readonly PostInput[],
  current: readonly PostContent[],
  newId: () => string,
  brandFit: Fit,
): PostPlan {
  const posts = new Map(current.map((post) => [post.id, post]))
  const parts = new Map(current.flatMap((post) => post.thread.map((part) => [part.id, part])))
  const media = new Map(current.flatMap((post) => allMedia(post).map((item) => [item.id, item])))
  const seen = new Set<string>()
  const entries: ProblemEntry[] = []
  const planned = inputs.map((input, index): PostContent => {
    const at = ['posts', index]
    const { accountType } = input
    const kept = reference(posts, input.id, [...at, 'id'], 'post', accountType)
    if (kept && kept.accountType !== input.accountType) {
      const message = `The account type of this post is ${kept.accountType} and cannot change. Leave out id to make a new post.`
      entries.push(
        entryAt([...at, 'accountType'], 'post-set:account_type_not_updatable', message, {
          accountType: kept.accountType,
        }),
      )
    }
    return {
      id: kept?.id ?? newId(),
      accountType: input.accountType,
      caption: input.caption,
      fields: fieldsOf(input, kept ? ((kept.fields.fit as Fit | null | undefined) ?? 'REFUSE') : brandFit),
      media: input.media.map((item, place) => planMedia(item, [...at, 'media', place], accountType)),
      thread: planThread(input, kept, at),
    }
  })
  return entries.length === 0 ? { ok: true, posts: planned } : { ok: false, entries }

  function planThread({ thread, accountType }: PostInput, kept: PostContent | undefined, at: (string | number)[]) {
    if (thread !== undefined || !kept) {
      return (thread ?? []).map((part, nth): PartContent => {
        const here = [...at, 'thread', nth]
        return {
          id: reference(parts, part.id, [...here, 'id'], 'part', accountType)?.id ?? newId(),
          caption: part.caption,
          media: part.media.map((item, place) => planMedia(item, [...here, 'media', place], accountType)),
        }
      })
    }
    // What stays is taken as well: none of it can be elsewhere.
    for (const { id } of [...kept.thread, ...kept.thread.flatMap((part) => part.media)])
      take(id, at, 'item of the thread', accountType)
    return kept.thread
  }

  function planMedia(input: PostMediaInput, at: (string | number)[], accountType: AccountType): MediaContent {
    const kept = reference(media, input.id, [...at, 'id'], 'media item', accountType)
    const mediaId = input.mediaLibraryId?.toLowerCase() ?? kept?.mediaId ?? ''
    if (kept && kept.mediaId !== mediaId) {
      const message = 'mediaLibraryId of a media item cannot change. Leave out id to add another one.'
      entries.push(entryAt([...at, 'mediaLibraryId'], 'request:invalid_body', message, { accountType }))
    }
    const text = (name: 'altText' | 'title' | 'description' | 'link') =>
      input[name] === undefined ? (kept?.[name] ?? null) : input[name]
    return {
      id: kept?.id ?? newId(),
      mediaId,
      altText: text('altText'),
      title: text('title'),
      description: text('description'),
      link: text('link'),
      tags: input.tags === undefined ? (kept?.tags ?? []) : (input.tags ?? []),
      crop: input.crop === undefined ? (kept?.crop ?? null) : input.crop,
    }
  }

  function reference<T>(
    known: ReadonlyMap<string, T>,
    given: string | null | undefined,
    at: (string | number)[],
    what: string,
    accountType: AccountType,
  ): T | undefined {
    if (given === undefined || given === null) return undefined
    const id = given.toLowerCase()
    if (!take(id, at, what, accountType)) return undefined
    const found = known.get(id)
    if (!found) {
      const message = `The set has no ${what} with this id. To create a new one, leave id out.`
      entries.push(entryAt(at, 'post-set:unknown_reference', message, { accountType }))
    }
    return found
  }

  /** False when it has been taken. */
  function take(id: string, at: (string | number)[], what: string, accountType: AccountType): boolean {
    if (seen.has(id)) {
      const message = `This ${what} is referenced more than once.`
      entries.push(entryAt(at, 'post-set:duplicate_references', message, { accountType }))
      return false
    }
    seen.add(id)
    return true
  }
}

/** @param usual what `fit` is where the input does not say; what it mostly is, is not stored */
function fieldsOf(input: PostInput, usual: Fit): Record<string, unknown> {
  const names = Object.keys(POST_FIELDS[input.accountType])
  const fields = Object.fromEntries(names.map((name) => [name, input[name] ?? null]))
  const fit = fields.fit ?? usual
  return { ...fields, fit: fit === 'REFUSE' ? null : fit, options: chosenOptions(fields.options as PostOptions | null) }
}

/** Options that have a value; null when none has one. */
function chosenOptions(options: PostOptions | null): PostOptions | null {
  const chosen = Object.entries(options ?? {}).filter(([, value]) => value !== null)
  return chosen.length === 0 ? null : Object.fromEntries(chosen)
}
