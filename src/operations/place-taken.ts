import type { ProblemError } from '#contract'
import { refused } from './refused.ts'

/** Refuses to restore what a unique index of the calendar has no room for any more. */
export function placeTaken(noun: 'post set' | 'note'): ProblemError {
  return refused(noun === 'note' ? 'why:place_of_note_taken' : 'why:place_of_post_taken')
}
