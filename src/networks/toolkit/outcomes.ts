import type { Connector, FindOutcome, PrepareOutcome, PublishOutcome, Reconnect, Refused, Retry } from '../network.ts'
import type { HttpResult } from './http.ts'

export type HttpAnswer = Extract<HttpResult, { kind: 'answer' }>
export type HttpFailure = Extract<HttpResult, { kind: 'failed' }>

/** What an answer of a network means, whichever call it was given to. */
export type Meaning =
  | Refused
  | Reconnect
  /** It did nothing and asks to wait: until then, or (null) for as long as the retry policy says. */
  | { kind: 'wait'; until: Date | null; message: string }
  /** It did nothing; another try may work. `from`: which step has to be done again. */
  | { kind: 'again'; from: 'prepare' | 'publish'; message: string }
  /** It may have done what it was asked. */
  | { kind: 'ambiguous'; message: string }

/** One row of a network's error table: which answers it means and what they lead to. The first row that matches wins. */
export interface ErrorRow<E> {
  /** How the network says it, for the documentation: `400 ExpiredToken`. */
  title: string
  /** Page or file of the vendor that says so. */
  source: string
  /** An answer of this kind; the conformance suite looks up each and must come out at this row. */
  example: { status: number; headers?: Readonly<Record<string, string>>; body: unknown }
  matches(error: E): boolean
  meaning: Meaning | ((error: E, now: Date) => Meaning)
}

/** An error table as the conformance suite and the documentation see it. */
export interface ErrorTable {
  rows: readonly Pick<ErrorRow<never>, 'title' | 'source' | 'example'>[]
  /** What an answer means that is no success. `row` is null when no row matched. */
  lookUp(answer: HttpAnswer, now: Date): { row: number | null; meaning: Meaning }
}

/**
 * Makes a table of rows. `parse` reads the network's error out of an answer; `otherwise` speaks for answers that no
 * row knows.
 */
export function errorTable<E>(table: {
  rows: readonly ErrorRow<E>[]
  parse(answer: HttpAnswer): E
  otherwise(error: E, answer: HttpAnswer): Meaning
}): ErrorTable {
  return {
    rows: table.rows,
    lookUp(answer, now) {
      const error = table.parse(answer)
      const index = table.rows.findIndex((row) => row.matches(error))
      const row = table.rows[index]
      if (!row) return { row: null, meaning: table.otherwise(error, answer) }
      return { row: index, meaning: typeof row.meaning === 'function' ? row.meaning(error, now) : row.meaning }
    },
  }
}

/** Certain that nothing visible happened: again from `from`, counted, when the retry policy says. */
export function retryFrom(from: Retry['from'], message: string): Retry {
  return { kind: 'retry', notBefore: null, from, countsAsAttempt: true, message }
}

/** What a meaning leads to in `prepare`, where nothing visible can happen: what may have been done is done again. */
export function whilePreparing(meaning: Meaning): Extract<PrepareOutcome, { kind: 'retry' | 'refused' | 'reconnect' }> {
  switch (meaning.kind) {
    case 'refused':
    case 'reconnect':
      return meaning
    case 'wait':
      return waiting('prepare', meaning)
    case 'again':
    case 'ambiguous':
      return retryFrom('prepare', meaning.message)
  }
}

/** What a meaning leads to when it answers the visible call. */
export function whilePublishing(
  meaning: Meaning,
): Extract<PublishOutcome, { kind: 'retry' | 'refused' | 'reconnect' | 'unknown' }> {
  switch (meaning.kind) {
    case 'refused':
    case 'reconnect':
      return meaning
    case 'wait':
      return waiting('publish', meaning)
    case 'again':
      return retryFrom(meaning.from, meaning.message)
    case 'ambiguous':
      return { kind: 'unknown', message: meaning.message }
  }
}

/** What a meaning leads to while looking: whatever went wrong, it proves nothing about the post. */
export function whileFinding(meaning: Meaning): Extract<FindOutcome, { kind: 'reconnect' | 'cannot-tell' }> {
  if (meaning.kind === 'reconnect') return meaning
  return { kind: 'cannot-tell', message: meaning.message }
}

/** A request that brought no answer, by what it was for. */
export function failedPreparing(failure: HttpFailure): Retry {
  return retryFrom('prepare', failure.message)
}

export function failedPublishing(failure: HttpFailure): Retry | { kind: 'unknown'; message: string } {
  return failure.sent ? { kind: 'unknown', message: failure.message } : retryFrom('publish', failure.message)
}

/** A look without an answer does not count as one. */
export function failedFinding(failure: HttpFailure): Extract<FindOutcome, { kind: 'cannot-tell' }> {
  return { kind: 'cannot-tell', message: failure.message, unanswered: true }
}

/** A wait that the network named does not count; one without a time is left to the policy and counts. */
function waiting(from: Retry['from'], meaning: { until: Date | null; message: string }): Retry {
  return {
    kind: 'retry',
    notBefore: meaning.until,
    from,
    countsAsAttempt: meaning.until === null,
    message: meaning.message,
  }
}

/**
 * `confirm` of networks that never leave publishing to be asked for later: the lookup in other words.
 *
 * @param absent what people read when the network has not published the post
 */
export function confirmByLookup(find: Connector['find'], absent: string): Connector['confirm'] {
  return async (attempt) => {
    const found = await find(attempt)
    switch (found.kind) {
      case 'found':
        return { kind: 'published', providerId: found.providerId, permalink: found.permalink }
      case 'absent':
        return retryFrom('prepare', absent)
      case 'cannot-tell':
        return { kind: 'unknown', message: found.message }
      case 'accepted':
      case 'reconnect':
        return found
    }
  }
}

/**
 * What an answer means that is no success, with the row that says so. `certain`: as the answer to a visible call it proves
 * that the call had no effect, which only refusals do that are known and not marked as ambiguous.
 */
export function judgeAnswer<R extends { ambiguous?: boolean }>(
  errors: ErrorTable,
  rows: readonly R[],
  answer: HttpAnswer,
  now: Date,
): { row: R | undefined; meaning: Meaning; certain: boolean } {
  const { row: index, meaning } = errors.lookUp(answer, now)
  const row = index === null ? undefined : rows[index]
  const certain = row !== undefined && !row.ambiguous && answer.status >= 400 && answer.status < 500
  return { row, meaning, certain }
}
