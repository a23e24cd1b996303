import type { Attempt } from '../network.ts'
import type { HttpRequest } from '../toolkit/http.ts'
import type { HttpAnswer, HttpFailure } from '../toolkit/outcomes.ts'

/** Who asks, and with which token (`credentials.accessToken`). An `Attempt` is one. */
export type Caller = Pick<Attempt, 'endpoint' | 'http' | 'signal' | 'credentials'>

/** What became of a call: its value, an answer that is none, or no answer. */
export type Called<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: HttpAnswer } | HttpFailure

export interface Call<T> {
  method: 'GET' | 'POST'
  /** Below the address of the API: `2/tweets`. */
  path: string
  query?: Readonly<Record<string, string>>
  json?: Readonly<Record<string, unknown>>
  /** `multipart/form-data` in place of JSON. */
  multipart?: FormData
  /** Milliseconds. Default 30,000. */
  timeoutMs?: number
  /** Reads what is needed out of the body; undefined when it is not there. */
  parse(body: unknown): T | undefined
}

/** Makes one request. Paths and parameters: the vendor's OpenAPI 2.167, https://api.x.com/2/openapi.json (read 2026-11-21). */
export async function call<T>(caller: Caller, request: Call<T>): Promise<Called<T>> {
  const url = new URL(`${caller.endpoint('api')}/${request.path}`)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const { headers, ...content } = await contentOf(request)
  const result = await caller.http({
    method: request.method,
    url: url.href,
    headers: { ...headers, authorization: `Bearer ${caller.credentials.accessToken ?? ''}` },
    ...content,
    signal: caller.signal,
    timeoutMs: request.timeoutMs ?? 30_000,
  })
  if (result.kind === 'failed') return result
  if (result.status >= 200 && result.status < 300) {
    const value = request.parse(result.json)
    if (value !== undefined) return { kind: 'ok', value }
  }
  return { kind: 'refused', answer: result }
}

async function contentOf({
  json,
  multipart,
}: Pick<Call<unknown>, 'json' | 'multipart'>): Promise<Pick<HttpRequest, 'headers' | 'json' | 'body'>> {
  if (json) return { json }
  if (!multipart) return {}
  const encoded = new Response(multipart)
  const body = new Uint8Array(await encoded.arrayBuffer())
  return { body, headers: { 'content-type': encoded.headers.get('content-type') ?? '' } }
}
