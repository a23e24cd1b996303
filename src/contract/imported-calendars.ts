import Type from 'typebox'
import { IMPORTED_CALENDAR_FAILURES, type ImportedCalendarFailureCode } from './errors.ts'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'
import { NOTE_COLORS } from './states.ts'

const { perSocialSet, notes: mostNotes } = LIMITS.importedCalendars

/** Not read yet; being read; read; the last attempt failed; not read until it is resumed. */
const IMPORTED_CALENDAR_STATUSES = ['WAITING', 'FETCHING', 'OK', 'FAILING', 'PAUSED'] as const
export type ImportedCalendarStatus = (typeof IMPORTED_CALENDAR_STATUSES)[number]

const failureCodes = Object.keys(IMPORTED_CALENDAR_FAILURES) as ImportedCalendarFailureCode[]

/** An imported calendar, whose events are notes of a social set. */
export const ImportedCalendar = closed({
  id: Type.String(),
  socialSetId: Type.String(),
  name: Type.String(),
  hexColor: Type.Enum([...NOTE_COLORS], { description: 'Of its notes.' }),
  source: Type.Enum(['ADDRESS', 'FILE']),
  address: orNull(Type.String({ description: 'Only its host, because the rest is a secret: `example.com/…`.' })),
  fileName: orNull(Type.String()),
  status: Type.Enum([...IMPORTED_CALENDAR_STATUSES]),
  fetchedAt: orNull(Type.String({ description: 'When it was last read.' })),
  nextAt: orNull(Type.String({ description: 'Null while it is paused.' })),
  failure: orNull(
    closed({
      code: Type.Enum(failureCodes),
      message: Type.String({ description: 'What went wrong and what to do, in English.' }),
      since: Type.String({ description: 'Of the first attempt in a row that failed.' }),
    }),
  ),
  notes: Type.Integer({ description: 'Of days in the window.' }),
  leftOut: Type.Integer({ description: 'Notes for which there is no room, those of the farthest days.' }),
  unreadable: Type.Integer({ description: 'Events that cannot be read and are left out.' }),
  createdAt: Type.String(),
})
export type ImportedCalendar = Type.Static<typeof ImportedCalendar>

/** All of a social set, oldest first. */
export const ImportedCalendars = closed({
  data: Type.Array(ImportedCalendar),
  limits: closed({
    calendars: Type.Integer({ description: `${perSocialSet}` }),
    notes: Type.Integer({ description: `${mostNotes}, of days in the window.` }),
  }),
  notes: Type.Integer({ description: 'Of all of them, of days in the window.' }),
})
export type ImportedCalendars = Type.Static<typeof ImportedCalendars>

const name = Type.String({ maxLength: LIMITS.nameCodePoints })
const hexColor = Type.Enum([...NOTE_COLORS])
const url = Type.String({ maxLength: LIMITS.urlCharacters, description: 'http, https or webcal.' })
/** Of a form, as its last part. */
const file = Type.String({ format: 'binary', description: `At most ${LIMITS.calendarBytes / 1e6} MB.` })

/** For a calendar with an address. One from a file is an `ImportedCalendarForm`. */
export const ImportedCalendarBody = closed({
  socialSetId: Type.String(),
  name,
  hexColor,
  url: Type.Optional(url),
})
export type ImportedCalendarBody = Type.Static<typeof ImportedCalendarBody>
export const ImportedCalendarForm = closed({ socialSetId: Type.String(), name, hexColor, file })

/** Omitted fields stay. A calendar with an address can get another address, one from a file another file. */
export const ImportedCalendarUpdateBody = closed({
  name: Type.Optional(name),
  hexColor: Type.Optional(hexColor),
  paused: Type.Optional(Type.Boolean()),
  url: Type.Optional(url),
})
export type ImportedCalendarUpdateBody = Type.Static<typeof ImportedCalendarUpdateBody>
export const ImportedCalendarUpdateForm = closed({ name: Type.Optional(name), hexColor: Type.Optional(hexColor), file })

/** What happens to the notes of a calendar when it is removed. */
export const ImportedCalendarRemoval = closed({
  removed: Type.Integer({ description: 'Notes that are as they were imported: they go with it.' }),
  kept: Type.Integer({ description: 'Notes that someone has changed: they stay.' }),
})
export type ImportedCalendarRemoval = Type.Static<typeof ImportedCalendarRemoval>
