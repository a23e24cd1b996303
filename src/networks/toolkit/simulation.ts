import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccountType } from '#contract'
import type { NetworkIdentity } from '../network.ts'

/** A post that a pretend network holds. `GET /sandbox/{folder}/posts` lists these. */
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
  getBlob(blobId: string): Promise<Buffer | undefined>
  /** The ledger: what is published. Appended once per post, never changed but by `amendPost`. */
  posts(): readonly LedgerPost[]
  addPost(post: LedgerPost): void
  amendPost(id: string, change: Partial<LedgerPost>): void
}

export interface SimulatorDeps {
  store: SimulatorStore
  /** Base address of this simulator, without a slash at the end: `http://127.0.0.1:4010/sandbox/bluesky`. */
  url: string
  now(): Date
  /** Fetches a file as the network's servers would: no private-address guard, bounded in size and time. */
  fetchFile(url: string): Promise<{ status: number; bytes: Buffer; mimeType: string | null }>
}

export interface Simulator {
  /**
   * Answers one request. `path` is below the simulator's address and begins with an endpoint's name:
   * `/graph/v25.0/me`. A fault may destroy `request.socket`.
   */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** The pretend account behind a sandbox connection: same connection id, same identity and credentials. */
  identityFor(connection: { id: string; accountType: AccountType; name: string }): NetworkIdentity
}
