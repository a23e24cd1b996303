import type { ErrorCode } from './errors.ts'
import * as LIMITS from './limits.ts'
import { type ProblemEntry, ProblemError } from './problem.ts'

/** @throws ProblemError 400 with all entries, when there are any */
export function refuseBody(entries: readonly ProblemEntry[]): void {
  if (entries.length > 0) throw bodyProblem(entries)
}

/** How many problems there are, of which `errors` lists 100 at most, and no more may have been looked for. */
export function countedProblems(subject: 'There are' | 'The posts have', count: number): string {
  if (count < LIMITS.problems) {
    const inAll = subject === 'There are' ? ' in all' : ''
    return `${subject} ${count} problems${inAll}; errors lists them.`
  }
  return `${subject} ${LIMITS.problems} problems or more; errors lists the first ${LIMITS.problems}.`
}

/** A body that is refused for these reasons: 400 with the first 100 of them. */
export function bodyProblem(entries: readonly ProblemEntry[]): ProblemError {
  const reported = entries.find(({ code }) => code === 'request:invalid_body') ?? entries[0]
  if (!reported) throw new TypeError('A body without problems was refused.')
  const rest = entries.length === 1 ? '' : ` ${countedProblems('There are', entries.length)}`
  return new ProblemError(reported.code as ErrorCode, `${reported.message}${rest}`, {
    entries: entries.slice(0, LIMITS.problems),
  })
}
