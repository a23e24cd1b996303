import { request } from 'undici'

/** An answer as it came over the wire. */
export interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

export interface KeyedRequest {
  method: string
  path: string
  body?: object
  /** Sent as it is, instead of `body`. */
  raw?: string
  /** The header Idempotency-Key; absent: none is sent. */
  key?: string | undefined
  /** The API key, when it is another than that of the tests. */
  credential?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Sends requests with an `Idempotency-Key` and gives what came back, unread. Rejects when there is no answer. */
export function newKeyedClient({ url, key: own }: { url: string; key: string }) {
  return async ({
    method,
    path,
    body,
    raw,
    key,
    credential = own,
    headers = {},
    signal,
  }: KeyedRequest): Promise<Raw> => {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const answer = await request(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal ? { signal } : {}),
    })
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
  }
}
