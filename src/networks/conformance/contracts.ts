import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../kit/http.ts'
import type { Exchanged, Json, Stage } from '../kit/testing.ts'
import { stageFor } from './stages.ts'

/**
 * For tests that hold connector and simulator against the vendor's machine-readable contract. Contracts are not part of
 * the project and lie beside it on some machines: `read` gives one, or a file of its folder.
 */
export function describeContract<T>(path: string, body: (read: (name?: string) => T) => void): void {
  const place = join(import.meta.dirname, '../../../../shared/contracts', path)
  const missing = !existsSync(place)
  if (missing && process.env.CI === 'true') throw new Error(`The contract of the vendor is not at ${place}.`)
  if (missing) process.stderr.write(`Contract of the vendor: not at ${place}, so nothing is compared with it.\n`)
  describe.skipIf(missing)('the contract of the vendor, when it lies beside the checkout,', () => {
    if (missing) test('is compared', () => {})
    else body((name = '') => JSON.parse(readFileSync(join(place, name), 'utf8')))
  })
}

type Content = Readonly<Record<string, { schema: Json } | undefined>>
type Parameter = { $ref?: string; in?: string; name?: string; required?: boolean; schema?: Json }
export interface Operation {
  parameters?: readonly Parameter[]
  /** Without one, what is sent in a body are parameters too. */
  requestBody?: { content: Content }
  responses: Readonly<Record<string, { content?: Content } | undefined>>
}
/** The part of OpenAPI 3 that is compared. Other contracts give their operations by calls: `GET boards/{id}/pins`. */
export interface Contract {
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  calls?: Readonly<Record<string, Operation>>
  components?: { schemas?: Record<string, Json>; parameters?: Readonly<Record<string, Parameter>> }
}

interface Compared {
  open(): Promise<Stage>
  /** Does everything that is compared. Calls of other endpoints are none of the contract. */
  drive(stage: Stage): Promise<void>
  /** The calls that are made and that the contract knows. */
  calls: readonly string[]
  /** What is known to differ, by how it begins. */
  differences?: readonly string[]
  bodyOf?(request: HttpRequest): unknown
}
type One = Pick<Exchanged, 'call' | 'query' | 'result'> & { body: Json }

const lastOf = (ref: unknown) => String(ref).split('/').at(-1) ?? ''
const nameOf = (call: string) => call.replace(' /', ' ').replace(/\{\w+\}/g, '{id}')

/** Tests that the contract has every call with its query, body and answer, and would say no to another name in any. */
export function compareWith(document: Contract, { open, drive, calls, differences = [], ...own }: Compared) {
  const contract = closed(document)
  const { schemas = {}, parameters = {} } = contract.components ?? {}
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema(contract, 'vendor')
  const operations = new Map(Object.entries(contract.calls ?? {}))
  for (const [path, methods] of Object.entries(contract.paths ?? {}))
    for (const [method, each] of Object.entries(methods))
      operations.set(nameOf(`${method.toUpperCase()} ${path}`), each)

  /** What is wrong with a value, in words. A discriminator chooses among schemas. */
  function wrongs(schema: Json | undefined, value: unknown, what: string): string[] {
    if (!schema) return [`${what} is not known`]
    const { propertyName, mapping = {} } = (schemas[lastOf(schema.$ref)]?.discriminator ?? {}) as Json
    const $ref = (mapping as Json)[String((value as Json)?.[String(propertyName)])]
    const validate = ajv.compile($ref ? { $ref } : schema)
    if (validate(value)) return []
    const named = (params: Json) => ('unevaluatedProperty' in params ? `: ${params.unevaluatedProperty}` : '')
    return (validate.errors ?? []).map((each) => `${what}${each.instancePath} ${each.message}${named(each.params)}`)
  }

  function wrongsOf({ call, query, body, result }: One): string[] {
    const operation = operations.get(call)
    if (!operation) return [`${call} is not known`]
    const { requestBody, responses } = operation
    const named = (operation.parameters ?? []).map((each) => parameters[lastOf(each.$ref)] ?? each)
    const known = new Map(named.flatMap((each) => (each.in === 'query' ? [[each.name, each]] : [])))
    const sent = new Map<unknown, unknown>([...query, ...(requestBody ? [] : Object.entries(body))])
    const missing = [...known].filter(([name, { required }]) => required && !sent.has(name))
    const { status = 0, text = '', json } = result.kind === 'answer' ? result : {}
    const answered = responses[status] ?? responses.default
    const schema = answered?.content?.['application/json']?.schema
    const isSilent = result.kind === 'failed' || (answered && !schema && text === '')
    return [
      ...missing.map(([name]) => `${call} ${name} is missing`),
      ...[...sent].flatMap(([name, value]) => {
        const schema = known.get(String(name))?.schema
        const list = schema?.type === 'array' ? String(value).split(',') : value
        return wrongs(schema, schema?.type === 'integer' ? Number(value) : list, `${call} ${name}`)
      }),
      ...(requestBody ? wrongs(Object.values(requestBody.content)[0]?.schema, body, `${call} request`) : []),
      ...(isSilent ? [] : wrongs(schema, json, `${call} ${status}`)),
    ]
  }

  const stage = stageFor('all', open)
  let compared: One[]
  beforeAll(async () => {
    await drive(stage)
    const ofApi = stage.exchanged.filter(({ call }) => !call.includes(' /'))
    const { bodyOf = ({ json, form }) => json ?? form } = own
    const bodies = await Promise.all(ofApi.map(({ request }) => bodyOf(request)))
    compared = ofApi.map((each, index) => ({ ...each, call: nameOf(each.call), body: (bodies[index] ?? {}) as Json }))
  })

  test('describes all that is sent and answered', () => {
    const wrongs = compared.flatMap(wrongsOf)
    const isKnown = (wrong: string) => differences.some((known) => wrong.startsWith(known))
    expect(wrongs.filter((wrong) => !isKnown(wrong))).toEqual([])
    expect(differences.filter((known) => !wrongs.some((wrong) => wrong.startsWith(known)))).toEqual([])
    const known = compared.flatMap(({ call }) => (operations.has(call) ? [call] : []))
    expect([...new Set(known)].sort()).toEqual([...calls].sort())
  })

  test('says no to one name more', () => {
    const silent = compared.flatMap((one) => {
      const { call, query, body, result } = one
      const before = wrongsOf(one).length
      const changed: Record<string, One> = {
        query: { ...one, query: new URLSearchParams([...query, ['nobody', '1']]) },
        body: { ...one, body: { ...body, nobody: 1 } },
      }
      if (result.kind === 'answer' && result.json && before === 0) {
        changed.answer = { ...one, result: { ...result, json: { ...result.json, nobody: 1 } } }
      }
      const isSilent = (each: One) => operations.has(call) && wrongsOf(each).length <= before
      return Object.entries(changed).flatMap(([what, each]) => (isSilent(each) ? [`${call} ${what}`] : []))
    })
    expect([...new Set(silent)]).toEqual([])
  })

  return { stage }
}

/** The contract as JSON schemas of one document: what may be null says so, and nothing may be added to what is whole. */
function closed(document: Contract): Contract {
  const parts = new Set<string>()
  const opened = ({ unevaluatedProperties: _, ...part }: Json = {}): Json => part
  const contract: Contract = JSON.parse(JSON.stringify(document).replaceAll('"#/', '"vendor#/'), (_, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const { nullable, ...rest } = value
    const schema = nullable === true ? rest : value
    const allOf: Json[] | null = Array.isArray(schema.allOf) ? schema.allOf : null
    for (const { $ref } of allOf ?? []) parts.add(lastOf($ref))
    const open = allOf && { allOf: allOf.map(opened) }
    const isWhole = allOf || (schema.properties && schema.type === 'object')
    const whole = isWhole ? { ...schema, ...open, unevaluatedProperties: false } : schema
    return nullable === true ? { anyOf: [{ type: 'null' }, whole] } : whole
  })
  const { schemas = {} } = contract.components ?? {}
  for (const name of parts) schemas[name] = opened(schemas[name])
  return contract
}
