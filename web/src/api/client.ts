import type { AnswerOf, BodyOf, Endpoints, ParamsOf, QueryOf } from '#contract'
import { actingAs, startAnew } from './acting-as.ts'
import { errorOf, unreachable } from './api-error.ts'
import { basePath } from './base.ts'
import { patientFetch } from './patient-fetch.ts'
import { isOurs, noteAnswer, noteNoAnswer } from './reachable.ts'

/** Method and path of an endpoint, as the contract has it: `PATCH /post-sets/:id`. */
export type EndpointName = keyof Endpoints

/** What an endpoint answers. */
export type Answer<Name extends EndpointName> = AnswerOf<Endpoints[Name]>

/** The body that an endpoint takes. */
export type Body<Name extends EndpointName> = Sent<BodyOf<Endpoints[Name]>>

/** What a request to an endpoint has to bring. */
type Given<Name extends EndpointName> = ParamsGiven<ParamsOf<Name>> &
  FileGiven<Endpoints[Name]> &
  BodyGiven<BodyOf<Endpoints[Name]>> &
  QueryGiven<QueryOf<Endpoints[Name]>> &
  VersionGiven<Endpoints[Name]> & { signal?: AbortSignal }

type ParamsGiven<Param extends string> = [Param] extends [never] ? unknown : { params: Record<Param, string> }
type BodyGiven<T> = T extends undefined ? unknown : { body: Sent<T> }
type QueryGiven<T> = T extends undefined ? unknown : object extends T ? { query?: Query<T> } : { query: Query<T> }
/** Sent as a form with the body's fields. Absent: JSON is. */
type FileGiven<Row> = Row extends { form: unknown } ? { file?: File | undefined } : unknown
/** The version that was read: the server refuses (412) when there is a newer one. */
type VersionGiven<Row> = Row extends { takesIfMatch: true } ? { ifMatch?: number } : unknown

/** Lists that are only read may be sent as well. */
type Sent<T> = T extends (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { [Field in keyof T]: Sent<T[Field]> }
    : T
/** Null and undefined leave a parameter out. */
type Query<T> = { [Name in keyof T]: Sent<T[Name]> | (object extends Pick<T, Name> ? null | undefined : never) }

/** What a request to any endpoint may bring. */
interface Options {
  params?: Record<string, string>
  query?: object
  body?: unknown
  file?: File | undefined
  ifMatch?: number
  signal?: AbortSignal
}

const NOT_SIGNED_IN = 'auth:not_signed_in'
const ANOTHER = 'auth:acting_as_another'
/** Asks who is signed in, signs in and out: for any person. */
const SESSION = /^\w+ \/session$/
const listeners = new Set<() => void>()

/** Calls the listener whenever an answer says that the session has ended. Answers how to stop that. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Calls an endpoint of the server. Answers the body, or undefined where there is none; both are of the types that the
 * contract has for the endpoint. Throws ApiError.
 */
export async function call<Name extends EndpointName>(
  name: Name,
  ...[given]: object extends Given<Name> ? [Given<Name>?] : [Given<Name>]
): Promise<Answer<Name>> {
  const { params = {}, query, body, file, ifMatch, signal }: Options = given ?? {}
  const [method = '', pattern = ''] = name.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined && !file) headers.set('content-type', 'application/json')
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  const drawnFor = SESSION.test(name) ? null : actingAs()
  if (drawnFor !== null) headers.set('almanac-acting-as', drawnFor)
  const answer = await send(`${basePath}/internal${path}${queryText(query)}`, {
    method,
    headers,
    credentials: 'same-origin',
    // Freshness is the query cache's duty; two caches would disagree.
    cache: 'no-store',
    ...(body === undefined ? {} : { body: file ? formOf(body as object, file) : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (!answer.ok) {
    const error = await errorOf(answer)
    if (error.code === NOT_SIGNED_IN) for (const listener of listeners) listener()
    if (error.code === ANOTHER) startAnew()
    throw error
  }
  return (await readBody(answer)) as Answer<Name>
}

/** Sends a file with its fields to the media library of a brand, as a form of a page does. Throws ApiError. */
export async function sendFile(
  file: Blob,
  fields: { socialSetId: string; name: string },
): Promise<Answer<'POST /media-upload'>> {
  const form = formOf(fields, file, fields.name)
  const headers = new Headers({ accept: 'application/json' })
  const drawnFor = actingAs()
  if (drawnFor !== null) headers.set('almanac-acting-as', drawnFor)
  const init = { method: 'POST', headers, credentials: 'same-origin', cache: 'no-store', body: form } as const
  const answer = await send(`${basePath}/internal/media-upload`, init)
  if (!answer.ok) throw await errorOf(answer)
  return (await readBody(answer)) as Answer<'POST /media-upload'>
}

/** The file is the last part. */
function formOf(fields: object, file: Blob, fileName?: string): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  if (fileName === undefined) form.append('file', file)
  else form.append('file', file, fileName)
  return form
}

/** Reads a file that came with the page. Throws ApiError. */
export async function readAsset(address: string): Promise<Blob> {
  const answer = await send(address, { credentials: 'same-origin' })
  if (!answer.ok) throw await errorOf(answer)
  return answer.blob()
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await patientFetch(address, init)
    if (isOurs(answer)) noteAnswer()
    else noteNoAnswer()
    return answer
  } catch (error) {
    // Who cancelled a request knows; everything else is a connection that failed.
    if (init.signal?.aborted) throw error
    noteNoAnswer()
    throw unreachable()
  }
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text().catch(() => {
    throw unreachable()
  })
  return text === '' ? undefined : JSON.parse(text)
}

function queryText(query: object = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined) parameters.append(name, String(item))
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
