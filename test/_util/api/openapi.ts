import { Compile, type Validator } from 'typebox/schema'
import { expect } from 'vitest'
import { checkRate } from './rate.ts'

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}

export interface OpenApi {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

export interface AnswerToCheck {
  method: string
  path: string
  status: number
  headers: Headers
  body: unknown
}

/** What a server says of its API, and what holds answers against it. */
export interface Described {
  openApi: OpenApi
  check(answer: AnswerToCheck): void
}

let described: Described | undefined

/**
 * The description that our servers give of themselves, asked of the first one of this process: the routes of all are the same.
 * Making it takes longer than all else that a server does at its start, and compiling its schemas longer than most tests.
 */
export async function describedBy(url: string): Promise<Described> {
  if (!described) {
    const openApi = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi
    described = { openApi, check: answerChecker(openApi) }
  }
  return described
}

/**
 * Holds answers against the description that the server gives of itself: a status that an operation does not declare,
 * or a field that its schema does not have, fails the test.
 */
export function answerChecker(document: OpenApi): Described['check'] {
  const paths = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  const validators = new Map<string, Validator>()
  const validator = (key: string, schema: unknown) => {
    const found = validators.get(key) ?? Compile(resolve(document, schema) as object)
    validators.set(key, found)
    return found
  }
  return ({ method, path, status, headers, body }) => {
    if (/^\/v1(?:[/?]|$)/.test(path)) checkRate(`${method} ${path}`, { status, headers })
    const asked = path.split('?')[0] ?? ''
    const template = paths.find(({ pattern }) => pattern.test(asked))?.template
    const operation = template && document.paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    const ofMembers = asked.startsWith('/internal/')
    const { Problem } = document.components.schemas
    const problem = { content: { 'application/problem+json': { schema: Problem } } }
    // What is not there, and what is not allowed, belongs to no operation.
    const declared = operation ? operation.responses[status] : problem
    expect(
      declared,
      `${method} ${path} answered ${status}, which is not declared: ${JSON.stringify(body)}`,
    ).toBeDefined()
    if (method === 'HEAD' || status === 204) return
    if (declared && !declared.content) {
      expect(body, `${method} ${path} has no body`).toBe('')
      return
    }
    const [type = '', { schema } = { schema: undefined }] = Object.entries(declared?.content ?? {})[0] ?? []
    expect(headers.get('content-type')?.split(';')[0], `${method} ${path}`).toBe(type)
    const found = validator(`${template} ${method} ${operation ? status : `none ${ofMembers}`}`, schema)
    if (found.Check(body)) return
    const [, errors] = found.Errors(body)
    expect(errors, `${method} ${path} answered ${JSON.stringify(body)}`).toEqual([])
  }
}

/** A schema without references. Ours are not recursive. */
function resolve(document: OpenApi, schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map((part) => resolve(document, part))
  const { $ref } = schema as { $ref?: string }
  if ($ref !== undefined) {
    const name = $ref.replace('#/components/schemas/', '')
    expect(document.components.schemas, `${$ref} leads nowhere`).toHaveProperty([name])
    return resolve(document, document.components.schemas[name])
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolve(document, value)]))
}
