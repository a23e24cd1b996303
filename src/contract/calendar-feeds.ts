import Type from 'typebox'
import { closed, orNull } from './schema.ts'

/** A secret address at which calendar programs read what is planned. */
export const CalendarFeed = closed({
  createdAt: Type.String(),
  renewedAt: orNull(Type.String({ description: 'When it got its present address, if that is not its first.' })),
  lastReadAt: orNull(Type.String()),
})
export type CalendarFeed = Type.Static<typeof CalendarFeed>

export const CalendarFeedAnswer = closed({ feed: orNull(CalendarFeed) })
export type CalendarFeedAnswer = Type.Static<typeof CalendarFeedAnswer>

export const IssuedCalendarFeed = closed({
  feed: CalendarFeed,
  url: Type.String({ description: 'Shown only once: it is stored as a hash.' }),
})
export type IssuedCalendarFeed = Type.Static<typeof IssuedCalendarFeed>
