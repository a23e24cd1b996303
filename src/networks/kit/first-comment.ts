import Type from 'typebox'
import type { PostOptions } from '#contract'
import { MINUTE_MS, SECOND_MS } from '#contract/durations'
import type { Attempt, DefaultField, Finding, FindOutcome, FollowUp, Limit, PostToCheck } from '../network.ts'
import type { Called, Listing } from './api.ts'
import type { Classification, ErrorTable } from './errors.ts'
import type { HttpAnswer } from './http.ts'
import { comparable, lookUp } from './lookup.ts'
import { failedPublishing, retryFrom, whilePublishing } from './outcomes.ts'
import { refuse } from './rules.ts'
import { tooLong } from './text-rules.ts'

/** The first comment, on networks for which posts have no field of that name. */
export const firstCommentOption: DefaultField = {
  name: 'firstComment',
  option: 'only',
  title: 'First comment',
  description: 'Written below the post as soon as it is published.',
  schema: Type.String(),
  picker: 'lines',
  required: false,
}

/** What is written below a post by that option; null: nothing. */
export function firstCommentOf({ fields }: Pick<PostToCheck, 'fields'>): string | null {
  const { firstComment } = (fields.options ?? {}) as PostOptions
  return typeof firstComment === 'string' && firstComment.trim() !== '' ? firstComment : null
}

const STEPS = ['options', 'firstComment'] as const

/** A finding about the first comment that keeps the post from being scheduled. */
export const refuseComment = (message: string): Finding => refuse('post:field_invalid', STEPS, message)

/**
 * What is refused of a first comment by its text.
 *
 * @param length.actual counted as the network does
 */
export function checkFirstComment(
  text: string,
  length: { network: string; unit?: string; limit: Limit; actual: number },
): Finding[] {
  const broken = `The first comment holds half of a character, which ${length.network} cannot take. Remove the broken character.`
  return [
    ...(text.isWellFormed() ? [] : [refuseComment(broken)]),
    ...tooLong({ ...length, what: 'comments', code: 'post:field_too_long', steps: STEPS }),
  ]
}

/** A comment as its network lists it. */
interface ListedComment {
  id: string
  text: string
  /** As the network names accounts in listings; null where it does not say. */
  author: string | null
  at: Date | null
}

interface CommentedNetwork {
  title: string
  /** What is written below a post, where another field than the option has it. */
  textOf?(post: Pick<PostToCheck, 'fields'>): string | null
  /** The account, as its listings name authors; null: not known. */
  authorOf(attempt: Attempt): string | null
  /** Makes exactly one visible call, which answers with the id of the comment. */
  send(attempt: Attempt, text: string): Promise<Called<string>>
  /** Comments of the post, as far as they can be new. */
  list(attempt: Attempt): Promise<Called<Listing<ListedComment>>>
  errors: Pick<ErrorTable, 'lookUp'> & { classify(answer: HttpAnswer, now: Date): Classification }
  /** What people read when the account may publish and not comment, which is no fault of the connection. Null: that is not it. */
  notPermitted(answer: HttpAnswer): string | null
  /** It may not know a post yet that it has just made. */
  isUnknownPost?(answer: HttpAnswer): boolean
}

/** For so long a network may not know its own post. */
const UNKNOWN_FOR_MS = 2 * MINUTE_MS
const UNKNOWN_PAUSE_MS = 5 * SECOND_MS
const SKEW_MS = MINUTE_MS

/** The id of the post, as a part of an address. @throws TypeError where it is not known */
export function commentedPost({ handles: { providerId } }: Pick<Attempt, 'handles'>): string {
  if (typeof providerId !== 'string') throw new TypeError('A comment needs the id of its post.')
  return providerId
}

/** The first comment as what follows a post: one call, and a look for it among the comments of that post. */
export function firstComment(network: CommentedNetwork): FollowUp {
  const { title, textOf = firstCommentOf, authorOf, errors, notPermitted, isUnknownPost } = network
  const wordsOf = ({ post }: Attempt) => textOf(post) ?? ''
  return {
    title: 'first comment',
    wanted: (post) => textOf(post) !== null,
    async send(attempt) {
      const answer = await network.send(attempt, wordsOf(attempt))
      if (answer.kind === 'ok') return { kind: 'published', providerId: answer.value, permalink: null }
      if (answer.kind === 'failed') return failedPublishing(answer)
      const now = attempt.now()
      const { meaning, certain } = errors.classify(answer.answer, now)
      const age = now.getTime() - (attempt.before[0]?.endedAt ?? now).getTime()
      if (isUnknownPost?.(answer.answer) && age < UNKNOWN_FOR_MS) {
        const notBefore = new Date(now.getTime() + UNKNOWN_PAUSE_MS)
        return { ...retryFrom('publish', meaning.message), notBefore, countsAsAttempt: false }
      }
      const why = notPermitted(answer.answer)
      if (why !== null) return { kind: 'refused', reason: 'ACTION_BLOCKED', message: why }
      return certain ? whilePublishing(meaning) : { kind: 'unknown', message: meaning.message }
    },
    /** Our comment on our own fresh post: by text, time and, where it is reported, by its author. */
    async find(attempt): Promise<FindOutcome> {
      const text = comparable(wordsOf(attempt))
      const own = authorOf(attempt)
      const found = await lookUp<ListedComment>(attempt, {
        title,
        skewMs: SKEW_MS,
        list: () => network.list(attempt),
        id: ({ id }) => id,
        at: ({ at }) => at,
        // On this very post, which no other delivery has.
        match: (entry) =>
          comparable(entry.text) === text && (entry.author ?? own) === (own ?? entry.author) ? 'own' : null,
        meaningOf(answer) {
          const why = notPermitted(answer)
          return why === null ? errors.lookUp(answer, attempt.now()).meaning : { kind: 'ambiguous', message: why }
        },
      })
      return found.kind === 'entry' ? { kind: 'found', providerId: found.entry.id, permalink: null } : found
    },
  }
}
