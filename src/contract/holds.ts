import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import { HeldStartShown } from './held-start.ts'
import { LATE_CHOICES } from './late-choices.ts'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'

/** What can be held. */
const HOLD_SCOPES = ['ACCOUNT', 'SOCIAL_SET', 'CONNECTION'] as const
export type HoldScope = (typeof HOLD_SCOPES)[number]

/** Why publishing is stopped: `hold` of a social set and of its accounts. */
export const HoldShown = closed({
  since: Type.String(),
  by: Type.String({ description: 'Name of the member, or operator' }),
  reason: Type.String(),
})
export type HoldShown = Type.Static<typeof HoldShown>

/** An open hold: `GET /internal/holds`. */
export const Hold = closed({
  id: Type.String(),
  scope: Type.Enum([...HOLD_SCOPES]),
  socialSetId: orNull(Type.String({ description: 'Null when the whole account is held.' })),
  connectionId: orNull(Type.String()),
  accountType: orNull(Type.Enum([...accountTypes], { description: 'Of the connection.' })),
  name: Type.String({ description: 'Of what is held.' }),
  ...HoldShown.properties,
})
export type Hold = Type.Static<typeof Hold>

/** A clock that has jumped ahead and is not trusted yet: posts still follow the time before the jump. */
export const ClockJump = closed({
  aheadMs: Type.Integer({
    description: 'How far the clock of the database is ahead of the expected time, in milliseconds.',
  }),
})
export type ClockJump = Type.Static<typeof ClockJump>

export const Holds = closed({ data: Type.Array(Hold), start: orNull(HeldStartShown), clock: orNull(ClockJump) })
export type Holds = Type.Static<typeof Holds>

/** Body of `POST /internal/holds` */
export const HoldBody = closed({
  scope: Type.Enum([...HOLD_SCOPES]),
  id: Type.Optional(orNull(Type.String({ maxLength: 64, description: 'Of the social set or connection.' }))),
  reason: Type.String({ maxLength: LIMITS.nameCodePoints }),
})
export type HoldBody = Type.Static<typeof HoldBody>

/** The outcome of placing a hold. */
export const PlacedHold = closed({
  hold: Hold,
  withNetworks: Type.Integer({
    description: 'Posts that a network has already received: they are confirmed or looked up as usual.',
  }),
})
export type PlacedHold = Type.Static<typeof PlacedHold>

/** What a release decides about: `GET /internal/holds/{id}/waiting`. */
export const HoldWaiting = closed({
  postSets: Type.Integer({ description: 'Post sets whose time has passed and that wait for the release.' }),
  mayHaveGoneOut: Type.Integer({
    description: 'How many of them may have been published already, by the Almanac that this one is a copy of.',
  }),
  withNetworks: Type.Integer({
    description: 'Posts that a network has already received: they are confirmed or looked up.',
  }),
})
export type HoldWaiting = Type.Static<typeof HoldWaiting>

/** Body of `POST /internal/holds/{id}/release` */
export const ReleaseBody = closed({
  late: Type.Enum([...LATE_CHOICES]),
  mayHaveGoneOut: Type.Optional(
    Type.Integer({ minimum: 0, description: 'To publish those too: how many there are, as they were counted.' }),
  ),
})
export type ReleaseBody = Type.Static<typeof ReleaseBody>

/** The outcome of a release. What another hold still covers keeps waiting and is not counted. */
export const ReleasedHold = closed({
  publishing: Type.Integer({ description: 'Post sets that are late and go out now.' }),
  parked: Type.Integer({ description: 'Post sets that are drafts now.' }),
  failed: Type.Integer({
    description: 'Posts that ended as FAILED because others of their set were sent: a set is not parked in part.',
  }),
})
export type ReleasedHold = Type.Static<typeof ReleasedHold>
