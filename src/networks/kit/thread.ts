import { MINUTE_MS, SECOND_MS } from '#contract/durations'
import type {
  Attempt,
  Connector,
  FindOutcome,
  Handles,
  Part,
  PrepareOutcome,
  PublishOutcome,
  Words,
} from '../network.ts'
import { record } from './read-json.ts'

/** A part that cannot go so soon behind the one before ends its thread. */
const STARTS_WITHIN_MS = 30 * MINUTE_MS
/** The result of the post waits for its thread for no longer. */
const ENDS_WITHIN_MS = 60 * MINUTE_MS

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
  more: () => Handles = () => ({}),
): Attempt {
  const { thread = [], ...ofPost } = attempt.post
  const post = { ...ofPost, ...(thread[index] ?? { caption: '', media: [] }) }
  const name = `part${index + 1}`
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
  prepare(part: Attempt): Promise<PrepareOutcome>
  /** Makes exactly one visible call, which answers `answeredBy(part)`. */
  send(part: Attempt): Promise<PublishOutcome>
  confirm?(part: Attempt): Promise<PublishOutcome>
  find(part: Attempt): Promise<FindOutcome>
}

/**
 * The further parts of a thread as those of a delivery, each sent as the answer to the one before, by steps that get it as a post of its
 * own. What fails, or comes too late, stops the rest.
 */
export function threadParts(
  wordsOf: Connector['wordsOf'],
  { prepare, send, confirm, find }: ThreadSteps,
): NonNullable<Connector['parts']> {
  return ({ thread = [] }) =>
    thread.map((_, index): Part => {
      const part = (attempt: Attempt) => partOfThread(attempt, index, wordsOf)
      return {
        ...{ title: `part ${index + 2}`, ofThread: true, needs: 'previous', stopsRest: true },
        ...{ startsWithinMs: STARTS_WITHIN_MS, endsWithinMs: ENDS_WITHIN_MS },
        async prepare(attempt) {
          const own = part(attempt)
          const outcome = await prepare(own)
          // They are compared with listings, also after an update.
          if (outcome.kind === 'ready') await own.store({ words: own.words })
          return outcome
        },
        send: (attempt) => send(part(attempt)),
        ...(confirm ? { confirm: (attempt) => confirm(part(attempt)) } : {}),
        find: (attempt) => find(part(attempt)),
      }
    })
}

/** The id that a part answers; null: it is the post. */
export const answeredBy = ({ before }: Pick<Attempt, 'before'>): string | null => before.at(-1)?.providerId ?? null

/** Waits until the part before is so old: networks do not let at once answer what they have just made. */
export function afterPause({ before, now }: Attempt, ms = 3 * SECOND_MS): PrepareOutcome | null {
  const from = new Date((before.at(-1)?.endedAt.getTime() ?? 0) + ms)
  return from > now() ? { kind: 'waiting', askAgainAt: from } : null
}
