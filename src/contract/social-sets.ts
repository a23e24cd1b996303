import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { HoldShown } from './holds.ts'
import { LABEL_COLORS } from './labels.ts'
import { FITS } from './picture-fit.ts'
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
  color: Type.String({ description: 'Extension. `#rrggbb`, to tell brands apart.' }),
  fit: Type.Enum([...FITS], { description: 'Extension. `fit` of new posts.' }),
  timezone: Type.String({ description: 'IANA name' }),
  createdAt: Type.String(),
  hold: orNull(HoldShown),
  accounts: Type.Array(ConnectedAccount),
})
export type SocialSet = Type.Static<typeof SocialSet>

/** White text is readable on each. A new brand gets the color that its account uses least, the first of those. */
export const BRAND_COLORS = [
  '#0b866d',
  '#9457db',
  '#cb4f0b',
  '#0d819f',
  '#d72c8f',
  '#2a8823',
  '#6267ea',
  '#a16c04',
  '#1974e3',
  '#727d0e',
  '#e42a23',
] as const satisfies readonly (typeof LABEL_COLORS)[number][]

const color = Type.Optional(Type.Enum([...LABEL_COLORS]))

export const SocialSetBody = closed({
  name: Type.String(),
  color,
  timezone: Type.String({ maxLength: 100, description: 'IANA name' }),
})
export type SocialSetBody = Type.Static<typeof SocialSetBody>

/** What a change of the timezone keeps: the times that clocks show, or the moments. */
const TIMEZONE_KEEPS = ['clock', 'instants'] as const

/** `keep` applies if the time zone changes. */
export const SocialSetUpdateBody = closed({
  name: Type.Optional(Type.String()),
  color,
  fit: Type.Optional(Type.Enum([...FITS])),
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

/** `moved` is null unless moments were moved on purpose. */
export const ChangedSocialSet = closed({ socialSet: SocialSet, moved: orNull(TimezoneMoves) })
export type ChangedSocialSet = Type.Static<typeof ChangedSocialSet>
