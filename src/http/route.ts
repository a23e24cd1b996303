import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import Value from 'typebox/value'
import { ERRORS, type ErrorCode, Problem, readQuery, type Scope, validatorOf } from '#contract'
import type { Caller } from '#operations'
import { described } from './openapi.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the credential check of everything below /v1/. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    scope?: Scope
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
]
const WITH_BODY: ErrorCode[] = ['request:invalid_json', 'request:too_large', 'request:unsupported_media_type']

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
}

export interface Guard {
  /** True in tests: an answer that its route does not declare is an error of ours. */
  strict: boolean
  log: { error(fields: object, message: string): void }
}

/**
 * Registers a route below /v1/. It may answer what it declares and nothing else: an answer that does not fit its schema
 * is cleaned of what is not declared, and told to the log.
 */
export function interfaceRoute<Answer extends TSchema>(
  server: FastifyInstance,
  guard: Guard,
  route: InterfaceRoute<Answer>,
): void {
  const codes = [
    ...COMMON,
    'request:invalid_query' as const,
    // Of a DELETE a body is read too, before it is ignored.
    ...(route.body || route.method === 'DELETE' ? WITH_BODY : []),
    ...(route.scope ? (['auth:insufficient_scope'] as const) : []),
    ...route.problems,
  ]
  server.route({
    method: route.method,
    url: route.url,
    config: {
      ...(route.scope ? { scope: route.scope } : {}),
      statuses: [route.status, ...codes.map((code) => ERRORS[code].status)],
    },
    schema: {
      summary: route.summary,
      ...(route.description ? { description: route.description } : {}),
      tags: [route.tag],
      security: [{ apiKey: [] }],
      operationId: route.operationId ?? operationIdOf(route),
      ...(route.body ? { body: { content: { 'application/json': { schema: described(route.body) } } } } : {}),
      ...(route.query ? { querystring: described(route.query) } : {}),
      ...(route.url.includes(':id') ? { params: Type.Object({ id: Type.String({ description: 'UUID' }) }) } : {}),
      ...(route.takesIfMatch ? { headers: IF_MATCH } : {}),
      response: { [route.status]: documented(route), ...problemResponses(codes) },
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const { caller } = request
      if (!caller) throw new Error('A route of the interface was reached without a caller.')
      const query = (request.query as { text?: string }).text ?? ''
      const answer = await route.handle(caller, {
        params: request.params as Record<string, string>,
        query,
        body: request.body,
        ifMatch: request.headers['if-match'] ?? null,
      })
      // Of what writes, the operation refuses it before it writes.
      if (route.method === 'GET' && !route.query) readQuery(query).finish()
      if (!route.answer) return reply.code(route.status).send()
      if (route.etag) reply.header('etag', route.etag(answer as Type.Static<Answer>))
      // Compiled by the first answer, not when the process starts.
      const validator = validatorOf(route.answer)
      if (validator.Check(answer)) return send(reply, route.status, answer)
      guard.log.error(
        { route: route.url, problems: validator.Errors(answer).slice(0, 3) },
        'An answer is not what its route declares',
      )
      if (guard.strict) throw new Error('An answer is not what its route declares.')
      return send(reply, route.status, Value.Clean(route.answer, answer))
    },
  })
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

function send(reply: FastifyReply, status: number, answer: unknown): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').send(JSON.stringify(answer))
}

function documented({ answer, etag }: InterfaceRoute): object {
  if (!answer) return { description: 'Done; there is no body.', type: 'null' }
  return {
    description: 'The answer.',
    ...(etag ? { headers: { ETag: ETAG } } : {}),
    content: { 'application/json': { schema: described(answer) } },
  }
}

const ETAG = { description: 'The version, as If-Match takes it.', type: 'string' }
const IF_MATCH = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description: 'The ETag that was read, or `*`: when the version is another one now, nothing is changed.',
    }),
  ),
})

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
