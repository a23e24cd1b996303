import Type from 'typebox'
import { accountTypes } from './account-types.ts'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'

/**
 * Where id and secret of an app come from. ENVIRONMENT wins over what is stored; UNREADABLE: something is stored that none
 * of the secret keys opens.
 */
const NETWORK_APP_SOURCES = ['ENVIRONMENT', 'STORED', 'UNREADABLE', 'NONE'] as const

/** An app of the operator on a network. Never holds a secret. */
export const NetworkApp = closed({
  id: Type.String({ description: 'Name of the network; of a further app with a dot and its own part.' }),
  network: Type.String({ description: 'Name of the network, explained at `GET /docs/networks/{network}`.' }),
  accountTypes: Type.Array(Type.Enum([...accountTypes]), { description: 'Of the network.' }),
  title: Type.String({ description: 'Name for people.' }),
  needed: Type.Boolean({ description: 'False: accounts can be connected without it.' }),
  callbackUrl: Type.String({ description: 'Where the network sends the browser back; the app has to list it.' }),
  idVariable: Type.String({ description: 'Environment variable of the id.' }),
  idDescription: Type.String(),
  secretVariable: Type.String({ description: 'Environment variable of the secret.' }),
  secretDescription: Type.String(),
  secretNeeded: Type.Boolean(),
  source: Type.Enum([...NETWORK_APP_SOURCES]),
  appId: orNull(Type.String()),
  secretSet: Type.Boolean(),
  missingVariables: Type.Array(Type.String(), {
    description: 'For an app that the environment sets only in part: what is missing.',
  }),
  setAt: orNull(Type.String({ description: 'Of what is stored.' })),
  setBy: orNull(Type.String({ description: 'Name of the operator who stored it.' })),
  checkable: Type.Boolean({ description: 'Whether the network reports a wrong id or secret without a sign-in.' }),
})
export type NetworkApp = Type.Static<typeof NetworkApp>

/** `GET /internal/network-apps`: by network, in alphabetical order. */
export const NetworkApps = closed({
  apps: Type.Array(NetworkApp),
  publicUrl: Type.String(),
  secure: Type.Boolean({
    description: 'Whether the public address is https: most networks send people back to no other.',
  }),
})
export type NetworkApps = Type.Static<typeof NetworkApps>

/** Longest id or secret; the vendors' have up to 80 characters. */
const NETWORK_APP_VALUE_MAX = 500

const password = Type.String({ maxLength: LIMITS.password.max, description: "The member's own." })

/** Both replace what is stored. `secret` null: the app has none. */
export const SetNetworkAppBody = closed({
  appId: Type.String({ minLength: 1, maxLength: NETWORK_APP_VALUE_MAX }),
  secret: orNull(Type.String({ minLength: 1, maxLength: NETWORK_APP_VALUE_MAX })),
  password,
})
export type SetNetworkAppBody = Type.Static<typeof SetNetworkAppBody>
export const RemoveNetworkAppBody = closed({ password })
export type RemoveNetworkAppBody = Type.Static<typeof RemoveNetworkAppBody>

/**
 * What a network says to id and secret. WRONG: to one of them, and not to which. UNCLEAR: it said something that proves
 * neither. UNREACHABLE: nothing, in time.
 */
const NETWORK_APP_RESULTS = ['WORKS', 'WRONG_ID', 'WRONG_SECRET', 'WRONG', 'UNCLEAR', 'UNREACHABLE'] as const
export type NetworkAppResult = (typeof NETWORK_APP_RESULTS)[number]

export const NetworkAppCheck = closed({ result: Type.Enum([...NETWORK_APP_RESULTS]) })
export type NetworkAppCheck = Type.Static<typeof NetworkAppCheck>
