import type { Attempt, FindOutcome } from '../network.ts'
import { call, list } from '../toolkit/graph.ts'
import { failedFinding, whileFinding } from '../toolkit/outcomes.ts'
import { judge } from './outcomes.ts'
import { readState } from './state.ts'
import { containerStatus, POST_FIELDS, type Post, parsePost } from './wire.ts'

/** The network's clock and ours may differ by so much. */
const CLOCK_SKEW_MS = 60_000
/** A post that is certainly live is reported without its id when no listing shows it after this time. */
const ID_WAIT_MS = 9 * 60_000
/** A fresh id is now and then unknown to the first reads (error 100/33). */
const PERMALINK_PAUSES_MS = [0, 20, 150, 1_500]

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
  if (asked.kind === 'refused') return withoutStatus(attempt, whileFinding(judge(asked.answer, attempt.now()).meaning))
  switch (asked.value.status) {
    case 'PUBLISHED':
      return identify(attempt)
    case 'IN_PROGRESS':
      return { kind: 'cannot-tell', message: 'Threads is still working on the post.' }
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
  const [post, ...others] = listed.kind === 'listed' ? listed.posts : []
  if (post && others.length === 0) return { kind: 'found', providerId: post.id, permalink: post.permalink }
  const late = attempt.now().getTime() - (attempt.fencedAt ?? attempt.now()).getTime() > ID_WAIT_MS
  if (post || late) return { kind: 'found', providerId: null, permalink: null }
  return { kind: 'cannot-tell', message: 'The post is live, and Threads does not list it yet.' }
}

/**
 * The status says "not published", which is proof unless a listing says otherwise: the status may lag behind. A text
 * makes an entry ours; without one it may be anybody's and says nothing.
 */
async function doubleCheck(attempt: Attempt): Promise<FindOutcome> {
  if (textSent(attempt) === '') return { kind: 'absent' }
  const listed = await candidates(attempt)
  if (listed.kind !== 'listed') return listed
  if (listed.posts.length === 0) return { kind: 'absent' }
  return {
    kind: 'cannot-tell',
    message: 'Threads lists a post with this text, and says that it has not published this one.',
  }
}

/** The container is not shown. An entry of the listing that can be no other post still tells; its absence does not. */
async function withoutStatus(attempt: Attempt, otherwise: FindOutcome): Promise<FindOutcome> {
  if (otherwise.kind === 'reconnect' || textSent(attempt) === '') return otherwise
  const listed = await candidates(attempt)
  if (listed.kind !== 'listed') return listed
  const [post, ...others] = listed.posts
  return post && others.length === 0 ? { kind: 'found', providerId: post.id, permalink: post.permalink } : otherwise
}

/**
 * Notes down what looks like the post before it is published, when no text tells it apart. A listing that cannot be
 * read is no reason not to publish; then an unknown outcome may end without an id.
 */
export async function noteKnown(attempt: Attempt): Promise<void> {
  if (textSent(attempt) !== '' || readState(attempt.handles).known !== null) return
  const listed = await candidates(attempt, new Date(attempt.now().getTime() - CLOCK_SKEW_MS))
  if (listed.kind === 'listed') await attempt.store({ known: listed.posts.map((post) => post.id) })
}

type Listed = { kind: 'listed'; posts: Post[] } | Exclude<FindOutcome, { kind: 'found' | 'absent' }>

/** Entries of the listing that may be the post: new, of its text, its kind and its time. */
async function candidates(attempt: Attempt, from = beginOf(attempt)): Promise<Listed> {
  const to = new Date(attempt.now().getTime() + CLOCK_SKEW_MS)
  const text = textSent(attempt)
  const mediaType = mediaTypeOf(attempt.post)
  const known = new Set(readState(attempt.handles).known)
  const asked = await list(attempt, {
    path: 'me/threads',
    query: { fields: POST_FIELDS, limit: '25', since: String(Math.floor(from.getTime() / 1000)) },
    parse: parsePost,
  })
  if (asked.kind === 'failed') return failedFinding(asked)
  if (asked.kind === 'refused') return whileFinding(judge(asked.answer, attempt.now()).meaning)
  if (asked.value === null) {
    return { kind: 'cannot-tell', message: 'Threads lists more posts than can be looked through.' }
  }
  const posts = asked.value.filter(
    (post) =>
      !known.has(post.id) &&
      normalized(post.text) === text &&
      // What the network leaves out speaks for neither side.
      (post.mediaType === null || post.mediaType === mediaType) &&
      post.at !== null &&
      post.at >= from &&
      post.at <= to,
  )
  return { kind: 'listed', posts }
}

/**
 * Before this the post cannot have been made. Without a text that tells it apart there is no room for clocks that
 * differ: the post before, which the listing shows late as well, would be taken for this one.
 */
function beginOf(attempt: Attempt): Date {
  const fenced = (attempt.fencedAt ?? attempt.now()).getTime()
  // The network tells whole seconds.
  return new Date(textSent(attempt) === '' ? Math.floor(fenced / 1000) * 1000 : fenced - CLOCK_SKEW_MS)
}

const textSent = (attempt: Attempt) => normalized(attempt.post.caption)

/**
 * The network may cut white space and compose characters anew, and it shows the hashtag that becomes a topic without
 * its sign.
 */
export function normalized(text: string): string {
  return text.normalize('NFC').replaceAll('#', '').replace(/\s+/g, ' ').trim()
}

/** How the listing calls a post of this kind. */
function mediaTypeOf({ media }: Attempt['post']): string {
  const [first, ...others] = media
  if (!first) return 'TEXT_POST'
  return others.length === 0 ? first.facts.type : 'CAROUSEL_ALBUM'
}

/** Best effort: the post is live with or without it. */
export async function permalinkOf(attempt: Attempt, mediaId: string): Promise<string | null> {
  for (const ms of PERMALINK_PAUSES_MS) {
    if (ms > 0) await attempt.pause(ms)
    if (attempt.signal.aborted) return null
    const asked = await call(attempt, {
      method: 'GET',
      path: mediaId,
      query: { fields: POST_FIELDS },
      timeoutMs: 5_000,
      parse: parsePost,
    })
    if (asked.kind === 'ok') return asked.value.permalink
  }
  return null
}
