import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import {
  type AnswerOf,
  type AskedBody,
  type AskedQuery,
  askedBody,
  askedQuery,
  type BodyOf,
  type Endpoint,
  type EndpointTable,
  ERRORS,
  type ErrorCode,
  LIMITS,
  type Method,
  type ParamsOf,
  Problem,
  type QueryOf,
  type Right,
  validatorOf,
} from '#contract'
import { type Caller, etagOf, type Guest, type Seen, seenOf } from '#operations'
import type { StoredAnswer } from '#persistence'
import {
  type AnswerOnce,
  answerByKey,
  IDEMPOTENCY_CODES,
  IDEMPOTENCY_KEY,
  REPLAYED_HEADER,
  takesIdempotencyKey,
  type Within,
} from './idempotency.ts'
import { headersOf } from './members.ts'
import { described } from './openapi.ts'
import { pruned } from './prune.ts'
import { type AddressRate, addressOf } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the credential check of everything below /v1/ and /internal/. */
    caller: Caller | null
    /** Set by the check of visits of everything that guests of a shared calendar ask for. */
    guest: Guest | null
    /**
     * Of a route that is paid by bytes: counts the request for its account's rate all the same. Refuses what is over it. The
     * route sets it to null when bytes pay; else the request is counted when it is refused.
     */
    countForAccount: (() => Promise<void>) | null
  }
  interface FastifyContextConfig {
    right?: Right
    /** Below /internal/: for operators; to all others it is not there. */
    operator?: boolean
    /** Below /internal/: answered without a session. */
    open?: boolean
    /** Below /shared/view/: for guests who are on a visit. */
    forGuests?: boolean
    /** Of those, one that answers a picture or a video. */
    isGuestMedia?: boolean
    /** Statuses that the route declares; absent when it answers by itself. */
    statuses?: readonly number[]
    /**
     * How a request is counted for its address, outside of /v1/, /internal/ and the visits of guests. Absent: like a page.
     * What is unlimited is listed, with the reason, in `test/api/route-rates.security.test.ts`.
     */
    addressRate?: AddressRate | 'unlimited'
    /** With a key, the account's rate does not count the request before the route says so. */
    paidByBytes?: boolean
    /** Asked for all the time: in the log for debugging only. */
    quiet?: boolean
  }
}

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
const WITH_BODY: ErrorCode[] = [
  'request:invalid_json',
  'request:invalid_body',
  'request:too_large',
  'request:unsupported_media_type',
]

/** A request to an endpoint, whose operation reads what it says when it is its turn. */
export interface EndpointRequest<Name = string, Row = unknown> {
  params: Readonly<Record<ParamsOf<Name>, string>>
  query: AskedQuery<QueryOf<Row>>
  body: AskedBody<BodyOf<Row>>
  /** Of an endpoint that takes a form too: what it brought, where it is of that class; null for a body in JSON. */
  form<Form>(kind: abstract new (...given: never[]) => Form): Form | null
  /** Which versions the header If-Match names; null without one. */
  seen: Seen
  /** Gives the deps of what writes: an answer that is stored for its Idempotency-Key is written with the change. */
  within: Within
  /** All headers, for what is about the session itself. */
  headers: Headers
  /** Address of the client, as far as proxies are believed. */
  address: string
  /** Sends a cookie with the answer; the value of a header Set-Cookie. */
  setCookie(value: string): void
}

export interface Guard {
  /** True in tests: an answer that its route does not declare is an error of ours. */
  strict: boolean
  log: { error(fields: object, message: string): void }
  answerOnce: AnswerOnce
}

/** What answers an endpoint. It gets who asks unless the endpoint is open. */
type Handler<Name, Row, Who> = Row extends { open: true }
  ? (request: EndpointRequest<Name, Row>) => Answer<Row>
  : (who: Who, request: EndpointRequest<Name, Row>) => Answer<Row>

type Answer<Row> = Row extends { answer: TSchema } ? Promise<AnswerOf<Row>> : Promise<void>

/** One for each endpoint of a table. */
type Handlers<Table, Who> = { [Name in keyof Table]: Handler<Name, Table[Name], Who> }

type By = Pick<FastifyRequest, 'caller' | 'guest'>

/** Through which requests come to the endpoints of a table. */
export interface Door<Who> {
  /** The routes of an endpoint. */
  routes(name: { method: Method; path: string }, endpoint: Endpoint): Omit<RegisteredRoute, 'endpoint' | 'handle'>[]
  /** Who asks; null when no one was let in. */
  who(by: By): Who | null
}

/** Endpoints of the API below /v1/ for keys, and all below /internal/ for members who are signed in. */
const OURS: Door<Caller> = {
  routes: ({ method, path }, endpoint) => [
    ...(endpoint.api ? [ofApi({ method, path, endpoint, api: endpoint.api })] : []),
    { method, url: `/internal${path}`, common: DASHBOARD_COMMON },
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
  return async (by, { query: text, body, ifMatch, ...request }) => {
    const who = endpoint.open ? null : door.who(by)
    if (!endpoint.open && !who) throw new Error('An endpoint that needs someone who asks was reached without.')
    let wasRead = false
    const schema = endpoint.query ?? (by.caller?.member ? endpoint.memberQuery : undefined)
    const asked = askedQuery(schema, text)
    const query: AskedQuery<unknown> = {
      ...asked,
      read(check) {
        wasRead = true
        return asked.read(check)
      },
    }
    const readQueryFirst = () => void (wasRead || query.read())
    const answer = await handler(...(endpoint.open ? [] : [who]), {
      ...request,
      query,
      body: askedBody(endpoint.body ?? Type.Undefined(), body, readQueryFirst),
      seen: seenOf(ifMatch),
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

/** A request as it came, for handlers that read it by themselves. */
export interface RawRequest<Param extends string = string> {
  params: Readonly<Record<Param, string>>
  /** The query string as it came, without the question mark. */
  query: string
  body: unknown
  /** The header If-Match as it came; null without one. */
  ifMatch: string | null
  /** Gives the deps of what writes: an answer that is stored for its Idempotency-Key is written with the change. */
  within: Within
  /** All headers, for what is about the session itself. */
  headers: Headers
  /** Address of the client, as far as proxies are believed. */
  address: string
  /** Sends a cookie with the answer; the value of a header Set-Cookie. */
  setCookie(value: string): void
}

type RawHandler<Name, Row> = Row extends { open: true }
  ? (request: RawRequest<ParamsOf<Name>>) => Answer<Row>
  : (caller: Caller, request: RawRequest<ParamsOf<Name>>) => Answer<Row>

export function serveRaw<Table extends EndpointTable>(
  server: FastifyInstance,
  guard: Guard,
  table: Table,
  handlers: { [Name in keyof Table]: RawHandler<Name, Table[Name]> },
): void {
  for (const [name, endpoint] of Object.entries<Endpoint>(table)) {
    const [method, path] = name.split(' ') as [Method, string]
    const handler = handlers[name as keyof Table] as AnyHandler
    const handle: RegisteredRoute['handle'] = async ({ caller }, request) => {
      const answer = await handler(...(endpoint.open ? [] : [caller]), request)
      if (method === 'GET' && !endpoint.query) askedQuery(undefined, request.query).read()
      return answer
    }
    for (const route of OURS.routes({ method, path }, endpoint)) {
      registerRoute(server, guard, { ...route, endpoint, handle })
    }
  }
}

function ofApi({ method, path, endpoint, api }: ApiRoute): ReturnType<Door<Caller>['routes']>[number] {
  const { right } = endpoint
  const url = `/v1${path}`
  const takesKey = takesIdempotencyKey({ method, ...(right ? { scope: right } : {}) }) && {
    notFound: notFoundOf(url, endpoint),
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

/** A route that may answer what its endpoint declares and nothing else. */
export interface RegisteredRoute {
  method: Method
  url: string
  endpoint: Endpoint
  /** Of a route that takes the header Idempotency-Key: what it answers for things that the API key does not see. */
  takesKey?: { notFound: ErrorCode } | false
  /** What it may answer besides its own codes. */
  common: readonly ErrorCode[]
  /** For guests of a shared calendar, whose bodies are small. */
  forGuests?: true
  /** In OpenAPI; absent: it is not part of the API. */
  described?: {
    summary: string
    description?: string
    tags: string[]
    security: Record<string, string[]>[]
    operationId: string
  }
  handle(by: By, request: RawRequest): Promise<unknown>
}

/** An answer that does not fit its schema is cleaned of what is not declared, and reported in the log. */
export function registerRoute(server: FastifyInstance, guard: Guard, route: RegisteredRoute): void {
  const { method, url, endpoint, common, takesKey, forGuests = false } = route
  const codes = new Set([
    ...common,
    'request:invalid_query' as const,
    // Of a DELETE a body is read too, before it is ignored.
    ...(endpoint.body || method === 'DELETE' ? WITH_BODY : []),
    ...(endpoint.operator ? (['route:not_found'] as const) : []),
    ...endpoint.problems,
  ])
  server.route({
    method,
    url,
    ...(endpoint.open ? { bodyLimit: LIMITS.openBodyBytes } : {}),
    ...(endpoint.bodyBytes ? { bodyLimit: endpoint.bodyBytes } : {}),
    ...(forGuests ? { bodyLimit: LIMITS.sharedCalendars.bodyBytes } : {}),
    config: {
      ...(endpoint.right ? { right: endpoint.right } : {}),
      ...(endpoint.operator ? { operator: true } : {}),
      ...(endpoint.open || forGuests ? { open: true } : {}),
      ...(forGuests ? { forGuests } : {}),
      statuses: [endpoint.status, ...[...codes].map((code) => ERRORS[code].status)],
    },
    schema: route.described ? schemaOf(route, [...codes]) : { hide: true },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const query = (request.query as { text?: string }).text ?? ''
      const run = async (within: Within) => {
        const result = await route.handle(request, {
          params: request.params as Record<string, string>,
          query,
          body: request.body,
          ifMatch: request.headers['if-match'] ?? null,
          within,
          get headers() {
            return headersOf(request)
          },
          address: addressOf(request),
          setCookie: (value) => void reply.header('set-cookie', value),
        })
        return answerOf(guard, route, result)
      }
      if (!takesKey) return send(reply, await run((deps) => deps))
      const { answer, replayed } = await answerByKey(guard.answerOnce, request, takesKey, run)
      if (replayed) reply.header(REPLAYED_HEADER, 'true')
      return send(reply, answer)
    },
  })
}

/** For OpenAPI. */
function schemaOf({ url, endpoint, described: words, takesKey }: RegisteredRoute, codes: readonly ErrorCode[]): object {
  return {
    ...words,
    ...(endpoint.body ? { body: { content: bodiesOf(endpoint.body, endpoint.form) } } : {}),
    ...(endpoint.query ? { querystring: described(endpoint.query) } : {}),
    ...(url.includes(':id') ? { params: Type.Object({ id: Type.String({ description: 'UUID' }) }) } : {}),
    ...(endpoint.takesIfMatch || takesKey ? { headers: headersTaken(endpoint, takesKey) } : {}),
    response: { [endpoint.status]: documented(endpoint), ...problemResponses(codes) },
  }
}

/** What is sent of a result. */
function answerOf(guard: Guard, { url, endpoint }: RegisteredRoute, result: unknown): StoredAnswer {
  const { status, answer, versioned } = endpoint
  if (!answer) return { status, headers: {}, body: null }
  const headers: Record<string, string> = versioned ? { etag: etagOf(result as { version: number }) } : {}
  // Compiled by the first answer, not when the process starts.
  const validator = validatorOf(answer)
  if (validator.Check(result)) return { status, headers, body: JSON.stringify(result) }
  if (guard.strict || isToReport(endpoint)) {
    const problems = validator.Errors(result).slice(0, 3)
    guard.log.error({ route: url, problems }, 'An answer is not what its route declares')
  }
  if (guard.strict) throw new Error('An answer is not what its route declares.')
  return { status, headers, body: JSON.stringify(pruned(answer, result)) }
}

const REPORT_AGAIN_MS = 3_600_000
const reportedAt = new WeakMap<object, number>()

/** Once an hour for each route: what is stored is asked for again and again, and finding out what is wrong with it is costly. */
function isToReport(route: object): boolean {
  const now = performance.now()
  if (now - (reportedAt.get(route) ?? Number.NEGATIVE_INFINITY) < REPORT_AGAIN_MS) return false
  reportedAt.set(route, now)
  return true
}

const VERBS = { GET: 'get', POST: 'create', PUT: 'put', PATCH: 'update', DELETE: 'delete' } as const

/** `listPostSets`, `getPostSet`, `createPostSet`: the name of a call in generated clients. */
function operationIdOf(method: Method, path: string): string {
  const one = method !== 'GET' || path.endsWith('/:id')
  const verb = one ? VERBS[method] : 'list'
  const noun = (path.split('/')[1] ?? '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return `${verb}${one ? noun.replace(/s$/, '') : noun}`
}

function send(reply: FastifyReply, { status, headers, body }: StoredAnswer): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.header('content-type', 'application/json').send(body)
}

function bodiesOf(body: TSchema, form: TSchema | undefined): object {
  return {
    'application/json': { schema: described(body) },
    ...(form ? { 'multipart/form-data': { schema: described(form) } } : {}),
  }
}

function documented({ answer, versioned }: Endpoint): object {
  if (!answer) return { description: 'Done; there is no body.', type: 'null' }
  return {
    description: 'The answer.',
    ...(versioned ? { headers: { ETag: ETAG } } : {}),
    content: { 'application/json': { schema: described(answer) } },
  }
}

const ETAG = { description: 'The version, as If-Match takes it.', type: 'string' }
const IF_MATCH = Type.Optional(
  Type.String({
    description: 'The ETag that was read, or `*`: when the version is another one now, nothing is changed.',
  }),
)

function notFoundOf(url: string, { problems }: Endpoint): ErrorCode {
  const code = problems.find((each) => ERRORS[each].status === 404)
  if (!code) throw new Error(`${url} takes an idempotency key and declares no 404.`)
  return code
}

function headersTaken({ takesIfMatch }: Endpoint, takesKey: RegisteredRoute['takesKey']): TSchema {
  return Type.Object({
    ...(takesIfMatch ? { 'if-match': IF_MATCH } : {}),
    ...(takesKey ? { 'idempotency-key': IDEMPOTENCY_KEY } : {}),
  })
}

/** The answers of a route that are problems, for the description of the API. */
export function problemResponses(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      status,
      {
        description: each.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
        content: { 'application/problem+json': { schema: described(Problem) } },
      },
    ]),
  )
}
