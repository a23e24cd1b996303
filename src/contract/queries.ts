import Type from 'typebox'
import { accountTypes, networkFilters } from './account-types.ts'
import { KEPT_DRAFT_SAVE } from './kept-drafts.ts'
import * as LIMITS from './limits.ts'
import { list } from './schema.ts'
import { APPROVALS, POST_SET_STATUSES, RESULT_STATUSES } from './states.ts'

/** Query parameters as the API describes them; operations read and check them. */

const { defaultSize, maxSize, maxReach } = LIMITS.page

export const PageQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxReach,
      default: 1,
      description: `From 1. page × size is at most ${maxReach}.`,
    }),
  ),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: maxSize, default: defaultSize })),
})
export type PageQuery = Type.Static<typeof PageQuery>

const socialSetId = Type.String({ description: 'Social set to list.' })
const time = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description} ISO 8601; without an offset, it is read in the time zone of the social set.`,
    }),
  )
const direction = (description: string) => Type.Optional(Type.Enum(['ASC', 'DESC'] as const, { description }))

/** The filters that narrow post sets on lists and on the calendar. */
const narrowing = {
  'filters[status][]': list(Type.Enum([...POST_SET_STATUSES]), 'Sets of this status.'),
  'filters[socialNetworks][]': list(
    Type.Enum([...networkFilters]),
    'Sets with a post for this network; LINKEDIN means page or personal.',
  ),
  'filters[approval][]': list(Type.Enum([...APPROVALS]), 'Sets of this approval.'),
  'filters[labelsId][]': list(Type.String(), 'Sets that carry this label.'),
  'filters[search]': Type.Optional(
    Type.String({
      minLength: LIMITS.searchCodePoints,
      description: 'Part of a caption of the set, case-insensitive.',
    }),
  ),
}

export const PostSetListQuery = Type.Object({
  socialSetId,
  ...PageQuery.properties,
  'filters[startDate]': time('Scheduled at or after.'),
  'filters[endDate]': time('Scheduled before.'),
  ...narrowing,
  'filters[externalId]': Type.Optional(
    Type.String({ minLength: 1, description: 'Extension: the set with exactly this name.' }),
  ),
  'sort[scheduledAt]': direction('The default, ascending. With both sorts, the order in the query string counts.'),
  'sort[createdAt]': direction('By the time when the set was made.'),
})
export type PostSetListQuery = Type.Static<typeof PostSetListQuery>

export const MediaListQuery = Type.Object({ socialSetId, ...PageQuery.properties })
export type MediaListQuery = Type.Static<typeof MediaListQuery>

export const NoteListQuery = Type.Object({
  socialSetId,
  'filters[startDate]': Type.String({
    description: 'Pinned at or after. ISO 8601; without an offset, in the time zone of the social set.',
  }),
  'filters[endDate]': Type.String({
    description: `Pinned before. At most ${LIMITS.noteRangeDays} calendar days after the start.`,
  }),
})
export type NoteListQuery = Type.Static<typeof NoteListQuery>

export const SocialSetQuery = Type.Object({ socialSetId })
export type SocialSetQuery = Type.Static<typeof SocialSetQuery>

/** Without a social set: all that the caller sees. */
export const SeenBrandsQuery = Type.Object({ socialSetId: Type.Optional(socialSetId) })
export type SeenBrandsQuery = Type.Static<typeof SeenBrandsQuery>

/** Post sets of all social sets that the caller sees, by a part of a caption. */
export const FoundQuery = Type.Object({
  'filters[search]': Type.String({ minLength: LIMITS.searchCodePoints, description: 'Part of a caption of the set.' }),
})
export type FoundQuery = Type.Static<typeof FoundQuery>

/** Free saved times of all social sets that the caller sees. */
export const CalendarSlotsQuery = Type.Object({
  from: Type.String({ description: 'ISO 8601, with an offset.' }),
  to: Type.String({ description: 'At most 8 days later.' }),
})
export type CalendarSlotsQuery = Type.Static<typeof CalendarSlotsQuery>

/** Drafts of all social sets that the caller sees. */
export const DraftsQuery = Type.Object({
  ...PageQuery.properties,
  'filters[approval][]': narrowing['filters[approval][]'],
  'filters[labelsId][]': narrowing['filters[labelsId][]'],
  'filters[search]': narrowing['filters[search]'],
  sort: Type.Optional(Type.Enum(['time', 'newest'] as const, { default: 'time' })),
})
export type DraftsQuery = Type.Static<typeof DraftsQuery>

/** Only for the dashboard. */
export const CalendarQuery = Type.Object({
  ...SeenBrandsQuery.properties,
  timezone: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'IANA name: whose days are meant where no social set is named; else UTC.',
    }),
  ),
  from: Type.String(),
  to: Type.String(),
  ...narrowing,
  'filters[series]': Type.Optional(Type.String()),
  'filters[accountTypes][]': list(Type.Enum([...accountTypes]), 'Sets with a post of this account type.'),
  'filters[authors][]': list(Type.String(), 'Sets that one of these made.'),
  'filters[outcome][]': list(Type.Enum([...RESULT_STATUSES]), 'Sets with a post that ended so.'),
})
export type CalendarQuery = Type.Static<typeof CalendarQuery>

/**
 * Members confirm here that a set that is due at once is to be published now; without that it is refused. Also names
 * the unsaved text that ends with the request.
 */
export const SaveQuery = Type.Object({ publishNow: Type.Optional(Type.Boolean()), ...KEPT_DRAFT_SAVE })
export type SaveQuery = Type.Static<typeof SaveQuery>
