import type { TSchema } from 'typebox'

interface Schema {
  anyOf?: Schema[]
  type?: string
  const?: unknown
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
}

/**
 * A value without what its schema does not name: for an answer that does not fit, of which nothing may leave that is not
 * meant to. Of a union, the first branch counts that the value may be meant for, by its kind and its constants; where there is
 * none, an object or array becomes null. It looks at each part of the value once, however many things are wrong with it.
 */
export function pruned(schema: TSchema, value: unknown): unknown {
  return prune(schema as Schema, value)
}

function prune(schema: Schema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (schema.anyOf) {
    const branch = schema.anyOf.find((each) => mayBe(each, value))
    return branch ? prune(branch, value) : null
  }
  // A text, a number or one of some was to be here.
  if (schema.const !== undefined || schema.enum || (schema.type && schema.type !== kindOf(value))) return null
  if (Array.isArray(value)) return schema.items ? value.map((item) => prune(schema.items as Schema, item)) : value
  const { properties = {}, patternProperties, additionalProperties } = schema
  const other = Object.values(patternProperties ?? {})[0] ?? additionalProperties
  if (!schema.properties && other === undefined) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : other
      if (known === undefined || known === false) return []
      return [[name, known === true ? part : prune(known, part)]]
    }),
  )
}

function mayBe({ type, properties = {}, anyOf }: Schema, value: object): boolean {
  if (anyOf) return anyOf.some((each) => mayBe(each, value))
  if (type !== kindOf(value)) return false
  return Object.entries(properties).every(
    ([name, each]) => each.const === undefined || each.const === (value as Record<string, unknown>)[name],
  )
}

const kindOf = (value: object) => (Array.isArray(value) ? 'array' : 'object')
