import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'

/** What a shared calendar shows besides what waits for the client, which is always shown. */
export const SharedCalendarShows = closed({
  scheduled: Type.Boolean(),
  drafts: Type.Boolean(),
  published: Type.Boolean({ description: 'With its results.' }),
})
export type SharedCalendarShows = Type.Static<typeof SharedCalendarShows>

const writes = {
  comment: Type.Boolean(),
  decide: Type.Boolean({ description: 'Approve and request changes.' }),
  notes: Type.Boolean(),
}
const files = Type.Boolean({ description: 'Save the documents of posts as files, with all that is in them.' })

/** What guests may do besides looking. */
export const SharedCalendarAllows = closed({ ...writes, files })
export type SharedCalendarAllows = Type.Static<typeof SharedCalendarAllows>

/** The same as members say it: what is not said about files stays, and is not allowed at first. */
const Allows = closed({ ...writes, files: Type.Optional(files) })

const SHARED_CALENDAR_STATES = ['open', 'expired', 'closed'] as const
export type SharedCalendarState = (typeof SHARED_CALENDAR_STATES)[number]

/** A link for guests, as members see it. Its address is returned when it is created, renewed and copied. */
export const SharedCalendar = closed({
  id: Type.String({ description: 'Also in the address that guests see: /shared/view/{id}.' }),
  name: Type.String({ description: 'Guests see it.' }),
  socialSetIds: Type.Array(Type.String()),
  shows: SharedCalendarShows,
  allows: SharedCalendarAllows,
  formal: Type.Boolean({ description: 'Guests are addressed formally, in languages that know the difference.' }),
  hasPasscode: Type.Boolean(),
  lastDay: orNull(Type.String({ description: 'A date, the last one on which the link works; null for none.' })),
  state: Type.Enum([...SHARED_CALENDAR_STATES]),
  createdBy: Type.String({ description: 'Name of the person.' }),
  createdAt: Type.String(),
  renewedAt: orNull(Type.String({ description: 'When it got another address.' })),
  closedAt: orNull(Type.String()),
  visitors: Type.Integer({ description: 'Guests who have looked.' }),
  lastLookAt: orNull(Type.String()),
  canCopy: Type.Boolean({
    description: 'Whether its address is kept: that of links made before can only be replaced.',
  }),
  lastCopy: orNull(closed({ by: Type.String({ description: 'Name of the person.' }), at: Type.String() })),
})
export type SharedCalendar = Type.Static<typeof SharedCalendar>

/** `GET /internal/shared-calendars`, newest first, closed ones last. */
export const SharedCalendars = closed({ data: Type.Array(SharedCalendar) })
export type SharedCalendars = Type.Static<typeof SharedCalendars>

const name = Type.String({ maxLength: LIMITS.sharedCalendars.nameCodePoints })
const socialSetIds = Type.Array(Type.String(), { minItems: 1, maxItems: LIMITS.sharedCalendars.socialSets })
const passcode = orNull(
  Type.String({ minLength: LIMITS.sharedCalendars.passcode.min, maxLength: LIMITS.sharedCalendars.passcode.max }),
)
const lastDay = orNull(Type.String({ description: 'A date, such as 2026-03-31.' }))

export const SharedCalendarBody = closed({
  name,
  socialSetIds,
  shows: SharedCalendarShows,
  allows: Allows,
  formal: Type.Optional(Type.Boolean()),
  passcode: Type.Optional(passcode),
  lastDay: Type.Optional(lastDay),
})
export type SharedCalendarBody = Type.Static<typeof SharedCalendarBody>

/** Omitted fields stay. A new passcode ends the visits; null removes it. */
export const SharedCalendarUpdateBody = closed({
  name: Type.Optional(name),
  socialSetIds: Type.Optional(socialSetIds),
  shows: Type.Optional(SharedCalendarShows),
  allows: Type.Optional(Allows),
  formal: Type.Optional(Type.Boolean()),
  passcode: Type.Optional(passcode),
  lastDay: Type.Optional(lastDay),
})
export type SharedCalendarUpdateBody = Type.Static<typeof SharedCalendarUpdateBody>

export const MadeSharedCalendar = closed({ sharedCalendar: SharedCalendar, address: Type.String() })
export type MadeSharedCalendar = Type.Static<typeof MadeSharedCalendar>

/** A preview for the calling member, to see what guests see without doing anything. It is valid for an hour. */
export const SharedCalendarLook = closed({ address: Type.String() })
export type SharedCalendarLook = Type.Static<typeof SharedCalendarLook>

/** A guest who has visited. The network address is not stored. */
export const SharedCalendarVisitor = closed({
  id: Type.String(),
  name: orNull(Type.String({ description: 'As the guest says; null for one who has not said.' })),
  device: Type.String({ description: 'As `Safari on iPhone`.' }),
  hasNews: Type.Boolean({ description: 'Wants mail, at an address that is confirmed.' }),
  firstLookAt: Type.String(),
  lastLookAt: Type.String(),
  looks: Type.Integer({ description: 'How often; within ten minutes it is one.' }),
})
export type SharedCalendarVisitor = Type.Static<typeof SharedCalendarVisitor>

/** Latest visitor first, at most `LIMITS.guestVisits.visitorsShown`. */
export const SharedCalendarVisitors = closed({ data: Type.Array(SharedCalendarVisitor) })
export type SharedCalendarVisitors = Type.Static<typeof SharedCalendarVisitors>
