import type { Endpoints, ErrorCode, Right } from '#contract'
import type { Body } from '../api/api.ts'
import type { Person } from '../api/members.ts'
import type { Fixture } from './fixture.ts'

/** A status, with the code of the problem where it is one. */
export type Outcome = number | readonly [status: number, code: ErrorCode]

/** The parts of a request that its row provides. */
export interface Given {
  /** By the names in the route's address. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: object
  /** Sent as it is, instead of a body of JSON. */
  raw?: string | Uint8Array
  headers?: Readonly<Record<string, string>>
  /** Replaces the session's cookie, when preparing the request has renewed it. */
  cookie?: string
}

export interface GivenBy {
  /** Whose resources the request names: the caller's, or an owner's when the caller will be refused. */
  person: Person
  /** Of the caller. */
  password: string
  /** The route is one for keys. */
  forKeys: boolean
  /** The key of a caller whose request succeeds; null: it is no key, or will be refused. */
  key: string | null
}

/**
 * The outcome for callers who cannot see the resource that a request names: 404 with this code, another problem, or a
 * check of the answer's body. `own`: the request names no resource, so it succeeds in the caller's own account.
 */
export type Outside = ErrorCode | 'own' | readonly [status: number, code: ErrorCode] | ((answer: Body) => void)

/**
 * How a route is called, and what its declared right and status do not say about the outcomes. A route may have several
 * rows, for different requests.
 */
export interface Row {
  /** Distinguishes several rows of a route. */
  name?: string
  /** Prepares a request that succeeds; called again after each success, because a request may change what it names. */
  given?(fixture: Fixture, by: GivenBy): Promise<Given> | Given
  /** The outcome for callers who have the rights. Default: the status that the route declares. */
  done?: Outcome
  /** For callers of another account. */
  outside: Outside
  /** For callers of the account who see other social sets only. Default: as outside. */
  restricted?: Outside
  /** Needed besides what the route declares. A route that changes something without a right says `[]`. */
  rights?: readonly Right[]
  /** It changes or ends its caller's session: each caller gets a session of their own. */
  endsSession?: boolean
  /** The answer is a stream of events. */
  endless?: boolean
}

/** By the endpoint's name in the contract, and the stream of events. */
/** Routes that answer in their own way: the stream of events, and uploads in pieces. */
export const OWN_ROUTES = [
  'GET /live',
  'POST /media-upload/files',
  'OPTIONS /media-upload/files',
  'PATCH /media-upload/files/:id',
  'DELETE /media-upload/files/:id',
] as const

export type Table = Readonly<Partial<Record<keyof Endpoints | (typeof OWN_ROUTES)[number], Row | readonly Row[]>>>
