import type { FastifyInstance } from 'fastify'
import {
  CALENDAR_FEED_ENDPOINTS,
  COMMENT_ENDPOINTS,
  EVENT_ENDPOINTS,
  HASHTAG_GROUP_ENDPOINTS,
  HOLD_ENDPOINTS,
  IMPORTED_CALENDAR_ENDPOINTS,
  LABEL_ENDPOINTS,
  NEWS_ENDPOINTS,
  NOTE_ENDPOINTS,
  SOCIAL_SET_ENDPOINTS,
} from '#contract'
import {
  addImportedCalendar,
  changeSavedTimes,
  closeCalendarFeed,
  createHashtagGroup,
  createLabelByMember,
  createNote,
  createSocialSetByMember,
  editComment,
  fetchImportedCalendar,
  followEvents,
  getNote,
  issueCalendarFeed,
  listFreeSlots,
  listHashtagGroups,
  listImportedCalendars,
  listLabelPage,
  listLabelUsage,
  listNews,
  listNewsChoices,
  listNotes,
  listSocialSets,
  mergeLabel,
  type OperationDeps,
  placeHold,
  previewRemoval,
  previewTimezoneChange,
  putAllNewsRead,
  putNewsChoices,
  putNewsRead,
  readCalendarFeed,
  readHolds,
  readHoldWaiting,
  readSavedTimes,
  readThread,
  readUnreadNews,
  releaseHold,
  removeComment,
  removeHashtagGroup,
  removeImportedCalendar,
  removeLabel,
  removeNote,
  resolveComment,
  updateHashtagGroup,
  updateImportedCalendar,
  updateLabel,
  updateNote,
  updateSocialSet,
  writeComment,
} from '#operations'
import { type Guard, serve } from '../route.ts'
import { CalendarForm, takeCalendarForms } from '../routes/calendar-form.ts'

/**
 * What is planned beside the posts: notes, labels, hashtags, the times of social sets, holds, calendars of others and those that
 * others read, comments, news of all that and events.
 */
export function servePlanning(server: FastifyInstance, guard: Guard, deps: OperationDeps): void {
  const table = {
    ...NOTE_ENDPOINTS,
    ...LABEL_ENDPOINTS,
    ...HASHTAG_GROUP_ENDPOINTS,
    ...SOCIAL_SET_ENDPOINTS,
    ...HOLD_ENDPOINTS,
    ...CALENDAR_FEED_ENDPOINTS,
    ...COMMENT_ENDPOINTS,
    ...EVENT_ENDPOINTS,
    ...NEWS_ENDPOINTS,
  }
  // Requests that wait would keep the server from closing for as long as they do.
  server.addHook('preClose', () => deps.eventWaits.close())
  serve(server, guard, table, {
    // Notes on the calendar.
    'GET /notes': (caller, { query }) => listNotes(deps, caller, query),
    'POST /notes': (caller, { body, within }) => createNote(within(deps), caller, body),
    'GET /notes/:id': (caller, { params }) => getNote(deps, caller, params.id),
    'PATCH /notes/:id': (caller, { params, body, within }) => updateNote(within(deps), caller, params.id, body),
    'DELETE /notes/:id': (caller, { params, query }) => removeNote(deps, caller, params.id, query),

    // The labels of the account.
    'GET /labels': (caller, { query }) => listLabelPage(deps, caller, query),
    'GET /labels/usage': (caller) => listLabelUsage(deps, caller),
    'POST /labels': (caller, { body }) => createLabelByMember(deps, caller, body),
    'PATCH /labels/:id': (caller, { params, body }) => updateLabel(deps, caller, params.id, body),
    'POST /labels/:id/merge': (caller, { params, body }) => mergeLabel(deps, caller, params.id, body),
    'DELETE /labels/:id': (caller, { params, query }) => removeLabel(deps, caller, params.id, query),

    // Hashtags that are put into captions together.
    'GET /hashtag-groups': (caller, { query }) => listHashtagGroups(deps, caller, query),
    'POST /hashtag-groups': (caller, { body }) => createHashtagGroup(deps, caller, body),
    'PATCH /hashtag-groups/:id': (caller, { params, body }) => updateHashtagGroup(deps, caller, params.id, body),
    'DELETE /hashtag-groups/:id': (caller, { params, query }) => removeHashtagGroup(deps, caller, params.id, query),

    // Social sets, their timezones and the times at which they post.
    'GET /social-sets': (caller, { query }) => listSocialSets(deps, caller, query),
    'POST /social-sets': (caller, { body }) => createSocialSetByMember(deps, caller, body),
    'PATCH /social-sets/:id': (caller, { params, body }) => updateSocialSet(deps, caller, params.id, body),
    'GET /social-sets/:id/timezone-change': (caller, { params, query }) =>
      previewTimezoneChange(deps, caller, params.id, query),
    'GET /social-sets/:id/saved-times': (caller, { params }) => readSavedTimes(deps, caller, params.id),
    'PUT /social-sets/:id/saved-times': (caller, { params, body }) => changeSavedTimes(deps, caller, params.id, body),
    'GET /social-sets/:id/free-slots': (caller, { params, query }) => listFreeSlots(deps, caller, params.id, query),

    // Stopping publishing, and letting it go on.
    'GET /holds': (caller) => readHolds(deps, caller),
    'POST /holds': (caller, { body }) => placeHold(deps, caller, body),
    'GET /holds/:id/waiting': (caller, { params }) => readHoldWaiting(deps, caller, params.id),
    'POST /holds/:id/release': (caller, { params, body }) => releaseHold(deps, caller, params.id, body),

    // The addresses at which calendar programs read what is planned.
    'GET /social-sets/:id/calendar-feed': (caller, { params }) => readCalendarFeed(deps, caller, params.id),
    'PUT /social-sets/:id/calendar-feed': (caller, { params, query }) =>
      issueCalendarFeed(deps, caller, params.id, query),
    'DELETE /social-sets/:id/calendar-feed': (caller, { params, query }) =>
      closeCalendarFeed(deps, caller, params.id, query),

    // What happened, for programs that follow it.
    'GET /events': (caller, { query, gone }) => followEvents(deps, caller, query, gone),

    // What members write about post sets.
    'GET /post-sets/:id/comments': (caller, { params }) => readThread(deps, caller, params.id),
    'POST /post-sets/:id/comments': (caller, { params, body }) => writeComment(deps, caller, params.id, body),
    'PATCH /comments/:id': (caller, { params, body }) => editComment(deps, caller, params.id, body),
    'DELETE /comments/:id': (caller, { params, query }) => removeComment(deps, caller, params.id, query),
    'PUT /comments/:id/resolved': (caller, { params, body }) => resolveComment(deps, caller, params.id, body),

    // The bell of members, and what they want to hear of.
    'GET /news': (caller, { query }) => listNews(deps, caller, query),
    'GET /news/unread': (caller) => readUnreadNews(deps, caller),
    'PUT /news/:id/read': (caller, { params, query }) => putNewsRead(deps, caller, params.id, query),
    'PUT /news/read': (caller, { body }) => putAllNewsRead(deps, caller, body),
    'GET /news/choices': (caller) => listNewsChoices(deps, caller),
    'PUT /news/choices': (caller, { body }) => putNewsChoices(deps, caller, body),
  })
  // A context of its own: no other route takes such forms.
  server.register(async (calendars) => {
    takeCalendarForms(calendars, deps)
    serve(calendars, guard, IMPORTED_CALENDAR_ENDPOINTS, {
      'GET /imported-calendars': (caller, { query }) => listImportedCalendars(deps, caller, query),
      'POST /imported-calendars': (caller, { body, form }) =>
        addImportedCalendar(deps, caller, { body, file: form(CalendarForm)?.file }),
      'PATCH /imported-calendars/:id': (caller, { params, body, form }) =>
        updateImportedCalendar(deps, caller, params.id, { body, file: form(CalendarForm)?.file }),
      'POST /imported-calendars/:id/fetch': (caller, { params, query }) =>
        fetchImportedCalendar(deps, caller, params.id, query),
      'GET /imported-calendars/:id/removal': (caller, { params }) => previewRemoval(deps, caller, params.id),
      'DELETE /imported-calendars/:id': (caller, { params, query }) =>
        removeImportedCalendar(deps, caller, params.id, query),
    })
  })
}
