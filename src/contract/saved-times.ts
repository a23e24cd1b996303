import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed } from './schema.ts'

/** A time of the week in the time zone of a brand. */
export const SavedTime = closed({
  weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday, 7 is Sunday.' }),
  time: Type.String({ description: '`HH:MM`, from 00:00 to 23:59.' }),
})
export type SavedTime = Type.Static<typeof SavedTime>

/** The complete list: times that are missing are removed. */
export const SavedTimesBody = closed({ times: Type.Array(SavedTime, { maxItems: LIMITS.savedTimes }) })
export type SavedTimesBody = Type.Static<typeof SavedTimesBody>

/** The times of the week at which a brand posts, starting on Monday. */
export const SavedTimes = closed({ timezone: Type.String({ description: 'IANA name' }), times: Type.Array(SavedTime) })
export type SavedTimes = Type.Static<typeof SavedTimes>

export const FreeSlotsQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      description: 'ISO 8601; without an offset, in the time zone of the social set. Default and minimum: now.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMITS.freeSlots.max, default: LIMITS.freeSlots.default })),
})
export type FreeSlotsQuery = Type.Static<typeof FreeSlotsQuery>

/** Upcoming saved times at which the brand has no post set, in order. */
export const FreeSlots = closed({
  timezone: Type.String({ description: 'IANA name' }),
  slots: Type.Array(
    closed({
      at: Type.String({ description: 'The moment, in UTC.' }),
      wall: Type.String({ description: 'In the time zone of the social set: `2026-11-24T09:00`.' }),
    }),
  ),
})
export type FreeSlots = Type.Static<typeof FreeSlots>
