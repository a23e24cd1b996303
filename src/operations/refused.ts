import { ProblemError, type Why, type WhyCode, why } from '#contract'

/** What a member has asked for cannot be done as things are. The dashboard knows the sentence by its id, and translates it. */
export function refused(code: WhyCode, values: Readonly<Record<string, string>> = {}): ProblemError {
  return refusedAs(why(code, values))
}

/** The same for a reason that is known already. */
export function refusedAs(reason: Why): ProblemError {
  return new ProblemError('request:refused', reason.message, { why: reason })
}
