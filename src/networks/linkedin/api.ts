import type { Attempt } from '../network.ts'
import type { Called } from '../toolkit/graph.ts'
import type { HttpAnswer } from '../toolkit/outcomes.ts'

/** Who asks, and with which token (`credentials.accessToken`). An `Attempt` is one. */
export type Caller = Pick<Attempt, 'endpoint' | 'setting' | 'http' | 'signal' | 'credentials'>

export interface Call<T> {
  method: 'GET' | 'POST'
  /** Below the API's address: `rest/posts`. */
  path: string
  query?: Readonly<Record<string, string>>
  /** JSON as it goes out. */
  body?: string
  headers?: Readonly<Record<string, string>>
  /** Default 30,000. */
  timeoutMs?: number
  /** Reads what is needed out of a success; undefined when it is not there. */
  parse(answer: HttpAnswer): T | undefined
}

/**
 * Makes one request to the API, with the headers that every one needs
 * (https://learn.microsoft.com/en-us/linkedin/marketing/versioning, read 2026-11-21).
 */
export async function call<T>(caller: Caller, request: Call<T>): Promise<Called<T>> {
  const url = new URL(`${caller.endpoint('api')}/${request.path}`)
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value)
  const answer = await caller.http({
    method: request.method,
    url: url.href,
    headers: {
      authorization: authorization(caller),
      'linkedin-version': caller.setting('API_VERSION'),
      'x-restli-protocol-version': '2.0.0',
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: Buffer.from(request.body) }),
    signal: caller.signal,
    timeoutMs: request.timeoutMs ?? 30_000,
  })
  return read(answer, request.parse)
}

export const authorization = ({ credentials }: Pick<Caller, 'credentials'>) => `Bearer ${credentials.accessToken ?? ''}`

/** Reads a success; everything else is a refusal to be judged. */
export function read<T>(
  answer: Awaited<ReturnType<Caller['http']>>,
  parse: (answer: HttpAnswer) => T | undefined,
): Called<T> {
  if (answer.kind === 'failed') return answer
  if (answer.status >= 200 && answer.status < 300) {
    const value = parse(answer)
    if (value !== undefined) return { kind: 'ok', value }
  }
  return { kind: 'refused', answer }
}
