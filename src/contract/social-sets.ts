import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { HoldShown } from './holds.ts'
import { closed, orNull } from './schema.ts'
import { CONNECTION_STATUSES } from './states.ts'

/** A connected network account, as an element of a social set's `accounts`. Never holds a token. */
export const ConnectedAccount = closed({
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
})
export type ConnectedAccount = Type.Static<typeof ConnectedAccount>

export const SocialSet = closed({
  id: Type.String(),
  name: Type.String(),
  timezone: Type.String({ description: 'IANA name' }),
  createdAt: Type.String(),
  hold: orNull(HoldShown),
  accounts: Type.Array(ConnectedAccount),
})
export type SocialSet = Type.Static<typeof SocialSet>

export const SocialSetBody = closed({
  name: Type.String(),
  timezone: Type.String({ maxLength: 100, description: 'IANA name' }),
})
export type SocialSetBody = Type.Static<typeof SocialSetBody>

/** What a change of the timezone keeps: the times that clocks show, or the moments. */
const TIMEZONE_KEEPS = ['clock', 'instants'] as const

/** `keep` belongs to a timezone that is another one. */
export const SocialSetUpdateBody = closed({
  name: Type.Optional(Type.String()),
  timezone: Type.Optional(Type.String({ maxLength: 100, description: 'IANA name' })),
  keep: Type.Optional(Type.Enum([...TIMEZONE_KEEPS])),
})
export type SocialSetUpdateBody = Type.Static<typeof SocialSetUpdateBody>

/** What a change of the timezone moves when clock times are kept. */
export const TimezoneMoves = closed({
  postSets: Type.Integer({ description: 'Drafts and scheduled sets that get another moment.' }),
  notes: Type.Integer({ description: 'Notes that get another moment.' }),
  inGap: Type.Integer({ description: 'Of both, those whose time the new zone skips: they move forward by the gap.' }),
  staying: Type.Integer({
    description:
      'Scheduled sets that keep their moment: due within a minute, or their time in the new zone has passed.',
  }),
})
export type TimezoneMoves = Type.Static<typeof TimezoneMoves>

export const TimezoneQuery = closed({ timezone: Type.String() })
export type TimezoneQuery = Type.Static<typeof TimezoneQuery>

/** `GET /internal/social-sets/{id}/timezone-change?timezone=…` */
export const TimezoneChange = closed({ from: Type.String(), to: Type.String(), moves: TimezoneMoves })
export type TimezoneChange = Type.Static<typeof TimezoneChange>

/** `moved` is null where no moments were moved on purpose. */
export const ChangedSocialSet = closed({ socialSet: SocialSet, moved: orNull(TimezoneMoves) })
export type ChangedSocialSet = Type.Static<typeof ChangedSocialSet>
