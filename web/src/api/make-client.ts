import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '#contract'
import { type ApiError, errorOf, unreachable } from './api-error.ts'
import { patientFetch } from './patient-fetch.ts'

/** What a request to an endpoint of a table has to bring. */
type Given<Table, Name extends keyof Table> = ParamsGiven<ParamsOf<Name>> &
  BodyGiven<BodyOf<Table[Name]>, Table[Name]> &
  QueryGiven<QueryOf<Table[Name]>> &
  VersionGiven<Table[Name]> & { signal?: AbortSignal }

type ParamsGiven<Param extends string> = [Param] extends [never] ? unknown : { params: Record<Param, string> }
/** With a file its fields are sent as a form, bytes as they are, all else as JSON. */
type BodyGiven<T, Row> = T extends undefined
  ? Row extends { bytes: readonly string[] }
    ? { body: Blob }
    : unknown
  : Row extends { form: infer Form }
    ? { body: Sent<T | Omit<BodyOf<{ body: Form }>, 'file'>>; file?: File | undefined }
    : { body: Sent<T> }
type QueryGiven<T> = T extends undefined ? unknown : object extends T ? { query?: Query<T> } : { query: Query<T> }
/** The version that was read: the server refuses (412) when there is a newer one. */
type VersionGiven<Row> = Row extends { takesIfMatch: true } ? { ifMatch?: number } : unknown

/** Lists that are only read may be sent as well. */
export type Sent<T> = T extends (infer Item)[]
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

/** What differs between those who ask. */
interface Side {
  /** What all addresses begin with. */
  base: () => string
  /** Besides those of every request, by the name of its endpoint. */
  headers?: (name: string) => Record<string, string>
  watch?: Watch
  onRefused: (error: ApiError) => void
}

/** Hears how the server answers. */
interface Watch {
  answered: (answer: Response) => void
  unanswered: () => void
}

/**
 * Makes what calls the endpoints of a table by their names. That answers the body, or undefined where there is none; both are of
 * the types that the contract has for the endpoint. It throws ApiError.
 */
export function makeClient<Table>({ base, headers, watch, onRefused }: Side) {
  return async <Name extends keyof Table & string>(
    name: Name,
    ...[given]: object extends Given<Table, Name> ? [Given<Table, Name>?] : [Given<Table, Name>]
  ): Promise<AnswerOf<Table[Name]>> => {
    const { params = {}, query, body, file, ifMatch, signal }: Options = given ?? {}
    const [method = '', pattern = ''] = name.split(' ')
    const path = pattern.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
    const init: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined || file
          ? {}
          : { 'content-type': body instanceof Blob ? body.type : 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
        ...headers?.(name),
      },
      credentials: 'same-origin',
      // Freshness is the query cache's duty; two caches would disagree.
      cache: 'no-store',
      ...(body === undefined ? {} : { body: bodyOf(body, file) }),
      ...(signal ? { signal } : {}),
    }
    const answer = await ask(`${base()}${path}${queryText(query)}`, init, watch)
    if (answer.ok) return (await readBody(answer)) as AnswerOf<Table[Name]>
    const error = await errorOf(answer)
    onRefused(error)
    throw error
  }
}

/** Asks for what is at an address. Throws ApiError where no answer comes, and what the signal was aborted with. */
export async function ask(address: string, init: RequestInit, watch?: Watch): Promise<Response> {
  try {
    const answer = await patientFetch(address, init)
    watch?.answered(answer)
    return answer
  } catch (error) {
    // Who cancelled a request knows; everything else is a connection that failed.
    if (init.signal?.aborted) throw error
    watch?.unanswered()
    throw unreachable()
  }
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text().catch(() => {
    throw unreachable()
  })
  return text === '' ? undefined : JSON.parse(text)
}

function bodyOf(body: unknown, file: File | undefined): BodyInit {
  if (body instanceof Blob) return body
  return file ? formOf(body as object, file) : JSON.stringify(body)
}

/** The file is the last part. */
function formOf(fields: object, file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', file)
  return form
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
