import type { Attempt, FindOutcome } from '../network.ts'
import { call, list } from '../toolkit/graph.ts'
import { failedFinding, whileFinding } from '../toolkit/outcomes.ts'
import { fieldsOf, type PostType } from './fields.ts'
import { judge } from './outcomes.ts'
import { readState } from './state.ts'
import { containerStatus, MEDIA_FIELDS, type Media, parseMedia } from './wire.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 60_000
/** A post that is certainly live is reported without its id when no listing shows it after this time. */
const ID_WAIT_MS = 9 * 60_000
/** A fresh id is now and then unknown to the first reads (error 100/33). */
const PERMALINK_PAUSES_MS = [0, 100, 500, 1_500]

/**
 * Looks whether the container was published. Its status decides; it does not name the post, so the id comes from a
 * listing, and only when there is no doubt which entry it is.
 */
export async function find(attempt: Attempt): Promise<FindOutcome> {
  const { container, mediaId } = readState(attempt.handles)
  if (mediaId !== null) {
    return { kind: 'found', providerId: mediaId, permalink: await permalinkOf(attempt, mediaId) }
  }
  // Containers are forgotten only when they are certain not to be published, and without one nothing was.
  if (container === null) return { kind: 'absent' }
  const asked = await containerStatus(attempt, container)
  if (asked.kind === 'failed') return failedFinding(asked)
  if (asked.kind === 'refused') return whileFinding(judge(asked.answer, attempt.now()).meaning)
  switch (asked.value.status) {
    case 'PUBLISHED':
      return identify(attempt)
    case 'IN_PROGRESS':
      return { kind: 'cannot-tell', message: 'Instagram is still working on the post.' }
    case 'FINISHED':
    case 'ERROR':
    case 'EXPIRED':
      return doubleCheck(attempt)
  }
}

/** The post is live; what is its id? */
async function identify(attempt: Attempt): Promise<FindOutcome> {
  const listed = await candidates(attempt)
  if (listed.kind === 'reconnect') return listed
  const [media, ...others] = listed.kind === 'listed' ? listed.media : []
  if (media && others.length === 0) return { kind: 'found', providerId: media.id, permalink: media.permalink }
  const late = attempt.now().getTime() - windowOf(attempt).from.getTime() > ID_WAIT_MS
  if (media || late) return { kind: 'found', providerId: null, permalink: null }
  return { kind: 'cannot-tell', message: 'The post is live, and Instagram does not list it yet.' }
}

/**
 * The status says "not published", which is proof unless a listing says otherwise: the status may lag behind. A caption
 * makes an entry ours; without one it may be anybody's and says nothing.
 */
async function doubleCheck(attempt: Attempt): Promise<FindOutcome> {
  if (captionSent(attempt) === '') return { kind: 'absent' }
  const listed = await candidates(attempt)
  if (listed.kind !== 'listed') return listed
  if (listed.media.length === 0) return { kind: 'absent' }
  return {
    kind: 'cannot-tell',
    message: 'Instagram lists a post with this caption, and says that it has not published this one.',
  }
}

/**
 * Notes down what looks like the post before it is published, when no caption tells it apart: stories come in rows. A
 * listing that cannot be read is no reason not to publish; then an unknown outcome may end without an id.
 */
export async function noteKnown(attempt: Attempt): Promise<void> {
  if (captionSent(attempt) !== '' || readState(attempt.handles).known !== null) return
  const listed = await candidates(attempt)
  if (listed.kind === 'listed') await attempt.store({ known: listed.media.map((media) => media.id) })
}

type Listed = { kind: 'listed'; media: Media[] } | Exclude<FindOutcome, { kind: 'found' | 'absent' }>

/** Entries of the listing that may be the post: new, of its caption, its kind and its time. */
async function candidates(attempt: Attempt): Promise<Listed> {
  const { type } = fieldsOf(attempt.post.fields)
  const { from, to } = windowOf(attempt)
  const caption = captionSent(attempt)
  const known = new Set(readState(attempt.handles).known)
  const asked = await list(attempt, {
    // Stories are not in the listing of posts.
    path: `${attempt.account.externalId}/${type === 'STORY' ? 'stories' : 'media'}`,
    query: {
      fields: MEDIA_FIELDS,
      limit: '25',
      ...(type === 'STORY' ? {} : { since: String(Math.floor(from.getTime() / 1000)) }),
    },
    parse: parseMedia,
  })
  if (asked.kind === 'failed') return failedFinding(asked)
  if (asked.kind === 'refused') return whileFinding(judge(asked.answer, attempt.now()).meaning)
  if (asked.value === null) {
    return { kind: 'cannot-tell', message: 'Instagram lists more posts than can be looked through.' }
  }
  const media = asked.value.filter(
    (each) =>
      !known.has(each.id) &&
      normalized(each.caption) === caption &&
      isOfType(each, type) &&
      each.at !== null &&
      each.at >= from &&
      each.at <= to,
  )
  return { kind: 'listed', media }
}

/**
 * When the post may have been made. Without a caption that tells it apart there is no room for clocks that differ: the
 * post before, which the listing may show late, would be taken for this one.
 */
function windowOf(attempt: Attempt): { from: Date; to: Date } {
  const { fencedAt } = attempt
  const fenced = (fencedAt ?? attempt.now()).getTime()
  const exact = fencedAt !== null && captionSent(attempt) === ''
  return {
    // The network tells whole seconds.
    from: new Date(exact ? Math.floor(fenced / 1000) * 1000 : fenced - CLOCK_SKEW_MS),
    to: new Date(attempt.now().getTime() + CLOCK_SKEW_MS),
  }
}

/** Stories have no caption on the network. */
function captionSent(attempt: Attempt): string {
  return fieldsOf(attempt.post.fields).type === 'STORY' ? '' : normalized(attempt.post.caption)
}

/** The network may cut white space and compose characters anew. */
export function normalized(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

const KINDS: Record<PostType, { productType: string; mediaType: string | null }> = {
  IMAGE: { productType: 'FEED', mediaType: 'IMAGE' },
  CAROUSEL: { productType: 'FEED', mediaType: 'CAROUSEL_ALBUM' },
  REEL: { productType: 'REELS', mediaType: 'VIDEO' },
  STORY: { productType: 'STORY', mediaType: null },
}

/** What the network leaves out speaks for neither side. */
function isOfType(media: Media, type: PostType): boolean {
  const { productType, mediaType } = KINDS[type]
  return (
    (media.productType === null || media.productType === productType) &&
    (media.mediaType === null || mediaType === null || media.mediaType === mediaType)
  )
}

/** Best effort: the post is live with or without it. */
export async function permalinkOf(attempt: Attempt, mediaId: string): Promise<string | null> {
  for (const ms of PERMALINK_PAUSES_MS) {
    if (ms > 0) await attempt.pause(ms)
    if (attempt.signal.aborted) return null
    const asked = await call(attempt, {
      method: 'GET',
      path: mediaId,
      query: { fields: MEDIA_FIELDS },
      timeoutMs: 5_000,
      parse: parseMedia,
    })
    if (asked.kind === 'ok') return asked.value.permalink
  }
  return null
}
