import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { ERRORS, type ErrorCode, LIMITS, Problem, type Right, readQuery, type Scope, validatorOf } from '#contract'
import type { Caller } from '#operations'
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
import { addressOf } from './rate-limit.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the credential check of everything below /v1/ and /internal/. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    right?: Right
    /** Below /internal/: answered without a session. */
    open?: boolean
    /** Statuses that the route declares; absent when it answers by itself. */
    statuses?: readonly number[]
    /** Asked for all the time: in the log for debugging only. */
    quiet?: boolean
  }
}

/** What every route of the interface may answer besides its own codes. */
const COMMON: ErrorCode[] = [
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

export interface InterfaceRoute<Answer extends TSchema = TSchema> {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With parameters as `:id`. */
  url: string
  summary: string
  description?: string
  /** Name of the call in generated clients, where method and path do not say it. */
  operationId?: string
  tag: string
  /** Scope that writing needs; checked before the body is read. */
  scope?: Scope
  /** For the documentation; the operation checks body and query in its own order. */
  body?: TSchema
  query?: TSchema
  /** 204 has no body: then there is no answer. */
  status: 200 | 201 | 204
  answer?: Answer
  /** The route takes the header If-Match. */
  takesIfMatch?: boolean
  /** The entity tag of an answer. */
  etag?(answer: Type.Static<Answer>): string
  problems: readonly ErrorCode[]
  handle(caller: Caller, request: InterfaceRequest): Promise<unknown>
}

export interface InterfaceRequest {
  params: Readonly<Record<string, string>>
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

/** The parameter `:id` of a route. */
export const idOf = ({ params }: Pick<InterfaceRequest, 'params'>): string => params.id ?? ''

export interface Guard {
  /** True in tests: an answer that its route does not declare is an error of ours. */
  strict: boolean
  log: { error(fields: object, message: string): void }
  answerOnce: AnswerOnce
}

/**
 * Registers a route of the interface: below /v1/ for keys, and below /internal/ for members who are signed in, by the
 * same operation.
 */
export function interfaceRoute<Answer extends TSchema>(
  server: FastifyInstance,
  guard: Guard,
  { scope, ...route }: InterfaceRoute<Answer>,
): void {
  const handle: RegisteredRoute<Answer>['handle'] = async (caller, request) => {
    if (!caller) throw new Error('A route of the interface was reached without a caller.')
    return route.handle(caller, request)
  }
  const right = scope ? { right: scope } : {}
  const takesKey = takesIdempotencyKey({ method: route.method, ...(scope ? { scope } : {}) }) && {
    notFound: notFoundOf(route),
  }
  registerRoute(server, guard, {
    ...route,
    ...right,
    handle,
    takesKey,
    common: [
      ...COMMON,
      ...(scope ? (['auth:insufficient_scope'] as const) : []),
      ...(takesKey ? IDEMPOTENCY_CODES : []),
    ],
    described: {
      summary: route.summary,
      ...(route.description ? { description: route.description } : {}),
      tags: [route.tag],
      security: [{ apiKey: [] }],
      operationId: route.operationId ?? operationIdOf(route),
    },
  })
  const url = route.url.replace(/^\/v1\//, '/internal/')
  registerRoute(server, guard, { ...route, ...right, url, handle, common: DASHBOARD_COMMON })
}

/** A route that may answer what it declares and nothing else. */
interface RegisteredRoute<Answer extends TSchema>
  extends Pick<
    InterfaceRoute<Answer>,
    'url' | 'body' | 'query' | 'status' | 'answer' | 'takesIfMatch' | 'etag' | 'problems'
  > {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  right?: Right
  open?: boolean
  /** Of a route that takes the header Idempotency-Key: what it answers for things that the API key does not see. */
  takesKey?: { notFound: ErrorCode } | false
  /** What it may answer besides its own codes. */
  common: readonly ErrorCode[]
  /** How the description of the interface tells it; absent: it is not part of the interface. */
  described?: {
    summary: string
    description?: string
    tags: string[]
    security: Record<string, string[]>[]
    operationId: string
  }
  handle(caller: Caller | null, request: InterfaceRequest): Promise<unknown>
}

/** An answer that does not fit its schema is cleaned of what is not declared, and told to the log. */
export function registerRoute<Answer extends TSchema>(
  server: FastifyInstance,
  guard: Guard,
  route: RegisteredRoute<Answer>,
): void {
  const codes = new Set([
    ...route.common,
    'request:invalid_query' as const,
    // Of a DELETE a body is read too, before it is ignored.
    ...(route.body || route.method === 'DELETE' ? WITH_BODY : []),
    ...route.problems,
  ])
  server.route({
    method: route.method,
    url: route.url,
    ...(route.open ? { bodyLimit: LIMITS.openBodyBytes } : {}),
    config: {
      ...(route.right ? { right: route.right } : {}),
      ...(route.open ? { open: true } : {}),
      statuses: [route.status, ...[...codes].map((code) => ERRORS[code].status)],
    },
    schema: route.described
      ? {
          ...route.described,
          ...(route.body ? { body: { content: { 'application/json': { schema: described(route.body) } } } } : {}),
          ...(route.query ? { querystring: described(route.query) } : {}),
          ...(route.url.includes(':id') ? { params: Type.Object({ id: Type.String({ description: 'UUID' }) }) } : {}),
          ...(route.takesIfMatch || route.takesKey ? { headers: headersTaken(route) } : {}),
          response: { [route.status]: documented(route), ...problemResponses([...codes]) },
        }
      : { hide: true },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const query = (request.query as { text?: string }).text ?? ''
      const run = async (within: Within) => {
        const result = await route.handle(request.caller, {
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
        // Of what writes, the operation refuses it before it writes.
        if (route.method === 'GET' && !route.query) readQuery(query).finish()
        return answerOf(guard, route, result)
      }
      if (!route.takesKey) return send(reply, await run((deps) => deps))
      const { answer, replayed } = await answerByKey(guard.answerOnce, request, route.takesKey, run)
      if (replayed) reply.header(REPLAYED_HEADER, 'true')
      return send(reply, answer)
    },
  })
}

/** What is sent of a result. */
function answerOf<Answer extends TSchema>(guard: Guard, route: RegisteredRoute<Answer>, result: unknown): StoredAnswer {
  const { status } = route
  if (!route.answer) return { status, headers: {}, body: null }
  const headers: Record<string, string> = route.etag ? { etag: route.etag(result as Type.Static<Answer>) } : {}
  // Compiled by the first answer, not when the process starts.
  const validator = validatorOf(route.answer)
  if (validator.Check(result)) return { status, headers, body: JSON.stringify(result) }
  if (guard.strict || isToReport(route)) {
    const problems = validator.Errors(result).slice(0, 3)
    guard.log.error({ route: route.url, problems }, 'An answer is not what its route declares')
  }
  if (guard.strict) throw new Error('An answer is not what its route declares.')
  return { status, headers, body: JSON.stringify(pruned(route.answer, result)) }
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

const VERBS = { POST: 'create', PATCH: 'update', DELETE: 'delete' } as const

/** `listPostSets`, `getPostSet`, `createPostSet`: the name of a call in generated clients. */
function operationIdOf({ method, url }: { method: keyof typeof VERBS | 'GET'; url: string }): string {
  const one = method !== 'GET' || url.endsWith('/:id')
  const verb = method === 'GET' ? (one ? 'get' : 'list') : VERBS[method]
  const noun = (url.split('/')[2] ?? '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return `${verb}${one ? noun.replace(/s$/, '') : noun}`
}

function send(reply: FastifyReply, { status, headers, body }: StoredAnswer): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.header('content-type', 'application/json').send(body)
}

function documented({ answer, etag }: Pick<InterfaceRoute, 'answer' | 'etag'>): object {
  if (!answer) return { description: 'Done; there is no body.', type: 'null' }
  return {
    description: 'The answer.',
    ...(etag ? { headers: { ETag: ETAG } } : {}),
    content: { 'application/json': { schema: described(answer) } },
  }
}

const ETAG = { description: 'The version, as If-Match takes it.', type: 'string' }
const IF_MATCH = Type.Optional(
  Type.String({
    description: 'The ETag that was read, or `*`: when the version is another one now, nothing is changed.',
  }),
)

function notFoundOf({ url, problems }: Pick<InterfaceRoute, 'url' | 'problems'>): ErrorCode {
  const code = problems.find((each) => ERRORS[each].status === 404)
  if (!code) throw new Error(`${url} takes an idempotency key and declares no 404.`)
  return code
}

function headersTaken({
  takesIfMatch,
  takesKey,
}: Pick<RegisteredRoute<TSchema>, 'takesIfMatch' | 'takesKey'>): TSchema {
  return Type.Object({
    ...(takesIfMatch ? { 'if-match': IF_MATCH } : {}),
    ...(takesKey ? { 'idempotency-key': IDEMPOTENCY_KEY } : {}),
  })
}

function problemResponses(codes: readonly ErrorCode[]): Record<string, object> {
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
