import type { OpenApi } from '../api/openapi.ts'

/** As much of JSON schema as the description of the API uses. */
export interface Schema {
  $ref?: string
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  type?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

export interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Schema
}

/** One method of one path, as the server describes it. */
export interface Operation {
  name: string
  method: string
  /** With parameters as `{id}`. */
  path: string
  /** What its ids are of: `post-sets` of `/v1/post-sets/{id}`. */
  resource: string
  query: Parameter[]
  /** The operation takes the header If-Match. */
  takesIfMatch: boolean
  /** The operation takes the header Idempotency-Key. */
  takesKey: boolean
  /** Null: it takes none, or bytes. */
  body: Schema | null
}

interface Described {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every operation of the description, its schemas without references. */
export function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { parameters = [], requestBody } = described as Described
      const query = parameters.filter((parameter) => parameter.in === 'query')
      const body = requestBody?.content['application/json']?.schema
      const name = `${method.toUpperCase()} ${path}`
      const takes = (header: string) => parameters.some((parameter) => parameter.name.toLowerCase() === header)
      return {
        name,
        method: method.toUpperCase(),
        path,
        resource: path.split('/')[2] ?? '',
        query: query.map((each) => ({ ...each, required: each.required ?? false })),
        takesIfMatch: takes('if-match'),
        takesKey: takes('idempotency-key'),
        body: body ? withoutReferences(document, body) : null,
      }
    }),
  )
}

function withoutReferences<T>(document: OpenApi, value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => withoutReferences(document, part)) as T
  const { $ref } = value as Schema
  if (typeof $ref === 'string') {
    const found = document.components.schemas[$ref.replace('#/components/schemas/', '')]
    if (!found) throw new Error(`${$ref} leads nowhere.`)
    return withoutReferences(document, found) as T
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutReferences(document, part)])) as T
}
