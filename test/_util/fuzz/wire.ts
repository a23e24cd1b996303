import type { Pool } from 'undici'
import { idOf, type Known, Pick, resolved } from './known.ts'
import type { Breaking, Mutation, Recipe } from './requests.ts'

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string>
  body: string | Uint8Array | null
}

export interface WireAnswer {
  status: number
  headers: Headers
  /** Read as JSON when it says that it is. */
  body: unknown
}

/** An answer that takes longer is none. */
const PATIENCE_MS = 10_000

/** Fills in what is known by now. `credential` is the value of the header, null without one. */
export function writeRequest(recipe: Recipe, known: Known, credential: string | null): WireRequest {
  const { operation } = recipe
  const id = idText(recipe.id, known)
  const body = writeBody(recipe, known, id)
  const query = [
    ...recipe.query.map(([name, value]) => `${escaped(name)}=${escaped(asText(resolved(known, value)))}`),
    ...recipe.queryTwists,
  ]
  const path =
    recipe.path?.replace('{feeds}', () => idOf(known, new Pick('feeds', 0))) ??
    operation.path.replace(/\{\w+\}/g, () => escaped(id))
  return {
    method: recipe.method ?? operation.method,
    path: `${asTarget(path)}${query.length === 0 ? '' : `?${asTarget(query.join('&'))}`}`,
    headers: {
      ...(credential === null ? {} : { authorization: credential }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...recipe.headers,
    },
    body,
  }
}

function idText(id: unknown, known: Known): string {
  return id instanceof Pick ? idOf(known, id) : asText(id)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Halves of characters cannot be escaped; the rest can. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%5B', '[').replaceAll('%5D', ']')
}

/** What a request line can hold: the rest is not HTTP. */
function asTarget(text: string): string {
  return text.replace(/[^\u0021-\u007e]/g, (character) => escaped(character))
}

function writeBody(recipe: Recipe, known: Known, id: string): string | Uint8Array | null {
  const { body } = recipe
  switch (body.from) {
    case 'nothing':
      return null
    case 'text':
      return body.text
    case 'broken':
      return broken(JSON.stringify(resolved(known, body.value)), body.how)
    case 'values':
      return json(mutated(resolved(known, body.value), resolved(known, body.mutations) as Mutation[]))
    case 'record': {
      const fields = Object.entries(resolved(known, body.value) as object)
      const taken = fields.filter((_, index) => (body.take >> index) & 1)
      const whole = { ...known.records.get(id), ...Object.fromEntries(taken) }
      return json(mutated(whole, resolved(known, body.mutations) as Mutation[]))
    }
  }
}

/** A body that was dropped as a whole is an empty one. */
function json(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value)
}

function broken(json: string, how: Breaking): string | Uint8Array {
  switch (how) {
    case 'cut':
      return json.slice(0, -1)
    case 'comma':
      return json.replace(/}$/, ',}')
    case 'byte order mark':
      return `\ufeff${json}`
    case 'double key':
      return json.replace(/^{/, '{"status":"DRAFT","content":"twice",')
    case 'NaN':
      return json.replace(/^{/, '{"scheduledAt":NaN,')
    case 'single quotes':
      return json.replaceAll('"', "'")
    case 'latin1':
      return Buffer.from(json.replace(/^{/, '{"caption":"é",'), 'latin1')
  }
}

type Fields = Record<string, unknown>
type Place = { holder: Fields | unknown[]; key: string }

/** A copy of the value to which every mutation has been done. */
export function mutated(value: unknown, mutations: readonly Mutation[]): unknown {
  const root = { value: structuredClone(value) as unknown }
  for (const mutation of mutations) {
    const isLeaf = ({ holder, key }: Place) => ['string', 'number'].includes(typeof (holder as Fields)[key])
    const places = mutation.kind === 'spoil' ? placesIn(root).filter(isLeaf) : placesIn(root)
    const place = places[mutation.at % places.length]
    if (place) mutate(place, mutation)
  }
  return root.value
}

function placesIn(holder: Fields | unknown[], depth = 0): Place[] {
  if (depth > 10) return []
  return Object.entries(holder).flatMap(([key, part]) => [
    { holder, key },
    ...(typeof part === 'object' && part !== null ? placesIn(part as Fields, depth + 1) : []),
  ])
}

function mutate({ holder, key }: Place, { kind, name, value, text, number }: Mutation): void {
  const fields = holder as Fields
  const part = fields[key]
  // A field called __proto__ is one like any other here.
  const set = (field: string, given: unknown) =>
    Object.defineProperty(holder, field, { value: given, enumerable: true, configurable: true, writable: true })
  if (kind === 'replace') set(key, value)
  else if (kind === 'spoil') set(key, typeof part === 'string' ? text : number)
  else if (kind === 'wrap') set(key, [part])
  else if (kind === 'drop' && Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (kind === 'drop') delete fields[key]
  else if (kind === 'twice' && Array.isArray(holder)) holder.push(part)
  else if (kind === 'twice') set(key, [part, part])
  else if (kind === 'rename' && !Array.isArray(holder)) {
    delete fields[key]
    set(name, part)
  } else if (Array.isArray(part)) part.push(value)
  else if (typeof part === 'object' && part !== null) {
    Object.defineProperty(part, name, { value, enumerable: true, configurable: true, writable: true })
  } else set(key, value)
}

/** @throws Error when there is no whole answer in time */
export async function send(pool: Pool, request: WireRequest): Promise<WireAnswer> {
  const answer = await pool.request({
    method: request.method as 'GET',
    path: request.path,
    headers: request.headers,
    body: request.body,
    headersTimeout: PATIENCE_MS,
    bodyTimeout: PATIENCE_MS,
  })
  const text = await answer.body.text()
  const headers = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  const isJson = headers.get('content-type')?.includes('json') && text !== ''
  return { status: answer.statusCode, headers, body: isJson ? JSON.parse(text) : text }
}

const MOST_CHARACTERS = 4_000

/** The request as a line for a shell. The key is in a variable. */
export function curlLine(url: string, { method, path, headers, body }: WireRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const shown = Object.entries(headers).map(([name, value]) =>
    name === 'authorization' ? '-H "authorization: $AUTHORIZATION"' : `-H ${quoted(`${name}: ${value}`)}`,
  )
  const text = typeof body === 'string' ? body : body && Buffer.from(body).toString('latin1')
  const cut = (long: string) =>
    long.length > MOST_CHARACTERS
      ? `${long.slice(0, MOST_CHARACTERS)} (and ${long.length - MOST_CHARACTERS} more)`
      : long
  const data = text === null ? [] : ['--data-binary', quoted(cut(text))]
  return ['curl', '-ig', '--path-as-is', '-X', method, ...shown, ...data, quoted(cut(`${url}${path}`))].join(' ')
}
