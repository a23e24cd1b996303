import { MINUTE_MS, SECOND_MS } from '#contract/durations'
import { followUpRules } from '#domain'
import type {
  Attempt,
  Connector,
  FindOutcome,
  Handles,
  Part,
  PartPrepareOutcome,
  PrepareOutcome,
  PublishOutcome,
  Words,
} from '../network.ts'
import { attemptWith } from './attempt.ts'
import { firstCommentOf } from './first-comment.ts'
import { retryFrom } from './outcomes.ts'
import { record } from './read-json.ts'

/** A part that cannot go so soon behind the one before ends its thread, or its stories. */
export const STARTS_WITHIN_MS = 30 * MINUTE_MS
/** The result of the post waits for them for no longer. */
export const ENDS_WITHIN_MS = 60 * MINUTE_MS

/**
 * One further part of a post as an attempt of its own: its text and media, and handles under a name of its own. Its words stay as
 * they were noted down, in the handle `words`.
 *
 * @param index from 0 on
 * @param more handles that follow from those of the post
 */
export function partOfThread(
  attempt: Attempt,
  index: number,
  wordsOf: Connector['wordsOf'],
  more?: () => Handles,
): Attempt {
  const part = attempt.post.thread?.[index] ?? { caption: '', media: [] }
  return replyOf(attempt, `part${index + 1}`, part, wordsOf, more)
}

type Reply = Pick<Attempt['post'], 'caption' | 'media'>

/** The same of any text and media that are sent behind the post. */
export function replyOf(
  attempt: Attempt,
  name: string,
  reply: Reply,
  wordsOf: Connector['wordsOf'],
  more: () => Handles = () => ({}),
): Attempt {
  const { thread: _, ...ofPost } = attempt.post
  const post = { ...ofPost, ...reply }
  const own = () => record(attempt.handles[name]) ?? {}
  const words = wordsOf(post, attempt.setting)
  const noted = () => (record(own().words) as Words | undefined) ?? words
  return {
    ...attempt,
    post,
    get words() {
      return noted()
    },
    get sentWords() {
      return [noted()]
    },
    get handles() {
      return { ...own(), ...more() }
    },
    store: (handles) => attempt.store({ [name]: { ...own(), ...handles } }),
    // An id that is taken is the post's. A part is known by what it answers.
    claim: async () => true,
  }
}

interface ThreadSteps {
  /** After the part before: it may take a moment until the network answers it. */
  prepare(part: Attempt): Promise<PartPrepareOutcome>
  /** Makes exactly one visible call, which answers `answeredBy(part)`. */
  send(part: Attempt): Promise<PublishOutcome>
  confirm?(part: Attempt): Promise<PublishOutcome>
  find(part: Attempt): Promise<FindOutcome>
}

interface ContinuedSteps extends ThreadSteps {
  /** Whether what a part answers is still there, before a thread that had ended goes on. Null: it is. */
  parentGone(part: Attempt): Promise<PrepareOutcome | null>
}

/**
 * The further parts of a thread as those of a delivery, each sent as the answer to the one before, by steps that get it as a post of its
 * own. What fails, or comes too late, stops the rest.
 */
export function threadParts(wordsOf: Connector['wordsOf'], steps: ContinuedSteps): NonNullable<Connector['parts']> {
  const ofEach: ThreadSteps = {
    ...steps,
    prepare: async (part) => {
      const isNew = part.continues === true && part.handles.looked !== true
      return (isNew ? await lookFirst(part, steps) : null) ?? steps.prepare(part)
    },
  }
  return ({ thread = [] }) =>
    thread.map((_, index) => ({
      ...{ title: `part ${index + 2}`, ofThread: true, needs: 'previous', stopsRest: true },
      ...{ startsWithinMs: STARTS_WITHIN_MS, endsWithinMs: ENDS_WITHIN_MS },
      ...stepsOf((attempt) => partOfThread(attempt, index, wordsOf), ofEach),
    }))
}

/**
 * Before a thread goes on: no one has sent the part since, as a person may have done by hand, and what it answers is there. Null: it can
 * be made.
 */
async function lookFirst(part: Attempt, { parentGone, find }: ContinuedSteps): Promise<PartPrepareOutcome | null> {
  const gone = await parentGone(part)
  if (gone) return gone
  const found = await find(attemptWith(part, { fencedAt: part.before.at(-1)?.endedAt ?? part.now() }))
  switch (found.kind) {
    case 'found':
    case 'reconnect':
      return found
    case 'absent':
      // Once: what is read may be billed, and preparing may take many turns.
      await part.store({ looked: true })
      return null
    case 'accepted':
      return { kind: 'waiting', askAgainAt: found.askAgainAt }
    case 'cannot-tell':
    case 'repeatable':
      return retryFrom('prepare', found.message)
  }
}

/** What a part answers is not there any more. */
export const parentIsGone = (title: string): PrepareOutcome => ({
  kind: 'refused',
  reason: 'UNKNOWN',
  message: `${title} does not show the part before any more, so nothing can answer it.`,
})

/** The first comment, as a reply to the post behind all parts of its thread. What became of it changes nothing else. */
export function commentParts(wordsOf: Connector['wordsOf'], steps: ThreadSteps): NonNullable<Connector['parts']> {
  return (post) => {
    const caption = firstCommentOf(post)
    if (caption === null) return []
    const reply = (attempt: Attempt) =>
      replyOf(attemptWith(attempt, { before: attempt.before.slice(0, 1) }), 'comment', { caption, media: [] }, wordsOf)
    return [{ ...followUpRules('first comment'), endsWithinMs: ENDS_WITHIN_MS, ...stepsOf(reply, steps) }]
  }
}

/** The steps of a part, each with the attempt that `part` makes of the delivery's. */
export function stepsOf(
  part: (attempt: Attempt) => Attempt,
  { prepare, send, confirm, find }: ThreadSteps,
): Pick<Part, 'prepare' | 'send' | 'confirm' | 'find'> {
  return {
    async prepare(attempt) {
      const own = part(attempt)
      const outcome = await prepare(own)
      // They are compared with listings, also after an update.
      if (outcome.kind === 'ready') await own.store({ words: own.words })
      return outcome
    },
    send: (attempt) => send(part(attempt)),
    ...(confirm ? { confirm: (attempt: Attempt) => confirm(part(attempt)) } : {}),
    find: (attempt) => find(part(attempt)),
  }
}

/** The id that a part answers; null: it is the post. */
export const answeredBy = ({ before }: Pick<Attempt, 'before'>): string | null => before.at(-1)?.providerId ?? null

/** Waits until the part before is so old: networks do not let at once answer what they have just made. */
export function afterPause({ before, now }: Attempt, ms = 3 * SECOND_MS): PrepareOutcome | null {
  const from = new Date((before.at(-1)?.endedAt.getTime() ?? 0) + ms)
  return from > now() ? { kind: 'waiting', askAgainAt: from } : null
}
