import type { FastifyInstance } from 'fastify'
import Type, { type TSchema } from 'typebox'
import {
  type AnswerOf,
  type AskedBody,
  type AskedQuery,
  askedBody,
  askedQuery,
  type BodyOf,
  confirmedBody,
  type Endpoint,
  type EndpointTable,
  ERRORS,
  type ErrorCode,
  type Method,
  type ParamsOf,
  type QueryOf,
} from '#contract'
import { type Caller, type KeyedRequest, type Seen, seenOf } from '#operations'
import { operationIdOf } from './described-route.ts'
import { Form } from './form.ts'
import { IDEMPOTENCY_CODES, takesIdempotencyKey, type Within } from './idempotency.ts'
import { type By, type Guard, type RegisteredRoute, registerRoute } from './register-route.ts'

export type { Guard }

/** What every route of the API may answer besides its own codes. */
export const COMMON: ErrorCode[] = [
  'rate-limit:exceeded',
  'auth:missing_credential',
  'auth:invalid_credential',
  'plan:api_access_not_available',
  'request:not_acceptable',
  'internal:error',
  'service:unavailable',
]
/** What every route of the dashboard may answer besides its own codes. */
export const DASHBOARD_COMMON: ErrorCode[] = [
  'rate-limit:exceeded',
  'auth:not_signed_in',
  'auth:cross_site_request',
  'auth:acting_as_another',
  'auth:insufficient_role',
  'request:refused',
  'request:not_acceptable',
  'internal:error',
  'service:unavailable',
]
/** Of those that members confirm with their password. */
const CONFIRMED: ErrorCode[] = ['request:invalid_body', 'auth:password_confirmation_failed', 'auth:too_many_attempts']
/** A request to an endpoint, whose operation reads what it says when it is its turn. */
interface EndpointRequest<Name = string, Row = unknown> {
  params: Readonly<Record<ParamsOf<Name>, string>>
  query: AskedQuery<QueryOf<Row>>
  body: AskedBody<BodyOf<Row>>
  /** Of an endpoint that takes a form or bytes: what it brought, where it is of that class; else null, as for a body in JSON. */
  form<Form>(kind: abstract new (...given: never[]) => Form): Form | null
  /** Which versions the header If-Match names; null without one. */
  seen: Seen
  /** Gives the deps of what writes: an answer that is stored for its Idempotency-Key is written with the change. */
  within: Within
  /** With an Idempotency-Key whose answers are kept for each entry of the body; else null. */
  keyed: KeyedRequest | null
  /** All headers, for what is about the session itself. */
  headers: Headers
  /** Address of the client, as far as proxies are believed. */
  address: string
  /** Aborts when the client has gone, or was answered. */
  gone: AbortSignal
  /** Sends a cookie with the answer; the value of a header Set-Cookie. */
  setCookie(value: string): void
}

/** What answers an endpoint. It gets who asks unless the endpoint is open. */
type Handler<Name, Row, Who> = Row extends { open: true }
  ? (request: EndpointRequest<Name, Row>) => Answer<Row>
  : (who: Who, request: EndpointRequest<Name, Row>) => Answer<Row>

type Answer<Row> = Row extends { answer: TSchema } ? Promise<AnswerOf<Row>> : Promise<void>

/** One for each endpoint of a table. */
type Handlers<Table, Who> = { [Name in keyof Table]: Handler<Name, Table[Name], Who> }

type DoorRoute = Omit<RegisteredRoute, 'endpoint' | 'handle'>

/** Through which requests come to the endpoints of a table. */
export interface Door<Who> {
  /** The routes of an endpoint. */
  routes(name: { method: Method; path: string }, endpoint: Endpoint): DoorRoute[]
  /** Who asks; null when no one was let in. */
  who(by: By): Who | null
}

/** Endpoints of the API below /v1/ for keys, and all below /internal/ for members who are signed in. */
const OURS: Door<Caller> = {
  routes: ({ method, path }, endpoint) => [
    ...(endpoint.api ? [ofApi({ method, path, endpoint, api: endpoint.api })] : []),
    {
      method,
      url: `/internal${path}`,
      common: endpoint.confirmed ? [...DASHBOARD_COMMON, ...CONFIRMED] : DASHBOARD_COMMON,
    },
  ],
  who: ({ caller }) => caller,
}

/** Registers the endpoints of a table, each by its handler. */
export function serve<Table extends EndpointTable>(
  server: FastifyInstance,
  guard: Guard,
  table: Table,
  handlers: Handlers<Table, Caller>,
): void {
  serveAt(OURS, server, guard, table, handlers)
}

/** The same through another door. */
export function serveAt<Who, Table extends EndpointTable>(
  door: Door<Who>,
  server: FastifyInstance,
  guard: Guard,
  table: Table,
  handlers: Handlers<Table, Who>,
): void {
  for (const [name, endpoint] of Object.entries<Endpoint>(table)) {
    const [method, path] = name.split(' ') as [Method, string]
    const handler = handlers[name as keyof Table] as AnyHandler
    const handle = handlerOf(door, guard, { name, endpoint }, handler)
    for (const route of door.routes({ method, path }, endpoint)) {
      registerRoute(server, guard, { ...route, endpoint, handle })
    }
  }
}

const NO_BODY = Type.Undefined()

type AnyHandler = (...args: unknown[]) => Promise<unknown>

/**
 * The handler of an endpoint, with a request that is read in its turn. What the operation of an endpoint that writes does not
 * ask for could not be refused any more: that is an error of ours.
 */
function handlerOf<Who>(
  door: Door<Who>,
  guard: Guard,
  { name, endpoint }: { name: string; endpoint: Endpoint },
  handler: AnyHandler,
): RegisteredRoute['handle'] {
  return async (by, raw) => {
    const { query: text, body, params, within, keyed, address, setCookie } = raw
    const who = endpoint.open ? null : door.who(by)
    if (!endpoint.open && !who) throw new Error('An endpoint that needs someone who asks was reached without.')
    let wasRead = false
    const member = by.caller?.member ?? null
    const schema = endpoint.query ?? (member ? endpoint.memberQuery : undefined)
    const bodySchema = endpoint.confirmed && member ? confirmedBody(endpoint) : (endpoint.body ?? NO_BODY)
    const asked = askedQuery(schema, text)
    const query: AskedQuery<unknown> = {
      ...asked,
      read(check) {
        const read = asked.read(check)
        wasRead = true
        return read
      },
    }
    const readQueryFirst = () => void (wasRead || query.read())
    const answer = await handler(...(endpoint.open ? [] : [who]), {
      params,
      within,
      keyed,
      address,
      setCookie,
      // Made when they are asked for.
      get headers() {
        return raw.headers
      },
      get gone() {
        return raw.gone
      },
      query,
      body: askedBody(bodySchema, body instanceof Form ? body.fields : body, readQueryFirst),
      seen: seenOf(raw.ifMatch),
      form: (kind: abstract new (...given: never[]) => unknown) => (body instanceof kind ? body : null),
    })
    if (name.startsWith('GET ')) readQueryFirst()
    if (!wasRead) {
      guard.log.error({ route: name }, 'An operation has not read its request')
      if (guard.strict) throw new Error(`The operation of ${name} has not read its request.`)
    }
    return answer
  }
}

function ofApi({ method, path, endpoint, api }: ApiRoute): DoorRoute {
  const { right } = endpoint
  const url = `/v1${path}`
  const takesKey = takesIdempotencyKey({ method, ...(right ? { scope: right } : {}) }) && {
    notFound: notFoundOf(url, endpoint),
    answersSecret: endpoint.answersSecret ?? false,
  }
  const { tag, operationId = operationIdOf(method, path), ...words } = api
  return {
    method,
    url,
    takesKey,
    common: [
      ...COMMON,
      ...(right ? (['auth:insufficient_scope'] as const) : []),
      ...(takesKey ? IDEMPOTENCY_CODES : []),
    ],
    described: { ...words, tags: [tag], security: [{ apiKey: [] }], operationId },
  }
}

interface ApiRoute extends Pick<RegisteredRoute, 'method' | 'endpoint'> {
  path: string
  api: NonNullable<Endpoint['api']>
}

function notFoundOf(url: string, { problems }: Endpoint): ErrorCode {
  const code = problems.find((each) => ERRORS[each].status === 404)
  if (!code) throw new Error(`${url} takes an idempotency key and declares no 404.`)
  return code
}
