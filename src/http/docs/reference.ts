import { code, codes, jsonBlock, slugOf, table } from './markdown.ts'
import { meaningOf, nameOfRef, type Schema, schemaTable, typeWords } from './schema-tables.ts'

/** The description of the API, as far as pages are made from it. */
export interface OpenApiDocument {
  info: { description?: string }
  servers?: readonly { url: string }[]
  tags?: readonly { name: string; description?: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { schemas: Readonly<Record<string, Schema>>; headers: Readonly<Record<string, Header>> }
}

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags?: readonly string[]
  parameters?: readonly (Header & { name: string; in: string; required?: boolean })[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, Response>>
}

interface Response {
  description: string
  headers?: Readonly<Record<string, Header>>
  content?: Content
}

interface Header {
  $ref?: string
  description?: string
  schema?: Schema
}

type Content = Readonly<Record<string, { schema: Schema }>>

interface NamedOperation extends Operation {
  method: string
  path: string
}

function operationsOf({ paths }: OpenApiDocument): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

/** Operations by their tag, in the order in which the tags are described. */
function groupsOf(document: OpenApiDocument): { name: string; description: string; operations: NamedOperation[] }[] {
  const byTag = Map.groupBy(operationsOf(document), ({ tags = [] }) => tags[0] ?? 'Others')
  const described = document.tags ?? []
  const names = new Set([...described.map(({ name }) => name), ...byTag.keys()])
  return [...names].flatMap((name) => {
    const operations = byTag.get(name)
    const description = described.find((tag) => tag.name === name)?.description ?? ''
    return operations ? [{ name, description, operations }] : []
  })
}

/** All operations in a table, each leading to its place in the reference. */
export function endpointTable(document: OpenApiDocument): string {
  const rows = groupsOf(document).flatMap(({ operations }) =>
    operations.map(({ method, path, summary }) => [
      code(`${method} ${path}`),
      `[${summary}](/docs/reference.md#${slugOf(summary)})`,
    ]),
  )
  return table(['Endpoint', 'What it does'], rows)
}

/** The operations that answer with a code, as links into the reference. */
export function operationsThatAnswer(document: OpenApiDocument, errorCode: string): string[] {
  return operationsOf(document)
    .filter(({ responses }) => Object.values(responses).some((response) => codesOf(response).includes(errorCode)))
    .map(({ method, path, summary }) => `[${method} ${path}](/docs/reference.md#${slugOf(summary)})`)
}

/** Codes are in the description of an answer, each in backticks. */
function codesOf({ description }: Response): string[] {
  return [...description.matchAll(/`([\w-]+:[\w-]+)`/g)].map(([, found = '']) => found)
}

/** The reference: every operation with what it takes and answers, and every schema that has a name. */
export function referenceMarkdown(document: OpenApiDocument): string {
  const { schemas, headers } = document.components
  const sections = groupsOf(document).map(({ name, description, operations }) =>
    [`## ${name}`, description, ...operations.map((operation) => operationMarkdown(operation, schemas))].join('\n\n'),
  )
  const named = Object.entries(schemas).map(([name, schema]) => schemaMarkdown(name, schema))
  return [
    '# API reference',
    `Every operation of the API, with its requests and answers. This page is generated from the OpenAPI 3.1 description at [/openapi.json](/openapi.json). The page about [resources](/docs/resources.md) explains what the fields mean and how they relate.`,
    `Paths are relative to \`${document.servers?.[0]?.url ?? ''}\`. All operations need an [API key](/docs/authentication.md). Every answer has these headers:`,
    table(
      ['Header', 'Meaning'],
      ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
        code(name),
        headers[name.split('-').at(-1) ?? '']?.description ?? '',
      ]),
    ),
    ...sections,
    '## Schemas',
    'The named shapes. Names ending in `Input`, `Create` and `Update` are for requests, the others for answers. In answers, fields that are not required may be absent.',
    ...named,
  ].join('\n\n')
}

function operationMarkdown(operation: NamedOperation, schemas: OpenApiDocument['components']['schemas']): string {
  const { method, path, summary, description, operationId, parameters = [], requestBody } = operation
  const body = requestBody ? schemaOf(requestBody.content) : null
  const example = body?.$ref === undefined ? undefined : schemas[nameOfRef(body.$ref)]?.examples?.[0]
  const parts = [
    `### ${summary}`,
    `${code(`${method} ${path}`)} – operation ${code(operationId)}`,
    description ?? '',
    parameters.length === 0 ? '' : parameterTable(parameters),
    body ? `**Body**: ${typeWords(body)}${body.$ref === undefined ? `\n\n${schemaTable(body)}` : ''}` : '',
    example === undefined ? '' : jsonBlock(example),
    answerTable(operation.responses),
    ...Object.values(operation.responses).flatMap(({ content }) => {
      const schema = content ? schemaOf(content) : null
      return schema?.properties ? [`**Fields of the answer**\n\n${schemaTable(schema)}`] : []
    }),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function parameterTable(parameters: NonNullable<Operation['parameters']>): string {
  const rows = parameters.map(({ name, in: place, required, schema = {}, description }) => [
    code(place === 'header' ? headerName(name) : name),
    place,
    typeWords(schema),
    required ? 'yes' : 'no',
    meaningOf({ ...schema, description: description ?? schema.description ?? '' }),
  ])
  return table(['Parameter', 'In', 'Type', 'Required', 'Meaning'], rows)
}

/** `If-Match` of `if-match`. */
function headerName(name: string): string {
  return name.replace(/(^|-)\w/g, (letter) => letter.toUpperCase())
}

function answerTable(responses: Operation['responses']): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const schema = response.content ? schemaOf(response.content) : null
    const found = codesOf(response)
    const words = found.length > 0 ? codes(found) : answerWords(response, schema)
    return [status, found.length > 0 ? '[Problem](#problem)' : '', words]
  })
  return table(
    ['Status', 'Body', 'Codes'],
    rows.map(([status = '', body = '', words = '']) => (body === '' ? [status, words, ''] : [status, body, words])),
  )
}

function answerWords({ description, headers = {} }: Response, schema: Schema | null): string {
  const etag = headers.ETag ? ' and the header `ETag`' : ''
  if (!schema) return description
  return `${schema.properties ? 'the fields below' : typeWords(schema)}${etag}`
}

function schemaOf(content: Content): Schema | null {
  return Object.values(content)[0]?.schema ?? null
}

function schemaMarkdown(name: string, schema: Schema): string {
  const [example] = schema.examples ?? []
  const parts = [`### ${name}`, schema.description ?? '', schemaTable(schema)]
  if (example !== undefined) parts.push(jsonBlock(example))
  return parts.filter((part) => part !== '').join('\n\n')
}
