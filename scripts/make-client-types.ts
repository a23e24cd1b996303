// Writes the types of the client for TypeScript from the contract: `node scripts/make-client-types.ts`. A test compares what is there.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as contract from '#contract'

/** What is read of a JSON Schema of the contract. */
interface Schema {
  type?: string
  description?: string
  const?: unknown
  enum?: readonly string[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  patternProperties?: Record<string, Schema>
}

const FILE = join(import.meta.dirname, '../clients/typescript/src/types.ts')
const { accountTypes, postInputs, postOutputs } = contract

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && ('properties' in value || 'anyOf' in value)
const keyOf = (schema: Schema) => JSON.stringify(schema)

/** `LinkedinPagePost` of `LINKEDIN_PAGE`. */
const postName = (accountType: string) =>
  `${accountType
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}Post`

/** Names of schemas, by what they say: an optional one is a copy. */
const NAMES = new Map<string, string>([
  ...Object.entries(contract).flatMap(([name, value]): [string, string][] =>
    isSchema(value) ? [[keyOf(value), name]] : [],
  ),
  ...accountTypes.flatMap((accountType, index): [string, string][] => [
    [keyOf(postInputs[accountType] as Schema), `${postName(accountType)}Input`],
    [keyOf(postOutputs[index] as Schema), postName(accountType)],
  ]),
  [keyOf(itemsOf(contract.PostSet as Schema, 'posts')), 'Post'],
  [keyOf(itemsOf(contract.PostSetCreate as Schema, 'posts')), 'PostInput'],
])

function itemsOf(schema: Schema, name: string): Schema {
  const items = schema.properties?.[name]?.items
  if (!items) throw new Error(`${name} is no list.`)
  return items
}

/** Rows of the API: what programs call. */
const ROWS = Object.entries(contract.ENDPOINTS as contract.EndpointTable).flatMap(([name, row]) =>
  row.api ? [{ name, row }] : [],
)

/** Values that clients send are all that there are; of others later versions may have more. */
const SENT = new Set(ROWS.flatMap(({ row }) => (row.body ? enumsIn(row.body as Schema) : [])))
/** What is sent in one place and is answered in another that clients do not send. */
const ALWAYS_OPEN = ['AlmanacEvent']

function enumsIn(schema: Schema): string[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return [...(schema.enum ? [schema.enum.join()] : []), ...inner.flatMap(enumsIn)]
}

/** The file, as it should be. */
export function clientTypes(): string {
  const done = new Map<string, string>()
  const queue: { name: string; schema: Schema; isSent: boolean }[] = []
  const named = (schema: Schema, isSent: boolean): string | null => {
    const name = NAMES.get(keyOf(schema))
    if (name === undefined || isPage(schema)) return null
    if (!done.has(name)) {
      done.set(name, '')
      queue.push({ name, schema, isSent })
    }
    return name
  }
  const write = (schema: Schema, isSent: boolean) => named(schema, isSent) ?? typeOf(schema, { named, isSent })
  for (const { row } of ROWS) {
    if (row.body) write(row.body as Schema, true)
    if (row.query) write(row.query as Schema, true)
    if (row.answer) write(row.answer as Schema, false)
  }
  write(contract.Problem as Schema, false)
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { name, schema, isSent } = next
    const open = ALWAYS_OPEN.includes(name)
    done.set(name, declared(name, schema, { named, isSent, open, nested: name.endsWith('Query') }))
  }
  const unions = [
    unionOf('AccountType', 'Account types of posts.', accountTypes),
    unionOf('EventType', 'Types of events. Later versions of the service may have more.', contract.EVENT_TYPES),
  ]
  const sorted = [...done].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text)
  return `${[HEAD, ...unions, PAGE, ...sorted].join('\n\n')}\n`
}

const HEAD = `// Written from the contract of the service by scripts/make-client-types.ts: change it there.

/** A value of the service that this version of the client does not know. */
export type Unknown = string & {}`

const PAGE = `/** A page of a list. */
export interface Page<T> {
  data: T[]
  pagination: {
    page: number
    size: number
    /** Exact up to 10,000. */
    total: number
    totalPages: number
    totalIsExact: boolean
  }
}`

interface Writing {
  named(schema: Schema, isSent: boolean): string | null
  /** Of a request. */
  isSent: boolean
  /** All lists of values of it go on. */
  open?: boolean
  /** Of a query: `filters[status][]` is a field of `filters`. */
  nested?: boolean
}

const isPage = ({ properties = {} }: Schema) => 'data' in properties && 'pagination' in properties

function declared(name: string, schema: Schema, writing: Writing): string {
  const doc = docOf(schema.description, '')
  if (!schema.properties) return `${doc}export type ${name} = ${typeOf(schema, writing)}`
  return `${doc}export interface ${name} ${fieldsOf(schema, writing, '')}`
}

function typeOf(schema: Schema, writing: Writing, indent = ''): string {
  const inner = (each: Schema) => writing.named(each, writing.isSent) ?? typeOf(each, writing, indent)
  if (schema.const !== undefined) return quoted(schema.const)
  if (schema.enum) return enumOf(schema.enum, writing)
  if (schema.anyOf) return [...new Set(schema.anyOf.map(inner))].join(' | ')
  if (schema.items) {
    const item = inner(schema.items)
    return /[ |]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
  }
  if (schema.patternProperties)
    return `Record<string, ${Object.values(schema.patternProperties).map(inner).join(' | ')}>`
  if (isPage(schema)) return `Page<${inner(itemsOf(schema, 'data'))}>`
  if (schema.properties) return fieldsOf(schema, writing, indent)
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case undefined:
      return 'unknown'
    default:
      throw new Error(`There is no type for ${JSON.stringify(schema)}.`)
  }
}

function enumOf(values: readonly string[], { isSent, open }: Writing): string {
  const known = values.map(quoted)
  if (values.join() === accountTypes.join()) known.splice(0, known.length, 'AccountType')
  if (values.join() === contract.EVENT_TYPES.join()) known.splice(0, known.length, 'EventType')
  const goesOn = open || (!isSent && !SENT.has(values.join()))
  return [...known, ...(goesOn ? ['Unknown'] : [])].join(' | ')
}

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
}

function fieldsOf(schema: Schema, writing: Writing, indent: string): string {
  const all = Object.entries(schema.properties ?? {}).map(([name, each]) => ({
    name,
    schema: each,
    isRequired: schema.required?.includes(name) ?? false,
  }))
  const fields = writing.nested ? nestedOf(all) : all
  const lines = fields.map(({ name, schema: each, isRequired }) => {
    const type = writing.named(each, writing.isSent) ?? typeOf(each, { ...writing, nested: false }, `${indent}  `)
    const optional = isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`
    return `${docOf(each.description, `${indent}  `)}${indent}  ${optional}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** `filters[status][]` and `filters[search]` are one field with two. */
function nestedOf(fields: readonly Field[]): Field[] {
  const parts = fields.map((field) => {
    const [outer = '', ...inner] = field.name
      .replace(/\[\]$/, '')
      .split(/[[\]]+/)
      .filter(Boolean)
    return { outer, inner: inner[0], field }
  })
  return [...Map.groupBy(parts, ({ outer }) => outer)].map(([name, group]) => {
    const [first] = group
    if (first?.inner === undefined) return { ...(first as { field: Field }).field, name }
    const required = group.filter(({ field }) => field.isRequired).map(({ inner = '' }) => inner)
    const properties = Object.fromEntries(group.map(({ inner = '', field }) => [inner, field.schema]))
    return { name, schema: { type: 'object', properties, required }, isRequired: required.length > 0 }
  })
}

const unionOf = (name: string, words: string, values: readonly string[]) =>
  `/** ${words} */\nexport type ${name} =\n${values.map((value) => `  | ${quoted(value)}`).join('\n')}`

const docOf = (words: string | undefined, indent: string) =>
  words === undefined ? '' : `${indent}/** ${words.replaceAll('*/', '*\\/')} */\n`

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await writeFile(FILE, clientTypes())
