import { ProblemError } from '#contract'

/** Refuses to restore what a unique index of the calendar has no room for any more. */
export function placeTaken(noun: 'post set' | 'note'): ProblemError {
  return new ProblemError(
    'request:refused',
    `Something else on the calendar has taken the place of this ${noun} since it was deleted. Move or delete that first, then restore the ${noun}.`,
  )
}
