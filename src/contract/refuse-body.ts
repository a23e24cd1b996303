import type { ErrorCode } from './errors.ts'
import * as LIMITS from './limits.ts'
import { type ProblemEntry, ProblemError } from './problem.ts'

/** @throws ProblemError 400 with all entries, when there are any */
export function refuseBody(entries: readonly ProblemEntry[]): void {
  if (entries.length > 0) throw bodyProblem(entries)
}

/** The number of problems; `errors` lists at most 100, and the check may have stopped there. */
export function countedProblems(subject: 'There are' | 'The posts have', count: number): string {
  if (count < LIMITS.problems) {
    const inAll = subject === 'There are' ? ' in all' : ''
    return `${subject} ${count} problems${inAll}; errors lists them.`
  }
  return `${subject} ${LIMITS.problems} problems or more; errors lists the first ${LIMITS.problems}.`
}

/** The refusal of a body for these reasons: 400 with the first 100 of them. */
export function bodyProblem(entries: readonly ProblemEntry[]): ProblemError {
  const reported = entries.find(({ code }) => code === 'request:invalid_body') ?? entries[0]
  if (!reported) throw new TypeError('A body without problems was refused.')
  const rest = entries.length === 1 ? '' : ` ${countedProblems('There are', entries.length)}`
  return new ProblemError(reported.code as ErrorCode, `${reported.message}${rest}`, {
    entries: entries.slice(0, LIMITS.problems),
  })
}
