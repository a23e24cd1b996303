import Type from 'typebox'
import { accountTypes, PICKERS } from './account-types.ts'
import { HoldShown } from './holds.ts'
import * as LIMITS from './limits.ts'
import { closed, Id, orNull } from './schema.ts'
import { Why } from './why.ts'

const AccountTypeName = Type.Enum([...accountTypes])

/** How a connection stands, the most urgent first. */
const CONNECTION_STATES = ['RECONNECT_REQUIRED', 'DEFAULTS_MISSING', 'EXPIRES_SOON', 'CONNECTED'] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

/** A connection as the dashboard shows it. Never holds a secret. */
export const Connection = closed({
  id: Type.String(),
  accountType: AccountTypeName,
  name: Type.String(),
  username: orNull(Type.String()),
  profileUrl: orNull(Type.String()),
  sandbox: Type.Boolean({ description: 'A demo account.' }),
  state: Type.Enum([...CONNECTION_STATES]),
  message: Type.String({ description: 'The state in a sentence.' }),
  warning: orNull(Type.String({ description: 'What may keep posts from going out although it is connected.' })),
  signIn: orNull(Type.String({ description: 'The way by which it was signed in, where its network has several.' })),
  connectedAt: Type.String(),
  hold: orNull(HoldShown),
  expiresAt: orNull(Type.String({ description: 'When only a new sign-in will help; null: unknown, or never.' })),
  missingDefaults: Type.Array(closed({ name: Type.String(), title: Type.String() }), {
    description: 'What must be chosen before posts can be scheduled.',
  }),
  scheduledSets: Type.Integer({ description: 'Scheduled post sets that would go out through it.' }),
  lastPublishedAt: orNull(Type.String()),
  hasDefaults: Type.Boolean({ description: 'Whether it has publishing defaults at all.' }),
})
export type Connection = Type.Static<typeof Connection>

const MissingSettings = Type.Array(closed({ name: Type.String(), description: Type.String() }), {
  description: 'For an operator: settings of the app that are missing. For all others none is named.',
})

/** An account type that can be connected, or why it cannot. */
export const ConnectableType = closed({
  accountType: AccountTypeName,
  network: Type.String({ description: 'Name of the network, explained at `GET /docs/networks/{network}`.' }),
  title: Type.String({ description: 'Name of the network for people.' }),
  way: Type.Enum(['SIGN_IN', 'PASSWORD'] as const, {
    description: "SIGN_IN: on the network's own pages. PASSWORD: with one that was made for this.",
  }),
  configured: Type.Boolean({ description: 'In at least one of its ways.' }),
  missingSettings: MissingSettings,
  sandbox: Type.Boolean({ description: 'Whether a demo account can be connected.' }),
  signIns: Type.Array(
    closed({
      name: Type.String(),
      title: Type.String(),
      description: Type.String({ description: 'Whom it is for.' }),
      configured: Type.Boolean(),
      missingSettings: MissingSettings,
    }),
    { description: 'The ways to sign in, of a network that has several, the usual one first; else none.' },
  ),
})
export type ConnectableType = Type.Static<typeof ConnectableType>

/** `GET /internal/connections`: the open connections of a social set, and what can be connected, in the contract's order. */
export const ConnectionOverview = closed({
  connections: Type.Array(Connection),
  accountTypes: Type.Array(ConnectableType),
  operators: Type.Array(Type.String(), {
    description:
      'Names of the members of the account who operate this installation: whom to ask for what is not set up.',
  }),
})
export type ConnectionOverview = Type.Static<typeof ConnectionOverview>

/** `GET /internal/connections/attention`: which accounts must be reconnected, in all social sets that the member sees. */
export const ConnectionsAttention = closed({
  connections: Type.Array(
    closed({
      id: Type.String(),
      socialSetId: Type.String(),
      socialSetName: Type.String(),
      accountType: AccountTypeName,
      name: Type.String(),
      state: Type.Enum(['RECONNECT_REQUIRED', 'EXPIRES_SOON'] as const),
      message: Type.String(),
      expiresAt: orNull(Type.String()),
    }),
  ),
})
export type ConnectionsAttention = Type.Static<typeof ConnectionsAttention>

export const StartSignInBody = closed({
  socialSetId: Id,
  accountType: AccountTypeName,
  sandbox: Type.Boolean({ description: 'Of a demo account.' }),
  signIn: Type.Optional(
    Type.String({ maxLength: 64, description: 'Which way, where the network has several. Absent: the usual one.' }),
  ),
})
export type StartSignInBody = Type.Static<typeof StartSignInBody>

/** The browser is sent to `address`; `id` identifies the sign-in when its outcome is read. */
export const StartedSignIn = closed({ id: Type.String(), address: Type.String() })
export type StartedSignIn = Type.Static<typeof StartedSignIn>

/** If `signIn` is null, a demo account was renewed at once. */
export const StartedRenewal = closed({ signIn: orNull(StartedSignIn) })
export type StartedRenewal = Type.Static<typeof StartedRenewal>

const CONNECTION_SIGN_IN_STATUSES = ['STARTED', 'WORKING', 'CHOOSING', 'CONNECTED', 'FAILED'] as const

/** A sign-in on a network's pages, for the member who began it. */
export const ConnectionSignIn = closed({
  id: Type.String(),
  socialSetId: Type.String(),
  accountType: AccountTypeName,
  sandbox: Type.Boolean(),
  status: Type.Enum([...CONNECTION_SIGN_IN_STATUSES]),
  message: orNull(Type.String({ description: 'Why it failed, or why there is something to decide.' })),
  why: orNull(Why, { description: 'The same by an id; null where the words are those of a network.' }),
  accounts: Type.Array(closed({ externalId: Type.String(), name: Type.String(), username: orNull(Type.String()) }), {
    description: 'While CHOOSING: what the sign-in gave.',
  }),
  replaces: orNull(closed({ id: Type.String(), name: Type.String(), scheduledSets: Type.Integer() })),
  connectionId: orNull(Type.String({ description: 'When CONNECTED.' })),
})
export type ConnectionSignIn = Type.Static<typeof ConnectionSignIn>

export const ChooseAccountBody = closed({
  externalId: Type.String({ maxLength: 1_000 }),
  password: Type.Optional(
    Type.String({
      maxLength: LIMITS.password.max,
      description: "The member's own. With it the account that is connected now is disconnected first.",
    }),
  ),
})
export type ChooseAccountBody = Type.Static<typeof ChooseAccountBody>

export const ConnectPasswordBody = closed({
  socialSetId: Id,
  accountType: AccountTypeName,
  identifier: Type.String({ maxLength: 320 }),
  password: Type.String({ maxLength: 1_000 }),
  service: Type.Optional(
    orNull(Type.String({ maxLength: 2_000, description: "Address of the account's server; null: the network's own." })),
  ),
})
export type ConnectPasswordBody = Type.Static<typeof ConnectPasswordBody>

/** The connected account. */
export const ConnectedAnswer = closed({
  id: Type.String(),
  accountType: AccountTypeName,
  name: Type.String(),
  username: orNull(Type.String()),
  renewed: Type.Boolean({ description: 'The same account was connected before.' }),
  warning: orNull(Type.String({ description: 'What may keep posts from going out although it is connected.' })),
  missingDefaults: Type.Array(Type.String()),
})
export type ConnectedAnswer = Type.Static<typeof ConnectedAnswer>

export const ConnectSandboxBody = closed({
  socialSetId: Id,
  accountTypes: Type.Optional(
    Type.Array(AccountTypeName, { minItems: 1, maxItems: accountTypes.length, description: 'Absent: all.' }),
  ),
})
export type ConnectSandboxBody = Type.Static<typeof ConnectSandboxBody>
export const ConnectedSandbox = closed({ connected: Type.Array(AccountTypeName) })
export type ConnectedSandbox = Type.Static<typeof ConnectedSandbox>

/** The publishing defaults of a connection, as a form. */
export const ConnectionDefaults = closed({
  fields: Type.Array(
    closed({
      name: Type.String(),
      title: Type.String(),
      description: Type.String(),
      required: Type.Boolean(),
      schema: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schema of the value.' }),
      picker: orNull(Type.Enum([...PICKERS])),
      value: orNull(Type.Union([Type.String(), Type.Boolean()])),
      options: orNull(
        Type.Array(closed({ value: Type.String(), title: Type.String() }), {
          description:
            'What the network offers this account, or the named values of the schema; null: the schema says all.',
        }),
      ),
    }),
  ),
})
export type ConnectionDefaults = Type.Static<typeof ConnectionDefaults>

/** What a network offers one account, as lists to choose from for a post. */
export const ConnectionChoices = closed({
  lists: Type.Array(
    closed({
      name: Type.String({ description: 'Of the publishing default that it is for, too.' }),
      picker: orNull(Type.Enum([...PICKERS])),
      value: orNull(Type.Union([Type.String(), Type.Boolean()], { description: 'The default; null: there is none.' })),
      options: Type.Array(closed({ value: Type.String(), title: Type.String() })),
    }),
  ),
})
export type ConnectionChoices = Type.Static<typeof ConnectionChoices>

/** What the account of a connection may do right now, according to its network. */
export const ConnectionCapabilities = closed({
  name: orNull(Type.String({ description: 'What the account calls itself.' })),
  username: orNull(Type.String()),
  offered: Type.Array(closed({ option: Type.String(), values: Type.Array(Type.String()) }), {
    description: 'Options of a post, each with the values that the network offers this account.',
  }),
  switchedOff: Type.Array(Type.String(), {
    description: 'Options that the account has switched off for all of its posts.',
  }),
  maxVideoSeconds: orNull(Type.Number({ description: 'The longest video that it may post.' })),
  refusal: orNull(Why, { description: 'Why it cannot post now; null: it can.' }),
  spared: Type.Boolean({
    description: 'By its publishing defaults nothing of the agreement is decided, unless a post says otherwise.',
  }),
})
export type ConnectionCapabilities = Type.Static<typeof ConnectionCapabilities>

export const ChooseDefaultsBody = closed({
  defaults: Type.Record(
    Type.String({ maxLength: 64 }),
    orNull(Type.Union([Type.String({ maxLength: 1_000 }), Type.Boolean()])),
    {
      description: 'Those that change; null takes one away.',
    },
  ),
})
export type ChooseDefaultsBody = Type.Static<typeof ChooseDefaultsBody>
export const ChosenDefaults = closed({ missingDefaults: Type.Array(Type.String()) })
export type ChosenDefaults = Type.Static<typeof ChosenDefaults>

export const ConnectionClosing = closed({ scheduledSets: Type.Integer() })
export type ConnectionClosing = Type.Static<typeof ConnectionClosing>

export const DisconnectBody = closed({
  password: Type.String({ maxLength: LIMITS.password.max, description: "The member's own." }),
  scheduledSets: Type.Enum(['LEAVE', 'PARK'] as const, {
    description: 'What happens to scheduled post sets that would go out through it: they fail, or become drafts.',
  }),
})
export type DisconnectBody = Type.Static<typeof DisconnectBody>
export const Disconnected = closed({ parkedSets: Type.Integer() })
export type Disconnected = Type.Static<typeof Disconnected>
