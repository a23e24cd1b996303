import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { Note, NoteCreate, NoteUpdate } from '#contract'
import { createNote, getNote, listNotes, removeNote, updateNote } from '#operations'
import type { Database } from '#persistence'
import { NoteListQuery } from '../queries.ts'
import { type Guard, interfaceRoute } from '../route.ts'

export interface NoteRouteDeps {
  db: Database
}

const tag = 'Notes'
const Notes = Type.Array(Note)

export function noteRoutes(server: FastifyInstance, guard: Guard, deps: NoteRouteDeps): void {
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/notes',
    summary: 'List notes',
    description: 'All notes of a social set in a range of time, by time. The list has no pages.',
    tag,
    query: NoteListQuery,
    status: 200,
    answer: Notes,
    problems: ['note:invalid_range', 'social-set:not_found'],
    handle: (caller, { query }) => listNotes(deps, caller, query),
  })
  interfaceRoute(server, guard, {
    method: 'POST',
    url: '/v1/notes',
    summary: 'Create a note',
    description: 'With repeat, all occurrences are made at once, each with its own id; the first one is answered.',
    tag,
    scope: 'notes:write',
    body: NoteCreate,
    status: 201,
    answer: Note,
    problems: ['request:invalid_body', 'social-set:not_found'],
    handle: (caller, request) => createNote(request.within(deps), caller, request),
  })
  interfaceRoute(server, guard, {
    method: 'GET',
    url: '/v1/notes/:id',
    summary: 'Read a note',
    tag,
    status: 200,
    answer: Note,
    problems: ['note:not_found'],
    handle: (caller, { params }) => getNote(deps, caller, params.id ?? ''),
  })
  interfaceRoute(server, guard, {
    method: 'PATCH',
    url: '/v1/notes/:id',
    summary: 'Update a note',
    description:
      'Omitted fields keep their values. Of a recurring note this occurrence alone changes; its time is fixed, and so is that of a note from an external calendar.',
    tag,
    scope: 'notes:write',
    body: NoteUpdate,
    status: 200,
    answer: Note,
    problems: ['request:invalid_body', 'note:scheduled_at_not_updatable', 'note:not_found'],
    handle: (caller, request) => updateNote(request.within(deps), caller, request.params.id ?? '', request),
  })
  interfaceRoute(server, guard, {
    method: 'DELETE',
    url: '/v1/notes/:id',
    summary: 'Delete a note',
    description: 'Extension. Of a recurring note this occurrence alone.',
    tag,
    scope: 'notes:write',
    status: 204,
    problems: ['note:not_found'],
    handle: (caller, request) => removeNote(deps, caller, request.params.id ?? '', request),
  })
}
