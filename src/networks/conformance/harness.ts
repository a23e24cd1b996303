import type { AccountType, AccountTypeEntry, PostProblemCode } from '#contract'
import type { ErrorTable } from '../kit/errors.ts'
import type { FaultName } from '../kit/faults.ts'
import type { SignedTokens, SigningKeys } from '../kit/signed-tokens.ts'
import type { Attempt, CheckedMedia, Credentials, Defaults, LinkPreview, Network, PostToCheck } from '../network.ts'
import type { SignInFacts } from './describe-sign-in.ts'

/** What the conformance suite must be told of a network to try it against one backend. */
export interface ConformanceHarness {
  network: Network
  /** Of a network that is not among those of this checkout: its folder, and the entry of its one account type. */
  apart?: { folder: string; entry: AccountTypeEntry }
  /** Starts what plays the network: its simulator (`simulatorBackend`) or a real server. */
  start(context: BackendContext): Promise<Backend>
  /** Posts that the network takes. Words for faults are added to the caption of the first one, or they are asked for by `asksFault`. */
  samples: readonly [Sample, ...Sample[]]
  /** Has the next post suffer a fault, where no words of it are sent that could ask for one. */
  asksFault?: (backend: Backend, fault: FaultName) => Promise<void>
  /** A post with a follow-up (a first comment) of the given text. Needed when the connector has a follow-up. */
  followUp?: (text: string) => Sample
  /** A thread whose further parts are calls of their own. Needed when the connector makes such. */
  thread?: Sample
  /** A post of several stories, where each is a call of its own. */
  stories?: Sample
  /** Posts that break rules, with the codes of their problems and warnings. */
  broken?: readonly BrokenPost[]
  errors?: ErrorTable
  /** What pages say of themselves. Default: nothing. */
  preview?: (url: string) => Promise<LinkPreview | null>
  /** Sign-ins on the network's own pages, one for each account type that has its own. */
  signIns?: readonly SignInFacts[]
  optOut?: OptOuts
}

/** What a backend cannot do. Everything that is not named here is demanded of it. */
export interface OptOuts {
  /** Faults that are not played here; 'all' for a real server, which does nothing wrong on demand. */
  faults?: 'all' | readonly FaultName[]
  /** Permalinks lead to the real network. */
  openPermalinks?: true
  /** The backend cannot be stopped and started again on its data. */
  restart?: true
  /** A comment that is not listed may be there all the same. */
  hiddenComments?: true
  /** Posts have neither id nor address: they wait in the inbox of their account. */
  inbox?: true
  /** `find` cannot prove that a post does not exist; an unknown outcome may stay unknown. */
  proofOfAbsence?: true
}

export interface BackendContext {
  /** The clock of the suite: it jumps over what the network asks to wait. */
  now(): Date
  /** Of the installation that a simulator belongs to. Default: those of the suite. */
  keys?: SigningKeys
}

/** A running network with one account on it. */
export interface Backend {
  account: Attempt['account']
  credentials: Credentials
  /** Base addresses by endpoint name, without a slash at the end. */
  endpoints: Readonly<Record<string, string>>
  /** Settings of the manifest that differ from their defaults. */
  settings?: Readonly<Record<string, string>>
  /** What is behind a simulator: what signs its tokens, and where it keeps what it gets. */
  simulator?: { tokens: SignedTokens; folder: string }
  /** What the account has posted so far, without the posts of the given ids. */
  posts(except?: ReadonlySet<string>): Promise<readonly HeldPost[]>
  /** Their ids alone, where those are to be had for less. */
  ids?(): Promise<readonly string[]>
  /** Ends the process of the network and starts it again on the same data and address; `full`: it takes no more posts. */
  restart?(options?: { full?: boolean }): Promise<void>
  stop(): Promise<void>
}

export interface HeldPost {
  /** What `providerId` of the result must be. */
  id: string
  text: string
  /** Number of media items. */
  media: number
  comments?: readonly string[]
  /** Id of the post that it is shown below, as a reply; absent: it stands by itself. */
  replyTo?: string
}

export interface Sample {
  title: string
  accountType: AccountType
  /** The suite adds a number to it, so that no two posts are alike; an empty one stays empty. */
  caption: string
  fields?: Readonly<Record<string, unknown>>
  media?: readonly SampleMedia[]
  /** How many files the post shows, where they are made into fewer. */
  shows?: number
  /** Further parts. */
  thread?: readonly { caption: string; media?: readonly SampleMedia[] }[]
}

export interface SampleMedia
  extends Partial<Pick<CheckedMedia, 'altText' | 'title' | 'description' | 'link' | 'tags'>> {
  /** A file of `test/_fixtures`, or the whole path of one that a test has made. */
  file: string
}

export interface BrokenPost {
  title: string
  post: PostToCheck
  /** Publishing defaults of the connection. Default: those of the sandbox. */
  defaults?: Defaults
  /** Codes of the problems, in any order; warnings are listed with a `?` behind. */
  codes: readonly (PostProblemCode | `${PostProblemCode}?`)[]
}
