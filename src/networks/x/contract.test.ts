import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../kit/http.ts'
import { type Exchanged, lost, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { mediaPost, textPost } from './testing-posts.ts'

/** The vendor's machine-readable contract. It is not part of the project and lies beside it on some machines. */
const contract = join(import.meta.dirname, '../../../../shared/contracts/x-v2.openapi.json')
const missing = !existsSync(contract)
if (missing && process.env.CI === 'true') throw new Error(`The contract of the vendor is not at ${contract}.`)
if (missing) process.stderr.write(`Contract of the vendor: not at ${contract}, so nothing is compared with it.\n`)

interface Operation {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content: Record<string, unknown> }>
}
interface Parameter {
  name: string
  in: string
  required?: boolean
  explode?: boolean
  schema: { type?: string }
}
interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

/** Media whose first part is answered in the way of the vendor's own playground, which the contract does not describe. */
const EMPTY_APPEND = 204

/** Calls of the sign-in, which the contract does not describe. */
const OUTSIDE = ['POST 2/oauth2/token']

describe.skipIf(missing)('the contract of the vendor, when it lies beside the checkout,', () => {
  const document: Contract = missing ? { paths: {} } : JSON.parse(readFileSync(contract, 'utf8'))
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false })
  ajv.addSchema(document, 'x')
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage(network, 'TWITTER', { base: 'api' })
    await stage.deliver(textPost('Bread & butter https://example.com/a?b=c&d=e'))
    await stage.deliver(mediaPost('', { file: 'photo.jpg', altText: 'A loaf' }, 'transparent.png'))
    await stage.deliver(mediaPost('Turning', { file: 'animated.gif', altText: 'A loaf turns' }))
    await stage.deliver(mediaPost('Baking', 'video-h264-aac.mp4'))
    // Their answers are lost, so they are looked for, one by its text and one by its file.
    for (const post of [textPost('Lost https://example.com/a'), mediaPost('Lost too', 'video-short.mp4')]) {
      await stage.deliver(post, stage.on('POST 2/tweets', lost, { reached: true }))
    }
    await stage.signIn.accounts()
  })
  afterAll(() => stage?.close())

  test('knows every call, and every call of interest is made', () => {
    const made = stage.exchanged.filter(({ call }) => !OUTSIDE.includes(call)).map(({ call }) => find(call).operationId)
    expect([...new Set(made)].sort()).toEqual([
      'appendMediaUpload',
      'createMediaMetadata',
      'createPosts',
      'finalizeMediaUpload',
      'getMediaUploadStatus',
      'getUsersMe',
      'getUsersPosts',
      'initializeMediaUpload',
    ])
  })

  test('takes every query that is made', () => {
    for (const each of described()) {
      const known = parametersOf(find(each.call)).filter((parameter) => parameter.in === 'query')
      for (const [name, value] of each.query) {
        const place = known.findIndex((parameter) => parameter.name === name)
        expect(place, `${each.call}: ${name}`).toBeGreaterThanOrEqual(0)
        const schema = known[place]?.schema ?? {}
        expectValid(schema, typed(value, schema.type), `${each.call}: ${name}`)
      }
      for (const { name, required } of known) if (required) expect(each.query.has(name)).toBe(true)
    }
  })

  test('takes every body that is sent', async () => {
    for (const each of described()) {
      const { content } = find(each.call).requestBody ?? {}
      const body = await bodyOf(each.request)
      // The contract names no body for finalize; an empty object says nothing.
      if (!content) expect(body ?? {}).toEqual({})
      else expectValid(schemaIn(content), body, each.call)
    }
  })

  test('describes every answer of the pretend network that is a success', () => {
    for (const each of described()) {
      if (each.result.kind !== 'answer' || each.result.status >= 300) continue
      if (each.call.endsWith('/append') && each.result.status === EMPTY_APPEND) continue
      const response = find(each.call).responses[String(each.result.status)]
      expect(response, `${each.call}: ${each.result.status}`).toBeDefined()
      expectValid(schemaIn(response?.content ?? {}), each.result.json, each.call)
      expect(namesOutside(schemaIn(response?.content ?? {}), each.result.json)).toEqual([])
    }
  })

  test('would say no', () => {
    const create = schemaIn(find('POST 2/tweets').requestBody?.content ?? {})
    expect(() => expectValid(create, { text: 'a', mood: 'good' }, '')).toThrow()
    expect(() => expectValid(create, { text: 'a', media: { media_ids: [] } }, '')).toThrow()
    expect(namesOutside(schemaIn(find('POST 2/tweets').responses['201']?.content ?? {}), { date: {} })).toEqual([
      'date',
    ])
  })

  const described = (): Exchanged[] => stage.exchanged.filter(({ call }) => !OUTSIDE.includes(call))

  function find(call: string): Operation {
    const [method = '', path = ''] = call.replace('{me}', '{id}').split(' ')
    const operation = document.paths[`/${path}`]?.[method.toLowerCase()]
    if (!operation) throw new Error(`The contract has no ${call}.`)
    return operation
  }

  function parametersOf(operation: Operation): Parameter[] {
    return (operation.parameters ?? []).flatMap((parameter) => {
      if (!('$ref' in parameter)) return [parameter]
      return document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []
    })
  }

  function expectValid(schema: object, value: unknown, what: string): void {
    const validate = ajv.compile(absolute(schema) as object)
    expect(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`).toBe(true)
  }

  /** Names of an answer that its schema does not have, to the depth of lists and objects that it describes. */
  function namesOutside(schema: unknown, value: unknown): string[] {
    const resolved = resolve(schema)
    if (Array.isArray(value)) return value.flatMap((each) => namesOutside(resolved.items, each))
    if (typeof value !== 'object' || value === null || !resolved.properties) return []
    const { properties } = resolved
    return Object.entries(value).flatMap(([name, part]) =>
      properties[name] === undefined ? [name] : namesOutside(properties[name], part),
    )
  }

  function resolve(schema: unknown): { items?: unknown; properties?: Record<string, unknown> } {
    const { $ref } = (schema ?? {}) as { $ref?: string }
    if ($ref === undefined) return schema ?? {}
    const place = $ref.replace(/^.*#\//, '').split('/')
    return resolve(place.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document))
  }
})

const schemaIn = (content: Record<string, unknown>): object =>
  (Object.values(content)[0] as { schema?: object } | undefined)?.schema ?? {}

/** The same schema outside of its document. */
function absolute(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"x#/'))
}

function typed(value: string, type: string | undefined): unknown {
  if (type === 'array') return value.split(',')
  return type === 'integer' ? Number(value) : value
}

/** What a request says: JSON, or the fields of a multipart body with the bytes as text. */
async function bodyOf({ json, body, headers }: HttpRequest): Promise<unknown> {
  if (json !== undefined || !(body instanceof Uint8Array)) return json
  const form = await new Response(new Uint8Array(body), { headers: { ...headers } }).formData()
  const entries = [...form].map(async ([name, value]) => [
    name,
    value instanceof Blob ? Buffer.from(await value.arrayBuffer()).toString('base64') : Number(value),
  ])
  return Object.fromEntries(await Promise.all(entries))
}
