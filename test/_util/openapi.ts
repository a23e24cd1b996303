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

/**
 * Holds answers against the description that the server gives of itself: a status that an operation does not declare,
 * or a field that its schema does not have, fails the test.
 */
export function answerChecker(document: OpenApi): (answer: AnswerToCheck) => void {
  const validators = new Map<string, Validator>()
  const validator = (key: string, schema: unknown) => {
    const found = validators.get(key) ?? Compile(resolve(document, schema) as object)
    validators.set(key, found)
    return found
  }
  return ({ method, path, status, headers, body }) => {
    if (/^\/v1(?:[/?]|$)/.test(path)) checkRate(`${method} ${path}`, { status, headers })
    const [template] = Object.keys(document.paths).filter((candidate) =>
      new RegExp(`^${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
    )
    const operation = template && document.paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    const problem = { content: { 'application/problem+json': { schema: document.components.schemas.Problem } } }
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
    const found = validator(`${template} ${method} ${operation ? status : 'none'}`, schema)
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
