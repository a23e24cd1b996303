import { code, codes, number, table } from './markdown.ts'

/** As much of JSON Schema as the API uses. */
export interface Schema {
  $ref?: string
  type?: string
  enum?: readonly (string | number)[]
  const?: string | number
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  description?: string
  default?: string | number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  examples?: readonly unknown[]
}

/**
 * The fields of an object as a table, those of objects inside of it too: `pagination.page`, `posts[].caption`. What has
 * a name of its own is linked to, not repeated.
 */
export function schemaTable(schema: Schema): string {
  const rows = fieldRows(schema, '')
  return rows.length === 0
    ? `${typeWords(schema)}. ${meaningOf(schema)}`.trim()
    : table(['Field', 'Type', 'Required', 'Meaning'], rows)
}

function fieldRows({ properties = {}, required = [] }: Schema, prefix: string): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => [
    [code(`${prefix}${name}`), typeWords(field), required.includes(name) ? 'yes' : 'no', meaningOf(field)],
    ...innerRows(field, `${prefix}${name}`),
  ])
}

function innerRows(field: Schema, path: string): string[][] {
  if (field.properties) return fieldRows(field, `${path}.`)
  if (field.items) return innerRows(field.items, `${path}[]`)
  return (field.anyOf ?? []).flatMap((branch) => innerRows(branch, path))
}

/** What a value is, in words: `string`, `array of PostMedia`, `integer or null`. Named schemas are links. */
export function typeWords(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOfRef(schema.$ref)
    return `[${name}](#${name.toLowerCase()})`
  }
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return codes(schema.enum)
  if (schema.anyOf) {
    const words = [...new Set(schema.anyOf.map(typeWords))]
    return words.length > 3 ? `one of ${words.join(', ')}` : words.join(' or ')
  }
  if (schema.type === 'array') return `array of ${schema.items ? typeWords(schema.items) : 'any'}`
  return schema.type ?? 'any'
}

export function nameOfRef(ref: string): string {
  return ref.split('/').at(-1) ?? ref
}

/** The description of a value, with the bounds that it has. */
export function meaningOf(schema: Schema): string {
  const bounds = boundsOf(schema)
  const inner = (schema.anyOf ?? []).map(meaningOf)
  const own = [schema.description ?? '', bounds === '' ? '' : `${bounds}.`]
  return [...new Set([...own, ...inner].filter((words) => words !== ''))].join(' ')
}

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const parts = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' elements'),
    schema.default === undefined ? '' : `Default ${schema.default}`,
  ]
  return parts.filter((part) => part !== '').join('. ')
}

function range(min: number | undefined, max: number | undefined, what: string): string {
  if (min !== undefined && max !== undefined) return `${number(min)} to ${number(max)}${what}`
  if (min !== undefined) return `At least ${number(min)}${what}`
  return max === undefined ? '' : `At most ${number(max)}${what}`
}
