import {
  Calendar,
  CalendarAuthors,
  CalendarElsewhere,
  CalendarFound,
  CalendarSlots,
  PostDeliveries,
  Presence,
  PresenceBody,
  PresenceSaid,
} from '../calendar.ts'
import type { EndpointTable } from '../endpoint.ts'
import { HistoryItem, HistoryTexts } from '../history.ts'
import { Note, NoteAgent } from '../notes.ts'
import { pageOf } from '../pages.ts'
import { PostSet } from '../post-sets.ts'
import { CalendarQuery, CalendarSlotsQuery, DraftsQuery, FoundQuery, PageQuery, SeenBrandsQuery } from '../queries.ts'

/** The calendar, and the parts of a post set's panel besides the set itself. */
export const CALENDAR_ENDPOINTS = {
  'GET /calendar': {
    query: CalendarQuery,
    status: 200,
    answer: Calendar,
    problems: ['social-set:not_found'],
  },
  'GET /calendar/elsewhere': {
    query: CalendarQuery,
    status: 200,
    answer: CalendarElsewhere,
    problems: ['social-set:not_found'],
  },
  'GET /calendar/authors': {
    query: SeenBrandsQuery,
    status: 200,
    answer: CalendarAuthors,
    problems: ['social-set:not_found'],
  },
  'GET /calendar/found': {
    query: FoundQuery,
    status: 200,
    answer: CalendarFound,
    problems: [],
  },
  'GET /calendar/free-slots': {
    query: CalendarSlotsQuery,
    status: 200,
    answer: CalendarSlots,
    problems: [],
  },
  'GET /drafts': {
    query: DraftsQuery,
    status: 200,
    answer: pageOf(PostSet),
    problems: [],
  },
  'GET /post-sets/:id/history': {
    query: PageQuery,
    status: 200,
    answer: pageOf(HistoryItem),
    problems: ['post-set:not_found'],
  },
  'GET /post-sets/:id/history/:entryId': {
    status: 200,
    answer: HistoryTexts,
    problems: ['post-set:not_found', 'history:not_found'],
  },
  'GET /post-sets/:id/deliveries': {
    status: 200,
    answer: PostDeliveries,
    problems: ['post-set:not_found'],
  },
  'GET /post-sets/:id/presence': {
    status: 200,
    answer: Presence,
    problems: ['post-set:not_found'],
  },
  'PUT /presence/:stream': {
    body: PresenceBody,
    touches: [],
    status: 200,
    answer: PresenceSaid,
    problems: ['request:invalid_body', 'post-set:not_found'],
  },
  'GET /notes/:id/agent': {
    status: 200,
    answer: NoteAgent,
    problems: ['note:not_found'],
  },
  'POST /notes/:id/restore': {
    right: 'notes:write',
    touches: ['notes', 'calendar'],
    status: 200,
    answer: Note,
    problems: ['note:not_found', 'request:refused'],
  },
} as const satisfies EndpointTable
