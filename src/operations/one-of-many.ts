import { ProblemError } from '#contract'

/** Where errors of ours are written down. */
export interface ErrorLog {
  error(fields: object, message: string): void
}

/**
 * Why one of many was not done, so that the others still are: a refusal is passed on; an error of ours is logged,
 * and answered without its message.
 *
 * @param about the one, for the log
 * @param failed what did not work, for the log
 * @param advice what the person or program does now, a sentence
 */
export function problemOfOne(
  error: unknown,
  log: ErrorLog,
  { about, failed, advice }: { about: object; failed: string; advice: string },
): ProblemError {
  if (error instanceof ProblemError) return error
  log.error({ error, ...about }, failed)
  return new ProblemError('internal:error', `Something went wrong on our side. ${advice}`)
}
