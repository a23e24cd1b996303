import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'
import { SCOPES } from './states.ts'

/** What a key is. Only active ones open anything; a revoked one stays so. */
const KEY_STATES = ['ACTIVE', 'DISABLED', 'EXPIRED', 'REVOKED'] as const
export type KeyState = (typeof KEY_STATES)[number]

/** An API key as the dashboard shows it: never its secret, nor the hash of it. */
export const ApiKey = closed({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins.' }),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  socialSetIds: orNull(Type.Array(Type.String(), { description: 'Null: all social sets of the account.' })),
  createdBy: Type.String({ description: 'Name of the person, or `operator`.' }),
  creatorId: orNull(Type.String({ description: 'User id of the person. Null: the operator.' })),
  creatorLeft: Type.Boolean({ description: 'Who made it is a member of the account no more.' }),
  createdAt: Type.String(),
  lastUsedAt: orNull(Type.String({ description: 'To the minute.' })),
  lastUsedAddress: orNull(Type.String({ description: 'Network address; of IPv6 the /64.' })),
  expiresAt: orNull(Type.String({ description: 'Null: never.' })),
  state: Type.Enum([...KEY_STATES]),
  revokedAt: orNull(Type.String()),
  revokedBy: orNull(
    Type.String({ description: 'Name of the person, or `operator`. Null also for keys revoked before this was kept.' }),
  ),
})
export type ApiKey = Type.Static<typeof ApiKey>

export const ApiKeyList = closed({
  data: Type.Array(ApiKey),
  activeCount: Type.Integer({ description: 'Of the account, those included that the member does not see.' }),
  limit: Type.Integer({ description: 'Active keys that an account may have.' }),
})
export type ApiKeyList = Type.Static<typeof ApiKeyList>

const keyFields = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.nameCodePoints }),
  scopes: Type.Array(Type.Enum([...SCOPES]), { maxItems: SCOPES.length, description: 'Empty: the key only reads.' }),
  socialSetIds: orNull(Type.Array(Type.String(), { minItems: 1, maxItems: 1_000 })),
  expiresAt: orNull(Type.String({ description: 'ISO 8601, in the future. Null: never.' })),
}
const password = Type.String({ maxLength: LIMITS.password.max, description: "The member's own." })

export const ApiKeyBody = closed({ ...keyFields, password })
export type ApiKeyBody = Type.Static<typeof ApiKeyBody>

/** What is left out stays. */
export const ApiKeyUpdateBody = closed({ ...Type.Partial(closed(keyFields)).properties, password })
export type ApiKeyUpdateBody = Type.Static<typeof ApiKeyUpdateBody>

/** Of what is done to a key as a whole. */
export const ApiKeyConfirmBody = closed({ password })
export type ApiKeyConfirmBody = Type.Static<typeof ApiKeyConfirmBody>

/** The key itself is shown this once. */
export const CreatedApiKey = closed({ id: Type.String(), key: Type.String() })
export type CreatedApiKey = Type.Static<typeof CreatedApiKey>
