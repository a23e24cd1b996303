import { CLOCK_SKEW_MS, chooseOwn, doubtedFence, ID_WAIT_MS, newEntries, WAITS } from '../kit/lookup.ts'
import { failedFinding, failedPreparing, whileFinding, whilePreparing } from '../kit/outcomes.ts'
import { answeredBy, parentIsGone } from '../kit/thread.ts'
import type { Attempt, FindOutcome, PrepareOutcome } from '../network.ts'
import { type Candidates, type ContainerNetwork, containerStatus, type Listed, readState } from './containers.ts'
import { call, isUnseen, list, parseId } from './graph.ts'

/** A fresh id is now and then unknown to the first reads (error 100/33). */
const PERMALINK_PAUSES_MS = [0, 100, 500, 1_500]
const PARENT_PAUSES_MS = [0, 1_000, 3_000]

const ENTRY = { id: ({ id }: Listed) => id, at: ({ at }: Listed) => at }
const foundAs = ({ id, permalink }: Listed): FindOutcome => ({ kind: 'found', providerId: id, permalink })

/** Finds out what became of a post, by its container and the network's listing. */
export function containerLookup<F, P extends Listed>(network: ContainerNetwork<F, P>) {
  return { find, noteKnown, parentGone, permalinkOf, readPost }

  /**
   * Looks whether the container was published. Its status decides; it does not name the post, so the id comes from a
   * listing, and only when there is no doubt which entry it is.
   */
  async function find(attempt: Attempt): Promise<FindOutcome> {
    const { container, mediaId } = readState(attempt.handles)
    if (mediaId !== null) {
      return { kind: 'found', providerId: mediaId, permalink: await permalinkOf(attempt, mediaId) }
    }
    // Containers are forgotten only when they are certain not to be published, and without one nothing was.
    if (container === null) return attempt.continues ? findBelow(attempt) : { kind: 'absent' }
    const asked = await containerStatus(network, attempt, container)
    if (asked.kind === 'failed') return failedFinding(asked)
    if (asked.kind === 'refused') {
      const refusal = whileFinding(network.classify(asked.answer, attempt.now()).meaning)
      const lookUp = network.withoutStatus
      return lookUp ? lookUp(attempt, refusal, () => onlyOne(attempt, refusal)) : refusal
    }
    switch (asked.value.status) {
      case 'PUBLISHED':
        return identify(attempt)
      case 'IN_PROGRESS':
        return { kind: 'cannot-tell', message: `${network.title} is still working on the post.` }
      case 'FINISHED':
      case 'ERROR':
      case 'EXPIRED':
        return doubleCheck(attempt)
    }
  }

  /** A part that was certainly not sent from here: a person may have. */
  async function findBelow(attempt: Attempt): Promise<FindOutcome> {
    const listed = await candidates(attempt)
    if (listed.kind !== 'listed') return listed
    const [only, ...others] = listed.posts
    if (!only) return { kind: 'absent' }
    if (others.length === 0) return foundAs(only)
    return { kind: 'cannot-tell', message: `${network.title} lists several posts that could be this one.` }
  }

  /** Whether what a part answers was deleted. Null: it is there. */
  async function parentGone(attempt: Attempt): Promise<PrepareOutcome | null> {
    const path = answeredBy(attempt) ?? ''
    // What is there is now and then said to be gone.
    for (const ms of PARENT_PAUSES_MS) {
      if (ms > 0) await attempt.pause(ms)
      const query = { fields: 'id' }
      const asked = await call(attempt, { method: 'GET', path, query, timeoutMs: 10_000, parse: parseId })
      if (asked.kind === 'ok') return null
      if (asked.kind === 'failed') return failedPreparing(asked)
      if (!isUnseen(asked.answer)) return whilePreparing(network.classify(asked.answer, attempt.now()).meaning)
    }
    return parentIsGone(network.title)
  }

  /** The post is live; what is its id? */
  async function identify(attempt: Attempt): Promise<FindOutcome> {
    const listed = await candidates(attempt)
    if (listed.kind === 'reconnect') return listed
    const chosen = await chooseOwn(attempt, listed.kind === 'listed' ? listed.posts : [], { ...ENTRY, isLive: true })
    if (chosen.kind === 'entry') return foundAs(chosen.entry)
    const late = attempt.now().getTime() - (attempt.fencedAt ?? attempt.now()).getTime() > ID_WAIT_MS
    if (chosen.kind === 'several' || late) return { kind: 'found', providerId: null, permalink: null }
    if (chosen.kind === 'wait') return WAITS
    return { kind: 'cannot-tell', message: `The post is live, and ${network.title} does not list it yet.` }
  }

  /**
   * The status says "not published", which is proof unless a listing says otherwise: the status may lag behind. A text
   * makes an entry ours; without one it may be anybody's and says nothing.
   */
  async function doubleCheck(attempt: Attempt): Promise<FindOutcome> {
    if (!isTold(attempt)) return { kind: 'absent' }
    const listed = await candidates(attempt)
    if (listed.kind !== 'listed') return listed
    const { taken, twins } = await attempt.others()
    if (listed.posts.every(({ id }) => taken.has(id))) {
      return twins.every(({ isListed }) => isListed) ? { kind: 'absent' } : WAITS
    }
    return {
      kind: 'cannot-tell',
      message: `${network.title} lists a post with this text, and says that it has not published this one.`,
    }
  }

  /**
   * Notes down what looks like the post before it is published, when no text tells it apart. A listing that cannot be
   * read is no reason not to publish; then an unknown outcome may end without an id.
   */
  async function noteKnown(attempt: Attempt): Promise<void> {
    if (isTold(attempt) || readState(attempt.handles).known !== null) return
    const listed = await candidates(attempt)
    if (listed.kind === 'listed') await attempt.store({ known: listed.posts.map((post) => post.id) })
  }

  /** Entries of the listing that may be the post: new, of its text, its kind and its time. */
  async function candidates(attempt: Attempt): Promise<Candidates<P>> {
    const { fields, parse, isOf, listing, normalized } = network.post
    const { from, to } = windowOf(attempt, isTold(attempt))
    const texts = attempt.sentWords.map(({ text = '' }) => normalized(text))
    const known = new Set(readState(attempt.handles).known)
    const parent = answeredBy(attempt)
    const replies = parent === null ? undefined : network.replies
    const { edge, since } = replies ? { ...replies, since: true } : listing(attempt.post)
    const listed = await newEntries(attempt, {
      skewMs: 0,
      since: from,
      list: () =>
        list(attempt, {
          path: `${network.owner(attempt)}/${edge}`,
          query: {
            fields: replies?.fields ?? fields,
            limit: '25',
            ...(since ? { since: String(Math.floor(from.getTime() / 1000)) } : {}),
          },
          parse,
        }),
      at: ({ at }) => at,
      meaningOf: (answer) => network.classify(answer, attempt.now()).meaning,
    })
    if (listed.kind !== 'entries') return listed
    if (!listed.isSure) return { kind: 'cannot-tell', message: doubtedFence(network.title) }
    if (!listed.whole) {
      return { kind: 'cannot-tell', message: `${network.title} lists more posts than can be looked through.` }
    }
    const posts = listed.entries.filter(
      (post) =>
        !known.has(post.id) &&
        texts.includes(normalized(post.text)) &&
        isOf(post, attempt.post) &&
        (!replies || replies.answers(post) === parent) &&
        post.at !== null &&
        post.at <= to,
    )
    return { kind: 'listed', posts }
  }

  /** An entry of the listing that can be no other post is proof without a status; its absence is not. */
  async function onlyOne(attempt: Attempt, otherwise: FindOutcome): Promise<FindOutcome> {
    const listed = await candidates(attempt)
    if (listed.kind !== 'listed') return listed
    const chosen = await chooseOwn(attempt, listed.posts, ENTRY)
    if (chosen.kind === 'entry') return foundAs(chosen.entry)
    return chosen.kind === 'wait' ? WAITS : otherwise
  }

  /** Whether a text tells the post apart from others. */
  function isTold({ words }: Attempt): boolean {
    return network.post.normalized(words.text ?? '') !== ''
  }

  async function permalinkOf(attempt: Attempt, mediaId: string): Promise<string | null> {
    return (await readPost(attempt, mediaId)).permalink
  }

  /** Best effort: the post is live with or without it. `isAlone`: it is a part of a thread and answers nothing. */
  async function readPost(attempt: Attempt, mediaId: string): Promise<{ permalink: string | null; isAlone: boolean }> {
    const { fields, parse } = network.post
    const replies = answeredBy(attempt) === null ? undefined : network.replies
    for (const [nth, ms] of PERMALINK_PAUSES_MS.entries()) {
      if (ms > 0) await attempt.pause(ms)
      if (attempt.signal.aborted) break
      // What it answers may want another permission than its address.
      const isLast = nth === PERMALINK_PAUSES_MS.length - 1
      const query = { fields: replies && !isLast ? replies.fields : fields }
      const asked = await call(attempt, { method: 'GET', path: mediaId, query, timeoutMs: 5_000, parse })
      if (asked.kind !== 'ok') continue
      return { permalink: asked.value.permalink, isAlone: replies?.answers(asked.value) === null }
    }
    return { permalink: null, isAlone: false }
  }
}

/**
 * When the post may have been made. Without a text that tells it apart there is no room for clocks that differ: the post
 * before, which the listing may show late, would be taken for this one.
 */
function windowOf({ fencedAt, now }: Attempt, isTold: boolean): { from: Date; to: Date } {
  const fenced = (fencedAt ?? now()).getTime()
  const exact = fencedAt !== null && !isTold
  return {
    // The network tells whole seconds.
    from: new Date(exact ? Math.floor(fenced / 1000) * 1000 : fenced - CLOCK_SKEW_MS),
    to: new Date(now().getTime() + CLOCK_SKEW_MS),
  }
}
