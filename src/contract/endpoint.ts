import type { Static, TSchema } from 'typebox'
import type { Confirmation } from './confirmation.ts'
import type { ErrorCode } from './errors.ts'
import type { Right } from './rights.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The nouns by which the dashboard caches what it has read: the first part of its cache keys. */
export type Noun =
  | 'api-keys'
  | 'approvals'
  | 'calendar'
  | 'calendar-feeds'
  | 'comments'
  | 'connections'
  | 'hashtag-groups'
  | 'holds'
  | 'imported-calendars'
  | 'kept-drafts'
  | 'labels'
  | 'media-library'
  | 'members'
  | 'network-apps'
  | 'news'
  | 'news-choices'
  | 'notes'
  | 'plan'
  | 'post-sets'
  | 'presence'
  | 'profile'
  | 'results'
  | 'session'
  | 'sessions'
  | 'shared-calendars'
  | 'social-sets'
  | 'two-factor'
  | 'unseen-failures'
  | 'uploads'
  | 'webhooks'

/** Method, and path below `/v1` and `/internal` with parameters as `:id`: `PATCH /post-sets/:id`. */
type EndpointName = `${Method} /${string}`

/**
 * The request and answer of an endpoint. The server registers it, OpenAPI describes it, the dashboard calls it by
 * name with these types, and the access tests derive from it who may call it.
 */
export interface Endpoint {
  /** Of the API: served below `/v1` for keys as well, and described. Absent: served below `/internal` alone. */
  api?: {
    tag: string
    summary: string
    description?: string
    /** Name of the call in generated clients, where method and path do not give it. */
    operationId?: string
  }
  /** Needs no session. Of the dashboard alone. */
  open?: true
  /** For operators of the installation; for everybody else there is nothing at its path. Of the dashboard alone. */
  operator?: true
  /** Checked before the body is read, and again by the operation. Of the API it is a scope. */
  right?: Right
  /** Parameters of the query string; the operation reads them. */
  query?: TSchema
  /** Parameters that it takes from members besides; for keys they are unknown. */
  memberQuery?: TSchema
  /** The operation checks it, in the order of its rules. */
  body?: TSchema
  /** Members confirm it with their password, which their body has besides; keys do not. */
  confirmed?: true
  /** Its answer has a secret, which is sealed where it is kept for an Idempotency-Key. */
  answersSecret?: true
  /** The most that its body may have; default `LIMITS.bodyBytes`. */
  bodyBytes?: number
  /** The most keys and elements that its body may have in all; default `LIMITS.bodyElements`. */
  bodyElements?: number
  /** Whether a request keeps an answer under its Idempotency-Key for each entry of its body, and not one for itself. */
  keepsEntries?: (body: unknown) => boolean
  /** The same as multipart/form-data, for an endpoint that takes it too. */
  form?: TSchema
  /** Content types of a body that is taken as it comes, in place of JSON. */
  bytes?: readonly string[]
  /**
   * What the dashboard has read that is another when it has worked, and is read again at once. What follows elsewhere comes with live
   * events. Each that writes below `/internal` says it; nothing, for one that only asks.
   */
  touches?: readonly Noun[]
  /** When it works. 204 has no body: then there is no answer. */
  status: 200 | 201 | 204
  answer?: TSchema
  /** Takes the header If-Match. */
  takesIfMatch?: true
  /** The answer has a `version`, which its ETag holds. */
  versioned?: true
  /** Codes of errors that it may answer with besides those that all may. */
  problems: readonly ErrorCode[]
}

export type EndpointTable = Readonly<Record<EndpointName, Endpoint>>

/** Names of the path parameters of an endpoint. */
export type ParamsOf<Name> = Name extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Param}/${infer More}`
    ? Param | ParamsOf<`/${More}`>
    : Rest
  : never

type Typed<Row, Field extends keyof Endpoint> = Row extends { [F in Field]: infer Schema extends TSchema }
  ? Static<Schema>
  : undefined

/** The body that members send to an endpoint; undefined if it takes none. */
export type BodyOf<Row> = Row extends { confirmed: true }
  ? (Typed<Row, 'body'> extends undefined ? unknown : Typed<Row, 'body'>) & Confirmation
  : Typed<Row, 'body'>

/** The answer of an endpoint; undefined if it has no body. */
export type AnswerOf<Row> = Typed<Row, 'answer'>

/** All query parameters that members may send to an endpoint; undefined if there are none. */
export type QueryOf<Row> = Row extends { query: infer Schema extends TSchema }
  ? Static<Schema>
  : Typed<Row, 'memberQuery'>
