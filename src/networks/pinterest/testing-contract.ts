import { readFileSync } from 'node:fs'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  operationId: string
  parameters?: Json[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { content?: Record<string, { schema: Json }> }>
}

interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; parameters: Record<string, Json> }
}

/** Schemas that nothing may be added to: those that are put together of several are left open. */
const CLOSED =
  /^(PinCreate|PinMediaSource\w+|MediaUploadCreate|MediaUploadParameters|Pin|PinMediaWith\w+|ImageDetails|ImageMetadata|Media|MediaUpload|Account|Error|Pinterest\.Lib\.Error)$/

/** The contract in a file, with schemas that are compiled on first use. For tests alone. */
export function openContract(file: string) {
  const contract = JSON.parse(readFileSync(file, 'utf8')) as Contract
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const added = new Set<string>()
  const compiled = new Map<unknown, ValidateFunction>()

  /** Adds every schema that this one leads to, and no other: the contract is large. */
  function addSchemasOf(schema: unknown): void {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const found = contract.components.schemas[name]
      if (!found || added.has(name)) continue
      added.add(name)
      ajv.addSchema(jsonSchema(found, CLOSED.test(name)), `schema:${name}`)
      addSchemasOf(found)
    }
  }

  /** What is wrong with a value, in words; empty when nothing is. */
  function wrongs(schema: Json, value: unknown): string[] {
    addSchemasOf(schema)
    const validate = compiled.get(schema) ?? ajv.compile(jsonSchema(schema, false))
    compiled.set(schema, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath || '/'} ${message} ${JSON.stringify(params)}`.slice(0, 200),
    )
  }

  /** The operation of a request. */
  function operationOf(method: string, path: string): { operation: Operation; names: Record<string, string> } | null {
    for (const [template, operations] of Object.entries(contract.paths)) {
      const operation = operations[method.toLowerCase()]
      const pattern = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
      const match = pattern.exec(path)
      if (operation && match && !(template.includes('{') && contract.paths[path])) {
        return { operation, names: { ...match.groups } }
      }
    }
    return null
  }

  function wrongsOfQuery(operation: Operation, query: URLSearchParams, names: Record<string, string>): string[] {
    const parameters = (operation.parameters ?? []).map((each) =>
      typeof each.$ref === 'string'
        ? (contract.components.parameters[each.$ref.split('/').at(-1) ?? ''] ?? each)
        : each,
    )
    const given = [
      ...[...query].map(([name, value]) => ({ in: 'query', name, value })),
      ...Object.entries(names).map(([name, value]) => ({ in: 'path', name, value })),
    ]
    return given.flatMap(({ name, value, ...where }) => {
      const known = parameters.find((each) => each.in === where.in && each.name === name)
      if (!known) return [`${where.in} ${name} is not known`]
      const schema = known.schema as Json
      return wrongs(schema, schema.type === 'integer' ? Number(value) : value).map((wrong) => `${name}: ${wrong}`)
    })
  }

  /** The schema of an answer, which may be that of all others. */
  function answerSchema(operation: Operation, status: number): Json | null {
    const declared = operation.responses[String(status)] ?? (status >= 400 ? operation.responses.default : undefined)
    return declared?.content?.['application/json']?.schema ?? null
  }

  return {
    wrongs,
    operationOf,
    wrongsOfQuery,
    answerSchema,
    schema: (name: string): Json => ({ $ref: `#/components/schemas/${name}` }),
  }
}

/** OpenAPI 3.0 as JSON schema: what may be null says so in its type, and references lead to the added schemas. */
function jsonSchema(schema: Json, closed: boolean): Json {
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(convert)
    if (typeof value !== 'object' || value === null) return value
    const { nullable, discriminator: _, example: __, ...rest } = value as Json
    const converted = Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, convert(each)]))
    if (typeof converted.$ref === 'string') converted.$ref = `schema:${converted.$ref.split('/').at(-1)}`
    return nullable === true ? { anyOf: [{ type: 'null' }, converted] } : converted
  }
  const converted = convert(schema) as Json
  return closed && converted.properties && !converted.allOf ? { ...converted, additionalProperties: false } : converted
}
