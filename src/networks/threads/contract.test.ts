import { expect, test } from 'vitest'
import { compareWith, describeContract, type Operation } from '../conformance/contracts.ts'
import type { Sample } from '../conformance/index.ts'
import { parseJson } from '../kit/read-json.ts'
import { type Json, lost, openStage, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { KINDS } from './simulator-containers.ts'

interface Named {
  key: string
  value?: string | null
}
interface Item {
  item?: Item[]
  request?: { method: string; url: { raw: string; query?: Named[] } }
  response?: { body: string | null }[]
}
/** The vendor's collection of requests with examples. */
interface Collection extends Item {
  variable: Named[]
  auth: { oauth2: Named[] }
}

/** Parameters of every call: the collection sends the token in the query; any call of the Graph API may have a proof. */
const EVERYWHERE = ['access_token', 'appsecret_proof']
/** The documentation's example has a number here, the collection a text; both are read. */
const NUMBERS = ['user_id']
const valueIn = (named: readonly Named[], name: string) => named.find(({ key }) => key === name)?.value ?? ''

describeContract<Collection>('threads-v1.postman.json', (read) => {
  const collection = read()
  const variable = (name: string) => valueIn(collection.variable, name)
  const fieldsOf = (...names: string[]) => names.flatMap((name) => variable(name).split(','))
  const fields: Readonly<Record<string, string[]>> = {
    'GET v1.0/me': fieldsOf('fields_profile'),
    'GET v1.0/me/replies': fieldsOf('fields_replies'),
    'GET v1.0/me/threads': fieldsOf('fields_threads'),
    'GET v1.0/me/threads_publishing_limit': fieldsOf('fields_quota'),
    'GET v1.0/{id}': fieldsOf('fields_container', 'fields_threads', 'fields_replies'),
  }
  const requests = Map.groupBy(requestsOf(collection), ({ call }) => call)
  const paramsOf = (call: string) => [...EVERYWHERE, ...(requests.get(call) ?? []).flatMap(({ params }) => params)]
  const operationOf = (call: string): Operation => {
    const examples = requests.get(call)?.flatMap((each) => each.examples) ?? []
    const shown = examples.map((example) => withFields(schemaOf(example), fields[call] ?? []))
    const content = { 'application/json': { schema: { anyOf: shown } } }
    const schemas: Readonly<Record<string, Json>> = { fields: { type: 'array', items: { enum: fields[call] ?? [] } } }
    const parameters = paramsOf(call).map((name) => ({ name, in: 'query', schema: schemas[name] ?? {} }))
    return { parameters, responses: { 200: examples.length > 0 ? { content } : {} } }
  }

  const { stage } = compareWith(
    { calls: Object.fromEntries([...requests.keys()].map((call) => [call, operationOf(call)])) },
    {
      open: () => openStage(network, 'THREADS', { base: 'graph' }),
      drive,
      calls: [
        ...Object.keys(fields),
        'GET access_token',
        'GET refresh_access_token',
        'POST oauth/access_token',
        'POST v1.0/me/threads',
        'POST v1.0/me/threads_publish',
      ],
      // There are no examples of a renewed token, and of refusals.
      differences: ['GET refresh_access_token 200 is not known', 'GET v1.0/{id} 400 is not known'],
      bodyOf: ({ form, body }) => form ?? (body && Object.fromEntries(new URLSearchParams(String(body)))),
    },
  )

  test('knows every parameter of a container that the simulator takes', () => {
    const taken = Object.values(KINDS).flatMap(({ params }) => params.split(' '))
    expect(paramsOf('POST v1.0/me/threads')).toEqual(expect.arrayContaining(taken))
  })

  test('signs in where the sandbox and the installation do, for permissions that there are', () => {
    expect(variable('authorization_host')).toMatch(/^https:\/\/(www\.)?threads\.net$/)
    const { pathname, searchParams } = stage.signIn.address()
    const authUrl = valueIn(collection.auth.oauth2, 'authUrl').replace(/^\{\{\w+\}\}/, '')
    expect(`${pathname.replace(/^.*\/web/, '')}?response_type=code`).toBe(authUrl)
    expect(variable('scope').split(',')).toEqual(expect.arrayContaining(searchParams.get('scope')?.split(',') ?? ['?']))
  })
})

/** Requests that the collection knows, each with its parameters and the answers of its examples. Some are not JSON. */
function requestsOf({ item = [], request, response = [] }: Item): One[] {
  const inside = item.flatMap(requestsOf)
  if (!request) return inside
  const { method, url } = request
  const path = (url.raw.split('?')[0] ?? '').replace(/^\{\{\w+\}\}\/|\/$/g, '').replace(/\{\{\w+\}\}/, '{id}')
  const examples = response.map(({ body }) => parseJson(body ?? '')).filter((example) => example !== undefined)
  // The collection leaves the version out.
  const call = `${method} ${path.endsWith('access_token') ? '' : 'v1.0/'}${path}`
  return [{ call, params: (url.query ?? []).map(({ key }) => key), examples }, ...inside]
}
type One = { call: string; params: string[]; examples: unknown[] }

/** The shape of an example: all its names may be there, and no others. */
function schemaOf(example: unknown, name = ''): Json {
  if (Array.isArray(example)) return { type: 'array', items: schemaOf(example[0]) }
  if (typeof example !== 'object') return NUMBERS.includes(name) ? {} : { type: typeof example }
  const members = Object.entries(example ?? {}).map(([key, value]) => [key, schemaOf(value, key)])
  return { type: 'object', properties: Object.fromEntries(members) }
}

/** Examples leave out fields that the collection asks for: they may be there, in an entry of a listing as well. */
function withFields(schema: Json, names: readonly string[]): Json {
  const { properties = {}, items } = schema as { properties?: Record<string, Json>; items?: Json }
  if (items) return { ...schema, items: withFields(items, names) }
  const { data } = properties
  if (data) return { ...schema, properties: { ...properties, data: withFields(data, names) } }
  return { ...schema, properties: { ...Object.fromEntries(names.map((name) => [name, {}])), ...properties } }
}

/** Publishes posts of every kind, loses an answer so that they are looked up, signs in and renews a token. */
async function drive(stage: Stage): Promise<void> {
  const png = { file: 'transparent.png', altText: 'A loaf' }
  const film = { file: 'video-h264-aac.mp4', altText: 'Baking' }
  const unheard = stage.on('POST v1.0/me/threads_publish', lost, { reached: true })
  for (const media of [[], [png], [film], [png, film], null]) {
    const post = { caption: media ? 'Bread' : '', media: media ?? [png] }
    const sent = await stage.deliver({ title: 'post', accountType: 'THREADS', ...post }, media ? {} : unheard)
    expect(sent.post.kind).toBe('made')
  }
  // A thread with a first comment, of which an answer is lost.
  const thread: Sample = {
    ...{ title: 'thread', accountType: 'THREADS', caption: 'One', fields: { options: { firstComment: 'More' } } },
    thread: [{ caption: 'Two', media: [png] }, { caption: 'Three', media: [png, film] }, { caption: 'Four' }],
  }
  let calls = 0
  const second = stage.on(
    'POST v1.0/me/threads_publish',
    async ({ send }) => {
      if (++calls !== 2) return null
      await send()
      return lost
    },
    { times: 99 },
  )
  expect((await stage.deliver(thread, second)).result).not.toHaveProperty('warnings')
  await stage.signIn.accounts()
  expect((await stage.signIn.refresh(stage.world.backend.credentials)).kind).toBe('refreshed')
}
