import type { AnswerOf, BodyOf, GuestEndpoints, ParamsOf, QueryOf } from '#contract'
import { errorOf, unreachable } from './api-error.ts'
import { patientFetch } from './patient-fetch.ts'

/** Method and path of an endpoint for guests, as the contract has it: `GET /posts/:id`. */
type GuestEndpointName = keyof GuestEndpoints

export type GuestAnswer<Name extends GuestEndpointName> = AnswerOf<GuestEndpoints[Name]>

type Given<Name extends GuestEndpointName> = ([ParamsOf<Name>] extends [never]
  ? unknown
  : { params: Record<ParamsOf<Name>, string> }) &
  (BodyOf<GuestEndpoints[Name]> extends undefined ? unknown : { body: BodyOf<GuestEndpoints[Name]> }) &
  (QueryOf<GuestEndpoints[Name]> extends undefined ? unknown : { query: QueryOf<GuestEndpoints[Name]> }) & {
    signal?: AbortSignal
  }

interface Options {
  params?: Record<string, string>
  query?: object
  body?: unknown
  signal?: AbortSignal
}

const NOT_SHARED = 'shared-calendar:not_found'
let shared = true
const listeners = new Set<() => void>()

/** Whether the calendar is shared with this guest, as far as answers have said. */
export const isShared = () => shared

/** Calls the listener when an answer says that the calendar is not shared any more. Answers how to stop that. */
export function onNotShared(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Calls an endpoint below the shared calendar that this page is of. Answers the body, or undefined where there is none.
 * Throws ApiError.
 */
export async function callAsGuest<Name extends GuestEndpointName>(
  name: Name,
  ...[given]: object extends Given<Name> ? [Given<Name>?] : [Given<Name>]
): Promise<GuestAnswer<Name>> {
  const { params = {}, query = {}, body, signal }: Options = given ?? {}
  const [method = '', pattern = ''] = name.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
  const text = new URLSearchParams(query as Record<string, string>).toString()
  const answer = await send(`${calendarPath()}${path}${text === '' ? '' : `?${text}`}`, {
    method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    credentials: 'same-origin',
    cache: 'no-store',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
  if (!answer.ok) {
    const error = await errorOf(answer)
    if (error.code === NOT_SHARED) end()
    throw error
  }
  const read = await answer.text().catch(() => {
    throw unreachable()
  })
  return (read === '' ? undefined : JSON.parse(read)) as GuestAnswer<Name>
}

/** The page is at the address of the shared calendar itself, and all that it asks for is below. */
const calendarPath = () => window.location.pathname.replace(/\/+$/, '')

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await patientFetch(address, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw unreachable()
  }
}

function end(): void {
  shared = false
  for (const listener of listeners) listener()
}
