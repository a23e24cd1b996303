import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { HoldShown } from './holds.ts'
import { CONNECTION_STATUSES } from './states.ts'

const orNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A connected network account, as an element of a social set's `accounts`. Never holds a token. */
export const ConnectedAccount = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum([...accountTypes]),
    name: Type.String(),
    username: orNull(Type.String()),
    profileUrl: orNull(Type.String()),
    avatarUrl: orNull(Type.String()),
    status: Type.Enum([...CONNECTION_STATUSES]),
    statusReason: orNull(Type.String()),
    connectedAt: Type.String(),
    hold: orNull(HoldShown),
  },
  { additionalProperties: false },
)
export type ConnectedAccount = Type.Static<typeof ConnectedAccount>

export const SocialSet = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    timezone: Type.String({ description: 'IANA name' }),
    createdAt: Type.String(),
    hold: orNull(HoldShown),
    accounts: Type.Array(ConnectedAccount),
  },
  { additionalProperties: false },
)
export type SocialSet = Type.Static<typeof SocialSet>

export const SocialSetBody = Type.Object(
  { name: Type.String(), timezone: Type.String({ maxLength: 100, description: 'IANA name' }) },
  { additionalProperties: false },
)

/** What a change of the timezone keeps: the times that clocks show, or the moments. */
export const TIMEZONE_KEEPS = ['clock', 'instants'] as const

/** `keep` belongs to a timezone that is another one. */
export const SocialSetUpdateBody = Type.Object(
  {
    name: Type.Optional(Type.String()),
    timezone: Type.Optional(Type.String({ maxLength: 100, description: 'IANA name' })),
    keep: Type.Optional(Type.Enum([...TIMEZONE_KEEPS])),
  },
  { additionalProperties: false },
)

/** What a change of the timezone moves when clock times are kept. */
export const TimezoneMoves = Type.Object(
  {
    postSets: Type.Integer({ description: 'Drafts and scheduled sets that get another moment.' }),
    notes: Type.Integer({ description: 'Notes that get another moment.' }),
    inGap: Type.Integer({ description: 'Of both, those whose time the new zone skips: they move forward by the gap.' }),
    staying: Type.Integer({
      description:
        'Scheduled sets that keep their moment: due within a minute, or their time in the new zone has passed.',
    }),
  },
  { additionalProperties: false },
)
export type TimezoneMoves = Type.Static<typeof TimezoneMoves>

export const TimezoneQuery = Type.Object({ timezone: Type.String() }, { additionalProperties: false })
export type TimezoneQuery = Type.Static<typeof TimezoneQuery>

/** `GET /internal/social-sets/{id}/timezone-change?timezone=…` */
export const TimezoneChange = Type.Object(
  { from: Type.String(), to: Type.String(), moves: TimezoneMoves },
  { additionalProperties: false },
)
export type TimezoneChange = Type.Static<typeof TimezoneChange>

/** `moved` is null where no moments were moved on purpose. */
export const ChangedSocialSet = Type.Object(
  { socialSet: SocialSet, moved: orNull(TimezoneMoves) },
  { additionalProperties: false },
)
export type ChangedSocialSet = Type.Static<typeof ChangedSocialSet>
