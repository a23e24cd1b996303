import Type, { type TSchema } from 'typebox'
import { type Endpoint, ERRORS, type ErrorCode, type Method, Problem } from '#contract'
import type { KeyedRequest } from '#operations'
import { IDEMPOTENCY_KEY } from './idempotency.ts'
import { described } from './openapi.ts'

/** A route as OpenAPI describes it. */
export interface DescribedRoute {
  url: string
  endpoint: Endpoint
  /** Of a route that takes the header Idempotency-Key: what it answers for things that the API key does not see. */
  takesKey?: Pick<KeyedRequest, 'notFound' | 'answersSecret'> | false
  /** In OpenAPI; absent: it is not part of the API. */
  described?: {
    summary: string
    description?: string
    tags: string[]
    security: Record<string, string[]>[]
    operationId: string
  }
}

/** For OpenAPI. */
export function schemaOf(
  { url, endpoint, described: words, takesKey }: DescribedRoute,
  codes: readonly ErrorCode[],
): object {
  return {
    ...words,
    ...(endpoint.body ? { body: { content: bodiesOf(endpoint.body, endpoint.form) } } : {}),
    ...(endpoint.query ? { querystring: described(endpoint.query) } : {}),
    ...(url.includes(':id') ? { params: Type.Object({ id: Type.String({ description: 'UUID' }) }) } : {}),
    ...(endpoint.takesIfMatch || takesKey ? { headers: headersTaken(endpoint, takesKey) } : {}),
    response: { [endpoint.status]: documented(endpoint), ...problemResponses(codes) },
  }
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

function headersTaken({ takesIfMatch }: Endpoint, takesKey: DescribedRoute['takesKey']): TSchema {
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

const VERBS = { GET: 'get', POST: 'create', PUT: 'put', PATCH: 'update', DELETE: 'delete' } as const

/** `listPostSets`, `getPostSet`, `createPostSet`: the name of a call in generated clients. */
export function operationIdOf(method: Method, path: string): string {
  const one = method !== 'GET' || path.endsWith('/:id')
  const verb = one ? VERBS[method] : 'list'
  const noun = (path.split('/')[1] ?? '')
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return `${verb}${one ? noun.replace(/s$/, '') : noun}`
}
