import type { FastifyInstance } from 'fastify'
import { NOTE_ENDPOINTS } from '#contract'
import { createNote, getNote, listNotes, removeNote, updateNote } from '#operations'
import type { Database } from '#persistence'
import { type Guard, serveRaw } from '../route.ts'

export interface NoteRouteDeps {
  db: Database
}

export function noteRoutes(server: FastifyInstance, guard: Guard, deps: NoteRouteDeps): void {
  serveRaw(server, guard, NOTE_ENDPOINTS, {
    'GET /notes': (caller, { query }) => listNotes(deps, caller, query),
    'POST /notes': (caller, request) => createNote(request.within(deps), caller, request),
    'GET /notes/:id': (caller, { params }) => getNote(deps, caller, params.id),
    'PATCH /notes/:id': (caller, request) => updateNote(request.within(deps), caller, request.params.id, request),
    'DELETE /notes/:id': (caller, request) => removeNote(deps, caller, request.params.id, request),
  })
}
