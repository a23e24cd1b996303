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

type Content = Readonly<Record<string, { schema: object }>>
type Parameter = { name: string; in: string; required?: boolean; schema: { type?: string } }
interface Operation {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, { content?: Content }>>
}
interface Contract {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { parameters: Readonly<Record<string, Parameter>> }
}

/** Nothing may be added to what a schema names. */
const closed = (_: string, part: unknown) =>
  typeof part === 'object' && part !== null && 'properties' in part && 'type' in part
    ? { additionalProperties: false, ...part }
    : part

describe.skipIf(missing)('the contract of the vendor, when it lies beside the checkout,', () => {
  const document: Contract = JSON.parse(missing ? '{}' : readFileSync(contract, 'utf8'), closed)
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
      const { operationId, requestBody, responses, parameters = [] } = find(call)
      seen.add(operationId)
      const known = parameters
        .map((each) => ('$ref' in each ? document.components.parameters[each.$ref.split('/').at(-1) ?? ''] : each))
        .filter((each) => each?.in === 'query')
      for (const [name, value] of query) {
        const schema = known.find((each) => each?.name === name)?.schema
        const type = schema?.type
        const typed = type === 'integer' ? Number(value) : type === 'array' ? value.split(',') : value
        expect(wrongs(schema, typed), `${call}: ${name}`).toBe('')
      }
      expect(known.filter((each) => each?.required && !query.has(each.name))).toEqual([])
      // The contract names no body for finalize; an empty object says nothing.
      const body = (await bodyOf(request)) ?? {}
      if (requestBody) expect(wrongs(schemaIn(requestBody.content), body), call).toBe('')
      else expect(body).toEqual({})
      // Parts are also answered in the way of the vendor's own playground, which the contract does not describe.
      if (result.kind !== 'answer' || result.status >= 300 || result.status === 204) continue
      expect(wrongs(schemaIn(responses[result.status]?.content), result.json), call).toBe('')
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
    const [asked, answered] = [schemaIn(requestBody?.content), schemaIn(responses['201']?.content)]
    expect(wrongs(asked, { text: 'a', mood: 'good' })).toContain('additional')
    expect(wrongs(asked, { text: 'a', media: { media_ids: [] } })).toContain('media_ids')
    expect(wrongs(answered, { data: { id: '1', text: 'a', mood: 'good' } })).toContain('additional')
  })

  function find(call: string): Operation {
    const [method = '', path = ''] = call.replace('{me}', '{id}').split(' ')
    const operation = document.paths[`/${path}`]?.[method.toLowerCase()]
    if (!operation) throw new Error(`The contract has no ${call}.`)
    return operation
  }

  const schemaIn = (content: Content = {}) => Object.values(content)[0]?.schema

  function wrongs(schema: object | undefined, value: unknown): string {
    if (!schema) return 'The contract does not know it.'
    // The same schema outside of its document.
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"x#/')))
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }
})

/** What a request says: JSON, or the fields of a multipart body with the bytes as text. */
async function bodyOf({ json, body, headers }: HttpRequest): Promise<unknown> {
  if (json !== undefined || !(body instanceof Uint8Array)) return json
  const form = await new Response(new Uint8Array(body), { headers: { ...headers } }).formData()
  const media = Buffer.from(await (form.get('media') as Blob).arrayBuffer()).toString('base64')
  return { media, segment_index: Number(form.get('segment_index')) }
}
