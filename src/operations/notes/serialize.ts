import { type Note, ProblemError } from '#contract'
import type { NoteRow } from '#persistence'

/** A note as clients see it. */
export function noteAnswer(row: NoteRow): Note {
  return {
    id: row.id,
    socialSetId: row.socialSetId,
    type: row.type,
    source: { type: row.source },
    content: row.content,
    hexColor: row.hexColor,
    scheduledAt: row.scheduledAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

export function noteNotFound(): ProblemError {
  return new ProblemError('note:not_found', 'No note has this id.')
}
