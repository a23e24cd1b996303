import type { GuestChanges, GuestMedia, GuestPost, GuestPostSet } from '#contract'
import { wholeText } from '#contract/whole-text'

/** What has changed since the guest saw a post. */
export interface ShownChanges extends GuestChanges {
  /** By post: what was and is to be read. Absent where the server knows what the guest has seen, and is asked. */
  texts?: ReadonlyMap<string, ChangedText>
}

/** The same where the text is what it was. */
export interface ChangedText {
  from: string
  to: string
}

/**
 * What is different in a post from how this page has shown it; null when nothing is. The server says so of what it knows that the
 * guest has seen. It does not learn of a post that changes before it is said to be seen.
 */
export function changesBetween(seen: GuestPostSet, now: GuestPostSet): ShownChanges | null {
  const before = new Map(seen.posts.map((post) => [post.id, post]))
  const there = new Set(now.posts.map(({ id }) => id))
  const texts = new Map<string, ChangedText>()
  const changed = now.posts.flatMap((post): GuestChanges['posts'] => {
    const { id, accountType } = post
    const old = before.get(id)
    if (!old) return [{ id, accountType, what: 'added', fields: [] }]
    texts.set(id, { from: textOf(old), to: textOf(post) })
    const fields = differentFields(old, post)
    return fields.length === 0 ? [] : [{ id, accountType, what: 'changed', fields }]
  })
  const gone = seen.posts
    .filter(({ id }) => !there.has(id))
    .map(({ id, accountType }) => ({ id, accountType, what: 'removed' as const, fields: [] }))
  const posts = [...changed, ...gone]
  const moved = seen.scheduledAt !== now.scheduledAt
  if (!moved && posts.length === 0) return null
  const scheduledAt = moved ? { from: seen.scheduledAt, to: now.scheduledAt } : null
  return { since: seen.version, earlier: 0, scheduledAt, posts, texts }
}

const textOf = ({ caption, thread, ...fields }: GuestPost) =>
  wholeText({ caption, thread: (thread ?? null) as GuestPost[] | null, fields })

/** Beside what people have written: as whom and how it went out, and what the network calls it. */
const NOT_WRITTEN: ReadonlySet<string> = new Set(['account', 'result', 'optionTitles'])

function differentFields(seen: GuestPost, now: GuestPost): string[] {
  const names = [...new Set([...Object.keys(seen), ...Object.keys(now)])].filter((name) => !NOT_WRITTEN.has(name))
  return names.filter((name) => written(seen[name]) !== written(now[name]))
}

/** Addresses and pixels follow from what was chosen, and may be others of the same. */
const OF_FILES: ReadonlySet<string> = new Set<keyof GuestMedia>(['url', 'thumbnailUrl', 'fileUrl', 'fit'])

const written = (value: unknown) =>
  JSON.stringify(value ?? null, (name, inner: unknown) => (OF_FILES.has(name) ? undefined : inner))
