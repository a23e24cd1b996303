import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Exchanged, type Json, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { sample } from './testing-pins.ts'

/** The vendor's machine-readable contract. It is not part of the project and lies beside it on some machines. */
const file = join(import.meta.dirname, '../../../../shared/contracts/pinterest-v5.openapi.json')
const missing = !existsSync(file)
if (missing && process.env.CI === 'true') throw new Error(`The contract of the vendor is not at ${file}.`)
if (missing) process.stderr.write(`Contract of the vendor: not at ${file}, so nothing is compared with it.\n`)

type Content = Record<string, { schema: Json } | undefined>
type Parameter = { $ref?: string; in: string; name: string; schema: Json }
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
interface Contract {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; parameters: Record<string, Parameter> }
}

/** Schemas that nothing may be added to: those that are put together of several are left open. */
const CLOSED =
  /^(PinCreate|PinMediaSource\w+|MediaUploadCreate|MediaUploadParameters|Pin|PinMediaWith\w+|ImageDetails|ImageMetadata|Media|MediaUpload|Account|Error|Pinterest\.Lib\.Error)$/

const nameIn = ({ $ref = '' }: { $ref?: unknown }) => String($ref).split('/').at(-1) ?? ''

/** OpenAPI 3.0 as JSON schema: what may be null says so in its type. */
function nullable(_: string, value: unknown): unknown {
  const { nullable: may, ...rest } = (value ?? {}) as Json
  return may === true ? { anyOf: [{ type: 'null' }, rest] } : value
}

describe.skipIf(missing)('the contract of the vendor, when it lies beside the checkout,', () => {
  const contract: Contract = missing ? { paths: {} } : JSON.parse(readFileSync(file, 'utf8'), nullable)
  const { schemas = {}, parameters = {} } = contract.components ?? {}
  for (const [name, schema] of Object.entries(schemas)) {
    const isClosed = CLOSED.test(name) && schema.properties && !schema.allOf
    if (isClosed) schemas[name] = { ...schema, additionalProperties: false }
  }
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema(contract, 'vendor')

  /** What is wrong with a value, in words; empty when nothing is. A discriminator chooses among schemas. */
  function wrongs(schema: Json | undefined, value: unknown, what: string): string[] {
    if (!schema) return [`${what} is not known`]
    const { propertyName, mapping = {} } = (schemas[nameIn(schema)]?.discriminator ?? {}) as Json
    const $ref = (mapping as Json)[String((value as Json)[String(propertyName)])]
    const validate = ajv.compile(JSON.parse(JSON.stringify($ref ? { $ref } : schema).replaceAll('"#/', '"vendor#/')))
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${what} ${instancePath} ${message}`)
  }

  const operations = new Map(
    Object.entries(contract.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path.slice(1).replace(/\{\w+\}/g, '{id}')}`,
        operation,
      ]),
    ),
  )

  /** Everything that is wrong with a call and its answer. */
  function wrongsOf({ call, request, query, result }: Exchanged): string[] {
    // Uploads and pages are none of the API.
    if (call.includes(' /') || result.kind === 'failed') return []
    const operation = operations.get(call)
    if (!operation) return [`${call} is not known`]
    const { requestBody, responses } = operation
    const sent = Object.values(requestBody?.content ?? {})[0]?.schema
    const answered = (responses[result.status] ?? responses.default)?.content?.['application/json']?.schema
    const known = (operation.parameters ?? []).map((each) => parameters[nameIn(each)] ?? each)
    return [
      ...[...query].flatMap(([name, value]) => {
        const schema = known.find((each) => each.in === 'query' && each.name === name)?.schema
        return wrongs(schema, schema?.type === 'integer' ? Number(value) : value, `${call} ${name}`)
      }),
      ...(requestBody ? wrongs(sent, request.form ?? request.json, `${call} request`) : []),
      ...wrongs(answered, result.json, `${call} ${result.status}`),
    ]
  }

  let stage: Stage
  beforeAll(async () => {
    stage = await openStage(network, 'PINTEREST', { base: 'api/v5' })
  })
  afterAll(() => stage?.close())

  test('knows everything that the connector sends and the simulator answers', async () => {
    const [identity] = await stage.signIn.accounts()
    await network.connect.options?.(stage.context(), { ...identity, accountType: 'PINTEREST' })
    await stage.signIn.refresh(identity.credentials)
    const posts = [
      sample([{ file: 'photo.jpg', altText: 'Bread' }]),
      sample(['animated.gif'], { fields: { website: '' } }),
      sample(['photo.jpg', 'photo.jpg']),
      sample(['video-h264-aac.mp4']),
      sample(['video-h264-aac.mp4', 'photo.jpg']),
      sample(['photo.jpg'], { caption: 'Lost [[fault:500-after-accept]]' }),
    ]
    for (const post of posts) expect((await stage.deliver(post)).post).toMatchObject({ kind: 'made' })

    // What it refuses has a shape as well.
    const image = { source_type: 'image_base64', content_type: 'image/png', data: 'AAAA' }
    const pin = { board_id: '549755885175000001', title: 'Bread', media_source: image }
    for (const call of ['GET user_account', 'GET boards']) await stage.api(call, undefined, { token: 'no-one' })
    for (const call of ['GET boards/100000/pins', 'GET media/100000']) await stage.api(call)
    for (const fault of ['500-before', 'rate-limited', 'token-expired', 'account-restricted', 'none']) {
      await stage.api('POST pins', { ...pin, description: `[[fault:${fault}]]` })
    }
    const statuses = stage.exchanged.map(({ result }) => (result.kind === 'answer' ? result.status : 0))
    expect([...new Set(statuses)]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 429, 500]))
    expect(stage.exchanged.flatMap(wrongsOf)).toEqual([])
    const seen = stage.exchanged.flatMap(({ call }) => operations.get(call)?.operationId ?? [])
    expect([...new Set(seen)].sort()).toEqual([
      'boards/list',
      'boards/list_pins',
      'media/create',
      'media/get',
      'oauth/token',
      'pins/create',
      'user_account/get',
    ])
  })

  test.each<[string, string, unknown, boolean]>([
    ['an unknown field', 'PinCreate', { colour: 'red' }, false],
    ['a pin without id', 'Pin', { title: 'Bread' }, false],
  ])('tells right from wrong: %s', (_, name, value, right) => {
    expect(wrongs({ $ref: `#/components/schemas/${name}` }, value, name).length === 0).toBe(right)
  })
})
