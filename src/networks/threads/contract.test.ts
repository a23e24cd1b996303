import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
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
  name: string
  item?: Item[]
  request?: { method: string; url: { raw: string; query?: Named[] } }
  response?: { body: string | null }[]
}
interface Collection {
  item: Item[]
  variable: Named[]
  auth: { oauth2: Named[] }
}
/** A request that the collection knows, with all of its parameters. */
interface Known {
  params: Set<string>
  examples: unknown[]
}

/** Where what is sent or answered differs from the collection, and why. */
const DIFFERENCES = {
  /** The collection sends it as the setting of its requests says: in the query. */
  token: 'access_token',
  /** Any call of the Graph API may have it. */
  proof: 'appsecret_proof',
  /** The documentation's example has a number here, the collection a text; both are read. */
  numbers: ['user_id'],
}

/** `POST /me/threads`; ids are all `:id`. */
const keyOf = (method: string, path: string) =>
  `${method} ${path
    .replace(/^\{\{\w+\}\}/, '')
    .replace(/^\/v1\.0/, '')
    .replace(/\{\{\w+\}\}|(?<=\/)\d+/g, ':id')
    .replace(/\/$/, '')}`

function readCollection(): { known: Map<string, Known>; variables: Map<string, string>; sources: Collection } {
  const sources = JSON.parse(readFileSync(file, 'utf8')) as Collection
  const known = new Map<string, Known>()
  const visit = ({ item, request, response = [] }: Item): void => {
    item?.forEach(visit)
    if (!request) return
    const key = keyOf(request.method, request.url.raw.split('?')[0] ?? '')
    const entry = known.get(key) ?? { params: new Set([DIFFERENCES.token, DIFFERENCES.proof]), examples: [] }
    known.set(key, entry)
    for (const { key: name } of request.url.query ?? []) entry.params.add(name)
    for (const { body } of response) {
      const example = parsed(body ?? '')
      if (example !== undefined) entry.examples.push(example)
    }
  }
  sources.item.forEach(visit)
  return { known, variables: new Map(sources.variable.map(({ key, value }) => [key, value ?? ''])), sources }
}

/** The collection's own examples are not all JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe.skipIf(missing)('the collection of the vendor, when it lies beside the checkout,', () => {
  let stage: Stage
  let exchanges: { key: string; params: string[]; fields: string[]; answer: HttpResult }[]
  const collection = missing ? null : readCollection()
  if (!collection && !missing) throw new Error('The collection is empty.')
  const known = collection?.known ?? new Map<string, Known>()

  beforeAll(async () => {
    stage = await openStage(network, 'THREADS', { base: 'graph' })
    await doEverything(stage)
    exchanges = stage.exchanged.map(({ request, result }) => ({ ...described(request, stage), answer: result }))
  })
  afterAll(() => stage.close())

  test('knows every request that is made, with its parameters', () => {
    const made = new Set(exchanges.map(({ key }) => key))
    expect([...made].sort()).toEqual([
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
    for (const { key, params } of exchanges) {
      expect(params.filter((name) => !known.get(key)?.params.has(name))).toEqual([])
    }
  })

  test('knows every field that is asked for', () => {
    const fieldsOf = (name: string) => (collection?.variables.get(name) ?? '').split(',')
    const fields: Record<string, string[]> = {
      'GET /me': fieldsOf('fields_profile'),
      'GET /me/threads': fieldsOf('fields_threads'),
      'GET /me/threads_publishing_limit': fieldsOf('fields_quota'),
      'GET /:id': [...fieldsOf('fields_container'), ...fieldsOf('fields_threads')],
    }
    const asking = exchanges.filter((each) => each.fields.length > 0)
    expect(asking.length).toBeGreaterThan(10)
    for (const { key, fields: asked } of asking)
      expect(asked.filter((name) => !fields[key]?.includes(name))).toEqual([])
  })

  test('has examples of the shape that the pretend network answers with', () => {
    const compared = new Set<string>()
    for (const { key, answer } of exchanges) {
      const examples = known.get(key)?.examples ?? []
      if (answer.kind !== 'answer' || answer.status !== 200 || examples.length === 0) continue
      compared.add(key)
      expect(Math.min(...examples.map((example) => differences(answer.json, example).length))).toBe(0)
    }
    // There is no example of a renewed token.
    expect(compared.size).toBe(new Set(exchanges.map(({ key }) => key)).size - 1)
  })

  test('knows every parameter of a container that the pretend network takes', () => {
    const params = known.get('POST /me/threads')?.params
    const taken = new Set(Object.values(KINDS).flatMap((each) => each.params.split(' ')))
    expect([...taken].filter((name) => !params?.has(name))).toEqual([])
  })

  test('signs in where the sandbox and the installation do, for permissions that there are', () => {
    expect(collection?.variables.get('authorization_host')).toMatch(/^https:\/\/(www\.)?threads\.net$/)
    const authUrl = collection?.sources.auth.oauth2.find(({ key }) => key === 'authUrl')?.value
    const asked = stage.signIn.address()
    expect(`${asked.pathname.replace(/^.*\/web/, '')}?response_type=code`).toBe(authUrl?.replace(/^\{\{\w+\}\}/, ''))
    const scopes = collection?.variables.get('scope')?.split(',') ?? []
    expect(
      asked.searchParams
        .get('scope')
        ?.split(',')
        .filter((scope) => !scopes.includes(scope)),
    ).toEqual([])
  })
})

function described({ method, url, form, body }: HttpRequest, stage: Stage) {
  const { pathname, searchParams } = new URL(url)
  const path = pathname.slice(new URL(stage.context().endpoint('graph')).pathname.length)
  const fields = (searchParams.get('fields') ?? '').split(',').filter((field) => field !== '')
  const inBody = body ? new URLSearchParams(String(body)).keys() : Object.keys(form ?? {})
  return { key: keyOf(method, path), params: [...searchParams.keys(), ...inBody], fields }
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
      return DIFFERENCES.numbers.includes(name) ? [] : differences(value, members[name], `${path}.${name}`)
    })
  }
  return typeof actual === typeof example ? [] : [path]
}

/** Publishes posts of every kind, loses an answer so that they are looked up, signs in and renews a token. */
async function doEverything(stage: Stage): Promise<void> {
  const png = { file: 'transparent.png', altText: 'A loaf' }
  const film = { file: 'video-h264-aac.mp4', altText: 'Baking' }
  for (const media of [[], [png], [film], [png, film]]) {
    const sample = { title: 'post', accountType: 'THREADS' as const, caption: 'Bread', media }
    expect((await stage.deliver(sample)).post.kind).toBe('made')
  }
  const bare = { title: 'post', accountType: 'THREADS' as const, caption: '', media: [png] }
  const unheard = stage.on('POST v1.0/me/threads_publish', lost, { reached: true })
  expect((await stage.deliver(bare, unheard)).post.kind).toBe('made')
  await stage.signIn.accounts()
  expect((await stage.signIn.refresh(stage.world.backend.credentials)).kind).toBe('refreshed')
}
