import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../kit/http.ts'
import { lost, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { mediaPost, textPost } from './testing-posts.ts'

/** The vendor's machine-readable contract. It is not part of the project and lies beside it on some machines. */
const contract = join(import.meta.dirname, '../../../../shared/contracts/x-v2.openapi.json')
const missing = !existsSync(contract)
if (missing && process.env.CI === 'true') throw new Error(`The contract of the vendor is not at ${contract}.`)
if (missing) process.stderr.write(`Contract of the vendor: not at ${contract}, so nothing is compared with it.\n`)

type Content = Readonly<Record<string, { schema?: Schema }>>
interface Schema {
  $ref?: string
  type?: string
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
}
interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: Schema
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, { content?: Content }>>
}

describe.skipIf(missing)('the contract of the vendor, when it lies beside the checkout,', () => {
  const document = JSON.parse(missing ? '{}' : readFileSync(contract, 'utf8'))
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false })
  ajv.addSchema(document, 'x')
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage(network, 'TWITTER', { base: 'api' })
    await stage.deliver(textPost('Bread & butter https://example.com/a?b=c&d=e'))
    await stage.deliver(mediaPost('', { file: 'photo.jpg', altText: 'A loaf' }, 'transparent.png'))
    await stage.deliver(mediaPost('Turning', { file: 'animated.gif', altText: 'A loaf turns' }))
    // Their answers are lost, so they are looked for, one by its text and one by its file.
    for (const post of [textPost('Lost https://example.com/a'), mediaPost('Lost too', 'video-short.mp4')]) {
      await stage.deliver(post, stage.on('POST 2/tweets', lost, { reached: true }))
    }
    await stage.signIn.accounts()
  })
  afterAll(() => stage?.close())

  test('knows every call, takes its query and its body, and describes the answers that are a success', async () => {
    const seen = new Set<string>()
    // The contract does not describe the sign-in.
    for (const { call, query, request, result } of stage.exchanged.filter(({ call }) => !call.includes('oauth2'))) {
      const { operationId, parameters = [], requestBody, responses } = find(call)
      seen.add(operationId)
      const known = parameters.map(resolve).filter((parameter) => parameter.in === 'query')
      const named = known.filter(({ name }) => query.has(name))
      expect(known.filter(({ name, required }) => required && !query.has(name))).toEqual([])
      expect(named.map(({ name }) => name).sort()).toEqual([...query.keys()].sort())
      for (const { name, schema } of named) {
        const value = query.get(name) ?? ''
        const typed = schema.type === 'integer' ? Number(value) : schema.type === 'array' ? value.split(',') : value
        expect(wrongs(schema, typed), `${call}: ${name}`).toEqual([])
      }
      // The contract names no body for finalize; an empty object says nothing.
      const body = (await bodyOf(request)) ?? {}
      expect(requestBody ? wrongs(schemaIn(requestBody.content), body) : Object.keys(body), call).toEqual([])
      // Parts are also answered in the way of the vendor's own playground, which the contract does not describe.
      if (result.kind !== 'answer' || result.status >= 300 || result.status === 204) continue
      expect(wrongs(schemaIn(responses[result.status]?.content), result.json), call).toEqual([])
    }
    expect([...seen].sort()).toEqual([
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

  test('would say no', () => {
    const { requestBody, responses } = find('POST 2/tweets')
    for (const wrong of [
      { text: 'a', mood: 'good' },
      { text: 'a', media: { media_ids: [] } },
    ]) {
      expect(wrongs(schemaIn(requestBody?.content), wrong)).not.toEqual([])
    }
    expect(wrongs(schemaIn(responses['201']?.content), { date: {} })).toEqual(['date is not known'])
  })

  function find(call: string): Operation {
    const [method = '', path = ''] = call.replace('{me}', '{id}').split(' ')
    const operation = document.paths[`/${path}`]?.[method.toLowerCase()]
    if (!operation) throw new Error(`The contract has no ${call}.`)
    return operation
  }

  function schemaIn(content: Content = {}): Schema {
    const [first] = Object.values(content)
    if (!first?.schema) throw new Error('The contract does not describe it.')
    return first.schema
  }

  /** What is wrong with a value, and which of its names the schema does not have. */
  function wrongs(schema: Schema, value: unknown): string[] {
    // The same schema outside of its document.
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"x#/')))
    const broken = validate(value) ? [] : [ajv.errorsText(validate.errors)]
    return [...broken, ...namesOutside(schema, value).map((name) => `${name} is not known`)]
  }

  function namesOutside(schema: Schema, value: unknown): string[] {
    const { items = {}, properties } = resolve(schema)
    if (Array.isArray(value)) return value.flatMap((each) => namesOutside(items, each))
    if (typeof value !== 'object' || value === null || !properties) return []
    return Object.entries(value).flatMap(([name, part]) =>
      properties[name] ? namesOutside(properties[name], part) : [name],
    )
  }

  function resolve<T extends { $ref?: string }>(given: T): T {
    if (given.$ref === undefined) return given
    const place = given.$ref.replace('#/', '').split('/')
    return resolve(place.reduce((part, name) => part[name], document) as T)
  }
})

/** What a request says: JSON, or the fields of a multipart body with the bytes as text. */
async function bodyOf({ json, body, headers }: HttpRequest): Promise<unknown> {
  if (json !== undefined || !(body instanceof Uint8Array)) return json
  const form = await new Response(new Uint8Array(body), { headers: { ...headers } }).formData()
  const media = form.get('media') as Blob
  const bytes = Buffer.from(await media.arrayBuffer()).toString('base64')
  return { media: bytes, segment_index: Number(form.get('segment_index')) }
}
