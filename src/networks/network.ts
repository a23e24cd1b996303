import type { AccountType, JpegSpec, PostProblemCode } from '#contract'
import type {
  EndedPart,
  FindOutcome,
  PartPrepareOutcome,
  PartRules,
  PrepareOutcome,
  PublishOutcome,
  Reconnect,
  Twin,
} from '#domain'
import type { Credentials, NetworkIdentity } from './identity.ts'
import type { Http } from './kit/http.ts'
import type { Simulator, SimulatorDeps } from './kit/simulation.ts'
import type { Defaults, Manifest } from './manifest.ts'
import type { CheckedMedia, LinkPreview, MediaToSend } from './post-media.ts'

export type {
  Accepted,
  FindOutcome,
  PartPrepareOutcome,
  PauseScope,
  PrepareOutcome,
  Published,
  PublishOutcome,
  Reconnect,
  Refused,
  Retry,
} from '#domain'
export type { Credentials, NetworkIdentity } from './identity.ts'
export type { DefaultField, Defaults, Limit, Manifest, PostForm } from './manifest.ts'
export type { CheckedMedia, LinkPreview, MediaSource, MediaToSend } from './post-media.ts'

/**
 * What a network must be. One folder implements this once; publishing, operations, sandbox and docs know networks by
 * nothing else. What goes wrong on a network is a value of these types; a thrown error is a bug of ours.
 */
export interface Network {
  manifest: Manifest
  /**
   * Rules of the network for a post that is to be scheduled, run again right before it is sent. Pure. `defaults` are
   * the publishing defaults of the connection, empty when there is none, with the options of the post over them; required
   * ones that are missing are reported elsewhere.
   */
  checkPost(post: PostToCheck, defaults: Defaults): Finding[]
  /**
   * How long the caption of a post is, as the network counts; null where it shows none. The rule of its length goes by it. Of a
   * text that is far too long it may be less than the whole.
   */
  countCaption(post: PostToCheck, defaults: Defaults): TextCount | null
  connector: Connector
  connect: Connect
  /** The simulator. Null for a network that has none. */
  simulate: (deps: SimulatorDeps) => Simulator
}

/** A post as its rules see it. `fields` holds the network's own fields by their names in the API. */
export interface PostToCheck {
  accountType: AccountType
  caption: string
  fields: Readonly<Record<string, unknown>>
  media: readonly CheckedMedia[]
  /** Further parts, which are published as replies; absent: none. */
  thread?: readonly { caption: string; media: readonly CheckedMedia[] }[]
  /** The way by which its connection was signed in, where the network has several; null and absent: the first one. */
  signIn?: string | null
}

/** The length of a text, and the most that it may have. */
export interface TextCount {
  actual: number
  limit: number
}

/** One rule that a post breaks. `steps` lead to the place inside the post: `['media', 0]`, `['caption']`. */
export interface Finding {
  code: PostProblemCode
  steps: readonly (string | number)[]
  /** Says network, field, limit, actual and what to do. */
  message: string
  limit?: number
  actual?: number
  /** Shown to people, does not stop scheduling. */
  warning?: boolean
}

/** Values that a network gave, or that we chose for it, kept with the delivery from one step to the next. */
export type Handles = Readonly<Record<string, unknown>>

/** The words of a post by what they are on the network (`text`, `title`), as they go out. */
export type Words = Readonly<Record<string, string>>

/** What other deliveries have that go to the same account. */
export interface Others {
  /** Ids that are known to be theirs. */
  taken: ReadonlySet<string>
  /** Those whose words are the same. */
  twins: readonly Twin[]
}

/** Everything a step of a delivery may use. */
export interface Attempt {
  post: {
    accountType: AccountType
    caption: string
    fields: Readonly<Record<string, unknown>>
    media: readonly MediaToSend[]
    /** Further parts, which are published as replies; absent: none. */
    thread?: readonly { caption: string; media: readonly MediaToSend[] }[]
  }
  /**
   * The account on the network. `externalId` is the network's id of it. `defaults` are its publishing defaults with the
   * options of the post over them.
   */
  account: { externalId: string; username: string | null; defaults: Defaults }
  /** The words to be sent, by `wordsOf`. They stay the same from the first fence on, and from when they are noted down in `words`. */
  words: Words
  /** The words as they were sent: with those of `formerWordsOf`, the last, as long as nothing is noted down. */
  sentWords: readonly Words[]
  /**
   * What other deliveries have. Asked for when a listing was read: so what is in it was called before, and those who called are
   * among them.
   */
  others(): Promise<Others>
  /** Takes an id of the network for this delivery. False when it is the result of another one: then another look tells more. */
  claim(providerId: string): Promise<boolean>
  credentials: Credentials
  /** Base address of an endpoint of the manifest, without a slash at the end. */
  endpoint(name: string): string
  /** A setting of the manifest. */
  setting(name: string): string
  /** All handles stored so far. */
  handles: Handles
  /**
   * Merges into the handles. What is noted down so is committed before the next request leaves or the next pause, else with what
   * the step leads to; so call it before the next request.
   */
  store(handles: Handles): Promise<void>
  http: Http
  /**
   * What a web page says of itself, with its picture as a JPEG in that form. Null when it says nothing, or cannot be read in a
   * few seconds. Never rejects but when `signal` aborts.
   */
  preview(url: string, image: JpegSpec): Promise<LinkPreview | null>
  /** Aborts when the step's time is over or the process stops. Hand it to every request. */
  signal: AbortSignal
  /** What came of the parts before, the post first. Empty for the post. */
  before: readonly EndedPart[]
  /** A person has asked for this part of a thread that had ended before it: it is looked for, and so is what it answers. */
  continues?: true
  /** The database's clock. */
  now(): Date
  /** A short wait within a step, in milliseconds by the same clock; ends early when the signal aborts. */
  pause(ms: number): Promise<void>
  /** When the fence of the visible call was committed first; null before. */
  fencedAt: Date | null
  /** That time was written by a clock that was wrong, and no one knows by how much; absent: it was right. */
  isFenceDoubted?: boolean
}

export interface Connector {
  /**
   * The words of a post as the network gets them. The one place where they are changed on their way: `publish` sends
   * `attempt.words`, and `find` looks for what was stored with the fence. Pure.
   *
   * @param setting of the manifest
   */
  wordsOf(post: PostToCheck, setting: (name: string) => string): Words
  /** What `wordsOf` gave when words were not stored with fences yet (before migration 0041); absent: the same. */
  formerWordsOf?(post: PostToCheck): Words
  /** Uploads, containers: nothing public, safe to repeat, may be called again until `ready`. */
  prepare(attempt: Attempt): Promise<PrepareOutcome>
  /** Makes exactly one visible call. Called only after the fence is committed. */
  publish(attempt: Attempt): Promise<PublishOutcome>
  /** After `accepted`: asks how it went. Sends nothing visible. */
  confirm(attempt: Attempt): Promise<PublishOutcome>
  /** Looks whether the visible call had its effect. Sends nothing visible. */
  find(attempt: Attempt): Promise<FindOutcome>
  /**
   * The address of a post that is live, by its id; null while the network has none. Asks only, and needs no handles. Absent: the
   * address is known with the id.
   */
  permalink?(attempt: Attempt, providerId: string): Promise<string | null>
  /** The picture of a post where the network takes it only once it has done its work, perhaps hours after the result. Absent: there is none. */
  lateCover?: LateCover
  /**
   * What became of a post that the network has put into the account's inbox, by the id of its result. Asks only, and needs no handles.
   * Absent: there is no inbox.
   */
  inbox?(attempt: Attempt, inboxId: string): Promise<InboxOutcome>
  /**
   * What is made visible behind the post once that is live, in order: parts of a thread, a first comment. Each has a fence, attempts
   * and looks of its own. Pure: the same for the same post. Absent: nothing.
   */
  parts?(post: PostToCheck): readonly Part[]
  /** Loads the code that posts alone need and that takes long to load: before one is due, so that the first is on time. Absent: none does. */
  load?(): Promise<unknown>
}

/** A part behind the post. Its steps are those of a post; `attempt.before` has what came of the parts before it. */
export interface Part extends Omit<PartRules, 'prepares' | 'confirms'> {
  /** Uploads, containers: nothing public. Absent: it needs none. */
  prepare?(attempt: Attempt): Promise<PartPrepareOutcome>
  /** Makes exactly one visible call. `attempt.handles.providerId` is the post's id. */
  send(attempt: Attempt): Promise<PublishOutcome>
  /** Absent: what the network accepts is made. */
  confirm?(attempt: Attempt): Promise<PublishOutcome>
  find(attempt: Attempt): Promise<FindOutcome>
}

/** A part that may be missing, which nothing else waits for (`kit/parts.ts`). */
export interface FollowUp {
  /** For people, in a warning: `first comment`. */
  title: string
  wanted(post: PostToCheck): boolean
  /** `attempt.handles.providerId` is the post's id. Makes exactly one visible call. */
  send(attempt: Attempt): Promise<PublishOutcome>
  find(attempt: Attempt): Promise<FindOutcome>
}

/**
 * What is set of a post that is live, by looks behind its result. It has no fence and may be set twice, so twice has to be the same as
 * once.
 */
export interface LateCover {
  /** For people, in a warning: `thumbnail`. */
  title: string
  /** Pure: the same for the same post. */
  wanted(post: PostToCheck): boolean
  /** Looks whether the network takes it by now, and sets it then. Needs no handles. */
  set(attempt: Attempt, providerId: string): Promise<CoverOutcome>
}

/** `later`: another look may set it; its message is for when there is none. `missing`: no look will. */
export type CoverOutcome = { kind: 'set' } | { kind: 'later' | 'missing'; message: string }

/** `ended`: its creator will not finish it, for certain. */
export type InboxOutcome =
  | { kind: 'waiting'; message: string }
  | { kind: 'published'; providerId: string | null; permalink: string | null }
  | { kind: 'ended'; message: string }

export interface ConnectContext {
  endpoint(name: string): string
  setting(name: string): string
  http: Http
  signal: AbortSignal
  now(): Date
}

export type ConnectOutcome = { kind: 'connected'; identity: NetworkIdentity } | { kind: 'failed'; message: string }

export type RefreshOutcome =
  | { kind: 'refreshed'; credentials: Credentials; expiresAt: Date | null }
  /** The credentials are dead for certain. */
  | { kind: 'dead'; message: string }
  /** A passing fault; nothing was learned. */
  | { kind: 'failed'; message: string }

/** `wrong`: id or secret, and the network does not say which. `unclear`: what it said proves neither. */
export type AppCheckOutcome = 'works' | 'wrong-id' | 'wrong-secret' | 'wrong' | 'unclear' | 'unreachable'

/**
 * Asks the network whether it knows the operator's app, by a call that it answers differently for a wrong id or secret. It
 * reaches no account.
 */
export type AppCheck = (context: ConnectContext, ask: { redirectUri: string }) => Promise<AppCheckOutcome>

/** A sign-in on the network's own pages. */
export interface OAuth {
  /** Settings of the manifest that hold the operator's app: without them no one can sign in. */
  requires: readonly string[]
  /** How apps are checked, by what the names of their settings begin with: `''`, `PAGE_`. Absent: only a sign-in shows it. */
  checks?: Readonly<Record<string, AppCheck>>
  /** Whether the network takes a PKCE challenge (S256). */
  pkce: boolean
  /** Address to which the browser goes. Sends nothing itself. */
  authorizeUrl(
    context: ConnectContext,
    ask: {
      accountType: AccountType
      state: string
      redirectUri: string
      codeChallenge: string | null
      /** The last sign-in there came to nothing: what was declined then is asked for again. */
      again?: boolean
    },
  ): string
  /** Turns the code with which the browser came back into accounts that can be connected. */
  complete(
    context: ConnectContext,
    grant: { accountType: AccountType; code: string; redirectUri: string; codeVerifier: string | null },
  ): Promise<SignInOutcome>
}

export type SignInOutcome =
  /** At least one. With several the person chooses. Those that certainly cannot publish are left out. */
  | { kind: 'accounts'; accounts: readonly [NetworkIdentity, ...NetworkIdentity[]] }
  /** `message` says why and what to do, also when there is no account that could publish. */
  | { kind: 'failed'; message: string }

/** Values that publishing defaults can take for one account, by the name of the default. */
export type DefaultOptions = Readonly<Record<string, readonly { value: string; title: string }[]>>

export type OptionsOutcome =
  | { kind: 'options'; options: DefaultOptions }
  | Reconnect
  | { kind: 'failed'; message: string }

/** What an account may do at this moment, as its network says. */
export interface Capabilities {
  /** What the account calls itself. */
  name: string | null
  username: string | null
  /** Of options by their names: the values that the account is offered. */
  offered: Readonly<Record<string, readonly string[]>>
  /** Names of options that the account itself has switched off for all of its posts. */
  switchedOff: readonly string[]
  /** The longest video that it may post; null: the network names none. */
  maxVideoSeconds: number | null
  /** Why it cannot post now; null: it can. What could not be read is empty then. */
  refusal: CapabilityRefusal | null
}

/** `posts`: it has made its posts. `banned`: it may not post. `app`: the operator's app may post for no more people. */
export type CapabilityRefusal = 'posts' | 'banned' | 'app'

type CapabilitiesOutcome =
  | { kind: 'capabilities'; capabilities: Capabilities }
  | Reconnect
  | { kind: 'failed'; message: string }

export interface Connect {
  /**
   * Asks what the account may do at this moment, for the form of a post (`manifest.agreement`), so many times in a minute at most.
   * Absent: the network has no such question.
   */
  capabilities?: {
    perMinute: number
    ask(
      context: ConnectContext,
      identity: { externalId: string; credentials: Credentials; accountType: AccountType },
    ): Promise<CapabilitiesOutcome>
  }
  /**
   * Reads the `facts` of an identity again, after each refresh whose token is stored. Null: nothing was learned, and what was
   * known stays. Absent: the network reports none.
   */
  facts?(context: ConnectContext, identity: { externalId: string; credentials: Credentials }): Promise<Defaults | null>
  /** Sign-in on the network's own pages. Absent for networks that only know passwords. */
  oauth?: OAuth
  /** Further ways to sign in to the same accounts, by name, each with an app of its own. */
  otherSignIns?: Readonly<Record<string, OAuth>>
  /** Reads what the network offers this very account for a default (boards, privacy levels). Absent: the schemas say it all. */
  options?(
    context: ConnectContext,
    identity: { externalId: string; credentials: Credentials; accountType: AccountType },
  ): Promise<OptionsOutcome>
  /**
   * Credentials that were not refreshed for so many milliseconds are refreshed although nothing is sent, so that they do
   * not lapse. Absent: they do not, or a refresh does not help.
   */
  renewEveryMs?: number
  /** Whether these credentials can be refreshed. Absent: all can, when there is a `refresh` at all. */
  canRefresh?(credentials: Credentials): boolean
  /** Connects with what the operator typed (an app password). Absent for networks that only know OAuth. */
  withPassword?(
    context: ConnectContext,
    input: { service: string | null; identifier: string; password: string },
  ): Promise<ConnectOutcome>
  /** Null when the network's tokens cannot be refreshed. */
  refresh:
    | ((context: ConnectContext, identity: { externalId: string; credentials: Credentials }) => Promise<RefreshOutcome>)
    | null
}
