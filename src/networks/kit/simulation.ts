import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountType } from '#contract'
import type { NetworkIdentity } from '../identity.ts'
import type { SignedTokens } from './signed-tokens.ts'

/** A post that a simulator holds. `GET /sandbox/{folder}/posts` lists these. */
export interface LedgerPost {
  id: string
  /** The connection that it was published through. */
  accountId: string
  text: string
  /** Opens a page of the sandbox. */
  permalink: string
  createdAt: string
  /** What else the page shows: media (by blob id), comments, fields as sent. */
  media?: readonly { blobId: string; mimeType: string; alt?: string }[]
  comments?: readonly { id: string; text: string }[]
  details?: Readonly<Record<string, unknown>>
}

/**
 * What a simulator remembers. Every write is appended to a file before it returns, so it outlives the process; reads
 * come from memory. One per network folder.
 */
export interface SimulatorStore {
  get<T>(collection: string, id: string): T | undefined
  list<T>(collection: string): T[]
  put(collection: string, id: string, value: unknown): void
  remove(collection: string, id: string): void
  putBlob(bytes: Uint8Array): Promise<string>
  /** The whole file; undefined for one that is not there, or no longer: the oldest give way to new ones. */
  getBlob(blobId: string): Promise<Buffer | undefined>
  /** The same for files that may be large: they are read in parts. */
  openBlob(blobId: string): Promise<OpenBlob | undefined>
  /** The ledger: what is published. Appended once per post, never changed but by `amendPost`. */
  posts(): readonly LedgerPost[]
  addPost(post: LedgerPost): void
  amendPost(id: string, change: Partial<LedgerPost>): void
  /**
   * What `write` writes is all kept or nothing of it, however the process ends and with anything full: a post and its entry in
   * the ledger. Reads show it afterwards.
   */
  together(write: () => void): void
}

/** A file that is read in parts. */
export interface OpenBlob {
  bytes: number
  /** `start` inclusive, `end` exclusive. */
  read(start: number, end: number): Promise<Buffer>
}

/** A file that was fetched, and is kept with the other files of the simulator. */
export interface FetchedFile {
  blobId: string
  bytes: number
}

export interface SimulatorDeps {
  store: SimulatorStore
  /** What this simulator gives to clients and takes back from them. */
  tokens: SignedTokens
  /** Base address of this simulator, without a slash at the end: `http://127.0.0.1:4010/sandbox/bluesky`. */
  url: string
  /** The one address to which a sign-in leads back: the callback of this installation for this network. */
  callback: string
  now(): Date
  /**
   * Fetches a file as the network's servers would: from the public internet, and from this installation's own media.
   * Null for a file that cannot be had, or is empty.
   */
  fetchFile(url: string, options: { maxBytes: number }): Promise<FetchedFile | 'too large' | null>
}

export interface Simulator {
  /**
   * Answers one request. `path` is below the simulator's address and begins with an endpoint's name:
   * `/graph/v25.0/me`. A fault may destroy `request.socket`.
   */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** The demo account behind a sandbox connection: same connection id, same identity and credentials. */
  identityFor(connection: { id: string; accountType: AccountType; name: string }): NetworkIdentity
}
