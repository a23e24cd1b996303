import Type from 'typebox'
import { APPROVALS, LIMITS, networkFilters, POST_SET_STATUSES } from '#contract'

/** Query parameters as the description of the interface tells them; operations read and check them. */

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

const socialSetId = Type.String({ description: 'Social set to list.' })
const time = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description} ISO 8601; without an offset it is read in the timezone of the social set.`,
    }),
  )
const some = (values: readonly string[], description: string) =>
  Type.Optional(Type.Array(Type.Enum([...values]), { description: `${description} Repeatable.` }))
const direction = (description: string) => Type.Optional(Type.Enum(['ASC', 'DESC'], { description }))

export const PostSetListQuery = Type.Object({
  socialSetId,
  ...PageQuery.properties,
  'filters[startDate]': time('Scheduled at or after.'),
  'filters[endDate]': time('Scheduled before.'),
  'filters[status][]': some(POST_SET_STATUSES, 'Sets of this status.'),
  'filters[socialNetworks][]': some(
    networkFilters,
    'Sets with a post for this network; LINKEDIN means page or personal.',
  ),
  'filters[approval][]': some(APPROVALS, 'Sets of this approval.'),
  'filters[labelsId][]': Type.Optional(
    Type.Array(Type.String(), { description: 'Sets that carry this label. Repeatable.' }),
  ),
  'filters[search]': Type.Optional(
    Type.String({
      minLength: LIMITS.searchCodePoints,
      description: 'Part of a caption of the set, in capitals or not.',
    }),
  ),
  'sort[scheduledAt]': direction('The default, ascending. With both sorts, the order in the query string counts.'),
  'sort[createdAt]': direction('By the time when the set was made.'),
})

export const MediaListQuery = Type.Object({ socialSetId, ...PageQuery.properties })

export const NoteListQuery = Type.Object({
  socialSetId,
  'filters[startDate]': Type.String({
    description: 'Pinned at or after. ISO 8601; without an offset as in the social set.',
  }),
  'filters[endDate]': Type.String({
    description: `Pinned before. At most ${LIMITS.noteRangeDays} calendar days after the start.`,
  }),
})

export const SocialSetQuery = Type.Object({ socialSetId })

/** Read like the filters of the list of post sets; of the dashboard alone, and in no description. */
export const CalendarQuery = Type.Object({ socialSetId, from: Type.String(), to: Type.String() })
