import type { TSchema } from 'typebox'
import type { AccountType, Agreement, FieldGroup, MediaType, Picker, PictureShape } from '#contract'

export interface Manifest {
  /** Folder name and value in rows: `bluesky`. */
  name: string
  /** Name for people: `Bluesky`. */
  title: string
  accountTypes: readonly AccountType[]
  /** What a post of each account type may hold, for people who write one and for programs that ask before. */
  forms: Readonly<Partial<Record<AccountType, readonly PostForm[]>>>
  /** What the network demands and the API has no field for, chosen when an account is connected. */
  defaults: readonly DefaultField[]
  /** What people decide and agree to for each post, where the network says how that looks. Then it has `connect.capabilities`. */
  agreement?: Agreement
  /** Numbers that rules use, each with where and when it was read. */
  limits: Readonly<Record<string, Limit>>
  /** Base addresses by name. A setting `ALMANAC_<NETWORK>_<SETTING>` replaces the default; the sandbox replaces all. */
  endpoints: Readonly<Record<string, { default: string; setting: string }>>
  /** Other settings of the operator: app id, API version … */
  settings: Readonly<Record<string, Setting>>
  /** The ways to sign in, of a network that has several: `connect.oauth`, then those of `connect.otherSignIns`. */
  signIns?: readonly SignInWords[]
  /** Largest time in milliseconds until a post that was made appears where `find` looks. 0: at once. */
  listingDelayMs: number
  /** It fetches files of posts from our address, which the internet must reach; the others are sent them. */
  fetchesMedia?: true
  /** True when the network itself refuses or folds a second identical visible call (client-chosen id). */
  idempotentPublish: boolean
  /** `find` may answer `repeatable`: when a call began is written down with its fence. */
  repeats?: true
}

interface Setting {
  description: string
  default?: string
  /**
   * What holds for accounts of the sandbox, also when the operator has set another value: `sandbox-app`. Else the default. Of a secret one
   * it only says that there is one: the value is made of the installation's keys (`sandboxSecret`).
   */
  sandbox?: string
  /** Never shown. One that is named `…CLIENT_SECRET` belongs to an app of the operator, with the id of the same beginning. */
  secret?: boolean
  /** The value is some of these, separated by commas. */
  listOf?: readonly string[]
  /** Of the id of a further app: what people call that app. */
  app?: string
  /** Of a version that the network ends: the day of its end by version, `{ 'v25.0': '2028-07-29' }`. */
  ends?: Readonly<Record<string, string>>
}

/** A way to sign in, for people. */
interface SignInWords {
  /** Value in rows and of commands: `instagram`. */
  name: string
  /** On a button of choice: `With Instagram`. */
  title: string
  /** Whom it is for, and what it cannot do. */
  description: string
}

/** One kind of post. Numbers that the rules know must come from `limits`. */
export interface PostForm {
  /** Value of the field `type` that makes it; null for account types that have no such field. */
  type: string | null
  /** Longest caption and how the network counts. Null: it shows no caption. */
  caption: { max: number; unit: string } | null
  media: {
    /** Fewest items; 0 when a text alone will do. */
    min: number
    /** Most items of either kind, and of both together. */
    max: number
    images: number
    videos: number
    /** PDFs, each alone. */
    documents: number
    /** Whether images and videos go together. */
    mixed: boolean
  }
  /** The shapes of pictures that it takes; absent: every one, or none is there. */
  shape?: PictureShape
  /** Fields of the API that do something in it; absent: all of the account type. Another one is refused or not sent. */
  fields?: readonly string[]
  /** Of these, texts that may not be empty. */
  demands?: readonly string[]
}

/** A publishing default of a connection. */
export interface DefaultField {
  /** How a person chooses it, where the schema does not say. */
  picker?: Picker
  /** What it stands with in a form. Default: `post`. */
  group?: FieldGroup
  /** Name under which connectors find the value: `privacy`. */
  name: string
  /** Account types that have it; absent: all of the network. */
  accountTypes?: readonly AccountType[]
  /** For people: `Who can see it`. */
  title: string
  description: string
  /** Of one value: a string, boolean or an enum of strings; of an option alone also a list of these. */
  schema: TSchema
  /** What people call the values of an enum; of a list also what it means that there is none (`ANY`) and that it is empty (`NONE`). */
  titles?: Readonly<Record<string, string>>
  /**
   * False: not an option of a post: it is a fact of the account, or the post has a field of its own for it. `only`: an option of
   * posts, which no connection has.
   */
  option?: false | 'only'
  /** Nothing can be scheduled before it is chosen. Networks ask people to choose, so there is no fallback. */
  required: boolean
  /** With this value of another one it is not. */
  unless?: { name: string; value: string }
  /** What sandbox connections have. */
  sandbox?: string | boolean
  /**
   * People choose it for each post, and nothing is chosen beforehand: the default of a connection counts for programs alone.
   * A switch is off then.
   */
  perPost?: true
  /** It does something only in posts with such media; absent: in all. */
  media?: MediaType
}

/** Values of publishing defaults by their names. */
export type Defaults = Readonly<Record<string, unknown>>

export interface Limit {
  value: number
  unit: string
  /** Page of the vendor's documentation. */
  source: string
  /** Day it was read, `2026-11-01`. */
  read: string
  /** Set when the source is unsure or sources conflict: why. */
  unsure?: string
}
