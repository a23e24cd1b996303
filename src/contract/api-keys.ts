import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'
import { SCOPES } from './states.ts'

/** What a key is. Only active ones open anything; a revoked one stays so. */
const KEY_STATES = ['ACTIVE', 'DISABLED', 'EXPIRED', 'REVOKED'] as const
export type KeyState = (typeof KEY_STATES)[number]

/** Marks a key that was created for an agent. The scope `post-sets:publish` decides whether the agent publishes. */
export const AgentOfKey = closed({
  asks: Type.Boolean({
    description: 'If it may not publish: it may ask the reviewers to approve and schedule a draft.',
  }),
  dailyPostSets: Type.Integer({
    minimum: 0,
    maximum: LIMITS.agentBudget.postSets,
    description: 'Post sets that it may create per day (UTC).',
  }),
  dailyUploadBytes: Type.Integer({
    minimum: 0,
    maximum: LIMITS.agentBudget.uploadBytes,
    description: 'Bytes of files that it may add to the media library per day (UTC).',
  }),
})
export type AgentOfKey = Type.Static<typeof AgentOfKey>

/** An API key as the dashboard shows it: never its secret, nor the hash of it. */
export const ApiKey = closed({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins.' }),
  scopes: Type.Array(Type.Enum([...SCOPES])),
  socialSetIds: orNull(Type.Array(Type.String(), { description: 'Null: all social sets of the account.' })),
  createdBy: Type.String({ description: 'Name of the person, or `operator`.' }),
  creatorId: orNull(Type.String({ description: 'User id of the person. Null: the operator.' })),
  creatorLeft: Type.Boolean({ description: 'Its creator is no longer a member of the account.' }),
  createdAt: Type.String(),
  lastUsedAt: orNull(Type.String({ description: 'To the minute.' })),
  lastUsedAddress: orNull(Type.String({ description: 'Network address; for IPv6, the /64.' })),
  expiresAt: orNull(Type.String({ description: 'Null: never.' })),
  agent: orNull(AgentOfKey, { description: 'Null: the key was made for a program.' }),
  state: Type.Enum([...KEY_STATES]),
  revokedAt: orNull(Type.String()),
  revokedBy: orNull(
    Type.String({ description: 'Name of the person, or `operator`. Null also for keys revoked before this was kept.' }),
  ),
})
export type ApiKey = Type.Static<typeof ApiKey>

export const ApiKeyList = closed({
  data: Type.Array(ApiKey),
  activeCount: Type.Integer({ description: 'Of the account, including those that the member does not see.' }),
  limit: Type.Integer({ description: 'Active keys that an account may have.' }),
})
export type ApiKeyList = Type.Static<typeof ApiKeyList>

const keyFields = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.nameCodePoints }),
  scopes: Type.Array(Type.Enum([...SCOPES]), { maxItems: SCOPES.length, description: 'Empty: the key only reads.' }),
  socialSetIds: orNull(Type.Array(Type.String(), { minItems: 1, maxItems: 1_000 })),
  expiresAt: orNull(Type.String({ description: 'ISO 8601, in the future. Null: never.' })),
  agent: Type.Optional(orNull(AgentOfKey)),
}
const password = Type.String({ maxLength: LIMITS.password.max, description: "The member's own." })

export const ApiKeyBody = closed({ ...keyFields, password })
export type ApiKeyBody = Type.Static<typeof ApiKeyBody>

/** Omitted fields stay. */
export const ApiKeyUpdateBody = closed({ ...Type.Partial(closed(keyFields)).properties, password })
export type ApiKeyUpdateBody = Type.Static<typeof ApiKeyUpdateBody>

/** Body of actions on a whole key. */
export const ApiKeyConfirmBody = closed({ password })
export type ApiKeyConfirmBody = Type.Static<typeof ApiKeyConfirmBody>

const Used = closed({ used: Type.Integer(), limit: Type.Integer() })

/** The latest tool calls of a key. */
export const ApiKeyCalls = closed({
  data: Type.Array(
    closed({
      at: Type.String(),
      tool: Type.String(),
      problem: orNull(Type.String({ description: 'Code of what the call was refused with. Null: it was done.' })),
    }),
    { description: 'Its last 50 calls of tools, newest first.' },
  ),
  today: orNull(closed({ postSets: Used, uploadBytes: Used, freeAt: Type.String() }), {
    description: 'What of the budget is used. Null: the key has none.',
  }),
})
export type ApiKeyCalls = Type.Static<typeof ApiKeyCalls>

/** A new key; the only answer that contains the key itself. */
export const CreatedApiKey = closed({ id: Type.String(), key: Type.String() })
export type CreatedApiKey = Type.Static<typeof CreatedApiKey>
