import Type from 'typebox'
import type { EndpointTable } from '../endpoint.ts'
import { Note, NoteCreate, NoteUpdate } from '../notes.ts'
import { NoteListQuery } from '../queries.ts'

const tag = 'Notes'

/** Notes on the calendar. */
export const NOTE_ENDPOINTS = {
  'GET /notes': {
    api: {
      tag,
      summary: 'List notes',
      description: 'All notes of a social set in a time range, by time. The list is not paginated.',
    },
    query: NoteListQuery,
    status: 200,
    answer: Type.Array(Note),
    problems: ['note:invalid_range', 'social-set:not_found'],
  },
  'POST /notes': {
    api: {
      tag,
      summary: 'Create a note',
      description:
        'With repeat, all occurrences are created at once, each with its own id; the answer is the first one.',
    },
    right: 'notes:write',
    body: NoteCreate,
    touches: ['notes', 'calendar'],
    status: 201,
    answer: Note,
    problems: ['request:invalid_body', 'social-set:not_found'],
  },
  'GET /notes/:id': {
    api: { tag, summary: 'Read a note' },
    status: 200,
    answer: Note,
    problems: ['note:not_found'],
  },
  'PATCH /notes/:id': {
    api: {
      tag,
      summary: 'Update a note',
      description:
        'Omitted fields keep their values. Of a recurring note, only this occurrence changes; its time is fixed, and so is that of a note from an external calendar.',
    },
    right: 'notes:write',
    body: NoteUpdate,
    touches: ['notes', 'calendar'],
    status: 200,
    answer: Note,
    problems: ['request:invalid_body', 'note:scheduled_at_not_updatable', 'note:not_found'],
  },
  'DELETE /notes/:id': {
    api: { tag, summary: 'Delete a note', description: 'Extension. Of a recurring note, only this occurrence.' },
    right: 'notes:write',
    touches: ['notes', 'calendar'],
    status: 204,
    problems: ['note:not_found'],
  },
} as const satisfies EndpointTable
