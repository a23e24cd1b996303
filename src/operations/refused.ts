import { ProblemError, type Why, type WhyCode, why } from '#contract'

/**
 * The error for a request that the current state does not allow. The dashboard knows the sentence by its id, and
 * translates it.
 */
export function refused(code: WhyCode, values: Readonly<Record<string, string>> = {}): ProblemError {
  return refusedAs(why(code, values))
}

/** The same for a known reason. */
export function refusedAs(reason: Why): ProblemError {
  return new ProblemError('request:refused', reason.message, { why: reason })
}
