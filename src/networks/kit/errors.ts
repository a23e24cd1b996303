import type { Reason } from '#contract'
import type { PauseScope, Reconnect, Refused } from '../network.ts'
import type { HttpAnswer } from './http.ts'

/** What an answer of a network means, whichever call it was given to. */
export type Meaning =
  | Refused
  | Reconnect
  /**
   * It did nothing and asks to wait: until then, or (null) for as long as the retry policy says. `scope`: whose requests it
   * limits by its documents, so that others wait too; without it the limit is of this post alone.
   */
  | { kind: 'wait'; until: Date | null; message: string; scope?: PauseScope }
  /** It did nothing; another try may work. `from`: which step has to be done again. */
  | { kind: 'again'; from: 'prepare' | 'publish'; message: string }
  /** It may have done what it was asked. */
  | { kind: 'ambiguous'; message: string }

/** What else a row of an error table may say. The set is closed: what one network alone needs stays in its folder. */
export interface Traits {
  /** As the answer to the visible call it does not prove that nothing was made: the network is looked up first. */
  proves?: false
  /** What was prepared is of no more use: another try makes it again. */
  spent?: true
  /** So many tries are spent on it, then the post fails as `failAs`. Without them the retry policy alone decides. */
  maxRetries?: number
  failAs?: Reason
  /** The quota of a day: worth waiting for, but not for ever. */
  quota?: true
}

/** A few more tries may help: an upload that did not go through, a file that could not be fetched. */
export const few = (failAs: Reason, maxRetries = 4) => ({ maxRetries, failAs }) satisfies Traits

/** One row of a network's error table: which answers it means and what they lead to. The first row that matches wins. */
export interface ErrorRow<E> extends Traits {
  /** How the network says it, for the documentation: `400 ExpiredToken`. */
  title: string
  /** Page or file of the vendor that says so. */
  source: string
  /** An answer of this kind; the conformance suite looks up each and must come out at this row. */
  example: { status: number; headers?: Readonly<Record<string, string>>; body: unknown }
  matches(error: E): boolean
  meaning: Meaning | ((error: E, now: Date) => Meaning)
}

/** What an answer that is no success means, with the traits of its row. */
export interface Classification extends Traits {
  meaning: Meaning
  /** A row of the table knows the answer. */
  known: boolean
  /** As the answer to the visible call: proof that it made nothing. On most networks only refusals prove it that are known. */
  certain: boolean
}

/** An error table as the conformance suite and the documentation see it. */
export interface ErrorTable {
  rows: readonly Pick<ErrorRow<never>, 'title' | 'source' | 'example'>[]
  /** What an answer means that is no success. `row` is null when no row matched. */
  lookUp(answer: HttpAnswer, now: Date): { row: number | null; meaning: Meaning }
}

/** An error table as its network uses it. `More`: what its rows say beside the traits that all tables know. */
export interface Errors<E, More> extends ErrorTable {
  classify(answer: HttpAnswer, now: Date): Classification & Partial<More>
  /** The row of an error that stood elsewhere than in the answer to a call; undefined when none knows it. */
  classifyError(error: E, now: Date): (Classification & Partial<More>) | undefined
}

/**
 * Makes a table of rows. `parse` reads the network's error out of an answer; `otherwise` speaks for answers that no
 * row knows.
 */
export function errorTable<E, More = unknown>(table: {
  rows: readonly (ErrorRow<E> & Partial<More>)[]
  parse(answer: HttpAnswer): E
  otherwise(error: E, answer: HttpAnswer): Meaning
  /** A refusal that no row knows proves as well that nothing was made. */
  unknownProves?: true
}): Errors<E, More> {
  const { rows, parse, otherwise, unknownProves = false } = table
  const meaningOf = ({ meaning }: ErrorRow<E>, error: E, now: Date) =>
    typeof meaning === 'function' ? meaning(error, now) : meaning
  const classified = (row: ErrorRow<E> & Partial<More>, error: E, now: Date, refuses: boolean) => {
    const { title, source, example, matches, meaning: _, ...traits } = row
    const meaning = meaningOf(row, error, now)
    const certain = refuses && traits.proves !== false && meaning.kind !== 'ambiguous'
    return { ...traits, meaning, known: true, certain } as unknown as Classification & Partial<More>
  }
  const find = (error: E) => rows.findIndex((row) => row.matches(error))
  return {
    rows,
    lookUp(answer, now) {
      const error = parse(answer)
      const index = find(error)
      const row = rows[index]
      return row
        ? { row: index, meaning: meaningOf(row, error, now) }
        : { row: null, meaning: otherwise(error, answer) }
    },
    classify(answer, now) {
      const error = parse(answer)
      const row = rows[find(error)]
      const refuses = answer.status >= 400 && answer.status < 500
      if (row) return classified(row, error, now, refuses)
      const meaning = otherwise(error, answer)
      const certain = unknownProves && refuses && meaning.kind === 'refused'
      return { meaning, known: false, certain } as Classification & Partial<More>
    },
    classifyError(error, now) {
      const row = rows[find(error)]
      return row && classified(row, error, now, true)
    },
  }
}

/**
 * The meanings that error tables are made of. Behind ours stand the network's own `words`, begun with its `title`.
 */
export function meanings<E extends { message: string }>(title: string, words = ({ message }: E): string => message) {
  type Kind = (error: E, now: Date) => Meaning
  const vendorWords = (error: E) => (words(error) === '' ? '' : ` ${title} says: ${words(error)}`)
  return {
    vendorWords,
    refused:
      (reason: Reason, advice: string): Kind =>
      (error) => ({ kind: 'refused', reason, message: advice + vendorWords(error) }),
    /** Always from `prepare`, which finds out how far the network is before anything is published. */
    again:
      (message: string): Kind =>
      (error) => ({ kind: 'again', from: 'prepare', message: message + vendorWords(error) }),
    /** The network's own words may repeat the token, so they are not vendorWords. */
    reconnect:
      (message: string, { mayRefresh = false } = {}): Kind =>
      () => ({ kind: 'reconnect', mayRefresh, message }),
    wait:
      (message: string, scope: PauseScope, until: (error: E, now: Date) => Date | null): Kind =>
      (error, now) => ({ kind: 'wait', until: until(error, now), message: message + vendorWords(error), scope }),
    ambiguous:
      (message: string): Kind =>
      (error) => ({ kind: 'ambiguous', message: message + vendorWords(error) }),
  }
}
