import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS, type ErrorCode, LIMITS, type Method, type Right, validatorOf } from '#contract'
import { HOUR_MS } from '#contract/durations'
import { type Caller, etagOf, type Guest, type KeyedRequest } from '#operations'
import type { StoredAnswer } from '#persistence'
import { type DescribedRoute, schemaOf } from './described-route.ts'
import { type AnswerOnce, answerByKey, keyedRequest, REPLAYED_HEADER, type Within } from './idempotency.ts'
import { headersOf } from './members.ts'
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
    /** The most keys and elements of its body in all; absent: as everywhere. */
    bodyElements?: number
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

export interface Guard {
  /** True in tests: an answer that its route does not declare is an error of ours. */
  strict: boolean
  log: { error(fields: object, message: string): void }
  answerOnce: AnswerOnce
}

/** Who was let in. */
export type By = Pick<FastifyRequest, 'caller' | 'guest'>

/** A request as it came, for handlers that read it by themselves. */
interface RawRequest<Param extends string = string> {
  params: Readonly<Record<Param, string>>
  /** The query string as it came, without the question mark. */
  query: string
  body: unknown
  /** The header If-Match as it came; null without one. */
  ifMatch: string | null
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

const WITH_BODY: ErrorCode[] = [
  'request:invalid_json',
  'request:invalid_body',
  'request:too_large',
  'request:unsupported_media_type',
]

/** A route that may answer what its endpoint declares and nothing else. */
export interface RegisteredRoute extends DescribedRoute {
  method: Method
  /** What it may answer besides its own codes. */
  common: readonly ErrorCode[]
  /** For guests of a shared calendar, whose bodies are small. */
  forGuests?: true
  handle(by: By, request: RawRequest): Promise<unknown>
}

/** An answer that does not fit its schema is cleaned of what is not declared, and reported in the log. */
export function registerRoute(server: FastifyInstance, guard: Guard, route: RegisteredRoute): void {
  const { method, url, endpoint, common, takesKey, forGuests = false } = route
  const codes = new Set([
    ...common,
    'request:invalid_query' as const,
    // Where none is taken a body is read too, before it is ignored.
    ...(method === 'GET' ? [] : WITH_BODY),
    ...(endpoint.operator ? (['route:not_found'] as const) : []),
    ...endpoint.problems,
  ])
  server.route({
    method,
    url,
    ...(endpoint.open ? { bodyLimit: LIMITS.openBodyBytes } : {}),
    ...(endpoint.bodyBytes ? { bodyLimit: endpoint.bodyBytes } : {}),
    ...(forGuests ? { bodyLimit: LIMITS.guestVisits.bodyBytes } : {}),
    config: {
      ...(endpoint.right ? { right: endpoint.right } : {}),
      ...(endpoint.bodyElements ? { bodyElements: endpoint.bodyElements } : {}),
      ...(endpoint.operator ? { operator: true } : {}),
      ...(endpoint.open || forGuests ? { open: true } : {}),
      ...(forGuests ? { forGuests } : {}),
      statuses: [endpoint.status, ...[...codes].map((code) => ERRORS[code].status)],
    },
    schema: route.described ? schemaOf(route, [...codes]) : { hide: true },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const query = (request.query as { text?: string }).text ?? ''
      const run = async (within: Within, keyed: KeyedRequest | null = null) => {
        const result = await route.handle(request, {
          params: request.params as Record<string, string>,
          query,
          body: request.body,
          ifMatch: request.headers['if-match'] ?? null,
          within,
          keyed,
          get headers() {
            return headersOf(request)
          },
          address: addressOf(request),
          get gone() {
            return goneSignal(reply)
          },
          setCookie: (value) => void reply.header('set-cookie', value),
        })
        return answerOf(guard, route, result)
      }
      if (!takesKey) return send(reply, await run((deps) => deps))
      const { body } = request
      if (endpoint.keepsEntries?.(body)) return send(reply, await run((deps) => deps, keyedRequest(request, takesKey)))
      const { answer, replayed } = await answerByKey(guard.answerOnce, request, takesKey, run)
      if (replayed) reply.header(REPLAYED_HEADER, 'true')
      return send(reply, answer)
    },
  })
}

/** Aborts when the client of a request has gone, or was answered. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  if (raw.destroyed) gone.abort()
  return gone.signal
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

const REPORT_AGAIN_MS = HOUR_MS
const reportedAt = new WeakMap<object, number>()

/** Once an hour for each route: what is stored is asked for again and again, and finding out what is wrong with it is costly. */
function isToReport(route: object): boolean {
  const now = performance.now()
  if (now - (reportedAt.get(route) ?? Number.NEGATIVE_INFINITY) < REPORT_AGAIN_MS) return false
  reportedAt.set(route, now)
  return true
}

function send(reply: FastifyReply, { status, headers, body }: StoredAnswer): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.header('content-type', 'application/json').send(body)
}
