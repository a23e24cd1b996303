import Type from 'typebox'
import { accountTypes } from './account-types.ts'
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
    accounts: Type.Array(ConnectedAccount),
  },
  { additionalProperties: false },
)
export type SocialSet = Type.Static<typeof SocialSet>
