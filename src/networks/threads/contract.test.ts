import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../kit/http.ts'
import { lost, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { KINDS } from './simulator-containers.ts'

/** The vendor's collection of requests with examples. It is not part of the project and lies beside it on some machines. */
const file = join(import.meta.dirname, '../../../../shared/contracts/threads-v1.postman.json')
const missing = !existsSync(file)
if (missing && process.env.CI === 'true') throw new Error(`The collection of the vendor is not at ${file}.`)
if (missing) process.stderr.write(`Collection of the vendor: not at ${file}, so nothing is compared with it.\n`)

interface Named {
  key: string
  value?: string | null
}
interface Item {
  item?: Item[]
  request?: { method: string; url: { raw: string; query?: Named[] } }
  response?: { body: string | null }[]
}
interface Collection extends Item {
  variable: Named[]
  auth: { oauth2: Named[] }
}

/** Parameters of every call: the collection sends the token in the query; any call of the Graph API may have a proof. */
const EVERYWHERE = ['access_token', 'appsecret_proof']
/** The documentation's example has a number here, the collection a text; both are read. */
const NUMBERS = ['user_id']

/** `POST /me/threads`; ids are all `:id`. */
const keyOf = (method: string, path: string) =>
  `${method} ${path
    .replace(/^\{\{\w+\}\}/, '')
    .replace(/^\/v1\.0/, '')
    .replace(/\{\{\w+\}\}|(?<=\/)\d+/g, ':id')
    .replace(/\/$/, '')}`

describe.skipIf(missing)('the collection of the vendor, when it lies beside the checkout,', () => {
  const collection: Collection = missing
    ? { variable: [], auth: { oauth2: [] } }
    : JSON.parse(readFileSync(file, 'utf8'))
  const valueIn = (named: readonly Named[], name: string) => named.find(({ key }) => key === name)?.value ?? ''
  const variable = (name: string) => valueIn(collection.variable, name)
  const requests = requestsOf(collection)
  const paramsOf = (key: string) => [
    ...EVERYWHERE,
    ...requests.flatMap((each) => (each.key === key ? each.params : [])),
  ]
  let stage: Stage
  let exchanges: (ReturnType<typeof described> & { json: unknown })[]

  beforeAll(async () => {
    stage = await openStage(network, 'THREADS', { base: 'graph' })
    await doEverything(stage)
    exchanges = stage.exchanged.map(({ request, result }) => ({
      ...described(request, stage),
      json: result.kind === 'answer' && result.status === 200 ? result.json : undefined,
    }))
  })
  afterAll(() => stage.close())

  test('knows every request that is made, with its parameters', () => {
    expect([...new Set(exchanges.map(({ key }) => key))].sort()).toEqual([
      'GET /:id',
      'GET /access_token',
      'GET /me',
      'GET /me/threads',
      'GET /me/threads_publishing_limit',
      'GET /refresh_access_token',
      'POST /me/threads',
      'POST /me/threads_publish',
      'POST /oauth/access_token',
    ])
    for (const { key, params } of exchanges) expect(paramsOf(key)).toEqual(expect.arrayContaining(params))
  })

  test('knows every field that is asked for', () => {
    const fieldsOf = (...names: string[]) => names.flatMap((name) => variable(name).split(','))
    const known: Readonly<Record<string, string[]>> = {
      'GET /me': fieldsOf('fields_profile'),
      'GET /me/threads': fieldsOf('fields_threads'),
      'GET /me/threads_publishing_limit': fieldsOf('fields_quota'),
      'GET /:id': fieldsOf('fields_container', 'fields_threads'),
    }
    const asking = exchanges.filter(({ fields }) => fields.length > 0)
    expect(asking.length).toBeGreaterThan(10)
    for (const { key, fields } of asking) expect(known[key]).toEqual(expect.arrayContaining(fields))
  })

  test('has examples of the shape that the simulator answers with', () => {
    const compared = new Set<string>()
    for (const { key, json } of exchanges) {
      const examples = requests.flatMap((each) => (each.key === key ? each.examples : []))
      if (json === undefined || examples.length === 0) continue
      compared.add(key)
      expect(Math.min(...examples.map((example) => differences(json, example).length))).toBe(0)
    }
    // There is no example of a renewed token.
    expect(compared.size).toBe(new Set(exchanges.map(({ key }) => key)).size - 1)
  })

  test('knows every parameter of a container that the simulator takes', () => {
    const taken = Object.values(KINDS).flatMap(({ params }) => params.split(' '))
    expect(paramsOf('POST /me/threads')).toEqual(expect.arrayContaining(taken))
  })

  test('signs in where the sandbox and the installation do, for permissions that there are', () => {
    expect(variable('authorization_host')).toMatch(/^https:\/\/(www\.)?threads\.net$/)
    const { pathname, searchParams } = stage.signIn.address()
    const authUrl = valueIn(collection.auth.oauth2, 'authUrl').replace(/^\{\{\w+\}\}/, '')
    expect(`${pathname.replace(/^.*\/web/, '')}?response_type=code`).toBe(authUrl)
    expect(variable('scope').split(',')).toEqual(expect.arrayContaining(searchParams.get('scope')?.split(',') ?? ['?']))
  })
})

/** Requests that the collection knows, each with its parameters and the answers of its examples. */
function requestsOf({
  item = [],
  request,
  response = [],
}: Item): { key: string; params: string[]; examples: unknown[] }[] {
  const inside = item.flatMap(requestsOf)
  if (!request) return inside
  const { method, url } = request
  const own = {
    key: keyOf(method, url.raw.split('?')[0] ?? ''),
    params: (url.query ?? []).map(({ key }) => key),
    examples: response.flatMap(({ body }) => parsed(body ?? '')),
  }
  return [own, ...inside]
}

/** The collection's own examples are not all JSON. */
function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

function described({ method, url, form, body }: HttpRequest, stage: Stage) {
  const { pathname, searchParams } = new URL(url)
  const path = pathname.slice(new URL(stage.context().endpoint('graph')).pathname.length)
  const fields = (searchParams.get('fields') ?? '').split(',').filter((field) => field !== '')
  const inBody = new URLSearchParams(body ? String(body) : form)
  return { key: keyOf(method, path), params: [...searchParams.keys(), ...inBody.keys()], fields }
}

/** What in an answer has no place or another type in an example: names of members, with their paths. */
function differences(actual: unknown, example: unknown, path = ''): string[] {
  if (Array.isArray(actual) && Array.isArray(example)) {
    return actual.flatMap((entry) => differences(entry, example[0], `${path}[]`))
  }
  if (typeof actual === 'object' && actual !== null && typeof example === 'object' && example !== null) {
    const members = example as Record<string, unknown>
    return Object.entries(actual).flatMap(([name, value]) => {
      if (!(name in members)) return [`${path}.${name}`]
      return NUMBERS.includes(name) ? [] : differences(value, members[name], `${path}.${name}`)
    })
  }
  return typeof actual === typeof example ? [] : [path]
}

/** Publishes posts of every kind, loses an answer so that they are looked up, signs in and renews a token. */
async function doEverything(stage: Stage): Promise<void> {
  const png = { file: 'transparent.png', altText: 'A loaf' }
  const film = { file: 'video-h264-aac.mp4', altText: 'Baking' }
  const unheard = stage.on('POST v1.0/me/threads_publish', lost, { reached: true })
  for (const media of [[], [png], [film], [png, film], null]) {
    const post = { caption: media ? 'Bread' : '', media: media ?? [png] }
    const sent = await stage.deliver({ title: 'post', accountType: 'THREADS', ...post }, media ? {} : unheard)
    expect(sent.post.kind).toBe('made')
  }
  await stage.signIn.accounts()
  expect((await stage.signIn.refresh(stage.world.backend.credentials)).kind).toBe('refreshed')
}
